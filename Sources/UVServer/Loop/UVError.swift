internal import CUV

/// A failed libuv call: the negative code libuv returned, and the call that returned it.
public struct UVError: Error, Equatable, Sendable, CustomStringConvertible {
    /// libuv's code, always negative (`UV_EAGAIN` and so on).
    public let code: CInt
    /// The C function that failed, as written in `uv.h`.
    public let call: StaticString

    public static func == (lhs: UVError, rhs: UVError) -> Bool { lhs.code == rhs.code }

    public var description: String {
        unsafe "\(self.call): \(String(cString: uv_strerror(self.code)))"
    }
}

/// Throws unless `code`, the result of `call`, is zero or positive.
@discardableResult
func check(_ code: CInt, _ call: StaticString) throws(UVError) -> CInt {
    guard code >= 0 else { throw UVError(code: code, call: call) }
    return code
}

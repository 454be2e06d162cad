internal import CUV
internal import Glibc

/// A failed libuv or system call: its negative code, and the C function that returned it.
public struct UVError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A negated errno, or one of libuv's own codes; always negative.
    public let code: CInt
    /// The C function that failed, as its manual page names it.
    public let call: StaticString

    public init(code: CInt, call: StaticString) {
        self.code = code
        self.call = call
    }

    /// The failure that `errno` describes on this thread, right after `call` returned -1.
    public static func last(_ call: StaticString) -> UVError { UVError(code: -errno, call: call) }

    /// Another socket holds the address and port.
    public var isAddressInUse: Bool { self.code == -EADDRINUSE }

    /// This process has not the right to do it.
    public var isPermissionDenied: Bool { self.code == -EACCES || self.code == -EPERM }

    /// The machine has no such address, or no such kind of address.
    public var isAddressMissing: Bool { self.code == -EADDRNOTAVAIL || self.code == -EAFNOSUPPORT }

    /// Another process holds a lease on the file.
    public var isHeldByLease: Bool { self.code == -EAGAIN }

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

/// Throws the thread's `errno` when `result` is negative.
@discardableResult
func checkErrno(_ result: CInt, _ call: StaticString) throws(UVError) -> CInt {
    guard result >= 0 else { throw UVError(code: -errno, call: call) }
    return result
}

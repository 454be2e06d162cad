internal import Glibc

/// setsockopt(2) and getsockopt(2) for options that are a number.
enum SocketOption {
    static func set(_ option: CInt, to value: CInt = 1, of socket: CInt, level: CInt = SOL_SOCKET) throws(UVError) {
        var value = value
        try checkErrno(unsafe setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<CInt>.size)), "setsockopt")
    }

    static func value(of option: CInt, _ socket: CInt, level: CInt = SOL_SOCKET) throws(UVError) -> CInt {
        var value: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        try checkErrno(unsafe getsockopt(socket, level, option, &value, &length), "getsockopt")
        return value
    }
}

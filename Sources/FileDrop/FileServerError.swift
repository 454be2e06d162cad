public import UVServer

/// Why a file server did not start. Each prints as one line that says what is wrong.
public enum FileServerError: Error, CustomStringConvertible {
    case store(StoreStartError)
    case badAddress(String)
    case cannotListen(address: String, port: UInt16, cause: UVError)
    /// A descriptor that the process was started with to take clients from.
    case notListening(descriptor: Int)

    public var description: String {
        switch self {
        case .store(let error): error.description
        case .badAddress(let text): "\(text) is not an IP address."
        case .notListening(let descriptor):
            "LISTEN_FDS promises a listening TCP socket as descriptor \(descriptor), and it is none."
        case .cannotListen(let address, let port, let cause):
            Self.refusal(address, port, cause)
        }
    }

    private static func refusal(_ address: String, _ port: UInt16, _ cause: UVError) -> String {
        if cause.isAddressInUse { return "Port \(port) is in use. Stop the other program, or choose another port with --port." }
        if cause.isAddressMissing { return "\(address) is no address of this machine. Leave out --bind to listen at all it has." }
        guard cause.isPermissionDenied else { return "Cannot listen at \(address), port \(port) (\(cause))." }
        return """
            Port \(port) is kept for programs with more rights. Choose one from 1024 on with --port, or have systemd pass the socket, \
            or give uvdrop CAP_NET_BIND_SERVICE.
            """
    }
}

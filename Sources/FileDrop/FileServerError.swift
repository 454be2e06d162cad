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
            cause.isAddressInUse
                ? "Port \(port) is in use. Stop the other program, or choose another port with --port."
                : "Cannot listen at \(address), port \(port) (\(cause))."
        }
    }
}

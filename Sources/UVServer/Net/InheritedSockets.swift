internal import Glibc

/// The sockets that this process was started with, by the protocol of systemd (sd_listen_fds(3)): `LISTEN_FDS` of them, from
/// descriptor 3 on.
public enum InheritedSockets {
    /// The first descriptor.
    public static let firstDescriptor: CInt = 3

    /// How many there are, as far as they are meant for this process and not for one that it descends from.
    /// - Parameter knowsProcess: `false` where who started it cannot have known its number, and says by other means that it is meant.
    public static func count(knowsProcess: Bool = true) -> Int {
        let variables = OwnProcess.environment(prefix: "LISTEN_")
        return self.count(variables, process: knowsProcess ? getpid() : nil)
    }

    static func count(_ variables: [String: String], process: CInt?) -> Int {
        if let process, variables["LISTEN_PID"] != String(process) { return 0 }
        // Whoever passes sockets has opened them: more than a process can hold is nonsense.
        guard let text = variables["LISTEN_FDS"], let count = ASCII.decimal(text.utf8), count <= 1 << 16 else { return 0 }
        return Int(count)
    }

    /// Takes them over, once.
    ///
    /// - Throws: `NotListening` for the first that is no listening TCP socket.
    @EventLoop public static func take(_ count: Int) throws(NotListening) -> [ListeningSocket] {
        var sockets: [ListeningSocket] = []
        for descriptor in self.firstDescriptor..<self.firstDescriptor + CInt(count) {
            do throws(UVError) { sockets.append(try ListeningSocket(adopting: descriptor)) } catch {
                throw NotListening(descriptor: descriptor)
            }
        }
        return sockets
    }

    /// A descriptor that was passed is no socket, or not one that can be served.
    public struct NotListening: Error {
        public let descriptor: CInt
    }
}

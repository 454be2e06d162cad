/// What the command tells its caller when it ends.
enum ExitCode {
    /// Help or version was printed, or the server was stopped by SIGTERM or SIGINT.
    static let success: Int32 = 0
    /// The server could not start (port taken, folder missing or not writable), or failed later.
    static let failure: Int32 = 1
    /// The command line or the environment was wrong; nothing was started.
    static let usage: Int32 = 2
}

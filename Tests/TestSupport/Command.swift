/// A program run to its end.
public struct Command {
    public let status: Int
    public let output: [UInt8]
    public let errorText: String

    public var text: String { String(decoding: self.output, as: UTF8.self) }

    /// - Throws: when it cannot be started or does not end within `seconds`.
    public static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: [UInt8]? = nil,
        in folder: String? = nil,
        within seconds: Double = 60
    ) throws -> Command {
        let child = try ChildProcess(arguments, environment: environment, input: input, in: folder)
        let status = try child.wait(within: seconds)
        return Command(status: status, output: child.output, errorText: child.errorText)
    }
}

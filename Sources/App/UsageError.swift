internal import FileDrop

/// A command line or an environment that cannot be followed. The command prints `message` and ends with `ExitCode.usage`.
enum UsageError: Error, Equatable {
    /// Neither an argument nor `UVDROP_PATH` says which folder to serve.
    case missingPath
    case secondPath(String)
    /// As typed, and the nearest option that exists.
    case unknownOption(String, nearest: String?)
    case missingValue(option: String)
    /// An option that takes none got one behind `=`.
    case unexpectedValue(option: String)
    /// `source` is the option or the variable, as its user wrote it; `expected` completes "takes …".
    case badValue(source: String, value: String, expected: String)
    /// An option of another server, and what to do here instead.
    case absentOption(String, answer: String)
    /// Writing was asked for and forbidden at once.
    case contradiction(String)

    /// One or two lines for the terminal, saying what to do. Control characters in what the user typed are shown as `?`.
    var message: String {
        "uvdrop: \(TerminalText.safe(self.sentence))\nTry uvdrop --help."
    }

    private var sentence: String {
        switch self {
        case .missingPath:
            "say which folder to serve, for example: uvdrop ./drop"
        case .secondPath(let path):
            "one folder at a time: \"\(path)\" is a second one"
        case .unknownOption(let option, let nearest?):
            "unknown option \(option); did you mean \(nearest)?"
        case .unknownOption(let option, nil):
            "unknown option \(option)"
        case .missingValue(let option):
            "\(option) needs a value"
        case .unexpectedValue(let option):
            "\(option) takes no value"
        case .badValue(let source, let value, let expected):
            "\(source) takes \(expected), not \"\(value)\""
        case .absentOption(let option, let answer):
            "\(option) is not an option here: \(answer)"
        case .contradiction(let option):
            "\(option) and --read-only contradict each other; leave one out"
        }
    }
}

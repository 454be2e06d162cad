/// Takes a command line apart: options with their values as text, and the path. Knows spellings, judges no value.
struct CommandLineScanner {
    /// A value and the spelling that brought it, for messages.
    struct Value: Equatable {
        var text: String
        var source: String
    }

    /// Every value of each option, in the order typed.
    private(set) var values: [OptionName: [Value]] = [:]
    private(set) var path: String?
    /// The first option that asks for writing by a foreign name, as typed.
    private(set) var writeOption: String?
    /// Help or version, whichever came first. Scanning ends there.
    private(set) var question: OptionName?

    private var rest: ArraySlice<String>

    /// - Parameter arguments: without the program's own name.
    init(_ arguments: [String]) throws(UsageError) {
        self.rest = arguments[...]
        while self.question == nil, let argument = self.rest.popFirst() {
            if argument == "--" {
                while let path = self.rest.popFirst() { try self.take(path: path) }
            } else if argument.hasPrefix("--") {
                try self.scanLong(argument)
            } else if argument.hasPrefix("-"), argument != "-" {
                try self.scanCluster(argument.dropFirst())
            } else {
                try self.take(path: argument)
            }
        }
    }

    private mutating func take(path: String) throws(UsageError) {
        guard self.path == nil else { throw .secondPath(path) }
        self.path = path
    }

    /// `--name`, `--name value` or `--name=value`.
    private mutating func scanLong(_ argument: String) throws(UsageError) {
        let body = argument.dropFirst(2)
        let name = body.prefix { $0 != "=" }
        let attached = name.endIndex == body.endIndex ? nil : String(body[name.endIndex...].dropFirst())
        guard let spelling = OptionSpelling.long(String(name)) else {
            let nearest = NearestWord.find(String(name), among: OptionName.allCases.map(\.rawValue))
            throw .unknownOption("--\(name)", nearest: nearest.map { "--\($0)" })
        }
        try self.apply(spelling, typed: "--\(name)", attached: attached)
    }

    /// `-abc`, where the first letter that takes a value takes the rest: `-p80`, `-p=80`, `-Ap 80`.
    private mutating func scanCluster(_ letters: Substring) throws(UsageError) {
        var letters = letters
        while self.question == nil, let letter = letters.popFirst() {
            guard let spelling = OptionSpelling.short(letter) else { throw Self.unknown(letter) }
            var attached: String?
            let mayTakeText =
                switch spelling {
                case .option(let name): !name.isSwitch
                case .duplicatesOrOverwrite: letters.first == "=" || DuplicateWords.contains(String(letters))
                case .alreadySo, .overwrite, .absent: false
                }
            if letters.first == "=" {
                attached = String(letters.dropFirst())
                letters = ""
            } else if mayTakeText, !letters.isEmpty {
                attached = String(letters)
                letters = ""
            }
            try self.apply(spelling, typed: "-\(letter)", attached: attached)
        }
    }

    private mutating func apply(_ spelling: OptionSpelling, typed: String, attached: String?) throws(UsageError) {
        switch spelling {
        case .option(let name) where name == .help || name == .version:
            guard attached == nil else { throw .unexpectedValue(option: typed) }
            self.question = name
        case .option(let name) where name.isSwitch:
            self.add(name, attached ?? "yes", typed)
        case .option(let name):
            guard let text = attached ?? self.rest.popFirst() else { throw .missingValue(option: typed) }
            self.add(name, text, typed)
        case .alreadySo:
            guard attached == nil else { throw .unexpectedValue(option: typed) }
            let isAboutWriting = !["-v", "--verbose", "-D", "--dirs-first"].contains(typed)
            if isAboutWriting, self.writeOption == nil { self.writeOption = typed }
        case .duplicatesOrOverwrite:
            if let attached {
                self.add(.onDuplicateFiles, attached, typed)
            } else if let next = self.rest.first, DuplicateWords.contains(next) {
                self.rest.removeFirst()
                self.add(.onDuplicateFiles, next, typed)
            } else {
                self.add(.onDuplicateFiles, "overwrite", typed)
            }
        case .overwrite:
            guard attached == nil else { throw .unexpectedValue(option: typed) }
            self.add(.onDuplicateFiles, "overwrite", typed)
        case .absent(let answer):
            throw .absentOption(typed, answer: answer)
        }
    }

    private mutating func add(_ name: OptionName, _ text: String, _ source: String) {
        self.values[name, default: []].append(Value(text: text, source: source))
    }

    private static func unknown(_ letter: Character) -> UsageError {
        let twin = letter.isLowercase ? letter.uppercased() : letter.lowercased()
        let nearest = OptionSpelling.shortLetters.contains(twin) ? "-\(twin)" : nil
        let long = OptionName.allCases.first { $0.rawValue.hasPrefix(letter.lowercased()) }
        return .unknownOption("-\(letter)", nearest: nearest ?? long?.flag)
    }
}

import UVServer

/// The command line.
struct Options {
    enum Task {
        case help
        case run
        /// Makes files whose content downloads are compared with.
        case make([(path: String, size: Int64)])
        /// Compares files with the content that their names say.
        case check([String])
    }

    var task = Task.run
    var url = ""
    var seed: UInt64 = 1
    /// `nil` runs until all loads that have a count are done.
    var duration: Duration?
    /// How long nothing may move in a request, or in its answer.
    var timeout: Duration = .seconds(60)
    /// Header fields of every request, as lines.
    var fields: [String] = []
    var printsJSON = false
    var loads: [LoadSpec] = []

    /// - Parameter arguments: without the program's own name.
    /// - Throws: `UsageError` for everything that cannot be followed.
    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var (made, checked): ([(String, Int64)], [String]) = ([], [])
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                self.loads.append(try LoadSpec(argument))
                continue
            }
            let name = String(argument.prefix { $0 != "=" })
            let attached = name.count < argument.count ? String(argument.dropFirst(name.count + 1)) : nil
            if ["-h", "--help", "--json"].contains(name) {
                guard attached == nil else { throw UsageError("\(name) takes no value") }
                if name == "--json" { self.printsJSON = true } else { self.task = .help }
                continue
            }
            guard ["--url", "--seed", "--duration", "--timeout", "--header", "--make", "--check"].contains(name) else {
                throw UsageError("unknown option \(name)")
            }
            guard let value = attached ?? rest.popFirst() else { throw UsageError("\(name) needs a value") }
            switch name {
            case "--url": self.url = value
            case "--seed": self.seed = try Self.need(name, value, "a number from 0 on") { UInt64($0) }
            case "--duration": self.duration = try Self.need(name, value, "a time, such as 10s", Self.positive)
            case "--timeout": self.timeout = try Self.need(name, value, "a time, such as 30s", Self.positive)
            case "--header": self.fields.append(try Self.need(name, value, "a field, such as 'Name: value'", Self.field))
            case "--make": made.append(try Self.need(name, value, "a file and its size, such as data/big.bin=1GiB", Self.file))
            default: checked.append(value)
            }
        }
        if case .help = self.task { return }
        if !made.isEmpty { self.task = .make(made) }
        if !checked.isEmpty { self.task = .check(checked) }
        guard made.isEmpty || checked.isEmpty else { throw UsageError("--make and --check are two commands") }
        if case .run = self.task { try self.checkRun() }
    }

    private func checkRun() throws(UsageError) {
        if self.url.isEmpty { throw UsageError("say which server: --url http://127.0.0.1:8080") }
        if self.loads.isEmpty { throw UsageError("say what to do, for example get:path=/FILE,clients=32") }
        if self.duration == nil, self.loads.allSatisfy({ $0.count == nil }) {
            throw UsageError("this would never end: give --duration 10s, or a load its count=…")
        }
    }

    private static func need<Value>(_ name: String, _ value: String, _ what: String, _ parse: (String) -> Value?)
        throws(UsageError) -> Value
    {
        guard let parsed = parse(value) else { throw UsageError("\(name) takes \(what), not \"\(value)\"") }
        return parsed
    }

    private static func positive(_ text: String) -> Duration? { Quantity.duration(text).flatMap { $0 > .zero ? $0 : nil } }

    private static func field(_ text: String) -> String? {
        let name = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        let isPlain = !name.isEmpty && name.count < text.utf8.count && name.allSatisfy(ASCII.isToken)
        return isPlain && text.utf8.allSatisfy { $0 >= 0x20 } ? text : nil
    }

    private static func file(_ text: String) -> (String, Int64)? {
        guard let equals = text.lastIndex(of: "="), equals > text.startIndex,
            let size = Quantity.bytes(String(text[text.index(after: equals)...]))
        else { return nil }
        return (String(text[..<equals]), size)
    }
}

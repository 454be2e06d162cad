/// One load of the command line: `put:clients=8,size=64MiB,rate=20MB/s`.
struct LoadSpec: Equatable {
    let kind: LoadKind
    /// As it was typed.
    let text: String
    var clients = 1
    /// Requests in all; `nil` goes on until the time is over.
    var count: Int?
    /// Requests a second of all clients together.
    var pace: Double?
    /// Bytes of content a second of each client; 0 of a slow reader means that it reads nothing at all.
    var rate: Int64?
    var keepsAlive = true
    var verifies = true
    /// The file that is asked for. `{client}` in it becomes the client's number, from 0.
    var path = ""
    /// Of the file in bytes; `nil` where a download does not know.
    var size: Int64?
    /// Of a range in bytes.
    var length: Int64 = 64 << 10
    /// SO_RCVBUF in bytes.
    var buffer: Int64?
    /// The folder on this machine that holds the served files, which are dropped from the page cache before each request.
    var cold: String?
    /// Where uploads are found afterwards; ends with a slash.
    var folder = "/"
    /// After so many uploads of a client their names come again.
    var names: Int?
    var deletes = false
    /// Announces no length.
    var isChunked = false
    /// Where forms are sent.
    var to = "/"
    /// The name of the form's field.
    var field = "file"
    /// Files a form.
    var files = 1

    /// - Throws: `UsageError` for an unknown kind or setting, a value that is none, and a setting that is missing.
    init(_ text: String) throws(UsageError) {
        self.text = text
        let name = text.prefix { $0 != ":" }
        guard let kind = LoadKind(rawValue: String(name)) else {
            let known = LoadKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("there is no load \"\(name)\"; there are \(known)")
        }
        self.kind = kind
        if kind == .slowRead { (self.rate, self.buffer) = (1000, 4096) }
        if kind == .slowWrite { self.rate = 1000 }
        for setting in text.dropFirst(name.count + 1).split(separator: ",") {
            let key = setting.prefix { $0 != "=" }
            guard let known = LoadKey(rawValue: String(key)), kind.keys.contains(known) else {
                let keys = kind.keys.map(\.rawValue).joined(separator: ", ")
                throw UsageError("\(kind.rawValue) has no setting \"\(key)\"; it has \(keys)")
            }
            guard key.endIndex < setting.endIndex else { throw UsageError("\(name): \(key) needs a value, as in \(key)=…") }
            try self.set(known, String(setting[key.endIndex...].dropFirst()))
        }
        try self.check()
    }

    /// The file that one client asks for.
    func path(of client: Int) -> String {
        guard let place = self.path.firstRange(of: "{client}") else { return self.path }
        return self.path[..<place.lowerBound] + "\(client)" + self.path[place.upperBound...]
    }

    private mutating func set(_ key: LoadKey, _ value: String) throws(UsageError) {
        switch key {
        case .clients: self.clients = try self.need(key, value, "a number of 1 or more", Quantity.count)
        case .count: self.count = try self.need(key, value, "a number of 1 or more", Quantity.count)
        case .pace: self.pace = try self.need(key, value, "requests a second, such as 500/s", Quantity.pace)
        case .rate: self.rate = try self.need(key, value, "bytes a second, such as 20MB/s", Quantity.rate)
        case .keepAlive: self.keepsAlive = try self.need(key, value, "yes or no", Quantity.flag)
        case .verify: self.verifies = try self.need(key, value, "yes or no", Quantity.flag)
        case .path: self.path = try self.need(key, value, "a path that begins with /", Self.path)
        case .size: self.size = try self.need(key, value, "a size, such as 64MiB", Quantity.bytes)
        case .length: self.length = try self.need(key, value, "a size, such as 64KiB", Quantity.bytes)
        case .buffer: self.buffer = try self.need(key, value, "a size up to 1GiB, such as 4KiB", Self.bufferSize)
        case .cold: self.cold = value
        case .folder: self.folder = try self.need(key, value, "a path that begins and ends with /", Self.folderPath)
        case .names: self.names = try self.need(key, value, "a number of 1 or more", Quantity.count)
        case .delete: self.deletes = try self.need(key, value, "yes or no", Quantity.flag)
        case .chunked: self.isChunked = try self.need(key, value, "yes or no", Quantity.flag)
        case .to: self.to = try self.need(key, value, "a path that begins with /", Self.path)
        case .field: self.field = value
        case .files: self.files = try self.need(key, value, "a number of 1 or more", Quantity.count)
        }
    }

    private func need<Value>(_ key: LoadKey, _ value: String, _ what: String, _ parse: (String) -> Value?) throws(UsageError)
        -> Value
    {
        guard let parsed = parse(value) else {
            throw UsageError("\(self.kind.rawValue): \(key.rawValue) takes \(what), not \"\(value)\"")
        }
        return parsed
    }

    private static func path(_ text: String) -> String? {
        text.hasPrefix("/") && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } ? text : nil
    }

    private static func folderPath(_ text: String) -> String? { text.hasSuffix("/") ? self.path(text) : nil }

    private static func bufferSize(_ text: String) -> Int64? { Quantity.bytes(text).flatMap { $0 <= 1 << 30 ? $0 : nil } }

    private func check() throws(UsageError) {
        let name = self.kind.rawValue
        if self.kind != .idle, !self.kind.isUpload, self.path.isEmpty {
            throw UsageError("\(name) needs to know what to fetch: \(name):path=/FILE")
        }
        if self.kind.isUpload || self.kind == .range, self.size == nil {
            throw UsageError("\(name) needs a size: \(name):size=64MiB")
        }
        if self.kind == .range, let size = self.size, self.length < 1 || self.length > size {
            throw UsageError("range: a length of \(self.length) does not fit into a size of \(size)")
        }
        if self.rate == 0, self.kind != .slowRead { throw UsageError("\(name): a rate of 0 would never end; slow-read takes it") }
    }
}

/// Header fields in order of arrival. A value never holds CR, LF, NUL or another control byte but the tab, whoever
/// put it in: nothing here can end a line early or start another (RFC 9110 section 5.5).
public struct Fields: Sendable {
    /// One field: its name, and where its value lies in `storage`.
    struct Entry: Sendable {
        let name: FieldName
        let value: Range<Int>
    }

    private var storage: [UInt8]
    private var entries: [Entry]

    public init() {
        self.storage = []
        self.entries = []
    }

    /// A parsed head keeps its bytes as they are; the values are ranges of it, already checked and trimmed.
    init(storage: [UInt8], entries: [Entry]) {
        self.storage = storage
        self.entries = entries
    }

    public var count: Int { self.entries.count }
    public var isEmpty: Bool { self.entries.isEmpty }

    /// The first value of `name`, malformed UTF-8 repaired; `nil` when there is no such field.
    /// Setting replaces every field of that name by one, or by none for `nil`.
    public subscript(_ name: FieldName) -> String? {
        get { self.entries.first { $0.name == name }.map(self.text) }
        set {
            self.entries.removeAll { $0.name == name }
            if let newValue { self.append(name, newValue) }
        }
    }

    /// Adds a field behind the others. Control bytes in `value` become spaces; blanks at its ends go.
    public mutating func append(_ name: FieldName, _ value: String) {
        let clean = value.utf8.map { Self.isAllowed($0) ? $0 : ASCII.space }
        let start = self.storage.count
        self.storage.append(contentsOf: ASCII.trimmed(clean[...]))
        self.entries.append(Entry(name: name, value: start..<self.storage.count))
    }

    public func contains(_ name: FieldName) -> Bool { self.entries.contains { $0.name == name } }

    /// Every value of `name` as its bytes, in order of arrival.
    public func bytes(_ name: FieldName) -> [[UInt8]] {
        self.entries.filter { $0.name == name }.map { Array(self.storage[$0.value]) }
    }

    /// Every value of `name` as text, malformed UTF-8 repaired, in order of arrival.
    public func all(_ name: FieldName) -> [String] {
        self.entries.filter { $0.name == name }.map(self.text)
    }

    /// The members of a comma-separated list over all fields of `name`, trimmed, empty ones left out
    /// (RFC 9110 section 5.6.1). Not for lists whose members may be quoted.
    func members(_ name: FieldName) -> [ArraySlice<UInt8>] {
        var result: [ArraySlice<UInt8>] = []
        for entry in self.entries where entry.name == name {
            for member in self.storage[entry.value].split(separator: UInt8(ascii: ",")) {
                let trimmed = ASCII.trimmed(member)
                if !trimmed.isEmpty { result.append(trimmed) }
            }
        }
        return result
    }

    /// `field-vchar`, space and tab: every byte but the control ones.
    static func isAllowed(_ byte: UInt8) -> Bool {
        (byte >= 0x20 && byte != 0x7F) || byte == ASCII.tab
    }

    /// Appends `Name: value` and a line end for every field but those named in `skipped`.
    func write(skipping skipped: [FieldName], into output: inout [UInt8]) {
        for entry in self.entries where !skipped.contains(entry.name) {
            output.append(contentsOf: entry.name.spelling.utf8)
            output.append(UInt8(ascii: ":"))
            output.append(ASCII.space)
            output.append(contentsOf: self.storage[entry.value])
            output.append(ASCII.carriageReturn)
            output.append(ASCII.lineFeed)
        }
    }

    private func text(_ entry: Entry) -> String {
        String(decoding: self.storage[entry.value], as: UTF8.self)
    }
}

extension Fields: Sequence {
    public typealias Element = (name: FieldName, value: String)

    public func makeIterator() -> Iterator { Iterator(fields: self) }

    public struct Iterator: IteratorProtocol {
        private let fields: Fields
        private var index = 0

        init(fields: Fields) { self.fields = fields }

        public mutating func next() -> Element? {
            guard self.index < self.fields.entries.count else { return nil }
            let entry = self.fields.entries[self.index]
            self.index += 1
            return (entry.name, self.fields.text(entry))
        }
    }
}

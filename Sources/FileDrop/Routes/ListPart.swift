internal import UVServer

/// Which part of a list is asked for: `?limit=200&after=NAME`. Pure.
struct ListPart: Hashable, Sendable {
    /// `nil`: to the end of the list.
    var limit: Int?
    /// What the part comes after; `nil`: from the beginning. Once given, it is a place in the order of names, whether something of that
    /// name is there or not.
    var after: Place?

    /// The most entries of one part: a larger one would take a processor for long, and others can be asked for without end.
    static let mostEntries = 1000

    struct Place: Hashable, Sendable {
        let name: [UInt8]
        /// Written with a slash at its end. Without one the name may be a folder's all the same.
        let isFolder: Bool
    }

    /// The whole list.
    static let all = ListPart()

    /// - Throws: `.badQuery` for a `limit` that is no number from 1 on.
    init(_ query: Query) throws(FileDropError) {
        if let text = query.values("limit").first {
            guard let limit = Self.number(text), limit > 0 else { throw .badQuery("The limit of a list is a number from 1 on.") }
            self.limit = min(limit, Self.mostEntries)
        }
        if let text = query.values("after").first, !text.isEmpty {
            let isFolder = text.last == UInt8(ascii: "/")
            if self.limit == nil { self.limit = Self.mostEntries }
            self.after = Place(name: isFolder ? Array(text.dropLast()) : text, isFolder: isFolder)
        }
    }

    init(limit: Int? = nil, after: Place? = nil) {
        self.limit = limit
        self.after = after
    }

    /// Which entries of a list it is.
    func range(in index: FolderIndex) -> Range<Int> {
        let start = self.after.map { index.position(after: $0.name, isFolder: $0.isFolder) } ?? 0
        return start..<(start + min(self.limit ?? .max, index.count - start))
    }

    /// The query of the part that follows `range`; `nil` where the list ends with it.
    func next(_ range: Range<Int>, of index: FolderIndex) -> String? {
        guard let limit = self.limit, range.upperBound < index.count, let last = index[range].last else { return nil }
        return "limit=\(limit)&after=" + PercentEncoding.encodeElement(last.name) + (last.isFolder ? "%2F" : "")
    }

    /// Decimal digits; more of them than a number can hold are as many as there can be.
    private static func number(_ text: [UInt8]) -> Int? {
        guard !text.isEmpty, text.allSatisfy(ASCII.isDigit) else { return nil }
        return Int(String(decoding: text, as: UTF8.self)) ?? .max
    }
}

internal import UVServer

/// A folder as JSON: `GET /?json`.
struct FolderListing: Sendable {
    let path: DropPath

    /// So many items are encoded at once.
    private static let batch = 256

    private struct Item: Encodable {
        /// The name as text; bytes that are not UTF-8 are shown as U+FFFD, and `url` still reaches the file.
        let name: String
        /// `file` or `folder`.
        let kind: String
        /// Bytes; 0 for a folder.
        let size: Int64
        /// RFC 3339, in UTC.
        let modified: String
        /// The media type; `inode/directory` for a folder.
        let type: String
        /// `nil`: the name is shown, but no address reaches it.
        let url: String?

        init(_ entry: DropEntry, in path: DropPath) {
            let target = path.appending(entry.name, isFolder: entry.isFolder)
            self.name = entry.name.description
            self.kind = entry.isFolder ? "folder" : "file"
            self.size = entry.isFolder ? 0 : entry.size
            self.modified = HTTPDate.rfc3339(entry.modifiedSeconds)
            self.type = entry.isFolder ? "inode/directory" : MediaType.of(name: entry.name.bytes)
            self.url = target.isReserved ? nil : target.url
        }
    }

    /// Writes `{"files": […], "path": "…"}`, piece by piece.
    func render<Failure: Error>(_ entries: [DropEntry], to output: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        try output(Array(#"{"files":["#.utf8))
        var start = 0
        while start < entries.count {
            let end = min(start + Self.batch, entries.count)
            let items = JSONText.encode(entries[start..<end].map { Item($0, in: self.path) })
            // What stands between the array's brackets.
            try output((start == 0 ? [] : [UInt8(ascii: ",")]) + items.dropFirst().dropLast())
            start = end
        }
        try output(Array(#"],"path":"#.utf8) + JSONText.encode(self.path.url) + Array("}\n".utf8))
    }
}

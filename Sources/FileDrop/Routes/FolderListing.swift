internal import UVServer

/// A folder as JSON: `GET /?json`.
struct FolderListing: Encodable {
    struct Item: Encodable {
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
        let url: String
    }

    let path: String
    let files: [Item]

    init(_ path: DropPath, _ entries: [DropEntry]) {
        self.path = path.url
        self.files = entries.map { entry in
            Item(
                name: entry.name.description, kind: entry.isFolder ? "folder" : "file", size: entry.isFolder ? 0 : entry.size,
                modified: HTTPDate.rfc3339(entry.modifiedSeconds),
                type: entry.isFolder ? "inode/directory" : MediaType.of(name: entry.name.bytes),
                url: path.appending(entry.name, isFolder: entry.isFolder).url
            )
        }
    }
}

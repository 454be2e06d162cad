internal import UVServer

/// A folder as JSON: `GET /?json`. It is written by hand, in the order and form in which an encoder with sorted keys would write it.
struct FolderListing: Sendable {
    let path: DropPath

    /// About so many bytes leave in one piece.
    private static let pieceBytes = 64 << 10

    /// What entries of the same extension share.
    private struct SharedType {
        /// With its dot.
        var ending: [UInt8] = []
        /// In JSON.
        var text: [UInt8] = []
    }

    /// Writes `{"files": […], "next": "…", "path": "…"}`, piece by piece.
    /// - Parameters:
    ///   - range: which entries.
    ///   - next: the address of the part that follows; `nil`: there is none, and no `next`.
    func render<Failure: Error>(
        _ index: FolderIndex, _ range: Range<Int>, next: String?, to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        let url = Array(self.path.url.utf8)
        var type = SharedType()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(Self.pieceBytes + 4096, 512 + range.count * 512))
        bytes += #"{"files":["#.utf8
        for position in range {
            if position > range.lowerBound { bytes.append(UInt8(ascii: ",")) }
            self.append(index[position], below: url, &type, to: &bytes)
            guard bytes.count >= Self.pieceBytes else { continue }
            try output(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
        bytes += "]".utf8
        if let next {
            bytes += #","next":"#.utf8
            JSONString.append(Array(next.utf8)[...], to: &bytes)
        }
        bytes += #","path":"#.utf8
        JSONString.append(url[...], to: &bytes)
        bytes += "}\n".utf8
        try output(bytes)
    }

    /// Writes one entry: `kind`, `file` or `folder`; `modified`, RFC 3339 in UTC; `name`, in which bytes that are not UTF-8 are shown as
    /// U+FFFD; `size` in bytes, 0 for a folder; `type`, a media type; `url`, which reaches the file whatever its name is, and is missing
    /// where no address does.
    private func append(_ entry: FolderIndex.Element, below url: [UInt8], _ type: inout SharedType, to bytes: inout [UInt8]) {
        bytes += entry.isFolder ? #"{"kind":"folder","modified":""#.utf8 : #"{"kind":"file","modified":""#.utf8
        HTTPDate.appendRFC3339(entry.modifiedSeconds, to: &bytes)
        bytes += #"","name":"#.utf8
        JSONString.append(entry.name, to: &bytes)
        bytes += #","size":"#.utf8
        bytes += String(entry.size).utf8
        bytes += #","type":"#.utf8
        if entry.isFolder {
            bytes += #""inode/directory""#.utf8
        } else {
            Self.update(&type, entry.name)
            bytes += type.text
        }
        if !self.isReserved(entry.name) {
            bytes += #","url":""#.utf8
            bytes += url
            PercentEncoding.appendElement(entry.name, to: &bytes)
            if entry.isFolder { bytes.append(UInt8(ascii: "/")) }
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// No address leads to one of our own first elements.
    private func isReserved(_ name: ArraySlice<UInt8>) -> Bool {
        self.path.isRoot && name.count <= "delete".utf8.count && DropName(name)?.isReserved == true
    }

    private static func update(_ type: inout SharedType, _ name: ArraySlice<UInt8>) {
        let ending = name.lastIndex(of: UInt8(ascii: ".")).map { name[$0...] } ?? []
        // A name without an ending, or that is one, may mean something as a whole.
        if !ending.isEmpty, ending.count < name.count, ending.elementsEqual(type.ending) { return }
        type.ending = ending.count < name.count ? [UInt8](ending) : []
        type.text = []
        JSONString.append(Array(MediaType.of(name: [UInt8](name)).utf8)[...], to: &type.text)
    }
}

internal import UVServer

/// The fields of a download that follow from the file's name alone, remembered: they cost more to write than a small file to send.
@EventLoop final class FileFields {
    struct Entry {
        /// The media type.
        let type: String
        /// All but those that follow from the file's content and the request.
        let fields: Fields
    }

    /// So many names are remembered; past it all are forgotten.
    private static let capacity = 1024

    private var known: [DropName: Entry] = [:]

    func entry(_ name: DropName) -> Entry {
        if let entry = self.known[name] { return entry }
        if self.known.count >= Self.capacity { self.known = [:] }
        let entry = Self.make(name.bytes)
        self.known[name] = entry
        return entry
    }

    private static func make(_ name: [UInt8]) -> Entry {
        let type = MediaType.of(name: name)
        var fields = Reply.securityFields()
        // What users sent never runs in our origin, however it is opened.
        fields[.contentSecurityPolicy] =
            "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'"
        fields[.cacheControl] = "no-cache"
        fields[.contentDisposition] = AttachmentName.header(
            // Browsers show no PDF in a sandbox: it is saved instead.
            disposition: MediaType.showsInline(type) && type != "application/pdf" ? .inline : .attachment, name: name
        )
        return Entry(type: type, fields: fields)
    }
}

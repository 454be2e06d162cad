internal import UVServer

/// `GET` and `HEAD` of a folder with `?zip` or `?tar`: all that is in it, or with `&name=…` some of it, as an archive.
@EventLoop struct ArchiveRoute {
    let context: RouteContext

    func respond(
        _ path: DropPath, _ format: ArchiveFormat, _ query: Query, _ request: Request
    ) async throws(FileDropError) -> Response {
        let names = try Self.names(query)
        let selection = try await FileDropError.translating { () throws(StoreError) in
            try await self.context.store.select(names, in: path)
        }
        if let missing = selection.missing { throw .file(missing.description, .notFound) }
        var response = Response(.ok, fields: self.fields(path, format), body: .omitted)
        // Nobody gets it, and how long it would be only going through all of it tells (RFC 9110 section 8.6).
        guard request.head.method != .head else { return response }
        response.body = try await FileDropError.translating { () throws(StoreError) in
            try await self.context.archives.make(selection, format, for: request)
        }
        return response
    }

    private static func names(_ query: Query) throws(FileDropError) -> [DropName] {
        var names: [DropName] = []
        for value in query.values("name") {
            // A folder's may end as in its address.
            guard let name = DropName(value.last == UInt8(ascii: "/") ? value.dropLast() : value[...]) else {
                throw .badQuery("Each name in the query is that of one file or folder in this folder.")
            }
            names.append(name)
        }
        return names
    }

    private func fields(_ path: DropPath, _ format: ArchiveFormat) -> Fields {
        var fields = Reply.securityFields()
        fields[.contentSecurityPolicy] = "sandbox; default-src 'none'"
        // It is made anew each time, and may be as large as all there is.
        fields[.cacheControl] = "no-store"
        fields[.acceptRanges] = "none"
        fields[.contentType] = format.mediaType
        let name = path.name?.bytes ?? Array((self.context.configuration.title ?? "drop").utf8)
        fields[.contentDisposition] = AttachmentName.header(
            disposition: .attachment, name: name + Array(".\(format.rawValue)".utf8))
        return fields
    }
}

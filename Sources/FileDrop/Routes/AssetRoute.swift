internal import UVServer

/// `GET /-/assets/NAME`: what our pages load, embedded in the program.
enum AssetRoute {
    static func respond(_ name: String, _ head: RequestHead) throws(FileDropError) -> Response {
        guard let asset = AssetCatalog.lookup(name) else { throw .notFound }
        let tag = EntityTag(opaque: asset.version)
        var fields = Reply.securityFields()
        fields[.etag] = tag.description
        fields[.cacheControl] = "no-cache"
        fields[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        // It has no date: whatever date is given, it has changed since.
        let current = Preconditions.Validators(tag: tag, modified: .max)
        let outcome = StaticFileResponder.preconditions(of: head).evaluate(isRead: true, current: current)
        guard outcome != .notModified else { return Response(.notModified, fields: fields) }
        fields[.contentType] = asset.mediaType
        return Response(.ok, fields: fields, body: .bytes(asset.bytes))
    }
}

internal import UVServer

/// `GET /-/assets/NAME`: what our pages load, embedded in the program.
enum AssetRoute {
    static func respond(_ name: String) throws(FileDropError) -> Response {
        guard let asset = AssetCatalog.lookup(name) else { throw .notFound }
        var fields = Reply.securityFields()
        fields[.contentType] = asset.mediaType
        fields[.cacheControl] = "no-cache"
        fields[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        return Response(.ok, fields: fields, body: .bytes(asset.bytes))
    }
}

extension FieldName {
    public static let host = FieldName("Host")
    public static let contentLength = FieldName("Content-Length")
    public static let contentType = FieldName("Content-Type")
    public static let contentEncoding = FieldName("Content-Encoding")
    public static let contentRange = FieldName("Content-Range")
    public static let contentDisposition = FieldName("Content-Disposition")
    public static let contentLocation = FieldName("Content-Location")
    public static let contentSecurityPolicy = FieldName("Content-Security-Policy")
    public static let transferEncoding = FieldName("Transfer-Encoding")
    public static let connection = FieldName("Connection")
    public static let keepAlive = FieldName("Keep-Alive")
    public static let expect = FieldName("Expect")
    public static let date = FieldName("Date")
    public static let location = FieldName("Location")
    public static let allow = FieldName("Allow")
    public static let etag = FieldName("ETag")
    public static let lastModified = FieldName("Last-Modified")
    public static let acceptRanges = FieldName("Accept-Ranges")
    public static let ifMatch = FieldName("If-Match")
    public static let ifNoneMatch = FieldName("If-None-Match")
    public static let ifModifiedSince = FieldName("If-Modified-Since")
    public static let ifUnmodifiedSince = FieldName("If-Unmodified-Since")
    public static let ifRange = FieldName("If-Range")
    public static let range = FieldName("Range")
    public static let accept = FieldName("Accept")
    public static let acceptEncoding = FieldName("Accept-Encoding")
    public static let acceptLanguage = FieldName("Accept-Language")
    public static let origin = FieldName("Origin")
    public static let referer = FieldName("Referer")
    public static let userAgent = FieldName("User-Agent")
    public static let secFetchSite = FieldName("Sec-Fetch-Site")
    public static let secFetchMode = FieldName("Sec-Fetch-Mode")
    public static let secFetchDest = FieldName("Sec-Fetch-Dest")
    public static let secFetchUser = FieldName("Sec-Fetch-User")
    public static let purpose = FieldName("Purpose")
    public static let secPurpose = FieldName("Sec-Purpose")
    public static let cacheControl = FieldName("Cache-Control")
    public static let vary = FieldName("Vary")
    public static let xContentTypeOptions = FieldName("X-Content-Type-Options")
    public static let xFrameOptions = FieldName("X-Frame-Options")
    public static let crossOriginResourcePolicy = FieldName("Cross-Origin-Resource-Policy")
    public static let referrerPolicy = FieldName("Referrer-Policy")
    public static let retryAfter = FieldName("Retry-After")
    public static let upgrade = FieldName("Upgrade")
    public static let upgradeInsecureRequests = FieldName("Upgrade-Insecure-Requests")
    public static let cookie = FieldName("Cookie")
    public static let setCookie = FieldName("Set-Cookie")
    public static let authorization = FieldName("Authorization")
    public static let wwwAuthenticate = FieldName("WWW-Authenticate")
    public static let server = FieldName("Server")
    public static let trailer = FieldName("Trailer")
    public static let te = FieldName("TE")

    /// The names above by their length: most requests carry no other, and a hit costs no allocation.
    private static let knownByLength: [[FieldName]] = {
        let all: [FieldName] = [
            .host, .contentLength, .contentType, .contentEncoding, .contentRange, .contentDisposition, .contentLocation,
            .contentSecurityPolicy, .transferEncoding, .connection, .keepAlive, .expect, .date, .location, .allow, .etag,
            .lastModified, .acceptRanges, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange, .range,
            .accept, .acceptEncoding, .acceptLanguage, .origin, .referer, .userAgent, .secFetchSite, .secFetchMode,
            .secFetchDest, .secFetchUser, .purpose, .secPurpose, .cacheControl, .vary, .xContentTypeOptions,
            .xFrameOptions, .crossOriginResourcePolicy, .referrerPolicy, .retryAfter, .upgrade, .upgradeInsecureRequests,
            .cookie, .setCookie, .authorization, .wwwAuthenticate, .server, .trailer, .te,
        ]
        let longest = all.map(\.key.utf8.count).max() ?? 0
        return (0...longest).map { length in all.filter { $0.key.utf8.count == length } }
    }()

    static func known(_ bytes: some Collection<UInt8>) -> FieldName? {
        let length = bytes.count
        guard length < self.knownByLength.count else { return nil }
        return self.knownByLength[length].first { name in
            name.key.utf8.elementsEqual(bytes) { $0 == ASCII.lowercased($1) }
        }
    }
}

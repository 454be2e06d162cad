internal import UVServer

/// Whether a write comes from our own pages, or from a client that is no browser page.
enum OriginRule {
    /// A request without `Origin` passes unless `Sec-Fetch-Site` or `Referer` says that another site sent it; `Origin: null` is
    /// foreign.
    static func isOwn(_ head: RequestHead) -> Bool {
        let origins = head.fields.all(.origin)
        if !origins.isEmpty { return origins.allSatisfy { self.isOwn($0, head) } }
        switch head.fields[.secFetchSite] {
        case "same-origin", "none": return true
        // A link on another site may lead to the page that asks before it deletes.
        case nil where head.method == .get || head.method == .head: return true
        case nil: return head.fields.all(.referer).allSatisfy { self.isOwn($0, head) }
        case .some: return false
        }
    }

    /// Whether `text`, an origin or a URL, names the host and port that the request was sent to.
    static func isOwn(_ text: String, _ head: RequestHead) -> Bool {
        let lower = text.lowercased()
        guard let host = head.host, lower.hasPrefix("http://") || lower.hasPrefix("https://") else { return false }
        let authority = lower.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let sentTo = String(decoding: host, as: UTF8.self).lowercased()
        return self.withoutDefaultPort(String(authority)) == self.withoutDefaultPort(sentTo)
    }

    private static func withoutDefaultPort(_ authority: String) -> String {
        // A proxy in front of us may speak TLS, so both schemes' ports are defaults.
        for port in [":80", ":443"] where authority.hasSuffix(port) { return String(authority.dropLast(port.count)) }
        return authority
    }
}

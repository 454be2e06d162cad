internal import UVServer

/// Whether a write comes from our own pages, or from a client that is no browser page.
enum OriginRule {
    /// Whoever says by any `Origin` or `Sec-Fetch-Site` that another site sent the request is foreign, and so is `Origin: null`;
    /// `Referer` counts where there is neither.
    static func isOwn(_ head: RequestHead) -> Bool {
        let origins = head.fields.all(.origin)
        let sites = head.fields.all(.secFetchSite)
        guard origins.allSatisfy({ self.isOwn($0, head) }), sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else {
            return false
        }
        // A link on another site may lead to the page that asks before it deletes.
        guard origins.isEmpty, sites.isEmpty, head.method != .get, head.method != .head else { return true }
        return head.fields.all(.referer).allSatisfy { self.isOwn($0, head) }
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

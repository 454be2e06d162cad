internal import UVServer

/// The tools that a person gives an address to by hand. What else is no browser (media players, link previews, download managers) follows
/// addresses that nobody meant to follow, so it is not enough that a client does not call itself one.
enum CommandLineTool {
    /// The product that `User-Agent` begins with, in small letters.
    private static let products: Set<String> = [
        "aria2", "curl", "httpie", "lftp", "python-requests", "python-urllib", "wget", "wget2", "xh",
    ]
    /// PowerShell calls itself a browser first.
    private static let laterProducts: Set<String> = ["powershell", "windowspowershell"]

    /// Whether one of them has sent `head`, and nothing in it comes from a page.
    static func sent(_ head: RequestHead) -> Bool {
        let agents = head.fields.all(.userAgent)
        guard agents.count == 1, let agent = agents.first else { return false }
        let words = agent.lowercased().split(separator: " ").map { $0.prefix { $0 != "/" } }
        guard let first = words.first else { return false }
        guard self.products.contains(String(first)) || words.contains(where: { self.laterProducts.contains(String($0)) }) else {
            return false
        }
        return !head.fields.contains { $0.name == .origin || $0.name.spelling.lowercased().hasPrefix("sec-") }
    }
}

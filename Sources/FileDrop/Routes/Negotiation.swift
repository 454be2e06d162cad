internal import UVServer

/// In which form a client wants its answer: read from `Accept` (RFC 9110 section 12.5.1), as far as our three forms go.
enum Negotiation {
    case page
    case json
    case text

    init(_ head: RequestHead) {
        let accepted = head.fields.all(.accept).joined(separator: ",").lowercased()
        let types = accepted.split(separator: ",").map { member in
            String(member.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" })
        }
        // A browser lists text/html first and anything last; a script asks for JSON by name.
        let json = types.firstIndex { $0 == "application/json" || $0 == "application/problem+json" }
        let page = types.firstIndex { $0 == "text/html" || $0 == "application/xhtml+xml" }
        switch (json, page) {
        case (let json?, let page?): self = json < page ? .json : .page
        case (_?, nil): self = .json
        case (nil, _?): self = .page
        case (nil, nil): self = .text
        }
    }
}

internal import UVServer

/// In which form a client wants its answer: read from `Accept` (RFC 9110 section 12.5.1), as far as our three forms go.
enum Negotiation {
    case page
    case json
    case text

    /// The longest `Accept` that is read, in bytes.
    private static let longest = 2048

    /// The form with the highest weight, and of equal ones the first: a browser lists `text/html` before anything else, a script
    /// asks for JSON by name. Wildcards ask for nothing in particular: text.
    init(_ head: RequestHead) {
        var best: (form: Negotiation, weight: Double)?
        // Nobody weighs hundreds of types.
        guard head.fields.bytes(.accept).reduce(0, { $0 + $1.count }) <= Self.longest else {
            self = .text
            return
        }
        for member in head.fields.all(.accept).joined(separator: ",").lowercased().split(separator: ",") {
            let parts = member.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let type = parts.first, let form = Self.form(of: type) else { continue }
            let weight = Self.weight(parts.dropFirst())
            if weight > best?.weight ?? 0 { best = (form, weight) }
        }
        self = best?.form ?? .text
    }

    private static func form(of type: String) -> Negotiation? {
        switch type {
        case "application/json", "application/problem+json": .json
        case "text/html", "application/xhtml+xml": .page
        default: nil
        }
    }

    /// 0 to 1; 1 unless told, and where it is not understood.
    private static func weight(_ parameters: ArraySlice<String>) -> Double {
        guard let weight = parameters.first(where: { $0.hasPrefix("q=") }) else { return 1 }
        return Double(weight.dropFirst(2)).map { min(max($0, 0), 1) } ?? 1
    }
}

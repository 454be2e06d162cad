import UVServer

/// What a parser made of some bytes: a head as one line of text, or the error, or nothing yet.
enum HeadOutcome: Equatable, CustomStringConvertible {
    case head(String, rest: String)
    case failed(HTTPError)
    case needsMore

    var description: String {
        switch self {
        case .head(let text, let rest): "\(text) rest:\(rest)"
        case .failed(let error): "\(error)"
        case .needsMore: "needs more"
        }
    }
}

/// Method, path, query, host and fields of `head`, for comparing.
func summary(_ head: RequestHead) -> String {
    let query = head.target.query.map { "?" + String(decoding: $0, as: UTF8.self) } ?? ""
    let host = head.host.map { String(decoding: $0, as: UTF8.self) } ?? "-"
    let fields = head.fields.map { "\($0.name.spelling)=\($0.value)" }.joined(separator: "|")
    let path = String(decoding: head.target.path, as: UTF8.self)
    return "\(head.method) \(path)\(query) 1.\(head.minorVersion) @\(host) \(fields)"
}

/// Feeds `pieces` one after the other until a head is whole or refused.
func parseHead(_ pieces: [[UInt8]], limits: RequestLimits = RequestLimits()) -> HeadOutcome {
    var parser = RequestHeadParser(limits: limits)
    var rest: [UInt8] = []
    var found: RequestHead?
    for piece in pieces {
        if found != nil {
            rest += piece
            continue
        }
        do {
            if case .complete(let head, let consumed) = try parser.parse(piece.span) {
                found = head
                rest += piece[consumed...]
            }
        } catch {
            return .failed(error)
        }
    }
    guard let found else { return .needsMore }
    return .head(summary(found), rest: String(decoding: rest, as: UTF8.self))
}

/// The head of `text`, which must be whole.
func head(_ text: String) throws -> RequestHead {
    var parser = RequestHeadParser(limits: RequestLimits())
    let bytes = Array(text.utf8)
    guard case .complete(let head, _) = try parser.parse(bytes.span) else { throw Unfinished() }
    return head
}

struct Unfinished: Error {}

/// `bytes` whole, then in two pieces for every place of a cut, then byte by byte.
func everyCut(_ bytes: [UInt8]) -> [[[UInt8]]] {
    var result = [[bytes]]
    for cut in 0...bytes.count { result.append([Array(bytes[..<cut]), Array(bytes[cut...])]) }
    result.append(bytes.map { [$0] })
    return result
}

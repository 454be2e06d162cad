import UVServer

/// A request head from its lines, as the parser makes it.
func requestHead(_ line: String, _ fields: [String] = ["Host: 127.0.0.1:8080"]) throws -> RequestHead {
    var parser = RequestHeadParser(limits: RequestLimits())
    let bytes = Array(([line] + fields + ["", ""]).joined(separator: "\r\n").utf8)
    guard case .complete(let head, _) = try parser.parse(bytes.span) else { throw IncompleteHead() }
    return head
}

struct IncompleteHead: Error {}

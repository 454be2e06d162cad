@testable import FileDrop
@testable import UVServer

// First line: a Host. Second line: an Origin or Referer.

func fuzz(_ bytes: [UInt8]) {
    var input = FuzzInput(bytes)
    let host = input.line()
    let origin = input.text()
    let rule = HostRule(machineName: "Box.lan", searchDomains: ["office.example", "com"], allowed: ["Drop.Example"])
    expectEqual(Authority.isValid(host), isAuthority(host), "an authority is what the grammar says")
    guard Authority.isValid(host) else { return }
    checkHost(host, rule)
    checkOrigin(origin, host)
}

/// RFC 3986 section 3.2.2, by way of splitting.
private func isAuthority(_ bytes: [UInt8]) -> Bool {
    guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    let marks = Set("-._~!$&'()*+,;=")
    var host = text
    if text.first == "[" {
        guard let close = text.firstIndex(of: "]") else { return false }
        let inside = text[..<close].dropFirst()
        host = String(text[text.index(after: close)...])
        guard (2...45).contains(inside.count), inside.contains(":"),
            inside.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." })
        else { return false }
    } else {
        let name = text.prefix { $0 != ":" }
        guard !name.isEmpty else { return false }
        var rest = name
        while let character = rest.popFirst() {
            if character == "%" {
                guard rest.count >= 2, rest.prefix(2).allSatisfy(\.isHexDigit) else { return false }
                rest = rest.dropFirst(2)
            } else {
                guard character.isLetter || character.isNumber || marks.contains(character) else { return false }
            }
        }
        host = String(text[name.endIndex...])
    }
    guard !host.isEmpty else { return true }
    let port = host.dropFirst()
    return host.first == ":" && (port.isEmpty || port.count <= 5 && port.allSatisfy(\.isNumber) && Int(port)! <= 65_535)
}

private func checkHost(_ host: [UInt8], _ rule: HostRule) {
    let lower = String(decoding: host, as: UTF8.self).lowercased()
    guard rule.admits(host) else {
        return expect(
            !lower.hasPrefix("[") && lower != "localhost" && lower != "box" && lower != "box.lan", "our own names are admitted")
    }
    guard !lower.hasPrefix("[") else { return }
    // What is admitted is a name that nobody else can register, or an address.
    var name = String(lower.prefix { $0 != ":" })
    if name.hasSuffix(".") { name.removeLast() }
    let isNumber = { (text: Substring) in (1...3).contains(text.count) && text.allSatisfy(\.isNumber) && Int(text)! < 256 }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    let isAddress = labels.count == 4 && labels.allSatisfy(isNumber)
    let isOurs = name == "localhost" || name == "drop.example" || labels[0] == "box"
    expect(isAddress || isOurs, "no foreign name is admitted")
    expect(name != "box.com" && name != "box.example", "a public domain is not ours")
}

private func checkOrigin(_ origin: String, _ host: [UInt8]) {
    var parser = RequestHeadParser(limits: RequestLimits())
    let text = Array("POST / HTTP/1.1\r\nHost: ".utf8) + host + Array("\r\n\r\n".utf8)
    guard case .complete(let head, _)? = try? parser.parse(text.span) else { fatalError("a valid authority is a Host") }
    let sentTo = String(decoding: host, as: UTF8.self)
    for scheme in ["http", "https", "HTTP"] {
        for path in ["", "/", "/a?b", "?c", "#d"] {
            expect(OriginRule.isOwn("\(scheme)://\(sentTo)\(path)", head), "a page of this server is its own")
        }
    }
    expect(!OriginRule.isOwn("null", head) && !OriginRule.isOwn("http://\(sentTo).evil", head), "other origins are foreign")
    expect(!OriginRule.isOwn("http://x@\(sentTo)", head), "who names a user is foreign")
    guard OriginRule.isOwn(origin, head) else { return }
    let lower = origin.lowercased()
    let own = withoutPort(sentTo.lowercased())
    let rest = lower.hasPrefix("https://") ? lower.dropFirst(8) : lower.dropFirst(7)
    expect(lower.hasPrefix("http://") || lower.hasPrefix("https://"), "a page of this server came by HTTP")
    expect(rest.hasPrefix(own), "a page of this server names its host")
}

private func withoutPort(_ authority: String) -> String {
    for port in [":80", ":443"] where authority.hasSuffix(port) { return String(authority.dropLast(port.count)) }
    return authority
}

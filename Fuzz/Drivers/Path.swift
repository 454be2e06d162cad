@testable import FileDrop
@testable import UVServer

// The first line is a request target, what follows a name as it might be on disk or in a form.

func fuzz(_ bytes: [UInt8]) {
    var input = FuzzInput(bytes)
    let target = input.line()
    checkTarget(target)
    let name = Array(input.rest)
    checkEncoding(name)
    checkNewName(name)
}

private func checkTarget(_ bytes: [UInt8]) {
    for method in [Method.get, .options] {
        guard let target = try? RequestTarget(parsing: bytes, method: method) else { continue }
        expect(target.path.first == UInt8(ascii: "/") || target.path == [UInt8(ascii: "*")], "a path begins with a slash")
        expect(!target.path.contains { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "?") }, "a path holds nothing of a line")
        if let authority = target.authority { expect(Authority.isValid(authority), "an authority is one") }
        if let query = target.query {
            let query = Query(query)
            for name in ["json", "limit", "after"] { expect(query.has(name) == !query.values(name).isEmpty, "a name has values") }
        }
        if let path = DropPath(encodedPath: target.path) { checkPath(path) }
    }
    if let path = DropPath(encodedPath: bytes) { checkPath(path) }
}

private func checkPath(_ path: DropPath) {
    for name in path.names { checkName(name) }
    let url = Array(path.url.utf8)
    expectEqual(DropPath(encodedPath: url), path, "a link leads back to the same bytes")
    guard let target = try? RequestTarget(parsing: url, method: .get) else { fatalError("a link is a target") }
    expectEqual(target.path, url, "a link is a path alone")
    expect(!path.url.utf8.starts(with: "//".utf8), "no link names a host")
    if let name = path.name {
        expectEqual(path.parent.appending(name, isFolder: path.isFolder), path, "a path is its folder and a name")
    }
}

private func checkName(_ name: DropName) {
    expect((1...255).contains(name.bytes.count), "a name has 1 to 255 bytes")
    expect(!name.bytes.contains { $0 == 0 || $0 == UInt8(ascii: "/") }, "a name is one element")
    expect(name.bytes != Array(".".utf8) && name.bytes != Array("..".utf8), "a name is no way up")
}

private func checkEncoding(_ bytes: [UInt8]) {
    let encoded = PercentEncoding.encodeElement(bytes)
    expectEqual(PercentEncoding.decode(encoded.utf8), bytes, "what is encoded comes back")
    let plain = Set("-._~%0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    expect(encoded.utf8.allSatisfy(plain.contains), "what is encoded means nothing elsewhere")
    if let decoded = PercentEncoding.decode(bytes) {
        let percents = bytes.count { $0 == UInt8(ascii: "%") }
        expectEqual(decoded.count, bytes.count - 2 * percents, "three bytes become one")
    }
    expectEqual(Query("a=\(encoded)&b".utf8).values("a"), [bytes], "a value of a query comes back")
    if let name = DropName(bytes) {
        checkPath(DropPath(names: [name, name], isFolder: bytes.count % 2 == 0))
        checkNumbered(name)
    }
}

private func checkNumbered(_ name: DropName) {
    let isText = String(validating: name.bytes, as: UTF8.self) != nil
    var seen: Set<DropName> = []
    for number in [0, 1, 9, 10, 999_999] {
        guard let numbered = DuplicateNames(name).numbered(number) else { fatalError("every name can be numbered") }
        checkName(numbered)
        expect(seen.insert(numbered).inserted || numbered == name, "another number is another name")
        expect(!isText || String(validating: numbered.bytes, as: UTF8.self) != nil, "a numbered name stays text")
        expect(numbered.isHidden == name.isHidden, "a number hides nothing")
    }
}

private func checkNewName(_ bytes: [UInt8]) {
    for allowHidden in [false, true] {
        guard let name = try? DropName.forNew(bytes, allowHidden: allowHidden) else { continue }
        checkName(name)
        expect(allowHidden || !name.isHidden, "a new name hides only where it may")
        guard let text = String(validating: name.bytes, as: UTF8.self) else { fatalError("a new name is text") }
        expect(
            !text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0 == "\\" },
            "a new name can be shown")
        expectEqual(try? DropName.forNew(name.bytes, allowHidden: allowHidden), name, "a new name stays what it is")
        for other in Normalization.alternatives(name.bytes) {
            expectEqual(Normalization.composed(other), name.bytes, "both spellings are one name")
        }
    }
}

@testable import UVServer

// First line: a field's value with parameters. What follows, line ends and all: a file's name.

func fuzz(_ bytes: [UInt8]) {
    var input = FuzzInput(bytes)
    // A part's head holds no CR but at the end of a line.
    let value = input.line().filter { $0 != 0x0D }
    _ = HeaderParameters(value[...])
    _ = try? Boundary(contentType: String(decoding: value, as: UTF8.self))
    if let parsed = try? ContentDisposition(value[...]), let again = try? ContentDisposition(form(parsed)[...]) {
        expectEqual(again.name, parsed.name, "written as a browser does, a field's name stays the same")
        expectEqual(again.filename, parsed.filename, "written as a browser does, a file's name stays the same")
    }
    checkDownload(Array(input.rest))
    checkForm(Array(input.rest))
}

/// As browsers write it; empty where they leave open what it means: `%22` may be a name's own, and a quote behind a backslash is no
/// end of a string though browsers escape no backslash.
private func form(_ disposition: ContentDisposition) -> [UInt8] {
    var bytes = Array("form-data; name=\"".utf8) + escaped(disposition.name) + [UInt8(ascii: "\"")]
    if let filename = disposition.filename {
        bytes += Array("; filename=\"".utf8) + escaped(filename) + [UInt8(ascii: "\"")]
    }
    let isOpen = [disposition.name, disposition.filename ?? []].contains { name in
        name.last == UInt8(ascii: "\\") || name.indices.contains { name[$0...].starts(with: "%22".utf8) }
    }
    return isOpen ? [] : bytes
}

private func escaped(_ name: [UInt8]) -> [UInt8] {
    name.flatMap { byte -> [UInt8] in
        switch byte {
        case UInt8(ascii: "\""): Array("%22".utf8)
        case 0x0D: Array("%0D".utf8)
        case 0x0A: Array("%0A".utf8)
        default: [byte]
        }
    }
}

private func checkForm(_ name: [UInt8]) {
    let sent = ContentDisposition.plain(name: Array("file".utf8), filename: name)
    guard let parsed = try? ContentDisposition(sent[...]) else {
        return expect(name.last == UInt8(ascii: "\\"), "what a browser sends is read")
    }
    expectEqual(parsed.name, Array("file".utf8), "a field's name arrives")
    expect(!(parsed.filename ?? []).contains { $0 == 0x0D || $0 == 0x0A }, "no line break comes back")
    if !name.contains(UInt8(ascii: "%")), !name.contains(0x0D), !name.contains(0x0A) {
        expectEqual(parsed.filename, name, "a file's name arrives")
    }
}

extension ContentDisposition {
    fileprivate static func plain(name: [UInt8], filename: [UInt8]) -> [UInt8] {
        Array("form-data; name=\"".utf8) + escaped(name) + Array("\"; filename=\"".utf8) + escaped(filename) + [
            UInt8(ascii: "\"")
        ]
    }
}

private func checkDownload(_ name: [UInt8]) {
    for disposition in [AttachmentName.Disposition.inline, .attachment] {
        let value = Array(AttachmentName.header(disposition: disposition, name: name).utf8)
        expect(value.allSatisfy { (0x20..<0x7F).contains($0) }, "the field is printable ASCII")
        guard let parsed = HeaderParameters(value[...]) else { fatalError("the field can be read") }
        expect(parsed.value.elementsEqual(disposition.rawValue.utf8), "the field says what to do")
        guard let plain = parsed["filename"], !plain.isEmpty else { fatalError("there is always a name") }
        expect(parsed.count("filename") == 1 && parsed.list.count <= 2, "each kind of name is given once")
        let best: [UInt8]
        if let extended = parsed["filename*"] {
            expect(extended.starts(with: "UTF-8''".utf8), "the extended name says its charset")
            guard let decoded = PercentEncoding.decode(extended.dropFirst(7)) else { fatalError("the extended name is encoded") }
            best = decoded
        } else {
            best = plain
        }
        expect(best.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }, "no name leads elsewhere")
        let isKept =
            String(validating: name, as: UTF8.self) != nil && !name.isEmpty
            && name.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
        if isKept { expectEqual(best, name, "a good name is given as it is") }
    }
}

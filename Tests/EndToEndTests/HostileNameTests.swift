import TestSupport
import Testing

@Suite("names of any bytes")
struct HostileNameTests {
    /// Every byte that a name on a disk may have, between two that are harmless.
    private static let names = (UInt8(1)...255).filter { $0 != UInt8(ascii: "/") }.map {
        [UInt8(ascii: "a"), $0, UInt8(ascii: "z")]
    }

    private func encoded(_ name: [UInt8]) -> String {
        name.map { byte in (byte < 16 ? "%0" : "%") + String(byte, radix: 16) }.joined()
    }

    @Test("every byte that a name on the disk may have is listed, linked, downloaded and deleted")
    func onDisk() throws {
        let folder = try TemporaryFolder()
        for name in Self.names { try folder.write(name: name, name + name) }
        let server = try ServerProcess(folder.path)
        #expect(folder.visibleNames == Self.names)
        let reply = try server.get("/?json")
        #expect(reply.body.allSatisfy { $0 >= 0x20 || $0 == 10 } && String(validating: reply.body, as: UTF8.self) != nil)
        let listing = try reply.listing.files
        let page = try server.get("/", [("Accept", browserAccept)])
        #expect(
            page.body.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 10 } && String(validating: page.body, as: UTF8.self) != nil)
        let links = page.attributes("href").filter { $0.hasPrefix("/a") }
        let buttons = page.attributes("action").filter { $0.hasPrefix("/delete/") }
        #expect(listing.count == Self.names.count && links == listing.map(\.url) && buttons == links.map { "/delete" + $0 })
        var left = Self.names
        for (name, entry) in zip(Self.names, listing) {
            #expect(entry.name == String(decoding: name, as: UTF8.self) && entry.size == 6, "\(name)")
            #expect(entry.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(entry.url)")
            for target in [entry.url, "/" + self.encoded(name)] {
                let reply = try server.get(target)
                #expect(isSame(reply.body, name + name), "\(target)")
                #expect(reply.head.allSatisfy { $0 >= 0x20 && $0 < 0x7F || $0 == 13 || $0 == 10 }, "\(target)")
            }
            let isForm = name[1] % 2 == 0
            let deleted = try isForm ? server.ask("POST", "/delete" + entry.url, body: []) : server.ask("DELETE", entry.url)
            #expect(deleted.status == 204, "\(entry.url)")
            left.removeFirst()
            #expect(folder.visibleNames == left, "\(entry.url)")
        }
    }

    @Test("a new name has no control character, no separator of any system, and is UTF-8", arguments: ["PUT", "form"])
    func uploads(way: String) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--durability", "none"])
        let controls = (UInt8(0x80)...0x9F).map { [UInt8(ascii: "a"), 0xC2, $0, UInt8(ascii: "z")] }
        let names = [[UInt8(ascii: "a"), 0, UInt8(ascii: "z")]] + Self.names + controls
        for name in names {
            // Quotes and line ends are the form's own.
            if way == "form", [10, 13, UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(name[1]) { continue }
            var form = Form()
            form.file(name, bytes("x"))
            let reply = try way == "form" ? server.post(form) : server.put("/" + self.encoded(name), bytes("x"))
            let isFine = name[1] >= 0x20 && name[1] < 0x7F && name[1] != UInt8(ascii: "\\")
            #expect(reply.status == (isFine ? 201 : 400), "\(name): \(reply.status)")
            #expect(folder.visibleNames == (isFine ? [name] : []), "\(name)")
            for name in folder.visibleTexts { folder.remove(name) }
        }
        #expect(folder.allFiles.isEmpty)
    }

    @Test("a name that shows nothing, or turns the direction of text, is refused in words, and shown when it is there")
    func unseen() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--durability", "none"])
        let names = [" ", "\u{A0}", "\u{200B}\u{200B}", "\u{202E}gpj.exe", "a\u{2067}b", "\u{2066}\u{2069}"]
        for name in names {
            let put = try server.put("/" + self.encoded(bytes(name)), bytes("x"))
            #expect(put.status == 400 && put.text.contains("The name h"), "\(name.unicodeScalars): \(put.text)")
            let form = try server.post(.one(name, "x"))
            #expect(form.status == 400 && form.text.contains("The name h"), "\(name.unicodeScalars): \(form.text)")
            #expect(!form.text.contains(name) || name == " ", "\(form.text)")
        }
        #expect(folder.allFiles.isEmpty)
        for name in names { try folder.write(name, "x") }
        let page = try server.get("/", [("Accept", browserAccept)])
        let links = page.attributes("href").filter { !$0.hasPrefix("/-/") && $0 != "/?zip" }
        #expect(links.count == names.count)
        for link in links { #expect(try server.get(link).text == "x", "\(link)") }
        for code in ["20", "A0", "200B", "202E", "2067", "2066", "2069"] {
            #expect(page.text.contains("<span class=\"unseen\">\\u{\(code)}</span>"), "\(code)")
        }
        #expect(!page.text.unicodeScalars.contains { (0x2066...0x2069).contains($0.value) || $0.value == 0x202E })
    }

    @Test("a name that looks like another is another")
    func lookAlikes() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--durability", "none"])
        let groups = [
            [
                "report.txt", "Report.txt", "REPORT.TXT", "r\u{435}port.txt", "report.txt ", " report.txt", "report.tx\u{165}",
                "report.txt\u{200B}",
            ],
            // Of the server's own names only these bytes are: in other letters, and in forms that only look alike, they are anybody's.
            [
                "DELETE", "Delete", "\u{FF44}elete", "delete ", "d\u{435}lete", "\u{2010}", "\u{2013}", "--", "\u{FF0D}",
                "\u{FF0E}uvdrop", "uvdrop",
            ],
            [
                "\u{FF0E}\u{FF0E}", "\u{2025}", "\u{2024}\u{2024}", "a\u{2215}b", "a\u{FF0F}b", "a\u{29F8}b", "con", "nul.txt",
            ],
        ]
        for (number, name) in groups.flatMap({ $0 }).enumerated() {
            let target = "/" + self.encoded(bytes(name))
            #expect(try server.put(target, bytes("\(number)")).status == 201, "\(name)")
        }
        for (number, name) in groups.flatMap({ $0 }).enumerated() {
            #expect(try server.get("/" + self.encoded(bytes(name))).text == "\(number)", "\(name)")
            #expect(folder.text(name) == "\(number)", "\(name)")
        }
        for name in ["-", "delete", ".uvdrop", ".UVDROP"] {
            #expect(try (400..<500).contains(server.put("/" + self.encoded(bytes(name)), bytes("x")).status), "\(name)")
        }
        // One of a kind: these two are the same character, and have been since there was Unicode.
        #expect(try server.put("/" + self.encoded(bytes("\u{212A}")), bytes("kelvin")).status == 201)
        #expect(folder.text("K") == "kelvin")
        #expect(try server.put("/K", bytes("x")).status == 409)
        #expect(try server.get("/" + self.encoded(bytes("\u{212A}"))).text == "kelvin")
    }
}

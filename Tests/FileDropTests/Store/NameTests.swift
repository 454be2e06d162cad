import Testing

@testable import FileDrop

@Suite("Names and paths") struct NameTests {
    private static let composed: [UInt8] = [0xEB, 0xA7, 0xA5, 0x2E, 0x74, 0x78, 0x74]
    private static let decomposed: [UInt8] = [
        0xE1, 0x84, 0x86, 0xE1, 0x85, 0xA2, 0xE1, 0x86, 0xA8, 0x2E, 0x74, 0x78, 0x74,
    ]

    @Test(
        "a path is split first and decoded once",
        arguments: [
            ("/", []), ("/a", ["a"]), ("/a/", ["a"]), ("/a/b.txt", ["a", "b.txt"]), ("/%2541.txt", ["%41.txt"]),
            ("/a+b%20c", ["a+b c"]), ("/...", ["..."]), ("/a..b", ["a..b"]), ("/..%5c..%5cetc", ["..\\..\\etc"]),
            ("/.%252e/x", [".%2e", "x"]),
        ] as [(String, [String])])
    func paths(encoded: String, names: [String]) {
        let path = DropPath(encodedPath: encoded.utf8)
        #expect(path?.names.map(\.description) == names)
        #expect(path?.isFolder == encoded.hasSuffix("/"))
    }

    @Test(
        "a path that could climb or hide is none",
        arguments: [
            "", "a", "//", "/a//b", "/.", "/..", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd",
            "/%2Fetc%2Fpasswd", "/a/../../etc/passwd", "/a/%2e", "/a%00b", "/%", "/%4", "/%zz", "/..%2fDROP-secret/x",
        ])
    func noPaths(encoded: String) {
        #expect(DropPath(encodedPath: encoded.utf8) == nil)
    }

    @Test("a url leads back to the same bytes") func urls() throws {
        for bytes in [[0x25, 0x34, 0x31], [0xFF, 0x0A, 0x22], Self.decomposed, Self.composed] as [[UInt8]] {
            let path = DropPath.root.appending(try #require(DropName(bytes)))
            #expect(DropPath(encodedPath: path.url.utf8) == path)
        }
        #expect(DropPath.root.url == "/")
        #expect(DropPath(encodedPath: "/a/b/".utf8)?.url == "/a/b/")
    }

    @Test("normal forms are two names, and a new one is composed") func forms() throws {
        #expect(DropName(Self.composed) != DropName(Self.decomposed))
        #expect(try DropName.forNew(Self.decomposed, allowHidden: false).bytes == Self.composed)
        #expect(Normalization.decomposed(Self.composed) == Self.decomposed)
        #expect(Normalization.alternatives(Self.composed) == [Self.decomposed])
        #expect(Normalization.alternatives(Array("plain".utf8)) == [])
        #expect(Normalization.composed([0xFF]) == nil)
    }

    @Test(
        "a new name is refused with a reason",
        arguments: [
            [], [0xFF], [0x61, 0x00], [0x61, 0x0A], [0x61, 0x7F], [0x61, 0xC2, 0x85], Array("a/b".utf8),
            Array("a\\b".utf8), Array(".".utf8), Array("..".utf8), Array(".hidden".utf8),
            Array(" ".utf8), Array("\u{A0}\u{3000}".utf8), Array("\u{200B}".utf8), Array("\u{FEFF} \u{2060}".utf8),
            Array("\u{3164}".utf8), Array("\u{200D}".utf8), Array("\u{2800}".utf8), Array("\u{202E}txt.exe".utf8),
            Array("a\u{2066}b\u{2069}".utf8), Array("a\u{202A}".utf8),
            Array("../../a14.txt".utf8), Array("....//a14.txt".utf8), Array("..\\..\\a14.txt".utf8),
        ] as [[UInt8]])
    func badNames(bytes: [UInt8]) {
        do throws(StoreError) {
            let name = try DropName.forNew(bytes, allowHidden: false)
            Issue.record("\(name) was taken")
        } catch {
            guard case .badName = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test(
        "a new name may hold what cannot be seen beside what can, and marks that letters and emoji need",
        arguments: [
            " a", "a\u{200B}", "\u{1F468}\u{200D}\u{1F469}", "\u{2764}\u{FE0F}", "\u{5D0}\u{200F}.txt", "\u{646}\u{200C}\u{647}",
            "\u{1F3F4}\u{E0067}\u{E007F}", "-", "_",
        ])
    func unseen(_ name: String) throws {
        #expect(try DropName.forNew(Array(name.utf8), allowHidden: false).description.utf8.elementsEqual(name.utf8))
    }

    @Test("255 bytes are a name and 256 are not") func lengths() throws {
        let longest = [UInt8](repeating: 0x41, count: 255)
        #expect(try DropName.forNew(longest, allowHidden: false).bytes == longest)
        #expect(throws: StoreError.nameTooLong) { try DropName.forNew(longest + [0x41], allowHidden: false) }
        #expect(throws: StoreError.nameTooLong) {
            try DropName.forNew([UInt8](repeating: 0x41, count: 1 << 20), allowHidden: false)
        }
        // Decomposed it is too long, composed it fits.
        let hangul = Array(String(repeating: "\u{1106}\u{1162}\u{11A8}", count: 85).utf8)
        #expect(hangul.count == 765)
        #expect(try DropName.forNew(hangul, allowHidden: false).bytes.count == 255)
    }

    @Test(
        "a number goes before the extension",
        arguments: [
            ("photo.jpg", "photo (1).jpg"), ("a.tar.gz", "a (1).tar.gz"), ("noext", "noext (1)"), (".rc", ".rc (1)"),
            ("a.b.c", "a.b (1).c"), ("v1. final", "v1. final (1)"), ("end.", "end. (1)"), (".tar.gz", ".tar (1).gz"),
        ])
    func numbers(name: String, expected: String) throws {
        let name = try #require(DropName(name.utf8))
        #expect(DuplicateNames(name).numbered(0) == name)
        #expect(DuplicateNames(name).numbered(1)?.description == expected)
    }

    @Test("a long name gives way at a character's boundary", arguments: 0..<4) func shortening(shift: Int) throws {
        let text = String(repeating: "x", count: shift) + String(repeating: "맥", count: 82) + ".jpeg"
        let name = try #require(DropName(text.utf8))
        for number in [1, 10, 999] {
            let numbered = try #require(DuplicateNames(name).numbered(number))
            #expect(numbered.bytes.count <= 255)
            #expect(String(validating: numbered.bytes, as: UTF8.self) != nil)
            #expect(numbered.description.hasSuffix(" (\(number)).jpeg"))
        }
    }
}

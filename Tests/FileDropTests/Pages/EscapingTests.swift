import Testing

@testable import FileDrop

@Suite("Names on pages")
struct EscapingTests {
    static let hostile: [[UInt8]] = [
        // A40
        "<img src=x onerror=alert(1)>.txt", "</title><script>alert(1)</script>", "\"><svg onload=alert(1)>",
        "' onclick='alert(1)",
        "\" autofocus onfocus=\"alert(1)", "</bdi></a><form action=//x>", "&lt;script&gt;", "&", "&amp", "&#60;b&#62;", "<!--",
        "-->",
        "<", ">", "\"", "'", "<<<\"\"\"&&&", "]]>", "`${1}`", "{{7*7}}", "<\u{0}script>", "a\tb\nc\rd\u{1B}[31m\u{7F}",
        // A16
        "<\u{338}b>", "&\u{301}amp;", "\"\u{308}onclick=x", ">\u{301}", "'\u{301}", "\u{308}uber.txt", "<\u{FE0F}img>",
        "<\u{200D}img>",
        "\r\n<\u{338}", "e\u{301}<\u{301}\u{301}\u{301}script>",
    ].map { Array($0.utf8) }

    static let invalid: [[UInt8]] = [
        [0xFF], [0x3C, 0x80], [0xC3, 0x3C, 0x62, 0x3E], [0xE2, 0x82, 0x22], [0xF0, 0x9F, 0x98, 0x26], [0xC0, 0xBC],
        [0xE0, 0x80, 0xBC],
        [0xED, 0xA0, 0x80, 0x3C], [0xF8, 0x88, 0x80, 0x80, 0xBC], [0x61, 0xFE, 0x3E, 0xBF], [0xF4, 0x90, 0x80, 0x80, 0x27],
    ]

    /// What a reader is to see: U+FFFD for what is no UTF-8, pictures for control characters.
    static func shown(_ name: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for scalar in String(decoding: name, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0...0x1F: text.append(Unicode.Scalar(0x2400 + scalar.value)!)
            case 0x7F: text.append("\u{2421}")
            default: text.append(scalar)
            }
        }
        return String(text)
    }

    @Test("change no tag and no attribute of any page (A16, A40)", arguments: Self.hostile + Self.invalid)
    func structure(_ name: [UInt8]) {
        for (harmless, page) in zip(SamplePages.all(name: Array("photo.jpg".utf8)), SamplePages.all(name: name)) {
            let markup = Markup(page.bytes)
            #expect(markup.faults == [], "\(page.page)")
            #expect(markup.skeleton == Markup(harmless.bytes).skeleton, "\(page.page)")
        }
    }

    @Test("can be cut anywhere, in the middle of a character too", arguments: Self.hostile + Self.invalid)
    func cuts(_ name: [UInt8]) {
        let skeletons = SamplePages.all(name: [0x61]).map { Markup($0.bytes).skeleton }
        for cut in 1...name.count {
            for piece in [Array(name[..<cut]), Array(name[(cut - 1)...])] {
                let markups = SamplePages.all(name: piece).map { Markup($0.bytes) }
                #expect(markups.allSatisfy { $0.faults == [] })
                #expect(markups.map(\.skeleton) == skeletons)
            }
        }
    }

    @Test("read as they are, everywhere they stand", arguments: Self.hostile + Self.invalid)
    func shownAsIs(_ name: [UInt8]) {
        let expected = Array(Self.shown(name).utf8)
        func isExpected(_ text: String?) -> Bool { text.map { Array($0.utf8) == expected } ?? false }

        let listing = Markup(SamplePages.listing(name: name, canUpload: true, canDelete: true))
        let names = listing.texts(of: "bdi")
        #expect(names.count == 5)
        #expect(names.allSatisfy(isExpected))
        #expect(isExpected(listing.texts(of: "h1").first))
        let labels = listing.tags.compactMap { $0.name == "button" ? $0.value("aria-label") : nil }
        #expect(labels.count == 2)
        #expect(labels.allSatisfy { Array($0.utf8) == Array("Delete ".utf8) + expected })

        let question = Markup(DeletePage(name: name, postURL: "/a", backURL: "/").render())
        #expect(isExpected(question.texts(of: "bdi").first))
        #expect(question.texts(of: "title").first.map { Array($0.utf8) } == Array("Delete ".utf8) + expected + Array("?".utf8))
    }

    @Test(
        "show a code for what cannot be seen or turns the direction, in text, labels and titles alike",
        arguments: [
            ("a\u{202E}gpj.exe", "a\\u{202E}gpj.exe"), (" ", "\\u{20}"), ("\u{A0}\u{200B}", "\\u{A0}\\u{200B}"),
            ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"), ("a\u{AD}b", "a\\u{AD}b"), ("a b", "a b"), ("ü \u{A0}", "ü \u{A0}"),
            ("\u{2764}\u{FE0F}\u{200D}\u{1F525}", "\u{2764}\u{FE0F}\u{200D}\u{1F525}"),
            ("\u{FE0F}", "\\u{FE0F}"), ("\n", "\u{240A}"),
        ])
    func codes(_ name: String, _ shown: String) {
        var html = HTML()
        html.name(Array(name.utf8))
        let text = String(decoding: html.bytes, as: UTF8.self)
        let bare = text.split(separator: "<").map { $0.drop { $0 != ">" }.dropFirst() }.joined()
        #expect(bare.utf8.elementsEqual(shown.utf8), "\(text)")
        #expect(text.hasPrefix("<bdi>") && text.hasSuffix("</bdi>"))
        if name != "\n" { #expect(VisibleName.text(Array(name.utf8)).utf8.elementsEqual(shown.utf8)) }
    }

    @Test("show U+FFFD for bytes that are not UTF-8")
    func repaired() {
        var html = HTML()
        html.text([0x61, 0xFF, 0x3C])
        #expect(html.bytes == Array("a\u{FFFD}&lt;".utf8))
    }

    @Test(
        "escape every byte that means something in HTML, whatever follows",
        arguments: [
            ("<", "&lt;"), (">", "&gt;"), ("&", "&amp;"), ("\"", "&quot;"), ("'", "&#39;"),
        ])
    func escapes(_ raw: String, _ escaped: String) {
        for mark in ["", "\u{301}", "\u{338}", "\u{FE0F}", "\u{200D}", "\u{1F3FB}"] {
            var html = HTML()
            html.text(raw + mark)
            html.attribute("x", raw + mark)
            #expect(html.bytes == Array((escaped + mark + " x=\"" + escaped + mark + "\"").utf8))
        }
    }
}

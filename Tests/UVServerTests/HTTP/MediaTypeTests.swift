import Testing
import UVServer

@Suite("Media types")
struct MediaTypeTests {
    @Test(
        "follow the extension, and only safe ones are shown",
        arguments: [
            ("a.txt", "text/plain; charset=utf-8", true), ("한글.TXT", "text/plain; charset=utf-8", true),
            ("main.swift", "text/plain; charset=utf-8", true), ("README", "text/plain; charset=utf-8", true),
            ("notes.md", "text/plain; charset=utf-8", true), ("p.html", "text/html; charset=utf-8", false),
            ("p.HTM", "text/html; charset=utf-8", false), ("p.xhtml", "application/xhtml+xml; charset=utf-8", false),
            ("p.svg", "image/svg+xml; charset=utf-8", false), ("p.svgz", "application/octet-stream", false),
            ("p.xml", "application/xml; charset=utf-8", false), ("p.js", "text/javascript; charset=utf-8", false),
            ("p.css", "text/css; charset=utf-8", false), ("a.json", "application/json; charset=utf-8", false),
            ("a.png", "image/png", true), ("IMG_1.HEIC", "image/heic", true), ("a.avif", "image/avif", true),
            ("a.webp", "image/webp", true), ("a.JPG", "image/jpeg", true), ("a.mp3", "audio/mpeg", true),
            ("a.mp4", "video/mp4", true), ("a.mov", "video/quicktime", true), ("a.m3u8", "application/vnd.apple.mpegurl", false),
            ("a.pdf", "application/pdf", true), ("a.zip", "application/zip", false), ("a.tar.gz", "application/gzip", false),
            ("a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", false),
            ("a.hwp", "application/x-hwp", false), ("a.apk", "application/vnd.android.package-archive", false),
            ("x.meme", "application/vnd.uvdrop.meme+json", false), ("a.mhtml", "message/rfc822", false),
            ("a", "application/octet-stream", false), ("", "application/octet-stream", false),
            (".", "application/octet-stream", false),
            (".html", "application/octet-stream", false), ("a.", "application/octet-stream", false),
            ("a.png.exe", "application/vnd.microsoft.portable-executable", false), ("a.png ", "application/octet-stream", false),
            ("png", "application/octet-stream", false), ("a.t\u{212A}t", "application/octet-stream", false),
        ])
    func table(_ name: String, _ type: String, _ shown: Bool) {
        #expect(MediaType.of(name: Array(name.utf8)) == type)
        #expect(MediaType.showsInline(type) == shown)
    }

    @Test(
        "written otherwise are judged alike",
        arguments: [
            ("TEXT/PLAIN", true), ("text/plain ;charset=x", true), ("Image/PNG", true), ("text/plainer", false), ("text/", false),
            ("IMAGE/SVG+XML", false), ("image/svg+xml;x", false), ("audio/", false), ("video", false), ("video/a b", false),
            ("", false),
            ("text/html", false), ("image/", false), ("application/pdfx", false),
        ])
    func inline(_ type: String, _ shown: Bool) {
        #expect(MediaType.showsInline(type) == shown)
    }

    @Test("survive names that are no text")
    func bytes() {
        #expect(MediaType.of(name: [0xFF, 0xFE, 0x2E, 0x70, 0x6E, 0x67]) == "image/png")
        #expect(MediaType.of(name: [0x61, 0x2E, 0xFF]) == MediaType.unknown)
    }
}

import Testing

@testable import FileDrop

@Suite("A path made absolute") struct AbsolutePathTests {
    @Test(
        "keeps its names, and loses the dots at its beginning",
        arguments: [
            (".", "/a/b"), ("./", "/a/b"), ("..", "/a"), ("../..", "/"), ("../../../x", "/x"), ("./.././c//d/", "/a/c/d"),
            ("c", "/a/b/c"), ("c/../d", "/a/b/c/../d"), ("...", "/a/b/..."), ("/", "/"), ("/x/../y", "/x/../y"), ("", ""),
            // A mark that is joined to the slash before it.
            ("\u{301}c/\u{301}d", "/a/b/\u{301}c/\u{301}d"), ("/\u{301}c", "/\u{301}c"),
        ])
    func spelling(path: String, absolute: String) { #expect(AbsolutePath.of(path, in: "/a/b").utf8.elementsEqual(absolute.utf8)) }

    @Test("begins at the root when that is the directory") func root() { #expect(AbsolutePath.of("x", in: "/") == "/x") }
}

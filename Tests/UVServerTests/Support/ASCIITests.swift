import Testing

@testable import UVServer

@Suite("ASCII") struct ASCIITests {
    @Test(
        "finds a text anywhere in bytes, in any case",
        arguments: [
            ("prefetch", true), ("PreFetch", true), ("xxprefetchxx", true), ("pprefetch", true), ("prefetc", false), ("", false),
            ("pre fetch", false), ("prefetc\u{301}h", false), ("prefprefetch", true), ("prefetcprefetc", false),
        ])
    func contains(_ text: String, _ expected: Bool) { #expect(ASCII.contains(Array(text.utf8), "prefetch") == expected) }
}

import Testing

@testable import FileDrop

@Suite("Negotiation") struct NegotiationTests {
    @Test(
        "answers in the form that the client names first",
        arguments: [
            ([], .text), (["Accept: */*"], .text), (["Accept: text/html,application/xhtml+xml,*/*;q=0.8"], .page),
            (["Accept: application/json"], .json), (["accept: Application/JSON; q=1"], .json),
            (["Accept: application/problem+json"], .json),
            (["Accept: text/html, application/json"], .page), (["Accept: application/json, text/html"], .json),
            (["Accept: application/jsonp"], .text), (["Accept: text/plain", "Accept: application/json"], .json),
        ] as [([String], Negotiation)]
    )
    func table(_ fields: [String], _ expected: Negotiation) throws {
        #expect(Negotiation(try requestHead("GET / HTTP/1.1", ["Host: h"] + fields)) == expected)
    }
}

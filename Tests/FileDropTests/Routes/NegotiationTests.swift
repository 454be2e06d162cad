import Testing

@testable import FileDrop

@Suite("Negotiation") struct NegotiationTests {
    @Test(
        "answers in the form that the client weighs most and names first",
        arguments: [
            ([], .text), (["Accept: */*"], .text), (["Accept: text/html,application/xhtml+xml,*/*;q=0.8"], .page),
            (["Accept: application/json"], .json), (["accept: Application/JSON; q=1"], .json),
            (["Accept: application/problem+json"], .json),
            (["Accept: text/html, application/json"], .page), (["Accept: application/json, text/html"], .json),
            (["Accept: text/html;q=0.5, application/json;q=0.9"], .json),
            (["Accept: application/json ; q=0, text/html"], .page),
            (["Accept: application/json;q=0"], .text), (["Accept: application/json;q=x"], .json),
            (["Accept: text/html;q=0.1;level=1", "Accept: application/json;q=0.05"], .page),
            (["Accept: application/jsonp"], .text), (["Accept: text/plain", "Accept: application/json"], .json),
        ] as [([String], Negotiation)]
    )
    func table(_ fields: [String], _ expected: Negotiation) throws {
        #expect(Negotiation(try requestHead("GET / HTTP/1.1", ["Host: h"] + fields)) == expected)
    }
}

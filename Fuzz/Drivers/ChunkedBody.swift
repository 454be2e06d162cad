@testable import UVServer

// First line: where the body that follows is cut. Second line: the sizes of the chunks in which the same bytes, as content, are sent.

private struct Outcome: Equatable {
    var content: [UInt8] = []
    var error: HTTPError?
    var hasEnded = false
    /// Bytes behind the end.
    var rest = 0
}

func fuzz(_ bytes: [UInt8]) {
    var input = FuzzInput(bytes)
    let cuts = input.cuts()
    var tight = RequestLimits()
    tight.chunkExtensionBytes = 12
    tight.trailerBytes = 24
    let body = Array(input.rest)
    for limits in [RequestLimits(), tight] {
        expectEqual(outcome(cuts.pieces(body), limits), outcome([body], limits), "cut, the body is another")
    }
    let sizes = input.cuts()
    roundTrip(Array(input.rest), sizes: sizes, cuts: cuts)
}

private func outcome(_ pieces: [[UInt8]], _ limits: RequestLimits) -> Outcome {
    var decoder = ChunkedDecoder(limits: limits)
    var outcome = Outcome()
    for piece in pieces {
        var index = 0
        while !outcome.hasEnded {
            do throws(HTTPError) {
                let before = index
                guard let event = try decoder.next(piece.span, at: &index) else {
                    expectEqual(index, piece.count, "a decoder that wants more has read all")
                    break
                }
                expect(index > before && index <= piece.count, "an event takes bytes of its piece")
                switch event {
                case .data(let range):
                    expect(
                        !range.isEmpty && range.lowerBound >= before && range.upperBound == index, "content is what was just read"
                    )
                    outcome.content += piece[range]
                case .end: outcome.hasEnded = true
                }
            } catch {
                outcome.error = error
                return outcome
            }
        }
        if outcome.hasEnded {
            outcome.rest += piece.count - index
            index = piece.count
            expect((try? decoder.next(piece.span, at: &index)) == .end, "after its end a body stays ended")
        }
    }
    return outcome
}

private func roundTrip(_ content: [UInt8], sizes: Cuts, cuts: Cuts) {
    var body: [UInt8] = []
    for chunk in sizes.pieces(content) where !chunk.isEmpty {
        body += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + [0x0D, 0x0A]
    }
    body += Array("0\r\n\r\nGET".utf8)
    let outcome = outcome(cuts.pieces(body), RequestLimits())
    expectEqual(outcome, Outcome(content: content, hasEnded: true, rest: 3), "what is sent in chunks arrives")
}

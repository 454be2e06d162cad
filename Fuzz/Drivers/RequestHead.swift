@testable import FileDrop
@testable import UVServer

// First line: where the stream of requests that follows is cut.

/// What one connection's bytes came to: each head, written out again, and the error that ended it.
private struct Outcome: Equatable {
    var heads: [[UInt8]] = []
    var error: HTTPError?
    /// Of the head that has begun but not ended.
    var isInHead = false
}

func fuzz(_ bytes: [UInt8]) {
    var input = FuzzInput(bytes)
    let cuts = input.cuts()
    var tight = RequestLimits()
    tight.requestLineBytes = 40
    tight.headBytes = 160
    tight.fieldCount = 4
    for limits in [RequestLimits(), tight] {
        let whole = outcome([Array(input.rest)], limits)
        expectEqual(outcome(cuts.pieces(input.rest), limits), whole, "cut, the heads are others")
    }
}

private func outcome(_ pieces: [[UInt8]], _ limits: RequestLimits) -> Outcome {
    var parser = RequestHeadParser(limits: limits)
    var outcome = Outcome()
    for piece in pieces {
        var rest = piece[...]
        while !rest.isEmpty {
            do throws(HTTPError) {
                guard case .complete(let head, let consumed) = try parser.parse(rest.span) else { break }
                expect(consumed > 0 && consumed <= rest.count, "a head ends inside its piece")
                expect(!parser.hasStarted, "after a head the parser is as new")
                rest = rest.dropFirst(consumed)
                outcome.heads.append(written(head))
                checkUses(of: head)
            } catch {
                outcome.error = error
                expect((400...505).contains(error.status.code), "an error of a head is the client's fault")
                return outcome
            }
        }
    }
    outcome.isInHead = parser.hasStarted
    return outcome
}

private func written(_ head: RequestHead) -> [UInt8] {
    var bytes = Array("\(head.method) ".utf8)
    if let authority = head.target.authority { bytes += Array("http://".utf8) + authority }
    bytes += head.target.path
    if let query = head.target.query { bytes += [UInt8(ascii: "?")] + query }
    bytes += Array(" HTTP/1.\(head.minorVersion)\r\n".utf8)
    head.fields.write(skipping: [], into: &bytes)
    return bytes + [0x0D, 0x0A]
}

private func checkUses(of head: RequestHead) {
    let text = written(head)
    for (place, byte) in text.enumerated() where byte < 0x20 && byte != 0x09 {
        let isLineEnd = byte == 0x0D && text[place + 1] == 0x0A || byte == 0x0A && text[place - 1] == 0x0D
        expect(isLineEnd, "a head holds no control bytes")
    }
    var parser = RequestHeadParser(limits: RequestLimits())
    guard case .complete(let again, text.count)? = try? parser.parse(text.span) else { fatalError("what was read is a head") }
    expectEqual(written(again), text, "read again, a head stays the same")
    expectEqual(again.fields.count, head.fields.count, "read again, a head has as many fields")
    expectEqual(again.keepsAlive, head.keepsAlive, "read again, a head says as much of the connection")
    expect(head.minorVersion == 0 || head.host != nil, "a request of HTTP/1.1 names a host")
    _ = head.expectsContinue
    _ = Negotiation(head)
    if let framing = try? BodyFraming(head) { checkFraming(framing, head) }
}

/// Whatever two parties could read in two ways has been refused.
private func checkFraming(_ framing: BodyFraming, _ head: RequestHead) {
    let (lengths, codings) = (head.fields.bytes(.contentLength), head.fields.bytes(.transferEncoding))
    switch framing {
    case .none: expect(lengths.isEmpty && codings.isEmpty, "a body that is announced is read")
    case .length(let length):
        expect(length >= 0 && lengths.count == 1 && codings.isEmpty, "one length, and nothing beside it")
        expect(lengths[0].allSatisfy(ASCII.isDigit), "a length is digits")
    case .chunked:
        expect(lengths.isEmpty && head.minorVersion == 1, "chunks have no length")
        let names = codings.flatMap { $0.split(separator: UInt8(ascii: ",")) }.map { Array(ASCII.trimmed($0)) }
            .filter { !$0.isEmpty }
        expect(names.count == 1 && ASCII.equalsIgnoringCase(names[0], "chunked"), "chunked is the only coding")
    }
}

import TestSupport
import Testing
import UVServer

/// The hostile requests of every section, through the parsers alone.
@Suite("Raw requests") struct RawRequestTests {
    /// What the engine makes of some bytes, before any route is asked.
    private enum Outcome: Equatable {
        case failed(HTTPError)
        /// One request ended after so many bytes.
        case request(length: Int)
        case needsMore
    }

    /// One request read from bytes that come in pieces.
    private struct Reader {
        var parser = RequestHeadParser(limits: RequestLimits())
        var decoder: ChunkedDecoder?
        var remaining: Int64 = 0
        var length = 0

        /// Whether the request has ended in `piece`.
        mutating func take(_ piece: [UInt8]) throws(HTTPError) -> Bool {
            var index = 0
            if self.decoder == nil, self.remaining == 0 {
                guard case .complete(let head, let consumed) = try self.parser.parse(piece.span) else {
                    self.length += piece.count
                    return false
                }
                index = consumed
                switch try BodyFraming(head) {
                case .none: break
                case .length(let length): self.remaining = length
                case .chunked: self.decoder = ChunkedDecoder(limits: RequestLimits())
                }
                if self.decoder == nil, self.remaining == 0 {
                    self.length += index
                    return true
                }
            }
            return try self.takeBody(piece, from: index)
        }

        private mutating func takeBody(_ piece: [UInt8], from start: Int) throws(HTTPError) -> Bool {
            guard var decoder = self.decoder else {
                let count = Int(min(Int64(piece.count - start), self.remaining))
                self.remaining -= Int64(count)
                self.length += start + count
                return self.remaining == 0
            }
            defer { self.decoder = decoder }
            var index = start
            while let event = try decoder.next(piece.span, at: &index) {
                guard event == .end else { continue }
                self.length += index
                return true
            }
            self.length += piece.count
            return false
        }
    }

    private func outcome(_ pieces: [[UInt8]]) -> Outcome {
        var reader = Reader()
        do throws(HTTPError) {
            for piece in pieces where try reader.take(piece) { return .request(length: reader.length) }
        } catch {
            return .failed(error)
        }
        return .needsMore
    }

    /// Every place, or of a long request some.
    private func cuts(_ bytes: [UInt8]) -> [[[UInt8]]] {
        let step = bytes.count <= 1000 ? 1 : bytes.count / 16
        let halves = stride(from: 0, through: bytes.count, by: step).map { [Array(bytes[..<$0]), Array(bytes[$0...])] }
        return halves + [bytes.map { [$0] }]
    }

    @Test("end where their rows say, or are refused as they say, however they are cut", arguments: RawRequests.sections)
    func table(_ section: RawRequests.Section) {
        for row in section.rows {
            let bytes = row.bytes + RawRequests.follower(of: row)
            let whole = self.outcome([bytes])
            switch (row.ending, whole) {
            // A route that wants no body is asked before the body is found wrong.
            case (.refused, .failed(let error)): #expect(error.status.code == row.parserStatus, "\(row): \(error)")
            case (.open, .request(let length)), (.last, .request(let length)), (.unread, .request(let length)):
                #expect(length == row.bytes.count, "\(row)")
            // What follows may look like the body that is awaited.
            case (.spent, .needsMore), (.spent, .request): break
            default: Issue.record("\(whole) for \(row)")
            }
            for pieces in self.cuts(bytes) where self.outcome(pieces) != whole {
                Issue.record("\(self.outcome(pieces)), cut at \(pieces[0].count), for \(row)")
            }
        }
    }
}

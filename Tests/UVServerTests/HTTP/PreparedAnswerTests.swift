import Testing

@testable import UVServer

@Suite("A prepared answer") struct PreparedAnswerTests {
    @Test("tells another second in place") @EventLoop
    func date() {
        var bytes: [UInt8] = []
        let start = ResponseHeadWriter.write(
            status: .ok, fields: Fields(), date: HTTPDate.format(0), closes: false, minorVersion: 1, into: &bytes)
        let answer = PreparedAnswer(status: .ok, bytes: bytes, headBytes: bytes.count, dateStart: start, second: 0, bodyBytes: 0)
        answer.setDate(HTTPDate.format(86_399), of: 86_399)
        #expect(String(decoding: answer.bytes, as: UTF8.self) == "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 23:59:59 GMT\r\n\r\n")
    }

    @Test("counts what of its body has gone out, in memory and from a file of any size") @EventLoop
    func counts() {
        func answer(
            _ headBytes: Int, _ bodyBytes: Int64, _ file: (SharedFile, ByteSlice)? = nil, _ rest: [ResponseBody.Piece] = []
        ) -> PreparedAnswer {
            PreparedAnswer(
                status: .ok, bytes: [UInt8](repeating: 0, count: 100), headBytes: headBytes, dateStart: 0, second: 0,
                bodyBytes: bodyBytes, file: file, rest: rest)
        }
        let small = answer(40, 60)
        #expect([0, 40, 41, 100].map { small.bodyBytes(among: $0) } == [0, 0, 1, 60])
        #expect(!small.isAll(99) && small.isAll(100))
        let file = (SharedFile(OwnedFile(owning: -1), size: .max), ByteSlice(offset: 0, length: .max))
        let large = answer(100, .max, file)
        #expect([0, 100, 101].map { large.bodyBytes(among: $0) } == [0, 0, 1])
        #expect(!large.isAll(100) && !large.isAll(.max))
        let parts = answer(80, 130, (file.0, ByteSlice(offset: 0, length: 10)), [.slice(ByteSlice(offset: 20, length: 100))])
        #expect([0, 80, 81, 110].map { parts.bodyBytes(among: $0) } == [0, 0, 1, 30])
        #expect(!parts.isAll(110))
    }
}

import Testing

@testable import UVServer

@Suite("A prepared answer") struct PreparedAnswerTests {
    @Test("tells another second in place") @EventLoop
    func date() {
        var bytes: [UInt8] = []
        let start = ResponseHeadWriter.write(
            status: .ok, fields: Fields(), date: HTTPDate.format(0), closes: false, minorVersion: 1, into: &bytes)
        let answer = PreparedAnswer(status: .ok, bytes: bytes, dateStart: start, second: 0, bodyBytes: 0)
        answer.setDate(HTTPDate.format(86_399), of: 86_399)
        #expect(String(decoding: answer.bytes, as: UTF8.self) == "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 23:59:59 GMT\r\n\r\n")
    }

    @Test("counts what of its body has gone out, in memory and from a file of any size") @EventLoop
    func counts() {
        let small = PreparedAnswer(status: .ok, bytes: [UInt8](repeating: 0, count: 100), dateStart: 0, second: 0, bodyBytes: 60)
        #expect([0, 40, 41, 100].map { small.bodyBytes(among: $0) } == [0, 0, 1, 60])
        #expect(!small.isAll(99) && small.isAll(100))
        let file = (SharedFile(OwnedFile(owning: -1), size: .max), ByteSlice(offset: 0, length: .max))
        let large = PreparedAnswer(
            status: .ok, bytes: [UInt8](repeating: 0, count: 100), dateStart: 0, second: 0, bodyBytes: .max, file: file)
        #expect([0, 100, 101].map { large.bodyBytes(among: $0) } == [0, 0, 1])
        #expect(!large.isAll(100) && !large.isAll(.max))
    }
}

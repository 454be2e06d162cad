import Glibc
import Testing

@testable import UVServer

@Suite("The log writer") struct LogWriterTests {
    /// More than a pipe holds (64 KiB).
    private static let tooMuch = [String](repeating: String(repeating: "x", count: 999), count: 300)

    private static func pipe() -> (reading: CInt, writing: CInt) {
        var ends: [CInt] = [0, 0]
        unsafe Glibc.pipe(&ends)
        return (ends[0], ends[1])
    }

    @Test("writes at once, and gives up although nobody reads") @EventLoop func stalled() {
        let (reading, writing) = Self.pipe()
        // With a blocking write this would never return.
        LogWriter(descriptor: writing).writeNow(Self.tooMuch)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = unsafe read(reading, &buffer, buffer.count)
        #expect(count >= 4096)
        #expect(buffer.prefix(count).count { $0 == ASCII.lineFeed } >= 4)
        for end in [reading, writing] { close(end) }
    }

    @Test("finishes once all is written, and no later than its patience when nobody reads") @EventLoop func finishing() async {
        let (reading, writing) = Self.pipe()
        let writer = LogWriter(descriptor: writing)
        await writer.finish(within: .seconds(600))
        writer.write("first")
        await writer.finish(within: .seconds(600))
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        #expect(unsafe read(reading, &buffer, buffer.count) == 6)
        for line in Self.tooMuch { writer.write(line) }
        await writer.finish(within: .milliseconds(50))
        // Lets the pool thread go.
        var count = 0
        while count < Self.tooMuch.count * 1000 { count += unsafe read(reading, &buffer, buffer.count) }
        await writer.finish(within: .seconds(600))
        for end in [reading, writing] { close(end) }
    }

    @Test("writes whole lines in pieces that a pipe takes in one, so that those of several processes do not mix") @EventLoop
    func pieces() async throws {
        // Each message is one call of write.
        var ends: [CInt] = [0, 0]
        try #require(unsafe socketpair(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
        let writer = LogWriter(descriptor: ends[1])
        let lines = (1...60).map { String(repeating: "x", count: $0 * 37 % 1900) }
        for line in lines { writer.write(line) }
        await writer.finish(within: .seconds(600))
        close(ends[1])
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var text: [UInt8] = []
        while case let count = unsafe recv(ends[0], &buffer, buffer.count, 0), count > 0 {
            #expect(count <= 4096 && buffer[count - 1] == ASCII.lineFeed, "\(count)")
            text += buffer.prefix(count)
        }
        #expect(String(decoding: text, as: UTF8.self) == lines.map { "\($0)\n" }.joined())
        close(ends[0])
    }
}

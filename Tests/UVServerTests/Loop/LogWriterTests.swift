import Glibc
import Testing

@testable import UVServer

@Suite("The log writer") struct LogWriterTests {
    @Test("ends although nobody reads") @EventLoop func stalled() {
        var ends: [CInt] = [0, 0]
        unsafe pipe(&ends)
        let writer = LogWriter(descriptor: ends[1])
        // More than a pipe holds (64 KiB); with a blocking write this would never return.
        writer.flush([String](repeating: String(repeating: "x", count: 999), count: 300))
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = unsafe read(ends[0], &buffer, buffer.count)
        #expect(count >= 4096)
        #expect(buffer.prefix(count).filter { $0 == ASCII.lineFeed }.count >= 4)
        for end in ends { close(end) }
    }
}

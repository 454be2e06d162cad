import Glibc
import TestSupport
import Testing

@testable import UVServer

/// Through `TCPStream.sendFile`, over loopback.
@Suite("A stream that sends a file", .timeLimit(.minutes(1))) struct TCPStreamFileTests {
    /// More than all buffers between two sockets hold.
    private static let hugeBytes = 64 << 20

    private let place: TemporaryFolder

    init() throws { self.place = try TemporaryFolder() }

    private func makeFile(_ content: [UInt8]) throws -> OwnedFile {
        try self.place.write("file", content)
        return OwnedFile(owning: unsafe open(self.place.path(of: "file"), O_RDWR | O_CLOEXEC))
    }

    /// Bytes that repeat at no power of two: a piece that is sent twice or left out shows.
    private static func pattern(_ count: Int) -> [UInt8] {
        let block = (0..<251).map { UInt8($0) }
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += block }
        return Array(bytes[..<count])
    }

    /// Begins to send, and tells of each piece; `descriptor` stays open until the result is there.
    private static func start(
        _ stream: TCPStream, _ descriptor: CInt, offset: Int64 = 0, length: Int, _ progressed: Milestone
    ) -> LoopTask<Int64> {
        LoopTask { try await stream.sendFile(descriptor, offset: offset, length: Int64(length)) { _ in progressed.reach() } }
    }

    @Test("sends a whole file in pieces, after each of which others have their turn")
    func whole() async throws {
        let content = Self.pattern(3 << 20 | 5)
        let file = try self.makeFile(content)
        let pair = try await LoopbackPair()
        let progressed = Milestone()
        let sending = Self.start(pair.stream, file.descriptor, length: content.count, progressed)
        let isWhole = try pair.client.read(content.count) == content
        #expect(isWhole)
        #expect(try await sending.value == Int64(content.count))
        #expect(await progressed.count >= 4)
        await pair.stream.close()
        #expect(try pair.client.endsCleanly())
    }

    @Test(
        "sends what was asked for and no byte beside it, or fewer where the file ends first",
        arguments: [
            (offset: 0, length: 1), (0, 0), (4097, 100_001), (199_999, 1), (100, 199_900), (199_995, 10), (200_000, 5),
        ] as [(offset: Int, length: Int)])
    func ranges(_ offset: Int, _ length: Int) async throws {
        let content = Self.pattern(200_000)
        let file = try self.makeFile(content)
        let pair = try await LoopbackPair()
        let sending = Self.start(pair.stream, file.descriptor, offset: Int64(offset), length: length, Milestone())
        let expected = Array(content.dropFirst(offset).prefix(length))
        #expect(try await sending.value == Int64(expected.count))
        await pair.stream.close()
        let isExpected = try pair.client.readToEnd() == expected
        #expect(isExpected)
    }

    @Test("says how much it sent of a file that shrinks meanwhile")
    func shrinks() async throws {
        let file = try self.makeFile([UInt8](repeating: 7, count: Self.hugeBytes))
        let pair = try await LoopbackPair()
        let progressed = Milestone()
        let sending = Self.start(pair.stream, file.descriptor, length: Self.hugeBytes, progressed)
        await progressed.reached()
        #expect(ftruncate(file.descriptor, 1) == 0)
        let stream = pair.stream
        EventLoop.spawn {
            _ = try? await sending.value
            stream.close()
        }
        let received = try pair.client.readToEnd().count
        let sent = try await sending.value
        #expect(received == Int(sent))
        #expect(sent > 0 && sent < Self.hugeBytes)
    }

    @Test("waits for a receiver that reads slowly, holds the loop up no moment, and sends every byte")
    func slow() async throws {
        let content = Self.pattern(16 << 20)
        let file = try self.makeFile(content)
        let pair = try await LoopbackPair(receiveBuffer: 32 << 10)
        let (progressed, finished) = (Milestone(), Milestone())
        let sending = Self.start(pair.stream, file.descriptor, length: content.count, progressed)
        let end = EventLoop.spawn {
            _ = try? await sending.value
            finished.reach()
        }
        await progressed.quiet()
        #expect(await finished.count == 0)
        let isWhole = try pair.client.read(content.count) == content
        #expect(isWhole)
        #expect(try await sending.value == Int64(content.count))
        await end.value
        await pair.stream.close()
    }

    @Test("fails when the receiver goes away", arguments: [true, false])
    func gone(_ resets: Bool) async throws {
        let file = try self.makeFile([UInt8](repeating: 7, count: Self.hugeBytes))
        let pair = try await LoopbackPair()
        let progressed = Milestone()
        let sending = Self.start(pair.stream, file.descriptor, length: Self.hugeBytes, progressed)
        await progressed.quiet()
        if resets { pair.client.reset() } else { pair.client.close() }
        await #expect(throws: UVError.self) { try await sending.value }
        await pair.stream.close()
    }

    @Test("ends with the stream, and the receiver sees the end of what was sent")
    func cancelled() async throws {
        let file = try self.makeFile([UInt8](repeating: 7, count: Self.hugeBytes))
        let pair = try await LoopbackPair()
        let progressed = Milestone()
        let sending = Self.start(pair.stream, file.descriptor, length: Self.hugeBytes, progressed)
        // From now on the sender waits: the socket is full, and nobody reads.
        await progressed.quiet()
        await pair.stream.close()
        await #expect(throws: UVError(code: -ECANCELED, call: "sendfile")) { try await sending.value }
        #expect(try pair.client.readToEnd().count < Self.hugeBytes)
    }

    @Test(
        "tells when it waits for a piece to come from the disk, and when no longer: that wait is not the client's fault",
        .enabled("files must not lie in memory alone") { try ColdFile.canBeMade })
    func cold() async throws {
        let file = try ColdFile.make(in: self.place, bytes: 100)
        let pair = try await LoopbackPair()
        let (stream, descriptor) = (pair.stream, file.descriptor)
        let (begins, ends) = (Milestone(), Milestone())
        for _ in 0..<2 {
            let sending = LoopTask {
                try await stream.sendFile(
                    descriptor, offset: 0, length: 100, waitsForDisk: { if $0 { begins.reach() } else { ends.reach() } },
                    progressed: { _ in })
            }
            #expect(try await sending.value == 100)
            // The second time it is in memory.
            #expect(await begins.count == 1)
            #expect(await ends.count == 1)
        }
        #expect(try pair.client.read(200) == [UInt8](repeating: 0, count: 200))
        await pair.stream.close()
    }

    @Test(
        "does not trust after a turn what was in memory before it: a slow peer must not make the loop wait for the disk",
        .enabled("files must not lie in memory alone") { try ColdFile.canBeMade })
    func staleKnowledge() async throws {
        let bytes = 4 << 20
        let file = try ColdFile.make(in: self.place, bytes: Int64(bytes))
        let pair = try await LoopbackPair()
        let (stream, descriptor) = (pair.stream, file.descriptor)
        let waits = Milestone()
        let sending = LoopTask {
            try await stream.sendFile(
                descriptor, offset: 0, length: Int64(bytes), isCached: true, waitsForDisk: { if $0 { waits.reach() } },
                progressed: { _ in })
        }
        let isWhole = try pair.client.read(bytes) == [UInt8](repeating: 0, count: bytes)
        #expect(isWhole)
        #expect(try await sending.value == Int64(bytes))
        #expect(await waits.count > 0)
        await pair.stream.close()
    }
}

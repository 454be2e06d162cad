import Glibc
import TestSupport
import Testing

@testable import UVServer

@Suite("A download that is not in memory", .timeLimit(.minutes(1))) struct ColdDownloadTests {
    private static let canBeCold = (try? ColdFile.canBeMade) == true

    /// How many bytes the calling thread has had read from a disk.
    @EventLoop private static func readBytes() -> Int {
        let text = String(decoding: FileBytes.read("/proc/thread-self/io") ?? [], as: UTF8.self)
        return text.split(separator: "\n").first { $0.hasPrefix("read_bytes: ") }.flatMap { Int($0.dropFirst(12)) } ?? -1
    }

    @Test(
        "is read from the disk by other threads than the loop's, of any size, and however often it is asked for",
        .enabled(if: Self.canBeCold), arguments: [100_000, 2 << 20, 10 << 20])
    func otherThreads(_ size: Int) async throws {
        let place = try TemporaryFolder()
        let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        try place.write("f", content)
        let path = place.path(of: "f")
        func makeCold() {
            let file = unsafe open(path, O_RDWR | O_CLOEXEC)
            fsync(file)
            _ = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
            close(file)
        }
        let watcher = await PathWatcher(try Folder(path: place.path), try FolderWatcher())
        let server = await HTTPServer(
            limits: RequestLimits(),
            handler: { _ in
                guard let opened = watcher.openAtOnce([Array("f".utf8)]) else { return Response(.notFound) }
                // Without reading ahead, which whoever reads begins for later, and does not wait for.
                _ = posix_fadvise(opened.file.descriptor, 0, 0, POSIX_FADV_RANDOM)
                let slice = ByteSlice(offset: 0, length: opened.status.size)
                var response = Response(.ok)
                response.freshness = opened.freshness
                response.body = .file(opened.file, [.slice(slice)])
                return response
            }, refusal: { Response($0.status) }, answered: nil)
        guard let address = SocketAddress(host: "127.0.0.1", port: 0) else { preconditionFailure("a literal") }
        let client = try RawClient(port: try await server.listen(at: address).port)
        // Other tests use the same loop, so a round in which something was read there counts only when there is no other.
        var quietRounds = 0
        for _ in 1...20 where quietRounds < 3 {
            makeCold()
            let before = await Self.readBytes()
            try client.send(HTTPRequest.bytes("GET", "/f"))
            #expect(try client.readReply().body == content)
            if await Self.readBytes() == before { quietRounds += 1 }
            // Beyond the time for which a file that was in memory counts as being there.
            let later = await LoopClock.now + .milliseconds(25)
            while await LoopClock.now < later { await turns(1) }
        }
        #expect(quietRounds == 3)
        client.close()
        await server.stop()
    }
}

import Glibc
import TestSupport
import Testing

@testable import UVServer

@Suite("A TCP stream", .timeLimit(.minutes(1))) struct TCPStreamTests {
    private static func text(_ chunk: ByteChunk?) -> String? {
        chunk?.withSpan { span in String(decoding: span.indices.map { span[$0] }, as: UTF8.self) }
    }

    /// Reads on the loop until the peer has finished, and counts the bytes.
    @EventLoop private static func readToEnd(_ stream: TCPStream) async throws(UVError) -> Int {
        var count = 0
        while let chunk = try await stream.read() { count += chunk.count }
        return count
    }

    /// The chunks that wait in the stream: no descriptor is looked at before this returns.
    @EventLoop private static func takeWaiting(_ stream: TCPStream) async throws(UVError) -> [Int] {
        var sizes: [Int] = []
        while stream.hasBytes, let chunk = try await stream.read() { sizes.append(chunk.count) }
        return sizes
    }

    /// Takes input from now on and counts the calls of `onInput`.
    @EventLoop private static func watch(_ stream: TCPStream, _ inputs: Milestone) {
        stream.onInput = { inputs.reach() }
        stream.resumeReading()
    }

    // MARK: Reading

    @Test("keeps two chunks of what nobody reads while the sender waits, and goes on with the rest when it is read")
    func bounded() async throws {
        let pair = try await LoopbackPair()
        await Self.watch(pair.stream, Milestone())
        let wanted = 64 << 20
        let block = [UInt8](repeating: 1, count: 1 << 20)
        var (sent, refusals) = (0, 0)
        // In a hundred turns a loop that still read would have made room.
        while sent < wanted, refusals < 100 {
            let count = try pair.client.sendAvailable(block)
            refusals = count == 0 ? refusals + 1 : 0
            sent += count
            await turns(1)
        }
        #expect(sent < wanted)
        let waiting = try await Self.takeWaiting(pair.stream)
        #expect(waiting.count == 2)
        #expect(waiting.allSatisfy { $0 <= IOBuffer.smallBytes })
        pair.client.halfClose()
        #expect(try await Self.readToEnd(pair.stream) == sent - waiting.reduce(0, +))
        await pair.stream.close()
    }

    @Test("gives the end of input after the bytes, and again to whoever asks again")
    func end() async throws {
        let pair = try await LoopbackPair()
        try pair.client.send("abc")
        pair.client.halfClose()
        #expect(try await Self.text(pair.stream.read()) == "abc")
        #expect(try await pair.stream.read() == nil)
        #expect(try await pair.stream.read() == nil)
        await pair.stream.close()
    }

    @Test("never takes a reset for the end of input")
    func reset() async throws {
        let pair = try await LoopbackPair()
        pair.client.reset()
        await #expect(throws: UVError(code: -ECONNRESET, call: "read")) { try await pair.stream.read() }
        await pair.stream.close()
    }

    @Test("gives back first what was put back, before what has come since")
    func unread() async throws {
        let pair = try await LoopbackPair()
        let inputs = Milestone()
        await Self.watch(pair.stream, inputs)
        try pair.client.send("abcdef")
        await inputs.reached()
        let chunk = try #require(try await pair.stream.read())
        try pair.client.send("gh")
        await inputs.reached(2)
        await pair.stream.unread(chunk.slice(2..<chunk.count))
        await pair.stream.unread(chunk.slice(0..<0))
        #expect(try await Self.text(pair.stream.read()) == "cdef")
        #expect(try await Self.text(pair.stream.read()) == "gh")
        #expect(await !pair.stream.hasBytes)
        await pair.stream.close()
    }

    @Test("tells of bytes and of their end while nobody reads, and not of what a reader gets")
    func inputs() async throws {
        let pair = try await LoopbackPair()
        let stream = pair.stream
        let inputs = Milestone()
        await Self.watch(stream, inputs)
        try pair.client.send("a")
        await inputs.reached()
        #expect(try await Self.text(stream.read()) == "a")
        let reading = LoopTask { try await Self.text(stream.read()) }
        await turns(1)
        try pair.client.send("b")
        #expect(try await reading.value == "b")
        #expect(await inputs.count == 1)
        pair.client.halfClose()
        await inputs.reached(2)
        #expect(await stream.hasInput)
        #expect(await !stream.hasBytes)
        await stream.close()
    }

    @Test("whose reading is interrupted reads no more and still writes")
    func interrupted() async throws {
        let pair = try await LoopbackPair()
        let stream = pair.stream
        let reading = LoopTask { try await stream.read() }
        await turns(1)
        await stream.interruptReading()
        await #expect(throws: UVError(code: -ETIMEDOUT, call: "read")) { try await reading.value }
        try pair.client.send("late")
        await turns(2)
        await #expect(throws: UVError(code: -ETIMEDOUT, call: "read")) { try await stream.read() }
        try await stream.write(Array("408".utf8))
        #expect(try pair.client.read(3) == Array("408".utf8))
        await stream.forgetInterruption()
        #expect(try await Self.text(stream.read()) == "late")
        await stream.close()
    }

    // MARK: Writing

    @Test("waits until the kernel has all of a write, and sends it in order")
    func largeWrite() async throws {
        let pair = try await LoopbackPair(receiveBuffer: 32 << 10)
        let stream = pair.stream
        let content = (0..<16).flatMap { [UInt8](repeating: $0, count: 1 << 20) }
        let finished = Milestone()
        let writing = LoopTask {
            try await stream.write(content)
            finished.reach()
        }
        await turns(50)
        #expect(await finished.count == 0)
        let isWhole = try pair.client.read(content.count) == content
        #expect(isWhole)
        try await writing.value
        await stream.close()
    }

    @Test("says that half of the conversation is over, and reads the other half")
    func finishWriting() async throws {
        let pair = try await LoopbackPair()
        try await pair.stream.write(Array("bye".utf8))
        await pair.stream.finishWriting()
        #expect(try pair.client.readToEnd() == Array("bye".utf8))
        try pair.client.send("thanks")
        #expect(try await Self.text(pair.stream.read()) == "thanks")
        await pair.stream.close()
    }

    @Test("fails to write to a peer that is gone, and the process lives")
    func goneWrite() async throws {
        let pair = try await LoopbackPair()
        pair.client.reset()
        await #expect(throws: UVError.self) { try await pair.stream.read() }
        await #expect(throws: UVError(code: -EPIPE, call: "write")) { try await pair.stream.write([1]) }
        await pair.stream.close()
    }

    // MARK: Closing

    @Test("ends with ECANCELED what waits in it when it is closed, and all that comes later")
    func closing() async throws {
        let pair = try await LoopbackPair()
        let stream = pair.stream
        let cancelled = UVError(code: -ECANCELED, call: "")
        let reading = LoopTask { try await stream.read() }
        let writing = LoopTask { try await stream.write([UInt8](repeating: 1, count: 64 << 20)) }
        await turns(5)
        await stream.close()
        await #expect(throws: cancelled) { try await reading.value }
        await #expect(throws: cancelled) { try await writing.value }
        await #expect(throws: cancelled) { try await stream.read() }
        await #expect(throws: cancelled) { try await stream.write([1]) }
        await #expect(throws: cancelled) { try await stream.sendFile(0, offset: 0, length: 1) { _ in } }
    }

    @Test("knows its peer, is held by the loop while it is open, and released when it is closed")
    func released() async throws {
        let accepted = Accepted()
        let listener = try await accepted.listen()
        let client = try RawClient(port: await listener.address.port)
        weak let stream = await accepted.next()
        await accepted.forget()
        await turns(2)
        #expect(await stream?.peer.addressText == "127.0.0.1")
        await stream?.close()
        await stream?.close()
        await turns(2)
        #expect(stream == nil)
        #expect(try client.endsCleanly())
        await listener.close()
    }
}

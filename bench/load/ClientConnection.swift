import UVServer

/// One connection to the server: requests out, answers in, and no longer silent than allowed.
@EventLoop final class ClientConnection {
    private let stream: TCPStream
    private var waiter: CheckedContinuation<Void, Never>?
    /// Whether it has not been closed here.
    private(set) var isOpen = true
    private var isLate = false
    /// When bytes moved last while something is waited for; `nil` while nothing is.
    private var since: ContinuousClock.Instant?
    /// Whether the server still had it when it was closed here.
    private(set) var stoodWhenClosed = false

    /// How long a server that has answered may leave the rest of a request untaken, before the answer is what counts.
    private static let earlyAnswerPatience: Duration = .milliseconds(250)

    /// - Parameter isStalled: takes nothing from the socket.
    init(_ stream: TCPStream, receiveBytes: Int, isStalled: Bool) {
        self.stream = stream
        stream.receiveBytes = receiveBytes
        if !isStalled { stream.resumeReading() }
    }

    /// Whether the server has sent something that nobody asked for, or has closed.
    var hasInput: Bool { self.stream.hasInput }

    /// Ends what waits in it. Idempotent.
    func close() {
        guard self.isOpen else { return }
        self.stoodWhenClosed = self.stream.isConnected && !self.stream.hasInput
        self.isOpen = false
        self.stream.close()
        self.waiter.take()?.resume()
    }

    /// Closes it when it has been silent for longer than `timeout` while something is waited for, and when the server has answered a
    /// request and takes no more of it. What has come can still be received.
    func check(_ timeout: Duration, at now: ContinuousClock.Instant) {
        guard let since = self.since else { return }
        self.isLate = now - since > timeout
        if self.isLate || self.stream.hasInput && now - since > Self.earlyAnswerPatience { self.close() }
    }

    /// Returns when it is closed here, or, if `alsoForInput`, when the server sends something or closes.
    func untilClosed(alsoForInput: Bool) async {
        if alsoForInput {
            self.stream.onInput = { [unowned self] in self.waiter.take()?.resume() }
            self.stream.resumeReading()
        }
        await withCheckedContinuation { waiter in
            let isOver = !self.isOpen || alsoForInput && self.stream.hasInput
            if isOver { waiter.resume() } else { self.waiter = waiter }
        }
    }

    /// Sends `bytes` and waits until the kernel has them.
    func send(_ bytes: [UInt8]) async throws(LoadFailure) {
        self.since = .now
        defer { self.since = nil }
        do throws(UVError) { try await self.stream.write(bytes) } catch { throw self.failure(error) }
    }

    /// The head of the next answer; interim ones are passed over.
    func receiveHead() async throws(LoadFailure) -> ResponseHead {
        var parser = ResponseHeadParser()
        while true {
            guard let chunk = try await self.receive() else {
                throw parser.hasStarted ? .malformed("it ends within its head") : .closed
            }
            var index = 0
            let head = try chunk.withSpan { bytes throws(LoadFailure) in try parser.next(bytes, at: &index) }
            self.stream.unread(chunk.slice(index..<chunk.count))
            if let head, !(100..<200).contains(head.status) { return head }
        }
    }

    /// The body of an answer, in pieces: `take` gets each with the offset of its first byte.
    /// - Parameter moved: called after each received chunk with the bytes of content in it, and may wait.
    func receiveBody(
        _ framing: AnswerFraming, moved: @EventLoop (Int) async -> Void, take: (Span<UInt8>, Int64) throws(LoadFailure) -> Void
    ) async throws(LoadFailure) -> Int64 {
        var framing = framing
        var received: Int64 = 0
        while !framing.hasEnded {
            guard let chunk = try await self.receive() else {
                try framing.close()
                return received
            }
            let before = received
            var index = 0
            try chunk.withSpan { bytes throws(LoadFailure) in
                while let range = try framing.next(bytes, at: &index) {
                    try take(bytes.extracting(range), received)
                    received += Int64(range.count)
                }
            }
            self.stream.unread(chunk.slice(index..<chunk.count))
            await moved(Int(received - before))
        }
        return received
    }

    private func receive() async throws(LoadFailure) -> ByteChunk? {
        self.since = .now
        defer { self.since = nil }
        do throws(UVError) { return try await self.stream.read() } catch { throw self.failure(error) }
    }

    private func failure(_ error: UVError) -> LoadFailure { self.isLate ? .timedOut : .broken(error) }
}

import TestSupport
import UVServer

/// A server that gives each request the next of its answers, right or not.
@EventLoop final class CannedServer {
    struct Answer: Sendable {
        var bytes: [UInt8]
        /// Closes behind it, without having said so.
        var closes = false
        /// Answers as soon as the head has come, and reads nothing of the body.
        var isEarly = false
        /// Resets the connection behind it, and reads no more of the request than one byte. For the first answer.
        var resets = false

        init(_ head: String, _ body: [UInt8] = [], closes: Bool = false, isEarly: Bool = false) {
            self.bytes =
                Array((head.split(separator: "\n", omittingEmptySubsequences: false) + ["", ""]).joined(separator: "\r\n").utf8)
                + body
            (self.closes, self.isEarly) = (closes, isEarly)
        }

        /// 200 with this body and its length.
        static func ok(_ body: [UInt8]) -> Answer { Answer("HTTP/1.1 200 OK\nContent-Length: \(body.count)", body) }
    }

    private let answers: [Answer]
    private(set) var requests: [String] = []
    private(set) var connections = 0
    private(set) var resets = 0
    private var listener: TCPListener?
    private var streams: [TCPStream] = []

    /// - Parameter answers: the last one is repeated; none at all means that nothing is ever answered.
    init(_ answers: [Answer]) throws {
        self.answers = answers
        guard let address = SocketAddress(host: "127.0.0.1", port: 0) else { throw TestFailure("a literal") }
        self.listener = try TCPListener(address) { [weak self] stream in
            self?.connections += 1
            self?.streams.append(stream)
            if answers.first?.resets == true { stream.receiveBytes = 1 }
            EventLoop.spawn { await self?.serve(stream) }
        }
    }

    var url: String { "http://127.0.0.1:\(self.listener?.address.port ?? 0)" }

    func close() {
        self.listener?.close()
        for stream in self.streams { stream.close() }
    }

    /// Runs the load generator against it and gives its result.
    func load(_ arguments: String...) async -> LoadResult {
        await LoadResult.of(["--url", self.url] + arguments)
    }

    private func serve(_ stream: TCPStream) async {
        var pending: [UInt8] = []
        while true {
            guard let answer = self.requests.count < self.answers.count ? self.answers[self.requests.count] : self.answers.last
            else { return }
            if answer.resets { return await self.reset(stream, answer) }
            guard let head = await Self.take(from: stream, &pending, { Self.endOfHead($0) }) else { return stream.close() }
            let text = String(decoding: head, as: UTF8.self)
            self.requests.append(text)
            if !answer.isEarly {
                let length = text.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }.flatMap {
                    Int($0.dropFirst(16))
                }
                guard await Self.take(from: stream, &pending, { $0.count >= length ?? 0 ? length ?? 0 : nil }) != nil else {
                    return stream.close()
                }
            }
            do { try await stream.write(answer.bytes) } catch { return stream.close() }
            if answer.closes { return stream.close() }
        }
    }

    /// The kernel resets a connection that is closed before all that has come was read.
    private func reset(_ stream: TCPStream, _ answer: Answer) async {
        _ = try? await stream.read()
        try? await stream.write(answer.bytes)
        stream.close()
        self.resets += 1
    }

    /// Reads until `end` says how many of the bytes are wanted; `nil` when the client has gone.
    private static func take(from stream: TCPStream, _ pending: inout [UInt8], _ end: ([UInt8]) -> Int?) async -> [UInt8]? {
        while true {
            if let count = end(pending) {
                defer { pending.removeFirst(count) }
                return Array(pending.prefix(count))
            }
            guard let chunk = try? await stream.read() else { return nil }
            chunk.withSpan { bytes in for index in bytes.indices { pending.append(bytes[index]) } }
        }
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for end in 4...bytes.count where bytes[(end - 4)..<end].elementsEqual([13, 10, 13, 10]) { return end }
        return nil
    }
}

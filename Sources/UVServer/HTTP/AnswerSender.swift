/// Sends the answers of one connection: small ones in one write, large ones from memory or a file in bounded pieces.
@EventLoop final class AnswerSender {
    private let stream: TCPStream
    private let service: HTTPService
    private let deadlines: ConnectionDeadlines
    /// Body bytes of the current answer that have gone out.
    private(set) var sentBytes: Int64 = 0

    init(_ stream: TCPStream, _ service: HTTPService, _ deadlines: ConnectionDeadlines) {
        self.stream = stream
        self.service = service
        self.deadlines = deadlines
    }

    /// - Parameters:
    ///   - request: what is answered; `nil` for what never became a request.
    ///   - method: its method, as far as it was understood.
    /// - Returns: whether the answer went out whole.
    func send(
        _ response: consuming Response, to request: RequestHead?, method: Method?, keeps: Bool, remembering key: ByteKey? = nil
    ) async -> Bool {
        let kept = response.keeps
        defer { withExtendedLifetime(kept) {} }
        let (status, freshness) = (response.status, response.freshness)
        if !status.forbidsBody, let length = response.body.length { response.fields[.contentLength] = String(length) }
        var head: [UInt8] = []
        self.service.readClock()
        let second = self.service.second
        let dateStart = ResponseHeadWriter.write(
            status: status, fields: response.fields, date: self.service.date, closes: !keeps,
            minorVersion: request?.minorVersion ?? 1,
            into: &head)
        let headBytes = head.count
        func prepared(
            _ bytes: [UInt8], _ bodyBytes: Int64, _ file: (SharedFile, ByteSlice)? = nil, _ rest: [ResponseBody.Piece] = []
        ) -> PreparedAnswer {
            let answer = PreparedAnswer(
                status: status, bytes: bytes, headBytes: headBytes, dateStart: dateStart, second: second, bodyBytes: bodyBytes,
                file: file, rest: rest)
            if keeps, let key, let request, let freshness {
                self.service.answers.remember(key, request, answer, while: freshness, at: LoopClock.now)
            }
            return answer
        }
        if method == .head || status.forbidsBody { return await self.finish(prepared(head, 0)) }
        let length = response.body.length ?? 0
        switch consume response.body {
        case .omitted: preconditionFailure("only the answer to a HEAD leaves its body out")
        case .none: return await self.finish(prepared(head, 0))
        case .bytes(let body): return await self.send(body, after: head)
        case .made(let body, let length): return await self.send(body, length, after: head)
        case .file(let file, let pieces):
            if let count = Self.append(pieces, of: file, to: &head) { return await self.finish(prepared(head, count)) }
            var rest = pieces[...]
            while case .bytes(let bytes)? = rest.first {
                head += bytes
                rest.removeFirst()
            }
            guard case .slice(let slice)? = rest.popFirst() else { return await self.finish(prepared(head, length)) }
            let shared = SharedFile(file, size: slice.offset + slice.length)
            return await self.finish(prepared(head, length, (shared, slice), Array(rest)))
        }
    }

    /// Sends what the socket takes of an answer now.
    /// - Returns: how many bytes it took.
    func begin(_ answer: PreparedAnswer) throws(UVError) -> Int64 {
        let sent: Int64
        if let (file, slice) = answer.file {
            guard answer.isCached(at: LoopClock.now) else {
                self.sentBytes = 0
                return 0
            }
            sent = try self.stream.writeNow(answer.bytes, then: file.descriptor, offset: slice.offset, length: slice.length)
        } else {
            sent = Int64(try self.stream.writeNow(answer.bytes))
        }
        self.sentBytes = answer.bodyBytes(among: sent)
        return sent
    }

    /// Sends an answer, or what is left of it when `begun` bytes are on their way.
    /// - Returns: whether it went out whole.
    func finish(_ answer: PreparedAnswer, after begun: Int64? = nil) async -> Bool {
        self.deadlines.enter(.write)
        defer { self.deadlines.enter(nil) }
        do throws(UVError) {
            var sent = begun ?? 0
            if begun == nil { sent = try self.begin(answer) }
            if sent < answer.inMemory {
                try await self.stream.write(Array(answer.bytes[Int(sent)...]))
                sent = answer.inMemory
                self.sentBytes = answer.bodyBytes(among: sent)
            }
            guard let (file, slice) = answer.file, !answer.isAll(sent) else { return true }
            let done = sent - answer.inMemory
            let unsent = ByteSlice(offset: slice.offset + done, length: slice.length - done)
            func isCached() -> Bool { answer.isWhollyCached(at: LoopClock.now) }
            guard try await self.send(unsent, of: file.descriptor, isCached: isCached()) else { return false }
            for piece in answer.rest {
                switch piece {
                case .bytes(let bytes):
                    try await self.stream.write(bytes)
                    self.sentBytes += Int64(bytes.count)
                case .slice(let slice):
                    guard try await self.send(slice, of: file.descriptor, isCached: isCached()) else { return false }
                }
            }
            return true
        } catch {
            return false
        }
    }

    private func send(_ slice: ByteSlice, of descriptor: Int32, isCached: Bool) async throws(UVError) -> Bool {
        let count = try await self.stream.sendFile(
            descriptor, offset: slice.offset, length: slice.length, isCached: isCached,
            waitsForDisk: { self.deadlines.pause($0) },
            progressed: { self.sentBytes += $0 })
        // The file shrank: the promised length cannot be met, and padding it would be a lie.
        return count == slice.length
    }

    /// Sends head and body in pieces, so that what has been sent is known where a client leaves.
    private func send(_ body: [UInt8], after head: [UInt8]) async -> Bool {
        self.sentBytes = 0
        self.deadlines.enter(.write)
        defer { self.deadlines.enter(nil) }
        do throws(UVError) {
            var end = min(body.count, IOBuffer.largeBytes)
            try await self.stream.write(head + body[..<end])
            self.sentBytes = Int64(end)
            while end < body.count {
                let start = end
                end = min(start + IOBuffer.largeBytes, body.count)
                try await self.stream.write(Array(body[start..<end]))
                self.sentBytes = Int64(end)
            }
            return true
        } catch {
            return false
        }
    }

    /// Sends a body that is made meanwhile, never more of it than was announced.
    private func send(_ body: any MadeBody, _ length: Int64, after head: [UInt8]) async -> Bool {
        self.sentBytes = 0
        self.deadlines.enter(.write)
        defer { self.deadlines.enter(nil) }
        do throws(UVError) {
            try await self.stream.write(head)
            while let piece = try await self.next(of: body) {
                guard piece.length <= length - self.sentBytes else { return false }
                switch piece {
                case .chunk(let chunk):
                    try await self.stream.write(chunk)
                    self.sentBytes += Int64(chunk.count)
                case .file(let file, let slice):
                    guard try await self.send(slice, of: file.descriptor, isCached: false) else { return false }
                }
            }
            return self.sentBytes == length
        } catch {
            return false
        }
    }

    /// It is the server that is waited for.
    private func next(of body: any MadeBody) async throws(UVError) -> MadePiece? {
        self.deadlines.pause(true)
        defer { self.deadlines.pause(false) }
        return try await body.next()
    }

    /// Appends a small body to its head, so that both go out in one write; `nil`, and nothing appended, when it is large, or would have
    /// to be waited for.
    private static func append(_ pieces: [ResponseBody.Piece], of file: borrowing OwnedFile, to bytes: inout [UInt8]) -> Int64? {
        let start = bytes.count
        for piece in pieces {
            var isAppended = false
            switch piece {
            case .bytes(let more):
                isAppended = bytes.count - start + more.count <= IOBuffer.smallBytes
                if isAppended { bytes += more }
            case .slice(let slice):
                isAppended =
                    Int64(bytes.count - start) + slice.length <= IOBuffer.smallBytes
                    && file.appendCached(offset: slice.offset, length: Int(slice.length), to: &bytes)
            }
            guard isAppended else {
                bytes.removeLast(bytes.count - start)
                return nil
            }
        }
        return Int64(bytes.count - start)
    }
}

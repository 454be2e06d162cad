import UVServer

/// Uploads files by PUT or by form, and fetches and deletes them afterwards where that was asked for.
@EventLoop struct UploadClient {
    private static let pieceBytes: Int64 = 64 << 10

    let session: Session
    private var uploads = 0

    init(session: Session) { self.session = session }

    /// - Returns: when the upload was answered.
    mutating func request(_ turn: Load.Turn) async throws(LoadFailure) -> ContinuousClock.Instant {
        let spec = self.session.spec
        let names = self.names()
        self.uploads += 1
        let connection = try await self.session.connect()
        if spec.kind == .form {
            let form = FormBody(names: names, field: spec.field, size: spec.size ?? 0)
            let type = "Content-Type: multipart/form-data; boundary=\(FormBody.boundary)"
            let fields = [type, "Content-Length: \(form.count)"]
            try await self.send(self.session.head("POST", spec.to, fields), on: connection)
            for name in names {
                try await self.send(form.head(name), on: connection)
                try await self.sendContent(name, on: connection)
                try await self.send(FormBody.end, on: connection)
            }
            try await self.send(FormBody.tail, on: connection)
            try await self.session.receive(on: connection, to: "POST", accept: 200..<400)
        } else {
            let fields = [
                "Content-Type: application/octet-stream",
                spec.isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(spec.size ?? 0)",
            ]
            try await self.send(self.session.head("PUT", spec.folder + names[0], fields), on: connection)
            try await self.sendContent(names[0], on: connection)
            if spec.isChunked { try await self.send(Array("0\r\n\r\n".utf8), on: connection) }
            try await self.session.receive(on: connection, to: "PUT", accept: 200..<300)
        }
        let end = ContinuousClock.now
        for name in names {
            if spec.verifies { try await self.check(name) }
            if spec.deletes { try await self.delete(name) }
        }
        return end
    }

    /// The names of the next upload's files.
    private func names() -> [String] {
        let number = self.session.spec.names.map { self.uploads % $0 } ?? self.uploads
        let base = "load-\(self.session.run.options.seed)-\(self.session.load.number)-\(self.session.number)-\(number)"
        let files = self.session.spec.kind == .form ? self.session.spec.files : 1
        return files == 1 ? ["\(base).bin"] : (0..<files).map { "\(base)-\($0).bin" }
    }

    private func sendContent(_ name: String, on connection: ClientConnection) async throws(LoadFailure) {
        let spec = self.session.spec
        let content = self.session.content(name)
        // A slow writer sends ten times a second, not a piece in a minute.
        let piece = spec.rate.map { max(1, min(Self.pieceBytes, $0 / 10)) } ?? Self.pieceBytes
        let size = spec.size ?? 0
        var offset: Int64 = 0
        while offset < size {
            let count = Int(min(piece, size - offset))
            var bytes = content.bytes(at: offset, count: count)
            if spec.isChunked { bytes = Array("\(String(count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8) }
            try await self.send(bytes, on: connection)
            offset += Int64(count)
            await self.session.moved(count)
        }
    }

    /// Sends a piece of a request. A server that has answered already takes no more: then the answer is the failure.
    private func send(_ bytes: [UInt8], on connection: ClientConnection) async throws(LoadFailure) {
        var broken: LoadFailure?
        if !connection.hasInput {
            do throws(LoadFailure) { try await connection.send(bytes) } catch { broken = error }
            if broken == nil { return }
        }
        do throws(LoadFailure) { throw .status(try await connection.receiveHead().status, early: true) } catch {
            if case .status = error { throw error }
            throw broken ?? error
        }
    }

    private func check(_ name: String) async throws(LoadFailure) {
        do throws(LoadFailure) {
            let connection = try await self.session.connect()
            try await connection.send(self.session.head("GET", self.session.spec.folder + name))
            let head = try await connection.receiveHead()
            guard head.status == 200 else { throw .status(head.status) }
            let (content, size) = (self.session.content(name), self.session.spec.size)
            try await self.session.receive(head, on: connection, expected: size, content, from: 0) { _ in }
        } catch {
            throw .notStored(error)
        }
    }

    private func delete(_ name: String) async throws(LoadFailure) {
        do throws(LoadFailure) {
            let connection = try await self.session.connect()
            try await connection.send(self.session.head("DELETE", self.session.spec.folder + name))
            try await self.session.receive(on: connection, to: "DELETE", accept: 200..<300)
        } catch {
            throw .notDeleted(error)
        }
    }
}

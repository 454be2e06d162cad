import Glibc
import UVServer

/// Fetches files, or ranges of them.
@EventLoop struct DownloadClient {
    let session: Session

    /// - Returns: when the answer had come whole.
    mutating func request(_ turn: Load.Turn) async throws(LoadFailure) -> ContinuousClock.Instant {
        let spec = self.session.spec
        let path = spec.path(of: self.session.number)
        if let folder = spec.cold { try await Self.drop(folder + path) }
        let range = spec.kind == .range ? self.range(turn) : nil
        let fields = range.map { ["Range: bytes=\($0.lowerBound)-\($0.upperBound - 1)"] } ?? []
        let connection = try await self.session.connect()
        try await connection.send(self.session.head("GET", path, fields))
        let head = try await connection.receiveHead()
        guard head.status == (range == nil ? 200 : 206) else { throw .status(head.status) }
        if let range, let size = spec.size {
            let text = head["content-range"] ?? ""
            guard text == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)" else { throw .wrongRange(text) }
        }
        let expected = range.map { $0.upperBound - $0.lowerBound } ?? spec.size
        let content = spec.verifies && spec.size != nil ? self.session.content(path) : nil
        try await self.session.receive(head, on: connection, expected: expected, content, from: range?.lowerBound ?? 0) {
            await self.session.moved($0)
        }
        return .now
    }

    /// The range of one request: a function of the seed, the load and the request's number.
    private func range(_ turn: Load.Turn) -> Range<Int64> {
        let spec = self.session.spec
        let places = (spec.size ?? 0) - spec.length + 1
        let choice = self.session.content("range \(self.session.load.number)").word(Int64(turn.number))
        let start = Int64(choice % UInt64(max(1, places)))
        return start..<start + spec.length
    }

    /// Drops a file from the page cache. What has not been written to the disk stays in it.
    private static func drop(_ path: String) async throws(LoadFailure) {
        do throws(UVError) {
            try await BlockingWork.run(.open) { () throws(UVError) in
                let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
                guard file >= 0 else { throw UVError.last("open") }
                defer { _ = close(file) }
                let code = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
                guard code == 0 else { throw UVError(code: -code, call: "posix_fadvise") }
            }
        } catch {
            throw .notDropped(error)
        }
    }
}

internal import UVServer

/// One line a request: time, client, method, target without its query, status, bytes, duration; and one for each failure of ours.
struct RequestLog {
    let format: LogFormat

    /// The most that a line shows of a path or a method, in bytes, so that it stays whole where several processes write to one log: with
    /// all of it escaped as JSON it is below `LogWriter.wholeBytes`.
    private static let shownBytes = 1900

    func line(_ record: RequestRecord, at seconds: Int64) -> String {
        let time = HTTPDate.rfc3339(seconds)
        let path = Self.printable(record.path)
        let method = String(record.method.prefix(40))
        let parts = record.duration.components
        let milliseconds = parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000
        switch self.format {
        case .text:
            let line = "\(time) \(record.client) \(method) \(path) \(record.status) \(record.sentBytes) \(milliseconds)ms"
            return record.isWhole ? line : line + " aborted"
        case .json:
            let entry = Entry(
                time: time, client: record.client, method: method, target: path, status: record.status,
                bytes: record.sentBytes, milliseconds: milliseconds, aborted: record.isWhole ? nil : true
            )
            return String(decoding: JSONText.encode(entry), as: UTF8.self)
        }
    }

    /// What failed, for the one who runs the server.
    func line(_ failure: UVError, at seconds: Int64) -> String {
        let time = HTTPDate.rfc3339(seconds)
        switch self.format {
        case .text: return "\(time) failed: \(failure)"
        case .json: return String(decoding: JSONText.encode(["failed": "\(failure)", "time": time]), as: UTF8.self)
        }
    }

    /// The path as sent; bytes that are not visible ASCII are percent-encoded, so that no request writes its own log
    /// lines.
    private static func printable(_ path: [UInt8]) -> String {
        if path.isEmpty { return "-" }
        var text: [UInt8] = []
        for byte in path {
            guard text.count < Self.shownBytes else { return String(decoding: text, as: UTF8.self) + "..." }
            if byte > 0x20, byte < 0x7F {
                text.append(byte)
            } else {
                text += PercentEncoding.encodeElement([byte]).utf8
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private struct Entry: Encodable {
        let time: String
        let client: String
        let method: String
        let target: String
        let status: Int
        let bytes: Int64
        let milliseconds: Int64
        /// Only where the answer did not go out to its end.
        let aborted: Bool?
    }
}

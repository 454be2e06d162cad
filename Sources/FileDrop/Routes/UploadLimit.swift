internal import UVServer

/// How many file bytes one request may still bring.
struct UploadLimit {
    /// What a form may add to its files: part heads and delimiters, in bytes.
    static let framingBytes: Int64 = 64 << 10

    let limit: Int64?
    private var used: Int64 = 0

    init(_ limit: Int64?) { self.limit = limit }

    /// Refuses what cannot fit by its announced length, before any body is read.
    ///
    /// - Throws: `.tooLarge`: 413.
    func admit(announced: Int64?, framing: Int64 = 0) throws(FileDropError) {
        guard let limit = self.limit, let announced else { return }
        let (most, overflow) = limit.addingReportingOverflow(framing)
        guard overflow || announced <= most else { throw .tooLarge(limit: limit) }
    }

    /// Counts received file bytes.
    ///
    /// - Throws: `.tooLarge`: 413.
    mutating func count(_ bytes: Int) throws(FileDropError) {
        self.used += Int64(bytes)
        guard let limit = self.limit else { return }
        guard self.used <= limit else { throw .tooLarge(limit: limit) }
    }
}

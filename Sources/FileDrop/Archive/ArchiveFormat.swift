internal import UVServer

/// The kinds of archives, as an address asks for them.
enum ArchiveFormat: String, CaseIterable, Sendable {
    case zip, tar

    init?(_ query: Query) {
        guard let format = Self.allCases.first(where: { query.has($0.rawValue) }) else { return nil }
        self = format
    }

    var mediaType: String {
        switch self {
        case .zip: "application/zip"
        case .tar: "application/x-tar"
        }
    }

    /// - Parameter wallSeconds: what clocks show at a moment: zip has the time of day where it was made.
    func writer(wallSeconds: @escaping @Sendable (Int64) -> Int64) -> any ArchiveWriter {
        switch self {
        case .zip: ZipWriter(wallSeconds: wallSeconds)
        case .tar: TarWriter()
        }
    }
}

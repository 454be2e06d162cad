import TestSupport

@testable import FileDrop
@testable import UVServer

/// Stands between the store and the disk: writes down each call with what the folder shows meanwhile, and lets some fail.
final class DiskLog: Sendable {
    private let place: TemporaryFolder
    private let calls = PosixMutex<[String]>([])
    /// Sizes of files that cannot be synced.
    private let failingSizes: Set<Int64>
    /// Sizes of files that cannot be synced once they have names.
    private let failingNamed: Set<Int64>
    private let fileSystem: Result<Bool, UVError>
    private let failsFolder: Bool

    /// - Parameter fileSystem: what becomes of a `syncfs`; `false`: it is left out.
    init(
        _ place: TemporaryFolder, failingSizes: Set<Int64> = [], failingNamed: Set<Int64> = [],
        fileSystem: Result<Bool, UVError> = .success(false), failsFolder: Bool = false
    ) {
        self.place = place
        self.failingSizes = failingSizes
        self.failingNamed = failingNamed
        self.fileSystem = fileSystem
        self.failsFolder = failsFolder
    }

    var lines: [String] { self.calls.withLock { $0 } }

    var disk: DiskSync {
        var disk = DiskSync()
        disk.file = { (file, depth) throws(UVError) in
            let status = try file.temporary.file.status()
            let size = status.size
            self.note("file of \(size), \(depth)")
            let isNamed = status.links > 0
            if self.failingSizes.contains(size) || (isNamed && self.failingNamed.contains(size)) {
                throw UVError(code: -5, call: "fsync")
            }
            try file.temporary.sync(depth)
        }
        disk.fileSystem = { (folder, _) throws(UVError) in
            self.note("file system")
            let isDone = try self.fileSystem.get()
            if isDone { try folder.syncFileSystem() }
            return isDone
        }
        disk.folder = { (folder) throws(UVError) in
            let isDrop = try folder.identity == Folder(path: self.place.path).identity
            self.note(isDrop ? "folder" : "state folder")
            if self.failsFolder { throw UVError(code: -5, call: "fsync") }
            try folder.sync()
        }
        return disk
    }

    private func note(_ call: String) {
        let names = self.place.visibleNames.map { String(decoding: $0, as: UTF8.self) }.sorted()
        self.calls.withLock { $0.append("\(call), \(names)") }
    }
}

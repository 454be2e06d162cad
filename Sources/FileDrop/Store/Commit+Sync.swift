internal import UVServer

/// How named files, and the names, get to the disk.
///
/// A file that got its name from being unnamed, or its name in another folder, is not what was synced before: without a journal the file
/// system has written it as one without a name, or with its content under the old one. So the file is synced again, and then the folder.
/// Where one call does for both, and for all others, that takes no longer than the folder alone.
extension Commit {
    /// Gets all to the disk, in the fewest calls.
    /// - Returns: `false` when there are many files, and each has still to be synced for itself, and then the folders.
    static func keepTogether(_ commits: [Commit], _ disk: DiskSync) -> ([Commit], isKept: Bool) {
        let files = commits.flatMap(\.named)
        guard let first = files.first else { return (commits, true) }
        // An error may be another file's: then their own syncs tell.
        if (try? disk.fileSystem(first.folder, files.count)) == true { return (commits, true) }
        // First the folders that files have left: after a power cut in between, one that nobody was told of has no name, rather than two.
        let left = self.sync(\.leftFolders, of: commits, disk)
        return files.count < DiskSync.manyFiles ? (self.keepEach(left, disk), true) : (left, false)
    }

    /// Syncs each file, one after the other, then the folders.
    static func keepEach(_ commits: [Commit], _ disk: DiskSync) -> [Commit] {
        var commits = commits
        for index in commits.indices {
            for file in commits[index].named {
                do throws(UVError) { try disk.file(file, .full) } catch { commits[index].fail(StoreError(error)) }
            }
        }
        return self.keepNames(commits, disk)
    }

    /// Syncs the folders that the names are in.
    static func keepNames(_ commits: [Commit], _ disk: DiskSync) -> [Commit] {
        self.sync({ $0.named.prefix(1).map(\.folder) }, of: commits, disk)
    }

    /// Syncs each of the folders once.
    private static func sync(_ which: (Commit) -> [Folder], of commits: [Commit], _ disk: DiskSync) -> [Commit] {
        var commits = commits
        var synced: [FileIdentity: StoreError?] = [:]
        for index in commits.indices {
            for folder in which(commits[index]) {
                let failure = synced[folder.identity] ?? Self.failure(of: folder, disk)
                synced[folder.identity] = failure
                if let failure { commits[index].fail(failure) }
            }
        }
        return commits
    }

    private static func failure(of folder: Folder, _ disk: DiskSync) -> StoreError? {
        do throws(UVError) {
            try disk.folder(folder)
            return nil
        } catch {
            return StoreError(error)
        }
    }
}

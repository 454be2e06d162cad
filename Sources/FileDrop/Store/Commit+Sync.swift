internal import UVServer

/// How named files, and the names, get to the disk.
///
/// A file that got its name from being unnamed, or its name in another folder, is not what was synced before: without a journal the file
/// system has written it as one without a name, or with its content under the old one. So the file is synced again, and then the folder.
/// Where one call does for both, and for all others, that takes no longer than the folder alone.
extension Commit {
    /// Gets all to the disk, in the fewest calls.
    /// - Returns: `nil`, and nothing done, when there are many files, and each has to be synced for itself.
    static func keepTogether(_ commits: [Commit], _ disk: DiskSync) -> [Commit]? {
        let files = commits.flatMap(\.named)
        guard let first = files.first else { return commits }
        // An error may be another file's: then their own syncs tell.
        if (try? disk.fileSystem(first.folder, files.count)) == true { return commits }
        return files.count < DiskSync.manyFiles ? self.keepEach(commits, disk) : nil
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

    /// Syncs each folder once.
    static func keepNames(_ commits: [Commit], _ disk: DiskSync) -> [Commit] {
        var commits = commits
        var synced: [FileIdentity: StoreError?] = [:]
        for index in commits.indices {
            guard let folder = commits[index].named.first?.folder else { continue }
            let failure = synced[folder.identity] ?? Self.failure(of: folder, disk)
            synced[folder.identity] = failure
            if let failure { commits[index].fail(failure) }
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

internal import UVServer

/// The uploads of one request on their way from having arrived to having names: all of them or none. All calls block.
struct Commit: Sendable {
    private let finished: [FinishedUpload]
    private let policy: DuplicatePolicy
    /// In the order of the uploads; fewer, when one could not be made or written.
    private var files: [UploadFile] = []
    /// Once there is one, nothing is stored; all files stay until their space is freed.
    private var failure: StoreError?

    init(_ uploads: [FinishedUpload], onDuplicate policy: DuplicatePolicy) {
        self.finished = uploads
        self.policy = policy
    }

    /// The files that have been written here; all others came synced.
    var unsynced: [UploadFile] {
        guard self.failure == nil else { return [] }
        return zip(self.finished, self.files).compactMap { (upload, file) in
            if case .memory = upload.content { file } else { nil }
        }
    }

    mutating func fail(_ failure: StoreError) {
        if self.failure == nil { self.failure = failure }
    }

    /// Writes what is in memory, of each commit.
    static func write(_ commits: [Commit]) -> [Commit] {
        commits.map { commit in
            var commit = commit
            do throws(UVError) {
                for upload in commit.finished { commit.files.append(try Self.file(of: upload)) }
            } catch {
                commit.fail(StoreError(error))
            }
            return commit
        }
    }

    private static func file(of upload: FinishedUpload) throws(UVError) -> UploadFile {
        switch upload.content {
        case .file(let file): return file
        case .memory(let bytes, let place):
            let file = try place.makeFile()
            try file.temporary.file.write(bytes.span, at: 0)
            return file
        }
    }

    /// Gives the files of each commit their names, in the order of the commits, then syncs each folder once.
    static func publish(_ commits: [Commit], syncsFolders: Bool, _ disk: DiskSync) -> [Result<[StoredUpload], StoreError>] {
        var outcomes = commits.map { commit in Result { () throws(StoreError) in try commit.publish() } }
        guard syncsFolders else { return outcomes }
        var synced: [FileIdentity: StoreError?] = [:]
        for (index, commit) in commits.enumerated() {
            guard case .success(let stored) = outcomes[index], let folder = commit.files.first?.folder else { continue }
            let failure = synced[folder.identity] ?? Self.failure(of: folder, disk)
            synced[folder.identity] = failure
            guard let failure else { continue }
            commit.withdraw(stored)
            outcomes[index] = .failure(failure)
        }
        return outcomes
    }

    private static func failure(of folder: Folder, _ disk: DiskSync) -> StoreError? {
        do throws(UVError) {
            try disk.folder(folder)
            return nil
        } catch {
            return StoreError(error)
        }
    }

    private func publish() throws(StoreError) -> [StoredUpload] {
        var stored: [StoredUpload] = []
        do throws(StoreError) {
            if let failure = self.failure { throw failure }
            for (upload, file) in zip(self.finished, self.files) {
                let (name, replaced) = try file.publish(as: upload.name, onDuplicate: self.policy, expecting: upload.expected)
                stored.append(StoredUpload(name: name, replaced: replaced, size: upload.size))
            }
            return stored
        } catch {
            self.withdraw(stored)
            throw error
        }
    }

    /// Takes back what has got its name and frees the space of all: what is not acknowledged must not stay. What has been replaced
    /// cannot come back, so then the new file stays.
    private func withdraw(_ stored: [StoredUpload]) {
        for (index, upload) in self.finished.enumerated() {
            guard index < self.files.count else {
                upload.free()
                continue
            }
            let file = self.files[index]
            if index < stored.count {
                guard !stored[index].replaced else { continue }
                // The answer is a failure either way.
                try? file.withdraw(stored[index].name)
            }
            file.free()
        }
    }
}

internal import UVServer

/// The uploads of one request on their way from having arrived to having names: all of them or none. All calls block.
struct Commit: Sendable {
    enum Outcome: Sendable {
        case done(Result<[StoredUpload], StoreError>)
        /// Somebody holds the name of the next file. To be published later, from there on.
        case held(Commit)
    }

    private let finished: [FinishedUpload]
    private let policy: DuplicatePolicy
    /// In the order of the uploads; fewer, when one could not be made or written.
    private var files: [UploadFile] = []
    /// Once there is one, nothing is stored; all files stay until their space is freed.
    private var failure: StoreError?
    /// Those that have their names, the first ones.
    private var stored: [StoredUpload] = []

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
            let file = try UploadFile(in: place)
            try file.write(bytes.span, at: 0)
            return file
        }
    }

    /// Gives the files of each commit their names, in the order of the commits, then syncs each folder once.
    /// - Parameter waits: for names that somebody holds; none is `.held` then.
    static func publish(_ commits: [Commit], waits: Bool, syncsFolders: Bool, _ disk: DiskSync) -> [Outcome] {
        var commits = commits
        var outcomes = commits.indices.map { commits[$0].publish(waits: waits) }
        guard syncsFolders else { return outcomes }
        var synced: [FileIdentity: StoreError?] = [:]
        for (index, commit) in commits.enumerated() {
            guard case .done(.success) = outcomes[index], let folder = commit.files.first?.folder else { continue }
            let failure = synced[folder.identity] ?? Self.failure(of: folder, disk)
            synced[folder.identity] = failure
            guard let failure else { continue }
            commit.withdraw()
            outcomes[index] = .done(.failure(failure))
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

    private mutating func publish(waits: Bool) -> Outcome {
        do throws(StoreError) {
            if let failure = self.failure { throw failure }
            for (upload, file) in zip(self.finished, self.files).dropFirst(self.stored.count) {
                // What this very form has just stored is not replaced by it: both are told to be there.
                let isOwn = self.stored.contains { Normalization.composed($0.name.bytes) == upload.name.bytes }
                let policy = isOwn && self.policy == .overwrite ? .rename : self.policy
                let published = try file.publish(
                    as: upload.name, onDuplicate: policy, expecting: upload.expected, waits: waits)
                guard let (name, replaced) = published else { return .held(self) }
                self.stored.append(StoredUpload(name: name, replaced: replaced, size: upload.size))
            }
            return .done(.success(self.stored))
        } catch {
            let isOneOfMany = error == .nameTaken && self.finished.count > 1
            let failure = isOneOfMany ? .nameOfFileTaken(self.finished[self.stored.count].name) : error
            self.withdraw()
            return .done(.failure(failure))
        }
    }

    /// Takes back what has got its name and frees the space of all: what is not acknowledged must not stay. What has been replaced
    /// cannot come back, so then the new file stays.
    private func withdraw() {
        for (index, upload) in self.finished.enumerated() {
            guard index < self.files.count else {
                upload.free()
                continue
            }
            let file = self.files[index]
            if index < self.stored.count {
                guard !self.stored[index].replaced else { continue }
                // The answer is a failure either way.
                try? file.withdraw(self.stored[index].name)
            }
            file.free()
        }
    }
}

internal import UVServer

/// The uploads of one request on their way from having arrived to having names: all of them or none. All calls block.
struct Commit: Sendable {
    enum Outcome: Sendable {
        case done(Result<[StoredUpload], StoreError>)
        /// Somebody holds the name of the next file, or one that is to be taken back. To be published later, from there on.
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
    /// Those that files have moved out of.
    private var left: [Folder] = []
    /// Whether it needs a name that somebody holds.
    private var isHeld = false
    private var isWithdrawn = false

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

    /// The files, when all have their names and none has failed.
    var named: [UploadFile] { self.failure == nil && !self.isHeld ? self.files : [] }

    /// The folders that these have moved out of.
    var leftFolders: [Folder] { self.named.isEmpty ? [] : self.left }

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

    /// Gives the files of each commit their names, in the order of the commits.
    /// - Parameter waits: for names that somebody holds; none is `.held` then.
    static func publish(_ commits: [Commit], waits: Bool) -> [Commit] {
        var commits = commits
        var numbers = GivenNumbers()
        for index in commits.indices { commits[index].publish(waits: waits, &numbers) }
        return commits
    }

    /// What became of each. What has failed since it got its names gives them back.
    /// - Parameter waits: as in ``publish(_:waits:)``.
    static func settle(_ commits: [Commit], waits: Bool) -> [Outcome] {
        commits.map { commit in
            var commit = commit
            if commit.isHeld { return .held(commit) }
            commit.requireInPlace()
            guard let failure = commit.failure else { return .done(.success(commit.stored)) }
            commit.withdraw(waits: waits)
            return commit.isWithdrawn ? .done(.failure(failure)) : .held(commit)
        }
    }

    /// Who has moved the folder since the files got their names has taken them along: they would not be found where they were sent to.
    private mutating func requireInPlace() {
        do throws(StoreError) { try self.named.first?.requireInPlace() } catch { self.fail(error) }
    }

    private mutating func publish(waits: Bool, _ numbers: inout GivenNumbers) {
        do throws(StoreError) {
            if let failure = self.failure { throw failure }
            self.isHeld = false
            for (upload, file) in zip(self.finished, self.files).dropFirst(self.stored.count) {
                // What this very form has just stored is not replaced by it: both are told to be there.
                let isOwn = self.stored.contains { Normalization.composed($0.name.bytes) == upload.name.bytes }
                let policy = isOwn && self.policy == .overwrite ? .rename : self.policy
                let published = try file.publish(
                    as: upload.name, onDuplicate: policy, expecting: upload.expected, waits: waits, &numbers)
                guard let given = published else {
                    self.isHeld = true
                    return
                }
                self.stored.append(StoredUpload(name: given.name, replaced: given.replaced, size: upload.size))
                if let left = given.left { self.left.append(left) }
            }
        } catch {
            let isOneOfMany = error == .nameTaken && self.finished.count > 1
            self.fail(isOneOfMany ? .nameOfFileTaken(self.finished[self.stored.count].name.bytes) : error)
            // At once: the next commit may need these names.
            self.withdraw(waits: waits)
        }
    }

    /// Takes back what has got its name and frees the space of all: what is not acknowledged must not stay. What has been replaced
    /// cannot come back, so then the new file stays. So does one, whole, whose name cannot be taken back.
    /// - Parameter waits: for names that somebody holds; it is not withdrawn then, and this is to be called again.
    private mutating func withdraw(waits: Bool) {
        guard !self.isWithdrawn else { return }
        self.isWithdrawn = true
        for (index, upload) in self.finished.enumerated() {
            guard index < self.files.count else {
                upload.free()
                continue
            }
            let file = self.files[index]
            if index < self.stored.count {
                guard !self.stored[index].replaced else { continue }
                // The answer is a failure either way.
                switch try? file.withdraw(self.stored[index].name, waits: waits) {
                case true?: break
                case false?:
                    self.isWithdrawn = false
                    continue
                case nil: continue
                }
            }
            file.free()
        }
    }
}

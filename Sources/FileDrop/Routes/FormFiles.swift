internal import UVServer

/// The files of one form on their way: written one after another, published together or not at all.
@EventLoop final class FormFiles {
    /// An upload in a list; it holds one until it is published or dropped.
    @EventLoop private final class Item {
        let name: DropName
        var upload: PendingUpload?
        private(set) var failure: StoreError?

        init(_ name: DropName, _ upload: consuming PendingUpload) {
            self.name = name
            self.upload = consume upload
        }

        /// Lends the upload to `body` and keeps it, whatever comes of it.
        func change(_ body: (inout PendingUpload) async throws(StoreError) -> Void) async throws(StoreError) {
            guard var upload = self.upload.take() else { preconditionFailure("an upload is changed after its end") }
            do throws(StoreError) {
                try await body(&upload)
                self.upload = consume upload
            } catch {
                self.upload = consume upload
                throw error
            }
        }

        /// As the store was told to; `failure` says how it went.
        func sync() async {
            do throws(StoreError) {
                try await self.change { (upload) throws(StoreError) in try await upload.sync() }
            } catch {
                self.failure = error
            }
        }
    }

    private let slots: UploadSlots
    private var slotsTaken = 0
    private var items: [Item] = []

    init(_ slots: UploadSlots) { self.slots = slots }

    var count: Int { self.items.count }
    var isEmpty: Bool { self.items.isEmpty }

    /// Makes sure that one more file may be held open. The first needs no slot: every answer has room for it.
    func takeSlot() throws(FileDropError) {
        guard !self.isEmpty else { return }
        try self.slots.take()
        self.slotsTaken += 1
    }

    /// Called once, when no file is held any more.
    func giveBackSlots() { self.slots.giveBack(self.slotsTaken) }

    func append(_ name: DropName, _ upload: consuming PendingUpload) { self.items.append(Item(name, upload)) }

    /// Writes to the file that was appended last.
    func write(_ chunk: ByteChunk) async throws(StoreError) {
        try await self.items.last?.change { (upload) throws(StoreError) in try await upload.write(chunk) }
    }

    /// The file that was appended last is whole: what it does not need of its space is for the next one.
    func endFile() async throws(StoreError) {
        try await self.items.last?.change { (upload) throws(StoreError) in try await upload.trim() }
    }

    func discard() async {
        for item in self.items {
            if let upload = item.upload.take() { await upload.discard() }
        }
    }

    /// Stores all, in their order. When one fails none stays, but for those that have replaced an older file.
    func commit(to store: DropStore, onDuplicate policy: DuplicatePolicy) async throws(StoreError) -> [StoredUpload] {
        var finished: [FinishedUpload] = []
        do throws(StoreError) {
            try await self.sync()
            for item in self.items {
                guard let upload = item.upload.take() else { continue }
                finished.append(try await upload.finish(as: item.name))
            }
        } catch {
            await FinishedUpload.discard(finished)
            await self.discard()
            throw error
        }
        // What it does not store it frees itself.
        return try await store.store(finished, onDuplicate: policy)
    }

    /// Syncs what is in files, many at once: a file system writes its journal once for all that wait.
    private func sync() async throws(StoreError) {
        let syncs = self.items.map { item in EventLoop.spawn { await item.sync() } }
        for sync in syncs { await sync.value }
        for item in self.items {
            if let failure = item.failure { throw failure }
        }
    }
}

internal import UVServer

/// The files of one form on their way: written one after another, published together.
@EventLoop final class FormFiles {
    struct Stored {
        let name: DropName
        let size: Int64
    }

    /// An upload in a list; it holds one until it is published or dropped.
    private final class Item {
        let name: DropName
        var upload: PendingUpload?

        init(_ name: DropName, _ upload: consuming PendingUpload) {
            self.name = name
            self.upload = consume upload
        }
    }

    private var items: [Item] = []

    var count: Int { self.items.count }
    var isEmpty: Bool { self.items.isEmpty }

    func append(_ name: DropName, _ upload: consuming PendingUpload) { self.items.append(Item(name, upload)) }

    /// Writes to the file that was appended last.
    func write(_ chunk: ByteChunk) async throws(StoreError) {
        guard let item = self.items.last, var upload = item.upload.take() else { preconditionFailure("bytes without a file") }
        do throws(StoreError) {
            try await upload.write(chunk)
            item.upload = consume upload
        } catch {
            item.upload = consume upload
            throw error
        }
    }

    func discard() async {
        for item in self.items {
            if let upload = item.upload.take() { await upload.discard() }
        }
    }

    /// Publishes all, in their order. When one fails, those before it stay and those after it are dropped.
    func commit(onDuplicate policy: DuplicatePolicy) async throws(StoreError) -> [Stored] {
        do throws(StoreError) { return try await self.publish(policy) } catch {
            await self.discard()
            throw error
        }
    }

    private func publish(_ policy: DuplicatePolicy) async throws(StoreError) -> [Stored] {
        var stored: [Stored] = []
        for item in self.items {
            guard let upload = item.upload.take() else { continue }
            let size = upload.bytesWritten
            let (name, _) = try await upload.commit(as: item.name, onDuplicate: policy)
            stored.append(Stored(name: name, size: size))
        }
        return stored
    }
}

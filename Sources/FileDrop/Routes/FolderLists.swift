internal import UVServer

/// The lists of folders. Who asks for the same one while others wait for it shares what is made for them: a crowd costs as little as
/// two, also when it has left again.
@EventLoop final class FolderLists {
    private struct Key: Hashable {
        let path: DropPath
        let isJSON: Bool
    }

    /// A list that is sent to several.
    private final class Made: Sendable {
        private let bytes: [UInt8]
        private let file: OwnedFile?
        private let length: Int64

        init(_ content: consuming Spool.Content) {
            switch consume content {
            case .bytes(let bytes):
                self.file = nil
                (self.bytes, self.length) = (bytes, Int64(bytes.count))
            case .file(let file, let length):
                self.file = consume file
                (self.bytes, self.length) = ([], length)
            }
        }

        /// For one more of them.
        func body() throws(UVError) -> ResponseBody {
            guard let file = try self.file?.duplicate() else { return .bytes(self.bytes) }
            return .file(file, [.slice(ByteSlice(offset: 0, length: self.length))])
        }
    }

    private let store: DropStore
    private let makes = Coalescer<Key, Result<Made, StoreError>>()

    init(_ store: DropStore) { self.store = store }

    /// How many were made.
    var made: Int { self.makes.runs }

    /// The list at `path`, made after the call.
    /// - Parameter render: writes it, on a pool thread; the same for all calls with this path and form.
    func body(
        _ path: DropPath, isJSON: Bool, _ render: @escaping @Sendable ([DropEntry], inout Spool) throws(UVError) -> Void
    ) async throws(StoreError) -> ResponseBody {
        let made = try await self.makes.value(for: Key(path: path, isJSON: isJSON)) {
            do throws(StoreError) {
                return .success(Made(try await self.store.list(path, render)))
            } catch {
                return .failure(error)
            }
        }.get()
        do throws(UVError) { return try made.body() } catch { throw StoreError(error) }
    }
}

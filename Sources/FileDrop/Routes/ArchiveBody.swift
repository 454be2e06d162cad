internal import UVServer

/// An archive on its way to one client: while a block goes out, the next one is made, and no more than that.
@EventLoop final class ArchiveBody: MadeBody {
    private typealias Outcome = Result<ArchiveMaker.Made?, UVError>

    private let maker: ArchiveMaker
    private let slot: any AnyObject & Sendable
    private var ahead: Task<Outcome, Never>?
    /// What comes behind the block that went out last.
    private var file: (SharedFile, ByteSlice)?

    /// - Parameter slot: held as long as the archive is.
    init(_ maker: ArchiveMaker, _ slot: any AnyObject & Sendable) {
        self.maker = maker
        self.slot = slot
    }

    func next() async throws(UVError) -> MadePiece? {
        if let (file, slice) = self.file.take() { return .file(file, slice) }
        let task = self.ahead.take() ?? self.make()
        guard let made = try await task.value.get() else { return nil }
        self.file = made.file
        // What comes behind a file depends on how that is when it has been sent.
        if made.file == nil { self.ahead = self.make() }
        return .chunk(made.chunk)
    }

    private func make() -> Task<Outcome, Never> {
        let maker = self.maker
        return EventLoop.spawn {
            do throws(UVError) {
                return .success(try await BlockingWork.run(.read) { () throws(UVError) in try maker.next() })
            } catch {
                return .failure(error)
            }
        }
    }
}

internal import CUV

/// Files go out by sendfile(2). `uv_fs_sendfile` is not used: for a socket it copies through 8 KiB on a pool thread that it blocks in
/// `poll`. Here one bounded piece a turn goes out, and a second one
/// in the turn in which an answer begins, if the socket takes it. A piece that is not in the page cache is first read in the pool, so a slow disk never
/// holds the loop.
extension TCPStream {
    /// What one turn of the loop sends, in bytes; an eighth more where that is all.
    private static let pieceBytes: Int64 = 768 << 10

    private static func piece(of length: Int64, after sent: Int64 = 0) -> Int64 {
        length <= self.pieceBytes + self.pieceBytes / 8 ? length : self.pieceBytes - sent
    }

    /// Sends `head` and, in the same packets, as much of a file as one turn may and the socket takes without any wait.
    ///
    /// - Returns: how many bytes it took of both together; 0 also while an earlier write waits.
    /// - Precondition: the first piece of the stretch is in the page cache: else the loop waits for the disk.
    /// - Throws: as ``write(_:)``.
    func writeNow(_ head: [UInt8], then file: CInt, offset: Int64, length: Int64) throws(UVError) -> Int64 {
        guard self.isOpen else { throw UVError(code: UV_ECANCELED.rawValue, call: "send") }
        guard !self.isWriting else { return 0 }
        let sent = try SocketWrite.send(head, to: self.descriptor, moreFollows: true)
        guard sent == head.count else { return Int64(sent) }
        // The head counts as well, so that the next turn begins within a page: such turns are cheaper (bench/README.md).
        let piece = Self.piece(of: length, after: Int64(sent))
        return Int64(sent) + (try SocketWrite.send(file: file, offset: offset, length: piece, to: self.descriptor) ?? 0)
    }

    /// Sends `length` bytes of the open file `descriptor` from `offset`, in bounded turns of the loop.
    ///
    /// - Returns: how many were sent; fewer only when the file shrank meanwhile.
    /// - Parameters:
    ///   - isCached: whether all of it is known to be in the page cache now. After a wait for the peer that is not known any more.
    ///   - waitsForDisk: called with `true` before the disk is waited for, and with `false` after it.
    ///   - progressed: called with the bytes of each piece that the socket took.
    public func sendFile(
        _ descriptor: CInt, offset: Int64, length: Int64, isCached: Bool = false,
        waitsForDisk: @EventLoop (Bool) -> Void = { _ in }, progressed: @EventLoop (Int64) -> Void
    ) async throws(UVError) -> Int64 {
        var done: Int64 = 0
        var isCached = isCached
        defer { self.endWriting() }
        while done < length {
            let (start, piece) = (offset + done, Self.piece(of: length - done))
            if !isCached, !PageCache.holds(descriptor, offset: start, length: piece) {
                waitsForDisk(true)
                await BlockingWork.run(.read) { PageCache.load(descriptor, offset: start, length: piece) }
                waitsForDisk(false)
            }
            guard self.isOpen else { throw UVError(code: UV_ECANCELED.rawValue, call: "sendfile") }
            if let sent = try SocketWrite.send(file: descriptor, offset: start, length: piece, to: self.descriptor) {
                if sent == 0 { break }
                done += sent
                progressed(sent)
            }
            // Also where it would take more at once: the other connections have their turn first.
            guard done < length else { break }
            try await self.untilWritable()
            isCached = false
        }
        return done
    }
}

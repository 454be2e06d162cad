internal import CUV
internal import Glibc

/// An inotify(7) descriptor on the loop: tells when there is something to read. libuv holds the object until ``close()``.
@EventLoop @safe final class InotifyQueue {
    /// What one read(2) takes, in bytes.
    private static let readBytes = 16 << 10

    private let descriptor: CInt
    private let poll: UnsafeMutablePointer<uv_poll_t>
    private let buffer: UnsafeMutableRawBufferPointer
    private let readable: @EventLoop () -> Void
    private var isOpen = true

    /// - Throws: `EMFILE` when the user has as many queues as `/proc/sys/fs/inotify/max_user_instances` allows, or the process as many
    ///   descriptors.
    init(readable: @escaping @EventLoop () -> Void) throws(UVError) {
        self.readable = readable
        let descriptor = try checkErrno(inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC)), "inotify_init1")
        let poll = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
        let code = unsafe uv_poll_init(EventLoop.shared.executor.loop, poll, descriptor)
        guard code == 0 else {
            unsafe poll.deallocate()
            _ = Glibc.close(descriptor)
            throw UVError(code: code, call: "uv_poll_init")
        }
        self.descriptor = descriptor
        unsafe self.poll = poll
        unsafe self.buffer = .allocate(byteCount: Self.readBytes, alignment: 8)
        unsafe poll.pointee.data = Unmanaged.passRetained(self).toOpaque()
        self.listen()
    }

    /// Watches the very file or folder that `file` is open on, whatever it is called.
    /// - Returns: the number of its watch: the same as before when it is watched already.
    func add(_ file: borrowing OwnedFile, mask: UInt32) throws(UVError) -> CInt {
        let path = "/proc/self/fd/\(file.descriptor)"
        return try checkErrno(unsafe inotify_add_watch(self.descriptor, path, mask), "inotify_add_watch")
    }

    /// Ends a watch. What the kernel has ended already is no fault.
    func remove(_ watch: CInt) { _ = inotify_rm_watch(self.descriptor, watch) }

    /// What has happened since the last call, as far as it fits into one read, and whether there may be more. After a failure of the
    /// call nothing is known any more: `nil`.
    func read() -> (events: [InotifyEvent], isAll: Bool)? {
        while true {
            let count = unsafe Glibc.read(self.descriptor, self.buffer.baseAddress, self.buffer.count)
            guard count < 0 else {
                let bytes = unsafe UnsafeRawBufferPointer(rebasing: self.buffer[..<count])
                let isAll = count + InotifyEvent.longestBytes <= Self.readBytes
                return (unsafe InotifyEvent.parse(bytes), isAll)
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: return ([], true)
            default: return nil
            }
        }
    }

    /// Begins to tell when there is something to read.
    func listen() {
        // Fails only for a handle that is closing.
        _ = unsafe uv_poll_start(self.poll, CInt(UV_READABLE.rawValue)) { poll, _, _ in
            let queue = unsafe Unmanaged<InotifyQueue>.fromOpaque(poll!.pointee.data).takeUnretainedValue()
            EventLoop.assumeIsolated { queue.readable() }
        }
    }

    /// Tells nothing until ``listen()``.
    func rest() { _ = unsafe uv_poll_stop(self.poll) }

    /// Ends all watches. Idempotent.
    func close() {
        guard self.isOpen else { return }
        self.isOpen = false
        let raw = unsafe UnsafeMutableRawPointer(self.poll).assumingMemoryBound(to: uv_handle_t.self)
        unsafe uv_close(raw) { handle in
            let queue = unsafe Unmanaged<InotifyQueue>.fromOpaque(handle!.pointee.data).takeRetainedValue()
            EventLoop.assumeIsolated { queue.didClose() }
        }
    }

    private func didClose() {
        unsafe self.poll.deallocate()
        unsafe self.buffer.deallocate()
        _ = Glibc.close(self.descriptor)
    }
}

internal import CUV
internal import Glibc

/// A program that this process has started, in a session of its own. It writes to the same standard descriptors, and has one more on
/// which it reports lines to this process: the one after those that it was given.
///
/// Ownership: libuv holds the object until the program has ended and its reports have been read to their end.
@EventLoop @safe public final class ChildProcess {
    /// How it ended.
    public enum End: Equatable, Sendable {
        case exited(Int)
        case killed(signal: Int)
    }

    /// What to start.
    public struct Program: Sendable {
        /// Its file.
        public var path: String
        /// With its own name first.
        public var arguments: [String]
        public var environment: [String: String]

        public init(path: String, arguments: [String], environment: [String: String]) {
            (self.path, self.arguments, self.environment) = (path, arguments, environment)
        }
    }

    /// The longest line that is reported, in bytes; what is longer comes in pieces.
    private static let lineBytes = 4096

    private let process: UnsafeMutablePointer<uv_process_t>
    private let pipe: UnsafeMutablePointer<uv_pipe_t>
    private let buffer: UnsafeMutableRawBufferPointer
    private let reported: @EventLoop (String) -> Void
    private let ended: @EventLoop (End) -> Void
    private var line: [UInt8] = []
    private var end: End?
    private var isReporting = false
    private var openHandles = 2

    /// - Parameters:
    ///   - descriptors: what it gets as descriptors 3 and up, in this order. They stay open here.
    ///   - reported: called with each line that it reports, without its end.
    ///   - ended: called once, after the last report.
    /// - Throws: `UVError` when it cannot be started. Nothing is called then.
    public init(
        _ program: Program, descriptors: [CInt], reported: @escaping @EventLoop (String) -> Void,
        ended: @escaping @EventLoop (End) -> Void
    ) throws(UVError) {
        self.reported = reported
        self.ended = ended
        unsafe self.process = .allocate(capacity: 1)
        unsafe self.pipe = .allocate(capacity: 1)
        unsafe self.buffer = .allocate(byteCount: Self.lineBytes, alignment: 1)
        let loop = unsafe EventLoop.shared.executor.loop
        // It fails for no reason but a handle that is passed between processes, which this is not.
        _ = unsafe uv_pipe_init(loop, self.pipe, 0)
        let held = unsafe Unmanaged.passRetained(self).toOpaque()
        unsafe self.pipe.pointee.data = held
        unsafe self.process.pointee.data = held
        let started = unsafe Self.spawn(program, descriptors, loop, self.process, self.pipe)
        guard started == 0 else {
            self.close()
            throw UVError(code: started, call: "uv_spawn")
        }
        self.isReporting = true
        let reading = unsafe uv_read_start(
            self.stream,
            { handle, _, buffer in
                let child = unsafe Unmanaged<ChildProcess>.fromOpaque(handle!.pointee.data).takeUnretainedValue()
                // Safe: the callback is on the loop thread, and the pointer is used before it returns.
                nonisolated(unsafe) let buffer = unsafe buffer!
                EventLoop.assumeIsolated {
                    let start = unsafe child.buffer.baseAddress!.assumingMemoryBound(to: CChar.self)
                    unsafe buffer.pointee = uv_buf_init(start, CUnsignedInt(child.buffer.count))
                }
            },
            { handle, count, _ in
                let child = unsafe Unmanaged<ChildProcess>.fromOpaque(handle!.pointee.data).takeUnretainedValue()
                EventLoop.assumeIsolated { child.didRead(count) }
            })
        if reading != 0 { self.isReporting = false }
    }

    public var processID: Int32 { unsafe self.process.pointee.pid }

    /// Sends it a signal, if it still runs.
    public func signal(_ number: CInt) {
        guard self.end == nil else { return }
        _ = unsafe uv_process_kill(self.process, number)
    }

    private var stream: UnsafeMutablePointer<uv_stream_t> {
        unsafe UnsafeMutableRawPointer(self.pipe).assumingMemoryBound(to: uv_stream_t.self)
    }

    private static func spawn(
        _ program: Program, _ descriptors: [CInt], _ loop: UnsafeMutablePointer<uv_loop_t>,
        _ process: UnsafeMutablePointer<uv_process_t>, _ pipe: UnsafeMutablePointer<uv_pipe_t>
    ) -> CInt {
        var containers = unsafe ([0, 1, 2] + descriptors).map { unsafe Self.inherit($0) }
        var report = unsafe uv_stdio_container_t()
        unsafe report.flags = uv_stdio_flags(UV_CREATE_PIPE.rawValue | UV_WRITABLE_PIPE.rawValue)
        unsafe report.data.stream = UnsafeMutableRawPointer(pipe).assumingMemoryBound(to: uv_stream_t.self)
        unsafe containers.append(report)
        var arguments = unsafe program.arguments.map { unsafe strdup($0) } + [nil]
        var environment = unsafe program.environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for index in unsafe arguments.indices { unsafe free(arguments[index]) }
            for index in unsafe environment.indices { unsafe free(environment[index]) }
        }
        return unsafe program.path.withCString { path in
            unsafe arguments.withUnsafeMutableBufferPointer { arguments in
                unsafe environment.withUnsafeMutableBufferPointer { environment in
                    unsafe containers.withUnsafeMutableBufferPointer { containers in
                        var options = unsafe uv_process_options_t()
                        unsafe options.file = path
                        unsafe options.args = arguments.baseAddress
                        unsafe options.env = environment.baseAddress
                        unsafe options.flags = UV_PROCESS_DETACHED.rawValue
                        unsafe options.stdio_count = CInt(containers.count)
                        unsafe options.stdio = containers.baseAddress
                        unsafe options.exit_cb = { process, status, signal in
                            let child = unsafe Unmanaged<ChildProcess>.fromOpaque(process!.pointee.data).takeUnretainedValue()
                            EventLoop.assumeIsolated { child.didExit(status, signal) }
                        }
                        return unsafe uv_spawn(loop, process, &options)
                    }
                }
            }
        }
    }

    private static func inherit(_ descriptor: CInt) -> uv_stdio_container_t {
        var container = unsafe uv_stdio_container_t()
        unsafe container.flags = UV_INHERIT_FD
        unsafe container.data.fd = descriptor
        return unsafe container
    }

    private func didRead(_ count: Int) {
        guard count >= 0 else {
            self.isReporting = false
            return self.finish()
        }
        for index in 0..<count {
            let byte = unsafe self.buffer[index]
            if byte != ASCII.lineFeed { self.line.append(byte) }
            if byte == ASCII.lineFeed || self.line.count == Self.lineBytes {
                let text = String(decoding: self.line, as: UTF8.self)
                self.line = []
                self.reported(text)
            }
        }
    }

    private func didExit(_ status: Int64, _ signal: CInt) {
        self.end = signal == 0 ? .exited(Int(status)) : .killed(signal: Int(signal))
        self.finish()
    }

    /// What it reported last may be read after its end is known.
    private func finish() {
        guard let end = self.end, !self.isReporting else { return }
        self.close()
        self.ended(end)
    }

    private func close() {
        unsafe self.close(UnsafeMutableRawPointer(self.process))
        unsafe self.close(UnsafeMutableRawPointer(self.pipe))
    }

    private func close(_ handle: UnsafeMutableRawPointer) {
        unsafe uv_close(handle.assumingMemoryBound(to: uv_handle_t.self)) { handle in
            let child = unsafe Unmanaged<ChildProcess>.fromOpaque(handle!.pointee.data).takeUnretainedValue()
            EventLoop.assumeIsolated { child.didClose() }
        }
    }

    private func didClose() {
        self.openHandles -= 1
        guard self.openHandles == 0 else { return }
        unsafe self.process.deallocate()
        unsafe self.pipe.deallocate()
        unsafe self.buffer.deallocate()
        unsafe Unmanaged.passUnretained(self).release()
    }
}

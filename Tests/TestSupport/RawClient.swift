internal import Glibc

/// A blocking TCP client with time limits. It changes nothing: what is given is sent, what comes is kept.
public final class RawClient {
    private var descriptor: CInt
    private var pending: [UInt8] = []
    private var start = 0

    /// - Parameters:
    ///   - receiveBuffer: SO_RCVBUF in bytes, for a client that takes little.
    ///   - ipv6: connects to `::1`, else to 127.0.0.1.
    public init(port: UInt16, receiveBuffer: Int? = nil, ipv6: Bool = false) throws {
        self.descriptor = socket(ipv6 ? AF_INET6 : AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard self.descriptor >= 0 else { throw TestFailure("socket: errno \(errno)") }
        if let receiveBuffer { self.set(SOL_SOCKET, SO_RCVBUF, CInt(receiveBuffer)) }
        self.set(CInt(IPPROTO_TCP), TCP_NODELAY, CInt(1))
        self.set(SOL_SOCKET, SO_RCVTIMEO, timeval(tv_sec: patienceSeconds, tv_usec: 0))
        self.set(SOL_SOCKET, SO_SNDTIMEO, timeval(tv_sec: patienceSeconds, tv_usec: 0))
        let result: CInt
        if ipv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            result = self.connect(to: &address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            result = self.connect(to: &address)
        }
        guard result == 0 else {
            let code = errno
            _ = Glibc.close(self.descriptor)
            self.descriptor = -1
            throw TestFailure("connect to \(port): errno \(code)")
        }
    }

    deinit {
        if self.descriptor >= 0 { _ = Glibc.close(self.descriptor) }
    }

    private func connect<Address>(to address: inout Address) -> CInt {
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(self.descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    private func set<T: BitwiseCopyable>(_ level: CInt, _ option: CInt, _ value: T) {
        var value = value
        _ = unsafe setsockopt(self.descriptor, level, option, &value, socklen_t(MemoryLayout<T>.size))
    }

    // MARK: Sending

    /// - Throws: when the peer refuses more or takes nothing for the time limit.
    public func send(_ bytes: some Collection<UInt8>) throws {
        let bytes = [UInt8](bytes)
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.send(self.descriptor, $0.baseAddress! + done, $0.count - done, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw TestFailure("send stopped after \(done) of \(bytes.count) bytes: errno \(errno)") }
            done += count
        }
    }

    public func send(_ text: String) throws {
        try self.send([UInt8](text.utf8))
    }

    /// Sends pieces of `size` bytes, each by its own call.
    public func send(_ bytes: [UInt8], inPiecesOf size: Int) throws {
        for begin in stride(from: 0, to: bytes.count, by: size) { try self.send(bytes[begin..<min(begin + size, bytes.count)]) }
    }

    /// Sends as much as the peer takes: one that answered early may close while bytes are still on their way.
    public func sendIgnoringRefusal(_ bytes: some Collection<UInt8>) {
        do { try self.send(bytes) } catch { return }
    }

    /// Sends what the kernel takes at once, and tells how much that was: nothing when the peer does not read.
    /// - Throws: when the peer refuses more.
    public func sendAvailable(_ bytes: some Collection<UInt8>) throws -> Int {
        let bytes = [UInt8](bytes)
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.send(self.descriptor, $0.baseAddress! + done, $0.count - done, CInt(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count < 0, errno == EAGAIN { return done }
            guard count > 0 else { throw TestFailure("send stopped after \(done) of \(bytes.count) bytes: errno \(errno)") }
            done += count
        }
        return done
    }

    /// Nothing more will be sent; the answer can still be read.
    public func halfClose() {
        _ = shutdown(self.descriptor, CInt(SHUT_WR))
    }

    /// Leaves with a reset.
    public func reset() {
        self.set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        self.close()
    }

    public func close() {
        if self.descriptor >= 0 { _ = Glibc.close(self.descriptor) }
        self.descriptor = -1
    }

    // MARK: Receiving

    /// Takes what comes next into `pending`; false at the end of the stream.
    private func fill() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(self.descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else {
            throw TestFailure(errno == EAGAIN ? "nothing came within \(patienceSeconds) s" : "recv: errno \(errno)")
        }
        if self.start > 0 {
            self.pending.removeFirst(self.start)
            self.start = 0
        }
        self.pending.append(contentsOf: buffer[..<count])
        return count > 0
    }

    /// Whether nothing has come that was not read yet; the end of the stream is something. Does not wait.
    public func receivesNothing() throws -> Bool {
        guard self.pending.count == self.start else { return false }
        var byte: UInt8 = 0
        let count = unsafe recv(self.descriptor, &byte, 1, CInt(MSG_PEEK | MSG_DONTWAIT))
        guard count >= 0 || errno == EAGAIN else { throw TestFailure("recv: errno \(errno)") }
        return count < 0
    }

    /// Whether a process on this machine has accepted the connection, over IPv4, and has read all that was sent.
    public func peerHasReadAll() -> Bool {
        let own = unsafe self.portText(getsockname)
        let peer = unsafe self.portText(getpeername)
        let table = String(decoding: FileBytes.read("/proc/net/tcp") ?? [], as: UTF8.self)
        return table.split(separator: "\n").contains { line in
            // Number, its end, the other end, state, bytes not yet acknowledged : not yet read, timer, retransmissions, user, timeout,
            // and the inode, which is 0 until it is accepted.
            let words = line.split(separator: " ")
            guard words.count > 9, words[1].hasSuffix(peer), words[2].hasSuffix(own) else { return false }
            return words[4].hasSuffix(":00000000") && words[9] != "0"
        }
    }

    /// The port of one end, as `/proc/net/tcp` writes it.
    private func portText(_ end: (CInt, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> CInt) -> String {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe end(self.descriptor, $0, &length) }
        }
        let digits = String(UInt16(bigEndian: address.sin_port), radix: 16, uppercase: true)
        return ":" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Returns when one of the clients has received something or, where it wants to, can send; after `milliseconds` at the latest.
    public static func wait(for clients: [(client: RawClient, sends: Bool)], milliseconds: Int) {
        var watched = clients.map { (client, sends) in
            pollfd(fd: client.descriptor, events: Int16(sends ? POLLIN | POLLOUT : POLLIN), revents: 0)
        }
        _ = unsafe poll(&watched, nfds_t(watched.count), CInt(milliseconds))
    }

    /// Exactly this number of bytes.
    public func read(_ count: Int) throws -> [UInt8] {
        while self.pending.count - self.start < count {
            guard try self.fill() else { throw TestFailure("the stream ended before \(count) bytes came") }
        }
        defer { self.start += count }
        return [UInt8](self.pending[self.start..<(self.start + count)])
    }

    /// Everything up to the end of the stream.
    /// - Throws: when the peer resets or neither sends nor ends.
    public func readToEnd() throws -> [UInt8] {
        while try self.fill() {}
        defer { self.start = self.pending.count }
        return [UInt8](self.pending[self.start...])
    }

    /// Takes this many bytes and keeps none of them.
    public func skip(_ count: Int) throws {
        var left = count - min(count, self.pending.count - self.start)
        self.start += count - left
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while left > 0 {
            let wanted = min(left, buffer.count)
            let taken = unsafe buffer.withUnsafeMutableBytes { unsafe recv(self.descriptor, $0.baseAddress, wanted, 0) }
            guard taken > 0 else {
                throw TestFailure("the stream ended or stopped with \(left) of \(count) bytes missing: errno \(errno)")
            }
            left -= taken
        }
    }

    /// The head of one final answer; its body stays to be read.
    public func readReplyHead() throws -> HTTPReply {
        let head = try self.readHead()
        guard let reply = HTTPReply(head: head) else {
            throw TestFailure("not an answer: \(String(decoding: head.prefix(200), as: UTF8.self))")
        }
        return reply
    }

    /// True when the peer ends the stream, and nothing more came.
    public func endsCleanly() throws -> Bool {
        try self.readToEnd().isEmpty
    }

    /// One answer. `method` tells whether a body may follow; interim answers (1xx) are passed over unless asked for.
    public func readReply(to method: String = "GET", passingInterim: Bool = true) throws -> HTTPReply {
        while true {
            let head = try self.readHead()
            guard var reply = HTTPReply(head: head) else {
                throw TestFailure("not an answer: \(String(decoding: head.prefix(200), as: UTF8.self))")
            }
            if (100..<200).contains(reply.status) {
                if passingInterim { continue }
                return reply
            }
            if method == "HEAD" || reply.status == 204 || reply.status == 304 { return reply }
            if reply.isChunked {
                reply.body = try self.readChunks()
            } else if let length = reply.length {
                reply.body = try self.read(length)
            } else {
                reply.body = try self.readToEnd()
            }
            return reply
        }
    }

    private func readHead() throws -> [UInt8] {
        var length = 4
        while true {
            let waiting = self.pending.count - self.start
            while length <= waiting {
                let end = self.start + length
                // Most often the last byte alone tells that it is not the end.
                if self.pending[end - 1] == 10, self.pending[(end - 4)..<end].elementsEqual([13, 10, 13, 10]) {
                    defer { self.start = end }
                    return [UInt8](self.pending[self.start..<(end - 4)])
                }
                length += 1
            }
            guard length < 1 << 16 else { throw TestFailure("a head without an end") }
            guard try self.fill() else { throw TestFailure("the stream ended within or before a head, after \(waiting) bytes") }
        }
    }

    private func readLine() throws -> String {
        var line: [UInt8] = []
        while !line.suffix(2).elementsEqual([13, 10]) { line += try self.read(1) }
        return String(decoding: line.dropLast(2), as: UTF8.self)
    }

    private func readChunks() throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let line = try self.readLine()
            guard let size = Int(line.prefix { $0 != ";" }, radix: 16), size >= 0 else {
                throw TestFailure("bad chunk size \(line)")
            }
            if size == 0 {
                while try !self.readLine().isEmpty {}
                return body
            }
            body += try self.read(size)
            guard try self.read(2) == [13, 10] else { throw TestFailure("no CRLF after a chunk") }
        }
    }
}

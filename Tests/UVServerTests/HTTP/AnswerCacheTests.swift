import TestSupport
import Testing

@testable import UVServer

@Suite("The answer cache") struct AnswerCacheTests {
    private let place: TemporaryFolder

    init() throws {
        self.place = try TemporaryFolder()
        try self.place.write("f", "abc")
    }

    @EventLoop private func freshness(_ name: String = "f") throws -> Freshness {
        let watcher = PathWatcher(try Folder(path: self.place.path), try FolderWatcher())
        guard let opened = watcher.openAtOnce([Array(name.utf8)]) else { throw TestFailure("not opened") }
        return opened.freshness
    }

    private func file() throws -> SharedFile {
        guard case .file(let file, let status) = try Folder(path: self.place.path).open([Array("f".utf8)]) else {
            throw TestFailure("f is no file")
        }
        return SharedFile(file, size: status.size)
    }

    @EventLoop private static func answer(_ bytes: Int = 100, file: SharedFile? = nil) -> PreparedAnswer {
        PreparedAnswer(
            status: .ok, bytes: [UInt8](repeating: 0x61, count: bytes), headBytes: bytes, dateStart: 0, second: 0, bodyBytes: 10,
            file: file.map { ($0, ByteSlice(offset: 0, length: 10)) })
    }

    private static func text(_ number: Int) -> String { "GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n" }

    @EventLoop private static func find(_ cache: AnswerCache, _ text: String, at now: Duration = .zero) -> AnswerCache.Finding {
        cache.find(Array(text.utf8).span, at: now)
    }

    /// The key that the cache gives when `text` comes for the second time.
    @EventLoop private static func key(_ cache: AnswerCache, _ text: String) throws -> ByteKey {
        _ = self.find(cache, text)
        guard case .repeated(let key) = self.find(cache, text) else { throw TestFailure("\(text) is not known") }
        return key
    }

    @EventLoop private static func has(_ cache: AnswerCache, _ text: String, at now: Duration = .zero) -> Bool {
        if case .answer = self.find(cache, text, at: now) { true } else { false }
    }

    @Test("knows a head when it comes again, and its answer once that is remembered, for a second") @EventLoop
    func lifetime() throws {
        let cache = AnswerCache(fileLimit: 1)
        guard case .new = Self.find(cache, Self.text(1)) else { return #expect(Bool(false), "a new head") }
        let key = try Self.key(cache, Self.text(1))
        let answer = Self.answer()
        cache.remember(key, try head(Self.text(1)), answer, while: try self.freshness(), at: .seconds(5))
        guard case .answer(let found) = Self.find(cache, Self.text(1), at: .seconds(5)) else {
            return #expect(Bool(false), "remembered")
        }
        #expect(found.answer === answer)
        #expect(Self.has(cache, Self.text(1), at: .milliseconds(5999)))
        #expect(!Self.has(cache, Self.text(1), at: .seconds(6)))
        guard case .repeated = Self.find(cache, Self.text(1), at: .seconds(6)) else { return #expect(Bool(false), "still known") }
    }

    @Test("finds nothing for a head that differs in a byte, is cut, or has something behind it") @EventLoop
    func equality() throws {
        let cache = AnswerCache(fileLimit: 1)
        let text = Self.text(1)
        cache.remember(try Self.key(cache, text), try head(text), Self.answer(), while: try self.freshness(), at: .zero)
        let bytes = Array(text.utf8)
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1
            if case .answer = cache.find(other.span, at: .zero) { #expect(Bool(false), "byte \(index)") }
            if case .answer = cache.find(Array(bytes[..<index]).span, at: .zero) { #expect(Bool(false), "cut at \(index)") }
        }
        #expect(!Self.has(cache, text + text))
    }

    @Test("forgets an answer with the first change, also one that came before it was remembered") @EventLoop
    func changes() throws {
        let cache = AnswerCache(fileLimit: 1)
        let text = Self.text(1)
        let key = try Self.key(cache, text)
        let freshness = try self.freshness()
        cache.remember(key, try head(text), Self.answer(), while: freshness, at: .zero)
        #expect(Self.has(cache, text))
        freshness.mark.end()
        #expect(!Self.has(cache, text))
        cache.remember(key, try head(text), Self.answer(), while: freshness, at: .zero)
        #expect(!Self.has(cache, text))
    }

    @Test("keeps no more files open than it may, and lets them go when their time is over") @EventLoop
    func files() throws {
        let cache = AnswerCache(fileLimit: 2)
        for number in 0..<4 {
            let key = try Self.key(cache, Self.text(number))
            let file = try self.file()
            cache.remember(key, try head(Self.text(number)), Self.answer(file: file), while: try self.freshness(), at: .zero)
        }
        #expect((0..<4).filter { Self.has(cache, Self.text($0)) } == [0, 1])
        #expect(self.place.openDescriptors() == 2)
        cache.sweep(at: .milliseconds(500))
        #expect(self.place.openDescriptors() == 2)
        cache.sweep(at: .seconds(1))
        #expect(self.place.openDescriptors() == 0)
        cache.remember(
            try Self.key(cache, Self.text(3)), try head(Self.text(3)), Self.answer(file: try self.file()),
            while: try self.freshness(),
            at: .zero)
        cache.forgetAll()
        #expect(!Self.has(cache, Self.text(3)) && self.place.openDescriptors() == 0)
    }

    @Test("remembers so many bytes at most") @EventLoop
    func bytes() throws {
        let cache = AnswerCache(fileLimit: 0)
        let freshness = try self.freshness()
        for number in 0..<40 {
            cache.remember(
                try Self.key(cache, Self.text(number)), try head(Self.text(number)), Self.answer(1 << 20), while: freshness,
                at: .zero)
        }
        // Two may belong in the same place.
        #expect((12...15).contains((0..<40).count { Self.has(cache, Self.text($0)) }))
        cache.sweep(at: .seconds(1))
        cache.remember(
            try Self.key(cache, Self.text(30)), try head(Self.text(30)), Self.answer(), while: freshness, at: .seconds(1))
        #expect(Self.has(cache, Self.text(30), at: .seconds(1)))
    }
}

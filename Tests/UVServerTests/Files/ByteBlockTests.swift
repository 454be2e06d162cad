import TestSupport
import Testing

@testable import UVServer

@Suite("A block of bytes") struct ByteBlockTests {
    private static func bytes(_ chunk: ByteChunk) -> [UInt8] {
        var bytes: [UInt8] = []
        chunk.append(to: &bytes)
        return bytes
    }

    @Test("holds what was appended and read, and no more than fits") func filling() throws {
        let place = try TemporaryFolder()
        try place.write("f", [UInt8](repeating: 7, count: 300_000))
        let file = SharedFile(
            OwnedFile(owning: try #require(try Folder(path: place.path).file(named: "f"))), size: 300_000)
        var block = ByteBlock()
        block.append(Array("head".utf8))
        #expect(try block.read(file, at: 0, limit: 3) == 3)
        #expect(try block.read(file, at: 299_999, limit: 100) == 1)
        #expect(try block.read(file, at: 300_000, limit: 100) == 0)
        #expect(try block.read(file, at: 0, limit: 300_000) == ByteBlock.capacity - 8)
        #expect(block.room == 0)
        #expect(try block.read(file, at: 0, limit: 1) == 0)
        let content = Self.bytes(block.finish())
        #expect(content.count == ByteBlock.capacity && content.prefix(4).elementsEqual("head".utf8))
        #expect(content.dropFirst(4).allSatisfy { $0 == 7 })
    }

    @Test("tells the checksum of what came last, and goes on with that of what came before") func checksum() {
        var block = ByteBlock()
        block.append(Array("xx12345".utf8))
        let first = block.crc32(ofLast: 5, after: 0)
        block.append(Array("6789".utf8))
        // The check value of CRC-32/ISO-HDLC.
        #expect(block.crc32(ofLast: 4, after: first) == 0xCBF4_3926)
        #expect(block.crc32(ofLast: 9, after: 0) == 0xCBF4_3926)
        #expect(block.crc32(ofLast: 0, after: 5) == 5)
    }
}

extension Folder {
    /// The descriptor of a file in it, which is the caller's.
    fileprivate func file(named name: String) throws -> CInt? {
        guard case .file(let file, _) = try self.open([Array(name.utf8)]) else { return nil }
        return file.release()
    }
}

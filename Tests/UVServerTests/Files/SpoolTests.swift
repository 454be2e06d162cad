import TestSupport
import Testing

@testable import UVServer

@Suite("Spool", .serialized) struct SpoolTests {
    private static func piece(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 10_000) }

    @Test("keeps what is small in memory") func small() throws {
        var spool = Spool(in: nil)
        try spool.append(Array("ab".utf8))
        try spool.append(Array("c".utf8))
        guard case .bytes(let bytes) = try spool.finish() else { return #expect(Bool(false), "a file for three bytes") }
        #expect(bytes == Array("abc".utf8))
    }

    @Test("gives back what was appended, from a file without a name", arguments: [true, false])
    func large(inFolder: Bool) throws {
        let place = try TemporaryFolder()
        let folder = inFolder ? try Folder(path: place.path) : nil
        var spool = Spool(in: folder)
        for number in 0..<100 { try spool.append(Self.piece(number)) }
        guard case .file(let file, let length) = try spool.finish() else { return #expect(Bool(false), "a megabyte in memory") }
        #expect(length == 1_000_000)
        #expect(try file.status().size == length)
        #expect(place.names() == [])
        let found = FileBytes.read("/proc/self/fd/\(file.descriptor)")
        #expect(found == (0..<100).flatMap { Self.piece($0) })
    }

    @Test("leaves no descriptor and no file when it is dropped") func dropped() throws {
        let place = try TemporaryFolder()
        let folder = try Folder(path: place.path)
        do {
            var spool = Spool(in: folder)
            for number in 0..<100 { try spool.append(Self.piece(number)) }
            #expect(place.openDescriptors() == 2)
        }
        #expect(place.openDescriptors() == 1)
        #expect(place.names() == [])
    }

    @Test("takes no more than its limit", arguments: [true, false]) func limit(inFolder: Bool) throws {
        let place = try TemporaryFolder()
        var spool = Spool(in: inFolder ? try Folder(path: place.path) : nil, limit: 500_000)
        for number in 0..<26 { try spool.append(Self.piece(number)) }
        #expect(throws: UVError(code: -16, call: "spool")) { for number in 0..<100 { try spool.append(Self.piece(number)) } }
    }
}

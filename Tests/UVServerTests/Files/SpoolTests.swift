import TestSupport
import Testing

@testable import UVServer

@Suite("Spool", .serialized) struct SpoolTests {
    private static func piece(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 10_000) }

    @Test("keeps what is small in memory") func small() throws {
        var spool = Spool(in: nil, room: SpoolRoom())
        try spool.append(Array("ab".utf8))
        try spool.append(Array("c".utf8))
        guard case .bytes(let bytes, _) = try spool.finish() else { return #expect(Bool(false), "a file for three bytes") }
        #expect(bytes == Array("abc".utf8))
    }

    @Test("gives back what was appended, from a file without a name", arguments: [true, false])
    func large(inFolder: Bool) throws {
        let place = try TemporaryFolder()
        let folder = inFolder ? try Folder(path: place.path) : nil
        var spool = Spool(in: folder, room: SpoolRoom())
        for number in 0..<100 { try spool.append(Self.piece(number)) }
        guard case .file(let file, let length, _) = try spool.finish() else { throw TestFailure("a megabyte in memory") }
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
            var spool = Spool(in: folder, room: SpoolRoom())
            for number in 0..<100 { try spool.append(Self.piece(number)) }
            #expect(place.openDescriptors() == 2)
        }
        #expect(place.openDescriptors() == 1)
        #expect(place.names() == [])
    }

    @Test("takes no more than its room", arguments: [true, false]) func limit(inFolder: Bool) throws {
        let place = try TemporaryFolder()
        let room = inFolder ? SpoolRoom(disk: 500_000, memory: 0) : SpoolRoom(disk: 0, memory: 500_000)
        var spool = Spool(in: inFolder ? try Folder(path: place.path) : nil, room: room)
        for number in 0..<26 { try spool.append(Self.piece(number)) }
        #expect(throws: UVError(code: -16, call: "spool")) { for number in 0..<100 { try spool.append(Self.piece(number)) } }
    }

    @Test("shares its room with others from the first byte on, until the last share is gone") func sharing() throws {
        let place = try TemporaryFolder()
        let folder = try Folder(path: place.path)
        let room = SpoolRoom(disk: 700_000, memory: 300_000)
        do {
            var first = Spool(in: folder, room: room)
            for number in 0..<40 { try first.append(Self.piece(number)) }
            #expect(room.diskBytes > 250_000 && room.memoryBytes == 0)
            var second = Spool(in: folder, room: room)
            #expect(throws: UVError(code: -16, call: "spool")) {
                for number in 0..<60 { try second.append(Self.piece(number)) }
            }
            guard case .file(_, _, let share) = try first.finish() else { throw TestFailure("in memory") }
            var third = Spool(in: nil, room: room)
            // What the disk holds leaves the memory free.
            for number in 0..<30 { try third.append(Self.piece(number)) }
            withExtendedLifetime(share) {}
        }
        #expect(room.diskBytes == 0 && room.memoryBytes == 0)
    }

    @Test("goes to the disk, small as it is, when memory has no room") func smallOnDisk() throws {
        let place = try TemporaryFolder()
        let room = SpoolRoom(memory: 15_000)
        func make() throws -> Spool.Content {
            var spool = Spool(in: try Folder(path: place.path), room: room)
            try spool.append(Self.piece(1))
            return try spool.finish()
        }
        guard case .bytes(_, let share) = try make() else { throw TestFailure("a file") }
        guard case .file(_, let length, _) = try make() else { throw TestFailure("too much memory") }
        #expect(length == 10_000 && room.memoryBytes == 10_000)
        withExtendedLifetime(share) {}
    }
}

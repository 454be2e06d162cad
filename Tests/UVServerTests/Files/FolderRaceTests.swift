import Glibc
import Synchronization
import TestSupport
import Testing

@testable import UVServer

@Suite("A folder whose content changes under a lookup") struct FolderRaceTests {
    /// Puts a link where a folder was, and the folder back, until it is told to stop.
    private final class Swapper: Sendable {
        private let outer: String
        private let isOver = Atomic(false)

        init(_ outer: TemporaryFolder) { self.outer = outer.path }

        func stop() { self.isOver.store(true, ordering: .relaxed) }

        func run() {
            while !self.isOver.load(ordering: .relaxed) {
                for (from, to) in [("dir", "real"), ("link", "dir"), ("dir", "link"), ("real", "dir")] {
                    _ = unsafe rename("\(self.outer)/drop/\(from)", "\(self.outer)/drop/\(to)")
                }
            }
        }
    }

    private static func content(_ folder: Folder, _ path: [String]) -> String? {
        guard case .file(let file, _)? = try? folder.open(path.map { Array($0.utf8) }) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = unsafe pread(file.descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test(
        "never leads outside while a folder on the path changes places with a link that does, by either resolver",
        arguments: [true, false])
    func swapped(usesOpenat2: Bool) async throws {
        let outer = try TemporaryFolder()
        for name in ["drop", "drop/dir", "drop/dir/sub", "outside", "outside/sub"] { try outer.makeFolder(name) }
        for name in ["dir", "dir/sub"] { try outer.write("drop/\(name)/x", "inside") }
        for name in ["outside", "outside/sub"] { try outer.write("\(name)/x", "SECRET") }
        try outer.makeLink("drop/link", to: "../outside")
        let folder = try Folder(path: outer.path(of: "drop"), usesOpenat2: usesOpenat2)
        let swapper = Swapper(outer)
        let swapping = Task.detached { swapper.run() }
        var found = 0
        var missed = 0
        let end = monotonicSeconds() + Double(patienceSeconds)
        while found + missed < 20_000 || found == 0 || missed == 0, monotonicSeconds() < end {
            for path in [["dir", "x"], ["dir", "sub", "x"], ["link", "x"], ["real", "x"]] {
                let content = Self.content(folder, path)
                #expect(content == nil || content == "inside", "\(path)")
                if content == nil { missed += 1 } else { found += 1 }
            }
        }
        swapper.stop()
        await swapping.value
        #expect(found > 0 && missed > 0)
    }
}

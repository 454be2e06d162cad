import Glibc
import TestSupport
import Testing

@Suite("after a power cut", .loopDisks, .serialized, .timeLimit(.minutes(10)))
struct PowerCutTests {
    /// Traffic, a power cut in the middle of it, and what the disk then has.
    private struct Round {
        let ledger: Ledger
        let files: [String: [UInt8]]

        init(seed: Int, _ options: [String] = []) throws {
            var random = SeededGenerator(seed: UInt64(seed))
            let overwrites = Bool.random(using: &random)
            let disk = try LoopDisk()
            // With little that waits to be written small files are synced together, otherwise each for itself.
            if seed.isMultiple(of: 2) { sync() }
            let policy = ["--on-duplicate-files", overwrites ? "overwrite" : "rename", "--quiet"]
            let server = try ServerProcess(disk.drop, policy + options)
            let traffic = Traffic(port: server.port, seed: seed, overwrites: overwrites, folders: ["", "sub/"])
            // Right after an answer, when what it has promised is youngest, or at any other moment.
            let answers = Int.random(in: 5...80, using: &random)
            try traffic.run { $0.ledger.acknowledged < answers }
            if Bool.random(using: &random) {
                let moment = monotonicSeconds() + Double.random(in: 0...0.03, using: &random)
                try traffic.run { _ in monotonicSeconds() < moment }
            }
            #expect(traffic.surprises.isEmpty, "seed \(seed): \(traffic.surprises)")
            try disk.cutPower()
            // What is answered now counts as well.
            traffic.drain(within: 2)
            try server.kill()
            try disk.restart()
            self.ledger = traffic.ledger
            self.files = FolderContents.visible(in: disk.drop)

            // What has no name for anyone goes with the next start.
            let next = try ServerProcess(disk.drop, policy)
            let names = FolderContents.names(in: disk.drop)
            #expect(names == Set(self.files.keys), "seed \(seed): \(names.subtracting(self.files.keys))")
            #expect(try next.put("/after", [1]).status == 201)
            #expect(try next.stop() == 0)
        }
    }

    @Test("what was answered with success is there whole, what was deleted is gone, and nothing partial has a name")
    func full() throws {
        var unanswered = 0
        for seed in 1...30 {
            let round = try Round(seed: seed)
            let faults = round.ledger.faults(in: round.files)
            #expect(faults.isEmpty, "seed \(seed): \(faults) of \(round.ledger.acknowledged)")
            unanswered += round.ledger.unanswered
        }
        // The cuts come in the middle of uploads and deletions.
        #expect(unanswered >= 60, "\(unanswered)")
    }

    @Test("nothing partial has a name where names need not be on the disk: --durability data")
    func data() throws {
        for seed in 101...104 {
            let round = try Round(seed: seed, ["--durability", "data"])
            for fault in round.ledger.faults(in: round.files) {
                switch fault {
                case .lost, .stale: continue
                case .torn, .unknown: Issue.record("seed \(seed): \(fault)")
                }
            }
        }
    }

    @Test("files are lost where nothing has to be on the disk, so that these tests would see it: --durability none")
    func none() throws {
        var lost = 0
        for seed in 201...203 {
            let round = try Round(seed: seed, ["--durability", "none"])
            lost += round.ledger.faults(in: round.files).count { if case .lost = $0 { true } else { false } }
        }
        #expect(lost > 0)
    }
}

import TestSupport
import Testing

@testable import FileDrop
@testable import UVServer

/// What docs/limits.md says is what the code does.
@EventLoop @Suite("docs/limits.md") struct LimitsPageTests {
    private static let requests = RequestLimits()
    private static let forms = MultipartLimits()

    private static func kib(_ bytes: Int) -> String { "\(bytes >> 10) KiB" }
    private static func mib(_ bytes: Int64) -> String { "\(bytes >> 20) MiB" }
    private static func seconds(_ time: Duration) -> String { "\(time.components.seconds) s" }

    /// What a process may take that has so many descriptors.
    private static func shares(_ descriptors: Int) -> WorkerShares { WorkerShares(workers: 1, descriptors: descriptors) }

    private static func limits(_ descriptors: Int, maxSize: Int64? = Configuration.defaultMaxSize) -> RequestLimits {
        self.shares(descriptors).limits(Configuration(folder: "", maxSize: maxSize))
    }

    /// The first cell of a row and what its second one begins with.
    private static let rows: [(String, String)] = [
        ("descriptors of one answer, beside its connection", "\(DescriptorBudget.answerDescriptors)"),
        ("silence of a new connection before it counts as idle", seconds(requests.silence)),
        ("a head, from its first byte to its last", seconds(requests.headDeadline)),
        ("pace of a body; its pauses", "\(requests.bytesPerSecond) bytes a second; \(seconds(requests.bodyGrace))"),
        (
            "pace of a client that takes its answer; its pauses",
            "\(requests.bytesPerSecond) bytes a second; \(seconds(requests.writeGrace))"
        ),
        ("requests that run when the server is to stop", seconds(Configuration(folder: "").shutdownTimeout)),
        ("connection without a request", seconds(requests.keepAliveDeadline)),
        ("reading on after an early or last answer", seconds(requests.lingerDeadline)),
        ("the same, for who is turned away or when the server stops", seconds(requests.stoppingLingerDeadline)),
        ("request line, and so the target", kib(requests.requestLineBytes)),
        ("head", kib(requests.headBytes)),
        ("header fields", "\(requests.fieldCount)"),
        ("name in a path", "\(DropName.longest) bytes"),
        ("name of a new file", "\(DropName.longest) bytes"),
        ("ranges as sent; after joining", "\(ByteRange.listedLimit); \(ByteRange.slicesLimit)"),
        ("file bytes of one upload request", "\(Configuration.defaultMaxSize >> 20) MB"),
        ("room left on the disk", "\(Configuration(folder: "").minFree)"),
        (
            "chunk; chunk extensions; trailer of a chunked body",
            "1 TiB; \(kib(requests.chunkExtensionBytes)); \(kib(requests.trailerBytes))"
        ),
        ("files of one form", "\(FormUploadRoute.filesLimit)"),
        ("parts of one form", "1,000"),
        ("text fields of one form together", mib(Int64(FormUploadRoute.fieldBytes))),
        ("head of a part; its fields", "\(kib(forms.partHeadBytes)); \(forms.partHeadFields)"),
        ("before the first delimiter", kib(forms.preambleBytes)),
        ("behind the last delimiter", kib(forms.epilogueBytes)),
        ("longer than `--max-size` by its framing", kib(Int(UploadLimit.framingBytes))),
        ("numbers tried for one file whose name is taken", "\(FreeNumber.looks)"),
        ("upload kept in memory until it is whole", kib(Int(PendingUpload.memoryBytes))),
        ("entries of a page", "1,000"),
        ("one list in memory", kib(Spool.memoryBytes)),
        (
            "all lists at once: on the disk; in memory (shared)",
            "\(mib(FolderLists.Room().disk)); \(mib(FolderLists.Room().memory))"
        ),
        ("files of lists that are kept", "\(FolderLists.keptFiles)"),
        (
            "remembered answers: heads and small bodies; files kept open",
            "\(mib(Int64(AnswerCache.capacityBytes))); \(requests.rememberedFiles)"
        ),
        ("archives at once (shared)", "\(Archives.limit)"),
        (
            "lists of what they hold: on the disk; in memory (shared)",
            "\(mib(Archives.room.disk)); \(mib(Archives.room.memory))"
        ),
        ("made ahead of what has gone out", "\(kib(ByteBlock.capacity))"),
        ("receive buffers of one connection", "3, of \(mib(Int64(IOBuffer.bulkBytes))) at most"),
    ]

    /// Rows that say in words how a value comes about.
    private static let formulas: [(String, String)] = [
        (
            "connections at once (shared)",
            "two thirds of the descriptors left beside those for files of forms, 32,768 at most"
        ),
        ("connections of one address (shared)", "none"),
        ("uploads under way", "three quarters of the answers that connections leave descriptors for"),
        (
            "files of all forms at once, beside one each (shared)",
            "a quarter of the descriptors, at most 1,024 and a sixteenth of them, and at most 16,384"
        ),
        ("body read on after an early answer", "`--max-size` and 16 MiB more, 1 TiB without a limit"),
    ]

    /// Rows without a number of ours, and what shows that they are true.
    private static let others = [
        // DescriptorTests and CapTests, with the real program.
        "descriptors",
        // The request line's limit comes first.
        "depth of a path",
        // ListPageTests.
        "entries of a list",
        // ZipWriterTests.
        "size, number of files",
    ]

    private static let spareThreads = "more threads for calls that wait"

    private static let page = String(
        decoding: FileBytes.read(
            #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
                + "/docs/limits.md")
            ?? [], as: UTF8.self)

    /// The cells of each row of its tables.
    private static let table = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
        line.split(separator: "|").map { $0.drop { $0 == " " }.description }
    }

    @Test("has the numbers of the code") func numbers() throws {
        for (name, value) in Self.rows {
            let row = try #require(Self.table.first { $0[0] == name + " " }, "no row \"\(name)\"")
            let rest = row[1].dropFirst(value.count)
            #expect(row[1].hasPrefix(value) && rest.first?.isNumber != true, "\(name): \(row[1]), not \(value)")
        }
        #expect(Self.forms.parts == 1000 && ListPart.mostEntries == 1000)
    }

    @Test("has the formulas of the code") func formulas() throws {
        for (name, value) in Self.formulas {
            let row = try #require(Self.table.first { $0[0] == name + " " }, "no row \"\(name)\"")
            #expect(row[1] == value + " ", "\(name): \(row[1])")
        }
        for descriptors in [64, 1024, 20_000] {
            #expect(Self.limits(descriptors).connections == Self.limits(descriptors).descriptors * 2 / 3)
        }
        var limits = RequestLimits()
        limits.descriptors = 900
        var budget = DescriptorBudget(limits: limits)
        (budget.open, budget.uploads) = (100, 299)
        #expect(budget.hasShareForUpload)
        budget.uploads = 300
        #expect(!budget.hasShareForUpload)
        #expect(Self.limits(1 << 20).connections == 32_768 && Self.limits(1024).connectionsPerAddress == nil)
        #expect([400, 8192, 1 << 20].map { Self.shares($0).formFiles } == [100, 1024 + 512, 16_384])
        #expect(Self.limits(1024, maxSize: 5).lingerBytes == 5 + 16 << 20)
        #expect(Self.limits(1024, maxSize: nil).lingerBytes == 1 << 40 + 16 << 20)
    }

    @Test("has no row that nothing compares with the code") func known() {
        let lanes = Self.table.map { $0[0] }.filter { $0.hasPrefix("pool threads") || $0.hasPrefix(Self.spareThreads) }
        let known = (Self.rows + Self.formulas).map { $0.0 + " " } + Self.others.map { $0 + " " } + lanes
        let found = Self.table.map { $0[0] }.filter { $0 != "what " }
        #expect(Set(found).symmetricDifference(known) == [] && found.count == known.count)
        #expect(lanes.count == 4)
    }

    @Test("has the threads of every lane") func lanes() {
        var threads: [String] = []
        for row in Self.table where row[0].hasPrefix("pool threads") { threads.append(row[1]) }
        #expect(threads == ["4 ", "2 ", "1 "])
        #expect(Self.table.contains { $0[0].hasPrefix(Self.spareThreads) && $0[1] == "6 for lists and archives, 60 otherwise " })
        for lane in BlockingWork.Lane.allCases {
            let expected =
                switch lane {
                case .open, .link, .sync, .commit, .write, .read: 4
                case .list, .walk, .lease, .name: 2
                case .log: 1
                }
            #expect(lane.threads == expected, "\(lane)")
            #expect(lane.spareThreads == (lane == .log ? 0 : lane.isBackground ? 6 : 60), "\(lane)")
        }
    }
}

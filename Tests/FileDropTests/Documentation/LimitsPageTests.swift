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
        ("head of a part; its fields", "\(kib(forms.partHeadBytes)); \(forms.partHeadFields)"),
        ("before the first delimiter", kib(forms.preambleBytes)),
        ("longer than `--max-size` by its framing", kib(Int(UploadLimit.framingBytes))),
        ("upload kept in memory until it is whole", kib(Int(PendingUpload.memoryBytes))),
        ("one list in memory", kib(Spool.memoryBytes)),
        (
            "all lists at once: on the disk; in memory (shared)",
            "\(mib(FolderLists.Room().disk)); \(mib(FolderLists.Room().memory))"
        ),
        ("archives at once (shared)", "\(Archives.limit)"),
        (
            "lists of what they hold: on the disk; in memory (shared)",
            "\(mib(Archives.room.disk)); \(mib(Archives.room.memory))"
        ),
        ("made ahead of what has gone out", "\(kib(ByteBlock.capacity))"),
        ("receive buffers of one connection", "3, of \(mib(Int64(IOBuffer.bulkBytes))) at most"),
    ]

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
            #expect(row[1].hasPrefix(value), "\(name): \(row[1]), not \(value)")
        }
        #expect(Self.forms.parts == 1000)
    }

    @Test("has the threads of every lane") func lanes() {
        var threads: [String] = []
        for row in Self.table where row[0].hasPrefix("pool threads") { threads.append(row[1]) }
        #expect(threads == ["4 ", "2 ", "1 "])
        #expect(Self.table.contains { $0[0].hasPrefix("more threads for calls that wait") && $0[1] == "60 " })
        for lane in BlockingWork.Lane.allCases {
            let expected =
                switch lane {
                case .open, .link, .sync, .commit, .write, .read: 4
                case .list, .walk, .lease, .name: 2
                case .log: 1
                }
            #expect(lane.threads == expected, "\(lane)")
            #expect(lane.spareThreads == (lane == .log ? 0 : 60), "\(lane)")
        }
    }
}

import TestSupport
import Testing
import UVServer

@testable import FileDrop

@Suite("Lists of folders", .serialized) struct FolderListsTests {
    private let place: TemporaryFolder

    init() throws {
        self.place = try TemporaryFolder()
        try self.place.write("first", "")
    }

    private static func text(_ answer: borrowing Response) -> String {
        switch answer.body {
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .none: ""
        case .omitted: ""
        case .file: ""
        case .made: ""
        }
    }

    /// The lists that so many who ask at once get.
    @EventLoop private static func ask(_ lists: FolderLists, _ count: Int) async -> [String] {
        var texts: [String] = []
        let tasks = (0..<count).map { _ in
            EventLoop.spawn {
                let answer = try? await lists.respond(.root, .init(isJSON: true)) { (index, spool) throws(UVError) in
                    try FolderListing(path: .root).render(index, index.indices, next: nil) { (bytes) throws(UVError) in
                        try spool.append(bytes)
                    }
                }
                if let answer { texts.append(Self.text(answer)) }
            }
        }
        for task in tasks { await task.value }
        return texts
    }

    @Test("are made once or twice for all who ask together, and know what was there when they asked") @EventLoop
    func sharing() async throws {
        let lists = FolderLists(try await DropStore(folder: self.place.path))
        let before = await Self.ask(lists, 40)
        #expect(before.count == 40 && before.allSatisfy { $0.contains("first") })
        #expect(lists.runs <= 2)
        try self.place.write("second", "")
        let after = await Self.ask(lists, 1)
        #expect(after.count == 1 && after.allSatisfy { $0.contains("second") })
    }

    @Test("take no more room than there is, however many are asked for before the first is made") @EventLoop
    func room() async throws {
        let lists = FolderLists(try await DropStore(folder: self.place.path), room: .init(disk: 10 << 20, memory: 0))
        var answers: [AnswerKeeper] = []
        var refused = 0
        let tasks = (0..<60).map { number in
            EventLoop.spawn {
                let form = FolderLists.Form(isJSON: true, part: ListPart(limit: number + 1))
                do throws(StoreError) {
                    let answer = try await lists.respond(.root, form) { (_, spool) throws(UVError) in
                        for _ in 0..<16 { try spool.append([UInt8](repeating: 0x61, count: 64 << 10)) }
                    }
                    answers.append(AnswerKeeper(answer))
                } catch {
                    if error == .busy { refused += 1 }
                }
            }
        }
        for task in tasks { await task.value }
        #expect(answers.count + refused == 60)
        #expect((1...10).contains(answers.count))
        #expect(self.place.openDescriptors() >= answers.count)
        // Whoever has read to the end makes room.
        answers = []
        let again = try await lists.respond(.root, .init(isJSON: true)) { (_, spool) throws(UVError) in
            for _ in 0..<16 { try spool.append([UInt8](repeating: 0x61, count: 64 << 10)) }
        }
        #expect(again.status == .ok)
    }

    /// Holds an answer that nobody reads.
    @EventLoop private final class AnswerKeeper {
        private let answer: Response

        init(_ answer: consuming Response) { self.answer = answer }
    }
}

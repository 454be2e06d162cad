import TestSupport
import Testing
import UVServer

@testable import FileDrop

@EventLoop @Suite("Uploads are committed together", .serialized) struct CommitQueueTests {
    private typealias Outcome = Result<String, StoreError>

    private let place: TemporaryFolder
    private let failure = UVError(code: -5, call: "fsync")

    init() throws { self.place = try TemporaryFolder() }

    private func store(
        _ log: DiskLog, _ durability: Durability = .full, allowsUnnamed: Bool = true
    ) async throws -> DropStore {
        try await DropStore(folder: self.place.path, durability: durability, allowsUnnamed: allowsUnnamed, disk: log.disk)
    }

    /// Uploads all at once, so that they wait for each other.
    /// - Returns: the names they have got.
    private func upload(
        _ files: [(name: String, content: String)], _ store: DropStore, _ policy: DuplicatePolicy = .error,
        announced: Int64? = 1000
    ) async throws -> [Outcome] {
        let folder = try await store.targetFolder(.root)
        let uploads = files.map { file in
            EventLoop.spawn { () -> Outcome in
                do throws(StoreError) {
                    guard let name = DropName(file.name.utf8) else { return .failure(.notFound) }
                    var upload = try await store.beginUpload(in: folder, expectedBytes: announced)
                    try await upload.write(.copying(Array(file.content.utf8)))
                    return .success("\(try await upload.commit(as: name, onDuplicate: policy).0)")
                } catch {
                    return .failure(error)
                }
            }
        }
        var outcomes: [Outcome] = []
        for upload in uploads { outcomes.append(await upload.value) }
        return outcomes
    }

    private var visible: [String] { self.place.visibleNames.map { String(decoding: $0, as: UTF8.self) }.sorted() }

    @Test(
        "no name is seen before its content is synced, and none acknowledged before the file is again and its folder is",
        arguments: [1000, nil] as [Int64?])
    func order(announced: Int64?) async throws {
        let log = DiskLog(self.place)
        let outcomes = try await self.upload([("a", "one")], try await self.store(log), announced: announced)
        #expect(outcomes == [.success("a")])
        #expect(
            log.lines == ["file of 3, full, []", #"file system, ["a"]"#, #"file of 3, full, ["a"]"#, #"folder, ["a"]"#])
    }

    @Test("one call does for a file and its folder where it can be relied on") func alone() async throws {
        let log = DiskLog(self.place, fileSystem: .success(true))
        #expect(try await self.upload([("a", "one")], try await self.store(log)) == [.success("a")])
        #expect(log.lines == ["file of 3, full, []", #"file system, ["a"]"#])
    }

    @Test("many are synced by one call, and their names by one more") func together() async throws {
        let log = DiskLog(self.place, fileSystem: .success(true))
        let files = ["a", "b", "c", "d", "e"].map { (name: $0, content: "content of \($0)") }
        let outcomes = try await self.upload(files, try await self.store(log))
        #expect(outcomes == files.map { .success($0.name) })
        #expect(log.lines == ["file system, []", #"file system, ["a", "b", "c", "d", "e"]"#])
        for file in files { #expect(self.place.text(file.name) == file.content) }
    }

    @Test("where the file system is not synced, each file is, before the first has its name and after all have") func oneByOne()
        async throws
    {
        let log = DiskLog(self.place)
        let files = (1...6).map { (name: "\($0)", content: String(repeating: "x", count: $0)) }
        _ = try await self.upload(files, try await self.store(log))
        let syncs = log.lines.dropFirst().prefix(6)
        #expect(log.lines.first == "file system, []")
        #expect(Set(syncs) == Set((1...6).map { "file of \($0), full, []" }))
        let names = #"["1", "2", "3", "4", "5", "6"]"#
        #expect(log.lines.dropFirst(7).first == "file system, \(names)")
        #expect(Set(log.lines.dropFirst(8).prefix(6)) == Set((1...6).map { "file of \($0), full, \(names)" }))
        #expect(log.lines.dropFirst(14) == ["folder, \(names)"])
    }

    @Test(
        "only the file that could not be synced is refused",
        arguments: [.success(false), .failure(UVError(code: -5, call: "syncfs"))] as [Result<Bool, UVError>])
    func oneFails(fileSystem: Result<Bool, UVError>) async throws {
        let log = DiskLog(self.place, failingSizes: [3], fileSystem: fileSystem)
        let files = (1...5).map { (name: "\($0)", content: String(repeating: "x", count: $0)) }
        let outcomes = try await self.upload(files, try await self.store(log))
        #expect(outcomes == [.success("1"), .success("2"), .failure(.io(self.failure)), .success("4"), .success("5")])
        #expect(self.visible == ["1", "2", "4", "5"])
        #expect(log.lines.count { $0.hasPrefix("file of 3,") } == 1, "a failed sync is tried once")
    }

    @Test("a file that was large enough to be synced by itself fails alone") func largeFails() async throws {
        let log = DiskLog(self.place, failingSizes: [100_000])
        let files = [(name: "small", content: "x"), (name: "large", content: String(repeating: "x", count: 100_000))]
        let outcomes = try await self.upload(files, try await self.store(log), announced: nil)
        #expect(outcomes == [.success("small"), .failure(.io(self.failure))])
        #expect(self.visible == ["small"])
    }

    @Test("names that could not be made durable are taken back, but for those that have replaced a file")
    func folderFails() async throws {
        try self.place.write("old", "old")
        let log = DiskLog(self.place, failsFolder: true)
        let outcomes = try await self.upload([("a", "1"), ("old", "new"), ("b", "2")], try await self.store(log), .overwrite)
        #expect(outcomes == Array(repeating: .failure(.io(self.failure)), count: 3))
        #expect(self.visible == ["old"])
        #expect(self.place.text("old") == "new")
        #expect(log.lines.count { $0.hasPrefix("folder") } == 1)
    }

    @Test("a file that cannot be synced once it has its name gives it back, and the others stay", arguments: [2, 5])
    func namedFails(count: Int) async throws {
        let log = DiskLog(self.place, failingNamed: [2])
        let files = (1...count).map { (name: "\($0)", content: String(repeating: "x", count: $0)) }
        let outcomes = try await self.upload(files, try await self.store(log))
        #expect(outcomes == files.map { $0.name == "2" ? .failure(.io(self.failure)) : .success($0.name) })
        #expect(self.visible == files.map(\.name).filter { $0 != "2" })
    }

    @Test("who lost the race for a name is told so, and the others of the batch are not") func race() async throws {
        let log = DiskLog(self.place, fileSystem: .success(true))
        let outcomes = try await self.upload([("a", "1"), ("a", "2"), ("b", "3")], try await self.store(log))
        #expect(outcomes == [.success("a"), .failure(.nameTaken), .success("b")])
        #expect(self.place.text("a") == "1")
        #expect(self.visible == ["a", "b"])
    }

    @Test("the folder that files have moved out of is synced before they are, once for all") func moved() async throws {
        for name in ["a", "b"] { try self.place.write(name, "old") }
        let log = DiskLog(self.place)
        let store = try await self.store(log, allowsUnnamed: false)
        #expect(try await self.upload([("a", "1"), ("b", "2")], store, .overwrite) == [.success("a"), .success("b")])
        let calls = ["state folder", "file of 1, full", "file of 1, full", "folder"]
        #expect(log.lines.suffix(4) == calls.map { "\($0), [\"a\", \"b\"]" }[...])
        #expect(self.place.names(".uvdrop") == ["names.lock"])
    }

    @Test("durability says what is synced") func durability() async throws {
        let data = DiskLog(self.place)
        _ = try await self.upload([("a", "1")], try await self.store(data, .data))
        #expect(data.lines == ["file of 1, data, []"])
        let none = DiskLog(self.place)
        _ = try await self.upload([("b", "1"), ("c", "1"), ("d", "1")], try await self.store(none, .none))
        #expect(none.lines == [])
        #expect(self.visible == ["a", "b", "c", "d"])
    }

    @Test("500 files of a few hundred bytes are stored whole by the real calls", arguments: Durability.allCases)
    func many(durability: Durability) async throws {
        let store = try await DropStore(folder: self.place.path, durability: durability)
        let files = (0..<500).map { (name: "file \($0)", content: String(repeating: "\($0) ", count: 100)) }
        let outcomes = try await self.upload(files, store)
        #expect(outcomes == files.map { .success($0.name) })
        for file in files { #expect(self.place.text(file.name) == file.content) }
    }

    @Test("what is small holds no file until its commit, and what outgrows its announcement is in one")
    func memory() async throws {
        let store = try await self.store(DiskLog(self.place), .none)
        let folder = try await store.targetFolder(.root)
        let before = self.place.openDescriptors()
        var upload = try await store.beginUpload(in: folder, expectedBytes: 10)
        let piece = [UInt8](repeating: 7, count: Int(PendingUpload.memoryBytes))
        try await upload.write(.copying(piece))
        #expect(self.place.openDescriptors() == before)
        try await upload.write(.copying([1, 2, 3]))
        #expect(self.place.openDescriptors() == before + 1)
        try await upload.write(.copying([4]))
        #expect(upload.bytesWritten == PendingUpload.memoryBytes + 4)
        _ = try await upload.commit(as: try #require(DropName("grown".utf8)), onDuplicate: .error)
        #expect(self.place.read("grown") == piece + [1, 2, 3, 4])
        #expect(self.place.openDescriptors() == before)
    }

    @Test("an upload whose folder has gone is told so") func folderGone() async throws {
        try self.place.makeFolder("f")
        let store = try await DropStore(folder: self.place.path)
        let folder = try await store.targetFolder(try #require(DropPath(encodedPath: "/f/".utf8)))
        var upload = try await store.beginUpload(in: folder, expectedBytes: 10)
        try await upload.write(.copying([1]))
        self.place.remove("f")
        let name = try #require(DropName("x".utf8))
        do throws(StoreError) {
            _ = try await upload.commit(as: name, onDuplicate: .error)
            Issue.record("it was stored")
        } catch {
            #expect(error == .notFound)
        }
    }
}

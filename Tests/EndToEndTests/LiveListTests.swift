import Foundation
import Glibc
import TestSupport
import Testing

@Suite("a list that is asked for again")
struct LiveListTests {
    private static func shell(_ folder: TemporaryFolder, _ command: String) throws {
        let done = try Command.run(["sh", "-c", command], in: folder.path)
        #expect(done.status == 0, "\(command): \(done.errorText)")
    }

    private static func lines(_ server: ServerProcess, _ target: String = "/?json") throws -> [String] {
        try server.listing(target).map { "\($0.name) \($0.size ?? -1)" }
    }

    @Test("shows each thing that other programs have done meanwhile")
    func programs() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        #expect(try Self.lines(server) == [])
        for (command, expected) in [
            ("printf abc > a", ["a 3"]), ("printf de >> a", ["a 5"]), ("printf x > b; cp b a", ["a 1", "b 1"]),
            ("truncate -s 9 b", ["a 1", "b 9"]), ("mv b c", ["a 1", "c 9"]), ("mv c a", ["a 9"]), ("mkdir d", ["d 0", "a 9"]),
            ("printf 12 > d/in", ["d 0", "a 9"]), ("ln -s a l", ["d 0", "a 9", "l 9"]), ("printf 1 > a", ["d 0", "a 1", "l 1"]),
            ("ln a a2; printf 22 > a2; rm a2", ["d 0", "a 2", "l 2"]), ("ln a d/hard; : >> a", ["d 0", "a 2", "l 2"]),
            ("printf 333 > d/hard", ["d 0", "a 3", "l 3"]), ("ln -sfn d l", ["d 0", "l 0", "a 3"]),
            ("ln -sfn /etc/hostname l", ["d 0", "a 3"]), ("rm l; mkfifo p; : > .hidden", ["d 0", "a 3"]),
            ("mv p a", ["d 0"]), ("rm a; mv d/in .; rm -r d", ["in 2"]), ("mkdir in2; mv in in2/; mv in2 in", ["in 0"]),
            ("rmdir in 2> /dev/null || rm -r in", []),
        ] {
            try Self.shell(folder, command)
            #expect(try Self.lines(server) == expected, "\(command)")
            let page = try server.get("/", [("Accept", browserAccept)])
            let shown = Set(page.attributes("href").filter { !$0.hasPrefix("/-/") && $0 != "/?zip" })
            #expect(shown == Set(try server.listing().map(\.url)), "\(command)")
        }
    }

    @Test("shows the times of what has changed")
    func times() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "")
        try folder.makeFolder("sub")
        let server = try ServerProcess(folder.path)
        _ = try server.listing()
        for (name, place) in [("a", 1), ("sub", 0)] {
            try Self.shell(folder, "touch -d '1994-11-06 08:49:37 UTC' \(name)")
            #expect(try server.listing()[place].modified == "1994-11-06T08:49:37Z")
        }
        // Nobody tells the folder above.
        try folder.write("sub/new", "")
        #expect(try server.listing()[0].modified != "1994-11-06T08:49:37Z")
    }

    @Test("shows what was uploaded and deleted as soon as that is answered", arguments: [[], ["--durability", "none"]])
    func uploads(options: [String]) throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("sub")
        let server = try ServerProcess(folder.path, options + ["--on-duplicate-files", "overwrite"])
        for inner in ["/", "/sub/"] {
            func files() throws -> [String] { try Self.lines(server, inner + "?json").filter { $0 != "sub 0" } }
            #expect(try files() == [])
            for round in 1...20 {
                #expect(
                    try server.put("\(inner)put", bytes(String(repeating: "x", count: round))).status == (round == 1 ? 201 : 204))
                #expect(try files() == ["put \(round)"])
            }
            #expect(try server.post(Form.one("form", "12"), to: inner).status == 201)
            #expect(try files() == ["form 2", "put 20"])
            #expect(try server.ask("DELETE", "\(inner)put").status == 204)
            #expect(try files() == ["form 2"])
        }
    }

    @Test("shows a link from the moment it leads somewhere, and as long as it does")
    func links() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("sub")
        try folder.makeLink("link", to: "sub/target")
        let server = try ServerProcess(folder.path)
        for _ in 1...3 {
            #expect(try Self.lines(server, "/?json") == ["sub 0"])
            try folder.write("sub/target", "four")
            #expect(try Self.lines(server, "/?json") == ["sub 0", "link 4"])
            folder.remove("sub/target")
        }
    }

    @Test("of thousands of files is sent as it was made, until one of them changes")
    func long() throws {
        let folder = try TemporaryFolder()
        for number in 0..<4000 { try folder.write("\(number) \(String(repeating: "long", count: 20))", "") }
        let server = try ServerProcess(folder.path)
        for target in ["/?json", "/"] {
            func body() throws -> [UInt8] { try server.get(target, [("Accept", browserAccept)]).body }
            let first = try body()
            #expect(first.count > 1 << 20)
            #expect(try isSame(body(), first))
            let kept = server.descriptors
            for _ in 0..<10 { #expect(try isSame(body(), first)) }
            // A second worker keeps one of its own.
            #expect(eventually { server.descriptors <= kept + 1 })
            try folder.write("0 \(String(repeating: "long", count: 20))", target)
            #expect(try !isSame(body(), first))
            try folder.write("new", "")
            #expect(contains(try body(), "new"))
            folder.remove("new")
        }
    }

    @Test("holds few descriptors, however many long ones there are", .oneWorker)
    func descriptors() throws {
        let folder = try TemporaryFolder()
        for number in 0..<12 {
            try folder.makeFolder("\(number)")
            for file in 0..<1200 { try folder.write("\(number)/\(file) \(String(repeating: "long", count: 20))", "") }
        }
        let server = try ServerProcess(folder.path)
        let before = server.descriptors
        for number in 0..<12 {
            for _ in 0..<2 { #expect(try server.get("/\(number)/?json")["content-length"].flatMap { Int($0) } ?? 0 > 256 << 10) }
        }
        // The pool closes long ones, and connections that clients have closed are closed a little later.
        #expect(eventually { server.descriptors <= before + 9 }, "\(server.descriptors) after \(before)")
        #expect(try server.listing("/11/?json").count == 1200)
    }

    @Test("is right although the kernel could not keep all that happened")
    func overflow() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b", "c"] { try folder.write(name, "") }
        let server = try ServerProcess(folder.path)
        #expect(try Self.lines(server) == ["a 0", "b 0", "c 0"])
        let kept = try #require(FileBytes.read("/proc/sys/fs/inotify/max_queued_events"))
        let count = try #require(Int(String(decoding: kept, as: UTF8.self).prefix { $0.isNumber }))
        server.child.signal(SIGSTOP)
        for round in 0..<count { _ = unsafe chmod(folder.path(of: round % 2 == 0 ? "a" : "b"), 0o600) }
        // Nobody is told of these.
        try folder.write("c", "ccc")
        folder.remove("a")
        server.child.signal(SIGCONT)
        #expect(try Self.lines(server) == ["b 0", "c 3"])
        try folder.write("d", "")
        #expect(try Self.lines(server) == ["b 0", "c 3", "d 0"])
    }

    @Test("is of the folder that has the name now")
    func replaced() throws {
        let outer = try TemporaryFolder()
        try outer.makeFolder("drop")
        try outer.makeFolder("drop/sub")
        try outer.write("drop/sub/old", "")
        try outer.makeFolder("drop/other")
        try outer.write("drop/other/new", "")
        let server = try ServerProcess(outer.path(of: "drop"))
        #expect(try Self.lines(server, "/sub/?json") == ["old 0"])
        try Self.shell(outer, "mv drop/sub drop/aside; mv drop/other drop/sub")
        #expect(try Self.lines(server, "/sub/?json") == ["new 0"])
        #expect(try Self.lines(server, "/aside/?json") == ["old 0"])
        try Self.shell(outer, "rm -r drop/sub")
        #expect(try server.get("/sub/?json").status == 404)
        try Self.shell(outer, "mkdir drop/sub; : > drop/sub/again")
        #expect(try Self.lines(server, "/sub/?json") == ["again 0"])
        try Self.shell(outer, "rm -r drop/sub; : > drop/sub")
        #expect(try server.get("/sub/?json").status == 404)
        // The drop folder itself is held by what it is, not by its name.
        #expect(try Self.lines(server).count == 2)
        try Self.shell(outer, "mv drop moved; : > moved/more")
        #expect(try Self.lines(server).count == 3)
        try Self.shell(outer, ": > moved/most")
        #expect(try Self.lines(server).count == 4)
    }

    @Test("has hidden, reserved and linked names as ever, also after they have changed")
    func names() throws {
        let outer = try TemporaryFolder()
        try outer.makeFolder("drop")
        for options in [[], ["--hidden"]] {
            let server = try ServerProcess(outer.path(of: "drop"), options)
            let before = try server.get("/?json").listing.files.count
            try Self.shell(
                outer, "cd drop; : > .dot; : > .uvdrop-x.part; mkdir -p .uvdrop; : > delete; ln -s ../.. out; ln -s .dot in")
            let text = try server.get("/?json").text
            #expect(text.contains("\"name\":\".dot\"") == !options.isEmpty)
            #expect(text.contains("\"name\":\"delete\"") && text.contains("\"name\":\"in\""))
            for name in [".uvdrop", ".uvdrop-x.part", "out"] { #expect(!text.contains("\"name\":\"\(name)\"")) }
            #expect(before == 0)
            try Self.shell(outer, "cd drop; rm -r .dot .uvdrop-x.part delete out in")
            #expect(try server.listing().isEmpty)
        }
    }

    @Test("is never behind while others write and ask")
    func crowd() throws {
        let folder = try TemporaryFolder()
        for number in 0..<2000 { try folder.write("old \(number)", "") }
        let server = try ServerProcess(folder.path)
        let loop = "for i in $(seq 400); do : > noise$i; mv noise$i moved$i; echo x >> moved$i; rm moved$i; done"
        let noise = try ChildProcess(["sh", "-c", loop], in: folder.path)
        for round in 0..<60 {
            let crowd = try (0..<3).map { _ in try server.connect() }
            for (index, client) in crowd.enumerated() { try client.send(HTTPRequest.bytes("GET", index == 0 ? "/" : "/?json")) }
            let name = "new \(round)"
            try folder.write(name, String(repeating: "x", count: round))
            let target = round % 2 == 0 ? "/?json" : "/?json&limit=100&after=n"
            #expect(try server.listing(target).first { $0.name == name }?.size == round, "\(name)")
            folder.remove(name)
            #expect(try !server.listing(target).contains { $0.name == name }, "\(name)")
        }
        _ = try noise.wait()
        #expect(try server.listing().count == 2000)
    }
}

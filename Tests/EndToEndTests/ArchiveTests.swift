import TestSupport
import Testing

/// Folders and selections as archives.
@Suite("archives", .timeLimit(.minutes(2)))
struct ArchiveTests {
    static let formats = ["zip", "tar"]

    /// A folder with everything that an archive has and has not.
    private func tree() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("a.txt", "hello")
        try folder.makeFolder("sub")
        try folder.makeFolder("sub/empty")
        try folder.write("sub/big.bin", noise(300_000))
        try folder.write("sub/한글 파일.txt", "안녕")
        folder.setModified("a.txt", 1_000_000_000)
        try folder.write(".hidden", "no")
        try folder.makeFolder("sub/.hidden folder")
        try folder.write("sub/.hidden folder/x", "no")
        try folder.makePipe("pipe")
        try folder.makeLink("link", to: "sub/big.bin")
        try folder.makeLink("link to a folder", to: "sub")
        try folder.makeLink("outside", to: "/etc/passwd")
        try folder.makeLink("nowhere", to: "none")
        try folder.makeFolder("delete")
        try folder.write("delete/x", "not reached by any address")
        return folder
    }

    private static let whole = [
        "a.txt 5 1000000000", "link 300000", "sub/", "sub/big.bin 300000", "sub/empty/", "sub/한글 파일.txt 6",
    ]

    /// The names in an archive, of files with their sizes, sorted; all of it is read.
    private func names(_ archive: [UInt8], _ format: String) throws -> [String] {
        let place = try TemporaryFolder()
        try place.write("a", archive)
        let script = """
            import sys, zipfile, tarfile, time, os
            os.environ['TZ'] = 'UTC'
            names = []
            if sys.argv[2] == 'zip':
                z = zipfile.ZipFile(sys.argv[1])
                assert z.testzip() is None
                names = [(i.filename, i.is_dir(), i.file_size) for i in z.infolist()]
            else:
                t = tarfile.open(sys.argv[1])
                names = [(m.name + ('/' if m.isdir() else ''), m.isdir(), m.size) for m in t]
                for m in t: assert m.isdir() or len(t.extractfile(m).read()) == m.size
            for n, d, s in sorted(names): print(n if d else f'{n} {s}')
            """
        let run = try Command.run(["python3", "-c", script, place.path(of: "a"), format])
        #expect(run.status == 0, "\(run.errorText)")
        return run.text.split(separator: "\n").map { String($0) }
    }

    @Test(
        "of the whole folder hold what can be reached in it, under the names it has, and nothing else", arguments: formats,
        [[], ["--read-only"]])
    func whole(format: String, options: [String]) throws {
        let folder = try self.tree()
        let server = try ServerProcess(folder.path, options)
        let reply = try server.get("/?\(format)")
        #expect(reply.status == 200)
        // As long as was announced: else it could not have been read to its end.
        #expect(reply["content-length"] == String(reply.body.count))
        #expect(try self.names(reply.body, format) == Self.whole.map { $0.replacing(" 1000000000", with: "") })
        let place = try TemporaryFolder()
        try place.write("a", reply.body)
        // Times come back as they were, by the tools that people have.
        let tool = format == "zip" ? ["unzip", "-q", "a"] : ["tar", "-xf", "a"]
        let run = try Command.run(tool, environment: ["LC_ALL": "C.UTF-8"], in: place.path)
        #expect(run.status == 0, "\(run.text)\(run.errorText)")
        #expect(place.text("a.txt") == "hello" && place.text("sub/한글 파일.txt") == "안녕")
        #expect(isSame(place.read("link"), noise(300_000)) && isSame(place.read("sub/big.bin"), noise(300_000)))
        #expect(place.names("sub/empty") == [])
        #expect(place.mode("a.txt") == folder.mode("a.txt"))
        let time = try Command.run(["stat", "-c", "%Y", place.path(of: "a.txt")])
        #expect(time.text == "1000000000\n")
    }

    @Test("have the fields of a download that is made anew each time; HEAD has them too", arguments: formats)
    func fields(format: String) throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("여름 \"2026\"")
        try folder.write("여름 \"2026\"/a", "x")
        let server = try ServerProcess(folder.path)
        let path = "/%EC%97%AC%EB%A6%84%20%222026%22/?\(format)"
        let got = try server.get(path)
        let head = try server.ask("HEAD", path)
        #expect(got.status == 200 && head.status == 200 && head.body.isEmpty)
        for reply in [got, head] {
            #expect(reply["content-type"] == (format == "zip" ? "application/zip" : "application/x-tar"))
            #expect(
                reply["content-disposition"]
                    == "attachment; filename=\"__ _2026_.\(format)\"; filename*=UTF-8''%EC%97%AC%EB%A6%84%20%222026%22.\(format)")
            #expect(reply["accept-ranges"] == "none" && reply["cache-control"] == "no-store" && reply["etag"] == nil)
            #expect(reply["x-content-type-options"] == "nosniff")
            #expect(reply["content-security-policy"]?.hasPrefix("sandbox") == true)
        }
        // How long it is tells only a walk through all of it.
        #expect(got["content-length"] != nil && head["content-length"] == nil)
        #expect(try server.get("/?\(format)")["content-disposition"] == "attachment; filename=\"drop.\(format)\"")
        #expect(try server.get(path, [("Range", "bytes=0-3")]).status == 200)
        // The connection goes on behind its last byte.
        let client = try server.connect()
        try client.send(HTTPRequest.bytes("GET", path) + HTTPRequest.bytes("GET", path))
        for _ in 0..<2 { #expect(try isSame(client.readReply().body, got.body)) }
        let titled = try ServerProcess(folder.path, ["--title", "Our drop"])
        #expect(try titled.get("/?\(format)")["content-disposition"] == "attachment; filename=\"Our drop.\(format)\"")
    }

    @Test("of a selection hold that and what is in it", arguments: formats)
    func selection(format: String) throws {
        let folder = try self.tree()
        let server = try ServerProcess(folder.path)
        func names(_ target: String) throws -> [String] { try self.names(server.get(target).body, format) }
        #expect(try names("/?\(format)&name=a.txt") == ["a.txt 5"])
        #expect(
            try names("/?\(format)&name=a.txt&name=sub/&name=a.txt")
                == ["a.txt 5", "sub/", "sub/big.bin 300000", "sub/empty/", "sub/한글 파일.txt 6"])
        #expect(try names("/sub/?\(format)&name=%ED%95%9C%EA%B8%80+%ED%8C%8C%EC%9D%BC.txt") == ["한글 파일.txt 6"])
        // A link to a folder is gone through by whoever asks for it.
        #expect(try names("/?\(format)&name=link+to+a+folder").count == 4)
        #expect(try names("/link%20to%20a%20folder/?\(format)").count == 3)
        #expect(try names("/sub/empty/?\(format)") == [])
    }

    @Test(
        "of what is not there are 404 and say what",
        arguments: ["none", ".hidden", "pipe", "outside", "nowhere", "delete", ".uvdrop"])
    func missing(name: String) throws {
        let folder = try self.tree()
        let server = try ServerProcess(folder.path)
        for format in Self.formats {
            for method in ["GET", "HEAD"] {
                let reply = try server.ask(method, "/?\(format)&name=a.txt&name=\(name)")
                #expect(reply.status == 404, "\(name)")
                #expect(method == "HEAD" || contains(reply.body, "\(name): "), "\(reply.text)")
            }
            for bad in ["..", "", "a%2Fb"] { #expect(try server.get("/?\(format)&name=\(bad)").status == 400) }
            #expect(try server.get("/none/?\(format)").status == 404)
            #expect(try server.get("/.hidden/?\(format)").status == 404)
            #expect(try server.get("/sub?\(format)")["location"] == "/sub/?\(format)")
            // Of a file there is none to be made.
            #expect(try server.get("/a.txt?\(format)").text == "hello")
        }
    }

    @Test("hold hidden names where they are shown, and never the server's own files", arguments: formats)
    func hidden(format: String) throws {
        let folder = try self.tree()
        let server = try ServerProcess(folder.path, ["--hidden"])
        let names = try self.names(server.get("/?\(format)").body, format)
        #expect(names.contains(".hidden 2") && names.contains("sub/.hidden folder/x 2"))
        #expect(!names.contains { $0.contains("uvdrop") || $0.contains("delete") }, "\(names)")
    }

    @Test("of a folder of which something may not be read are refused before they begin", .enabled(if: !Self.isRoot))
    func unreadable() throws {
        let folder = try self.tree()
        #expect(try Command.run(["chmod", "000", folder.path(of: "sub/big.bin")]).status == 0)
        let server = try ServerProcess(folder.path)
        for format in Self.formats { #expect(try server.get("/?\(format)").status == 403) }
    }

    @Test("each folder's page has a link to its own, unless there is nothing in it")
    func link() throws {
        let folder = try self.tree()
        let server = try ServerProcess(folder.path, ["--read-only"])
        for (page, link) in [("/", "/?zip"), ("/sub/", "/sub/?zip"), ("/sub/empty/", nil)] {
            let reply = try server.get(page, [("Accept", browserAccept)])
            #expect(contains(reply.body, "Download all as zip") == (link != nil))
            guard let link else { continue }
            #expect(contains(reply.body, "href=\"\(link)\""))
            #expect(try server.get(link, [("Accept", browserAccept)])["content-type"] == "application/zip")
        }
    }

    private static var isRoot: Bool { (try? Command.run(["id", "-u"]).text) == "0\n" }
}

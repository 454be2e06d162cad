import TestSupport
import Testing

@Suite("paths and names")
struct PathTests {
    @Test("A12 a decomposed name is stored composed and found in both forms")
    func a12() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        let decomposed: [UInt8] = [0xE1, 0x84, 0x86, 0xE1, 0x85, 0xA2, 0xE1, 0x86, 0xA8, 0x2E, 0x74, 0x78, 0x74]
        let composed: [UInt8] = [0xEB, 0xA7, 0xA5, 0x2E, 0x74, 0x78, 0x74]
        let inURL = "/%E1%84%86%E1%85%A2%E1%86%A8.txt"
        for byForm in [true, false] {
            if byForm {
                var form = Form()
                form.file(decomposed, bytes("mac"))
                #expect(try server.post(form).status == 201)
            } else {
                #expect(try server.put(inURL, bytes("mac")).status == 201)
            }
            #expect(folder.visibleNames == [composed])
            let url = try #require(try server.listing().first?.url)
            for target in [url, "/%EB%A7%A5.txt", inURL] {
                #expect(try isSame(server.get(target).body, bytes("mac")), "\(target)")
            }
            #expect(
                try server.ask("POST", "/delete" + (byForm ? url : inURL), [("Accept", browserAccept)], body: []).status == 303)
            #expect(folder.visibleNames.isEmpty)
        }
        // A name that is on disk in the other form, not put there by us.
        try folder.write(String(decoding: decomposed, as: UTF8.self), "foreign")
        let url = try #require(try server.listing().first?.url)
        for target in [url, "/%EB%A7%A5.txt", inURL] {
            #expect(try isSame(server.get(target).body, bytes("foreign")), "\(target)")
        }
        #expect(try server.ask("DELETE", url).status == 204)
        #expect(folder.visibleNames.isEmpty)
    }

    @Test("A13 names of 255 bytes work and longer ones are refused or shortened")
    func a13() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        let fits = String(repeating: "A", count: 251) + ".txt"
        let hangul = String(repeating: "가", count: 83) + "ab.txt"
        #expect(try server.put("/" + fits, bytes("x")).status == 201)
        #expect(try server.post(.one(hangul, "y")).status == 201)
        #expect(folder.read(fits) == bytes("x") && folder.read(hangul) == bytes("y"))
        #expect(try isSame(server.get("/" + fits).body, bytes("x")))
        for (count, letter) in [(252, "A"), (300, "A"), (84, "가"), (1000, "A")] {
            let name = String(repeating: letter, count: count) + "ab.txt"
            let form = try server.post(.one(name, "x"))
            #expect([201, 400, 414].contains(form.status), "\(count): \(form.status)")
            if form.status == 201 { #expect(try form.stored.first?.name.hasSuffix(".txt") == true) }
            #expect(
                [400, 414].contains(try server.put("/" + String(repeating: "A", count: count + 252) + ".txt", bytes("x")).status))
        }
        let taken = try server.post(.one(fits, "again"))
        #expect([201, 400, 409].contains(taken.status), "\(taken.status)")
        #expect(isSame(folder.read(fits), bytes("x")))
        #expect([400, 404, 414].contains(try server.get("/" + String(repeating: "B", count: 400)).status))
        #expect(try server.isServing())
    }

    private let escapes = [
        "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd", "/%2Fetc%2Fpasswd", "/..%5c..%5cetc%5cpasswd",
        "/a/../../etc/passwd", "/../etc/passwd",
        "//etc/passwd", "/./etc/passwd", "/%2e/secret.txt", "/..%2fDROP-secret/x", "/../DROP-secret/x",
        "/sub/../../DROP-secret/x", "/%00", "/in.txt%00.html",
        "/..", "/.", "/sub/..", "/sub/.", "/..;/secret.txt", "/.%2e/.%2e/etc/passwd", "/%c0%ae%c0%ae/secret.txt",
        "/.%252e/.%252e/etc/passwd", "/%252e%252e/secret.txt",
        "/sub%2f..%2f..%2fsecret.txt", "/%2e%2e", "/..%00/secret.txt", "/.uvdrop", "/.uvdrop/", "/%2Euvdrop/x", "/.hidden",
    ]

    @Test("A35 A36 A37 no spelling of a path leaves the folder or reaches hidden names")
    func traversal() throws {
        let outer = try TemporaryFolder()
        for name in ["DROP", "DROP/sub", "DROP-secret"] { try outer.makeFolder(name) }
        try outer.write("secret.txt", "SECRET")
        try outer.write("DROP-secret/x", "SECRET")
        try outer.write("DROP/.hidden", "SECRET")
        try outer.write("DROP/in.txt", "inside")
        let server = try ServerProcess(outer.path(of: "DROP"))
        #expect(try server.isServing())
        let before = outer.allFiles
        for path in self.escapes {
            for (method, target) in [
                ("GET", path), ("HEAD", path), ("DELETE", path), ("PUT", path), ("POST", "/delete" + path),
                ("GET", "/delete" + path),
            ] {
                let reply = try server.ask(method, target, body: ["PUT", "POST"].contains(method) ? [] : nil)
                // A PUT into a folder that is not there conflicts with the folder's state (RFC 4918 section 9.7.1).
                let refused = [400, 403, 404, 405].contains(reply.status) || (method == "PUT" && reply.status == 409)
                #expect(refused, "\(method) \(target): \(reply.status)")
                #expect(!contains(reply.body, "SECRET") && !contains(reply.body, "root:"), "\(method) \(target)")
            }
        }
        #expect(outer.allFiles == before)
        #expect(try isSame(server.get("/in.txt").body, bytes("inside")))
    }

    @Test("malformed escapes are refused")
    func malformed() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        for target in ["/%", "/%4", "/%zz", "/a%", "/%u0041", "/a%2"] {
            #expect(try server.get(target).status == 400, "\(target)")
        }
        #expect(try server.isServing())
    }

    @Test("A36 A38 A39 every listed link and delete button reaches its own file")
    func links() throws {
        let folder = try TemporaryFolder()
        let names = [
            "%41.txt", "A.txt", "a+b.txt", "what?", "what", "a#b.txt", "my:file", "50%.txt", "a&amp;b.txt", "a&b.txt",
            "q\"uote'.txt", "<b>.txt", "sp ace.txt",
            "back\\slash", "semi;colon", "한글.txt", "http:", "..a", "a..", "~tilde", "?json", "javascript:alert(1)", "%2e%2e",
            "tab\there", "new\nline",
        ].filter { !$0.hasPrefix(".") }
        for name in names { try folder.write(name, "content of " + name) }
        let server = try ServerProcess(folder.path)
        #expect(try isSame(server.get("/%2541.txt").body, bytes("content of %41.txt")))
        #expect(try isSame(server.get("/%41.txt").body, bytes("content of A.txt")))
        #expect(try isSame(server.get("/a+b.txt").body, bytes("content of a+b.txt")))
        #expect(try isSame(server.get("/a%2Bb.txt").body, bytes("content of a+b.txt")))
        #expect(try server.get("/a%20b.txt").status == 404)
        let listing = try server.listing()
        #expect(listing.count == names.count)
        for entry in listing {
            #expect(try isSame(server.get(entry.url).body, bytes("content of " + entry.name)), "\(entry.url)")
        }

        let page = try server.get("/", [("Accept", browserAccept)])
        let targets = Set(page.attributes("href").map(self.absolute))
        for entry in listing { #expect(targets.contains(self.absolute(entry.url)), "no link to \(entry.url)") }
        for target in targets where !target.hasPrefix("/-/") && !target.hasPrefix("#") {
            #expect(try server.get(target).status == 200, "\(target)")
        }
        let actions = page.attributes("action").map(self.absolute).filter { $0.hasPrefix("/delete/") }
        #expect(Set(actions) == Set(listing.map { "/delete" + $0.url }))
        for (count, entry) in listing.enumerated() {
            #expect(try server.ask("POST", "/delete" + entry.url, [("Accept", browserAccept)], body: []).status == 303)
            #expect(!folder.exists(entry.name) && folder.visibleNames.count == names.count - count - 1, "\(entry.url)")
        }
    }

    private func absolute(_ link: String) -> String {
        link.hasPrefix("./") ? String(link.dropFirst()) : link
    }

    @Test("names that are no UTF-8 are reached by their url")
    func anyBytes() throws {
        let folder = try TemporaryFolder()
        #expect(try Command.run(["sh", "-c", "printf raw > \"$(printf 'a\\377b.txt')\""], in: folder.path).status == 0)
        let server = try ServerProcess(folder.path)
        let entry = try #require(try server.listing().first)
        #expect(entry.url == "/a%FFb.txt")
        #expect(try isSame(server.get(entry.url).body, bytes("raw")))
        #expect(try server.get("/", [("Accept", browserAccept)]).status == 200)
        #expect([400, 409].contains(try server.put("/new%FF.txt", bytes("x")).status))
        #expect(try server.ask("DELETE", entry.url).status == 204)
        #expect(folder.visibleNames.isEmpty)
    }

    @Test("A37 links out of the folder are not followed and not written through")
    func a37() throws {
        let outer = try TemporaryFolder()
        for name in ["DROP", "DROP/sub", "elsewhere"] { try outer.makeFolder(name) }
        try outer.write("target.txt", "SECRET")
        try outer.write("elsewhere/x", "SECRET")
        try outer.write("DROP/sub/own.txt", "own")
        try outer.makeLink("DROP/l.txt", to: outer.path(of: "target.txt"))
        try outer.makeLink("DROP/up.txt", to: "../target.txt")
        try outer.makeLink("DROP/dir", to: "../elsewhere")
        try outer.makeLink("DROP/inside.txt", to: "sub/own.txt")
        try outer.makeLink("DROP/loop", to: "loop")
        try outer.makeLink("DROP/proc", to: "/proc/self/root/etc")
        let server = try ServerProcess(outer.path(of: "DROP"), ["--on-duplicate-files", "overwrite"])
        for target in ["/l.txt", "/up.txt", "/dir/x", "/dir/", "/loop", "/proc/passwd"] {
            let reply = try server.get(target)
            #expect([400, 403, 404].contains(reply.status), "\(target): \(reply.status)")
            #expect(!contains(reply.body, "SECRET"))
        }
        #expect(try isSame(server.get("/inside.txt").body, bytes("own")))
        for name in ["l.txt", "up.txt"] {
            let form = try server.post(.one(name, "uploaded"))
            #expect([201, 403, 404, 409].contains(form.status), "\(form.status)")
            let put = try server.put("/" + name, bytes("uploaded"))
            #expect([201, 204, 403, 404, 409].contains(put.status), "\(put.status)")
        }
        #expect(try server.put("/dir/new.txt", bytes("x")).status >= 400)
        #expect(isSame(outer.read("target.txt"), bytes("SECRET")))
        #expect(FileBytes.names(in: outer.path(of: "elsewhere")) == [bytes("x")])
        #expect(try server.ask("DELETE", "/dir/x").status >= 400)
        #expect(outer.exists("elsewhere/x"))
    }

    @Test("A40 a name is inert on the page")
    func a40() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        for name in ["<img src=x onerror=alert(1)>.txt", "'><script>alert(1)<'.txt", "a&lt;b.txt", "onmouseover=x y.txt"] {
            #expect(try server.put("/" + self.encoded(name), bytes("x")).status == 201)
        }
        try folder.write("\" onmouseover=\"alert(1).txt", "x")
        try folder.write("<\u{338}script>.txt", "x")
        let page = try server.get("/", [("Accept", browserAccept)])
        for text in ["<img src=x", "<script>alert", "\" onmouseover=\"alert", "<\u{338}"] {
            #expect(!contains(page.body, text), "\(text)")
        }
        #expect(contains(page.body, "a&amp;lt;b.txt"))
        let policy = try #require(page["content-security-policy"])
        #expect(!policy.contains("unsafe-inline") && !policy.contains("unsafe-eval"))
        #expect(policy.contains("default-src") || policy.contains("script-src"))
        #expect(page["x-content-type-options"] == "nosniff")
        #expect(!contains(page.body, "<script>"))
        for target in ["/%3Cscript%3Ealert(1)%3C/script%3E", "/%3Cimg%20src=x%3E"] {
            let reply = try server.get(target, [("Accept", browserAccept)])
            #expect(reply.status == 404)
            #expect(!contains(reply.body, "<script>alert") && !contains(reply.body, "<img src"))
        }
        #expect(try server.get("/?json")["content-type"]?.hasPrefix("application/json") == true)
    }

    private func encoded(_ name: String) -> String {
        name.utf8.map { byte in
            let hex = String(byte, radix: 16, uppercase: true)
            return "%" + (hex.count == 1 ? "0" + hex : hex)
        }.joined()
    }
}

import TestSupport
import Testing

@Suite("paths and names")
struct PathTests {
    @Test(
        "A12 a decomposed name is stored composed and found in both forms",
        arguments: [
            ("\u{1106}\u{1162}\u{11A8}.txt", "\u{B9E5}.txt"), ("u\u{308}ber.txt", "\u{FC}ber.txt"),
            ("e\u{302}\u{301}.txt", "\u{1EBF}.txt"), ("\u{304B}\u{3099}.txt", "\u{304C}.txt"),
            ("a\u{323}\u{302}.txt", "\u{1EAD}.txt"),
        ])
    func a12(decomposed: String, composed: String) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--durability", "none"])
        let targets = ["/" + self.encoded(composed), "/" + self.encoded(decomposed)]
        let put = HTTPRequest.bytes("PUT", targets[1], body: bytes("mac"))
        for (request, deleted) in [
            (HTTPRequest.post(.one(decomposed, "mac")), targets[0]), (put, targets[1]), (put, targets[0]),
        ] {
            try everyDelivery(server, request, to: "PUT") { reply, _, label in
                #expect(reply.status == 201, "\(label): \(reply.text)")
                #expect(folder.visibleNames == [bytes(composed)], "\(label): \(folder.visibleTexts)")
                let url = try #require(try server.listing().first?.url)
                for target in targets + [url] {
                    #expect(try isSame(server.get(target).body, bytes("mac")), "\(target) \(label)")
                }
                let deletion = try server.ask("POST", "/delete" + deleted, [("Accept", browserAccept)], body: [])
                #expect(deletion.status == 303 && folder.visibleNames.isEmpty, "\(deleted) \(label)")
            }
        }
        // A name that is on disk in the other form, not put there by us.
        for name in [decomposed, composed] {
            try folder.write(name, "foreign")
            let url = try #require(try server.listing().first?.url)
            for target in targets + [url] {
                try everyDelivery(server, HTTPRequest.bytes("GET", target)) { reply, _, label in
                    #expect(isSame(reply.body, bytes("foreign")), "\(target) \(label)")
                }
            }
            try everyDelivery(server, HTTPRequest.bytes("DELETE", targets[0]), to: "DELETE") { reply, _, label in
                #expect(reply.status == 204 && folder.visibleNames.isEmpty, "\(label): \(reply.status)")
                try folder.write(name, "foreign")
            }
            folder.remove(name)
        }
    }

    @Test("A12 a name in neither form is stored composed, and reached by its url where it was there before")
    func singleton() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--durability", "none"])
        for (sent, stored) in [
            ("\u{212B}.txt", "\u{C5}.txt"), ("\u{2126}.txt", "\u{3A9}.txt"), ("a\u{302}\u{323}.txt", "\u{1EAD}.txt"),
        ] {
            try everyDelivery(server, HTTPRequest.post(.one(sent, "x"))) { reply, _, label in
                #expect(reply.status == 201 && folder.visibleNames == [bytes(stored)], "\(label): \(folder.visibleTexts)")
                folder.remove(stored)
            }
            try folder.write(sent, "foreign")
            let url = try #require(try server.listing().first?.url)
            try everyDelivery(server, HTTPRequest.bytes("GET", url)) { reply, _, label in
                #expect(isSame(reply.body, bytes("foreign")), "\(url) \(label)")
            }
            #expect(try server.ask("DELETE", url).status == 204)
            #expect(folder.visibleNames.isEmpty)
        }
    }

    @Test("A13 names of 255 bytes work and longer ones are refused")
    func a13() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--durability", "none"])
        let fits = String(repeating: "A", count: 251) + ".txt"
        let hangul = String(repeating: "가", count: 83) + "ab.txt"
        for name in [fits, hangul, String(repeating: "😀", count: 63) + "abc"] {
            #expect(name.utf8.count == 255)
            let put = HTTPRequest.bytes("PUT", "/" + self.encoded(name), body: bytes("x"))
            for request in [put, HTTPRequest.post(.one(name, "x"))] {
                try everyDelivery(server, request, to: "PUT") { reply, _, label in
                    #expect(reply.status == 201, "\(label): \(reply.text)")
                    #expect(isSame(folder.read(name), bytes("x")), "\(label)")
                    let got = try server.get("/" + self.encoded(name))
                    #expect(isSame(got.body, bytes("x")), "\(label)")
                    folder.remove(name)
                }
            }
        }
        for (count, letter) in [(252, "A"), (300, "A"), (84, "가"), (1000, "A")] {
            let name = String(repeating: letter, count: count) + "ab.txt"
            try everyDelivery(server, HTTPRequest.post(.one(name, "x"))) { reply, _, label in
                #expect(reply.status == 400, "\(count) \(label): \(reply.status)")
            }
            let target = "/" + self.encoded(name)
            try everyDelivery(server, "PUT", target, body: bytes("x"), gives: 400)
            try everyDelivery(server, "GET", target, gives: 400)
        }
        #expect(folder.visibleNames.isEmpty)
        // The number of a duplicate takes its room from the stem.
        try folder.write(fits, "first")
        #expect(try server.post(.one(fits, "again")).stored.first?.name == String(repeating: "A", count: 247) + " (1).txt")
        #expect(isSame(folder.read(fits), bytes("first")))
        #expect(try server.isServing())
    }

    @Test("A35 A36 A37 no spelling of a path leaves the folder or reaches hidden names")
    func traversal() throws {
        let outer = try TemporaryFolder()
        try HostilePaths.fill(outer)
        let server = try ServerProcess(outer.path(of: "DROP"))
        #expect(try server.isServing())
        let before = outer.allFiles
        for (method, target, status) in HostilePaths.requests {
            let request = HTTPRequest.bytes(
                method, target, HostilePaths.fields, body: ["PUT", "POST"].contains(method) ? [] : nil)
            try everyDelivery(server, request, to: method) { reply, _, label in
                #expect(reply.status == status, "\(method) \(target) \(label): \(reply.status)")
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
        for target in ["/%", "/%4", "/%zz", "/a%", "/%u0041", "/a%2"] { try everyDelivery(server, "GET", target, gives: 400) }
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
        for (target, name) in [
            ("/%2541.txt", "%41.txt"), ("/%41.txt", "A.txt"), ("/a+b.txt", "a+b.txt"), ("/a%2Bb.txt", "a+b.txt"),
        ] {
            try everyDelivery(server, HTTPRequest.bytes("GET", target)) { reply, _, label in
                #expect(isSame(reply.body, bytes("content of " + name)), "\(target) \(label)")
            }
        }
        try everyDelivery(server, "GET", "/a%20b.txt", gives: 404)
        let listing = try server.listing()
        #expect(listing.count == names.count)
        for entry in listing {
            try everyDelivery(server, HTTPRequest.bytes("GET", entry.url)) { reply, _, label in
                #expect(isSame(reply.body, bytes("content of " + entry.name)), "\(entry.url) \(label)")
            }
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
        try everyDelivery(server, "PUT", "/new%FF.txt", body: bytes("x"), gives: 400)
        #expect(try server.ask("DELETE", entry.url).status == 204)
        #expect(folder.visibleNames.isEmpty)
    }

    @Test("A37 links out of the folder are not followed and not written through")
    func a37() throws {
        let outer = try TemporaryFolder()
        try HostilePaths.fill(outer)
        let server = try ServerProcess(outer.path(of: "DROP"), ["--on-duplicate-files", "overwrite"])
        for target in HostilePaths.linksOut { try everyDelivery(server, "GET", target, gives: 404) }
        #expect(try isSame(server.get("/inside.txt").body, bytes("own")))
        // To replace a link is to replace the link.
        for (name, target) in [("l.txt", outer.path(of: "target.txt")), ("up.txt", "../target.txt")] {
            for (request, status) in [
                (HTTPRequest.post(.one(name, "uploaded")), 201),
                (HTTPRequest.bytes("PUT", "/" + name, body: bytes("uploaded")), 204),
            ] {
                try everyDelivery(server, request, to: "PUT") { reply, _, label in
                    #expect(reply.status == status, "\(name) \(label): \(reply.status)")
                    #expect(!outer.isLink("DROP/" + name) && isSame(outer.read("DROP/" + name), bytes("uploaded")), "\(label)")
                    outer.remove("DROP/" + name)
                    try outer.makeLink("DROP/" + name, to: target)
                }
            }
        }
        try everyDelivery(server, "PUT", "/dir/new.txt", body: bytes("x"), gives: 409)
        try everyDelivery(server, "DELETE", "/dir/x", gives: 404)
        #expect(isSame(outer.read("target.txt"), bytes("SECRET")))
        #expect(FileBytes.names(in: outer.path(of: "elsewhere")) == [bytes("x")])
    }

    @Test("A40 a name is inert on the page")
    func a40() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        for name in ["<img src=x onerror=alert(1)>.txt", "'><script>alert(1)<'.txt", "a&lt;b.txt", "onmouseover=x y.txt"] {
            let put = HTTPRequest.bytes("PUT", "/" + self.encoded(name), body: bytes("x"))
            for request in [put, HTTPRequest.post(.one(name, "x"))] {
                folder.remove(name)
                try everyDelivery(server, request, to: "PUT") { reply, _, label in
                    #expect(reply.status == 201, "\(name) \(label): \(reply.status)")
                    #expect(isSame(folder.read(name), bytes("x")), "\(name) \(label)")
                    folder.remove(name)
                }
            }
            try folder.write(name, "x")
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
            try everyDelivery(server, HTTPRequest.bytes("GET", target, [("Accept", browserAccept)])) { reply, _, label in
                #expect(reply.status == 404, "\(label)")
                #expect(!contains(reply.body, "<script>alert") && !contains(reply.body, "<img src"), "\(label)")
            }
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

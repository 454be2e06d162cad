import TestSupport
import Testing

@Suite("names in forms")
struct FormNameTests {
    @Test(
        "A09 A10 A11 A16 names are taken as bytes",
        arguments: [
            ("X©onst 중문 Å.ts", "X©onst 중문 Å.ts"), ("Привет мир.txt", "Привет мир.txt"), ("😀.txt", "😀.txt"),
            ("say %22hi%22.txt", "say \"hi\".txt"), ("%41.txt", "%41.txt"), ("50%.txt", "50%.txt"), ("a%2Fb.txt", "a%2Fb.txt"),
            ("report=v2;final.pdf", "report=v2;final.pdf"), ("a;filename=b.txt", "a;filename=b.txt"),
            ("; name=x.txt", "; name=x.txt"),
            ("a,b 'c'.txt", "a,b 'c'.txt"), ("x+y&z.txt", "x+y&z.txt"),
            ("\u{308}uber.txt", "\u{308}uber.txt"), ("<\u{338} &\u{301}.txt", "\u{226E} &\u{301}.txt"),
            ("%22\u{301}.txt", "\"\u{301}.txt"),
        ])
    func names(sent: String, stored: String) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite", "--durability", "none"])
        try everyDelivery(server, HTTPRequest.post(.one(sent, "content of it"))) { reply, _, label in
            #expect(reply.status == 201, "\(label): \(reply.text)")
            #expect(folder.visibleNames == [bytes(stored)], "\(label): \(folder.visibleTexts)")
        }
        let listed = try server.listing()
        #expect(listed.map { bytes($0.name) } == [bytes(stored)])
        let page = try server.get("/", [("Accept", browserAccept)])
        #expect(page.status == 200)
        #expect(!contains(page.body, "<\u{338}"))
        try everyDelivery(server, HTTPRequest.bytes("GET", #require(listed.first?.url))) { reply, _, label in
            #expect(isSame(reply.body, bytes("content of it")), "\(label)")
            #expect(reply.head.allSatisfy { $0 < 0x7F }, "\(label)")
        }
    }

    @Test("A10 no escape makes a line break in a name, and no control byte comes into one")
    func a10() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--durability", "none"])
        for (name, status) in [
            ("100%0Apples %41.txt", 201), ("a%0D%0Ab.txt", 201), ("%0D.txt", 201), ("tab\tin.txt", 400), ("esc\u{1B}.txt", 400),
            ("del\u{7F}.txt", 400), ("c1\u{85}.txt", 400),
        ] {
            try everyDelivery(server, HTTPRequest.post(.one(name, "x"))) { reply, _, label in
                #expect(reply.status == status, "\(name.debugDescription) \(label): \(reply.status)")
                #expect(folder.visibleNames == (status == 201 ? [bytes(name)] : []), "\(label): \(folder.visibleTexts)")
                for name in folder.visibleTexts { folder.remove(name) }
            }
        }
        #expect(try server.isServing())
    }

    @Test("A14 no name leads out of the folder", arguments: ["/", "/sub/"])
    func a14(target: String) throws {
        let outer = try TemporaryFolder()
        try outer.makeFolder("drop")
        try outer.makeFolder("drop/sub")
        let server = try ServerProcess(outer.path(of: "drop"), ["--durability", "none"])
        let last = [
            "../../a14.txt", "....//a14.txt", "..\\..\\a14.txt", "../a14.txt", "/tmp/a14.txt", "sub/a14.txt", "sub\\a14.txt",
            "C:\\x\\a14.txt", "./a14.txt", "../.uvdrop/a14.txt",
        ]
        let none = ["..", ".", "/", "a/..", "a\\..", "\\", ".uvdrop", "../.hidden"]
        let path = "drop" + target + "a14.txt"
        for (name, status) in last.map({ ($0, 201) }) + none.map({ ($0, 400) }) {
            try everyDelivery(server, HTTPRequest.post(.one(name, "x"), to: target)) { reply, _, label in
                #expect(reply.status == status, "\(name) \(label): \(reply.status) \(reply.text)")
                #expect(outer.allFiles == (status == 201 ? [path: 1] : [:]), "\(name) \(label): \(outer.allFiles)")
                outer.remove(path)
            }
        }
        #expect(FileBytes.names(in: outer.path) == [bytes("drop")])
        #expect(try server.isServing())
    }

    @Test(
        "A15 equal names in one form and in two lose nothing",
        arguments: [
            ("image.jpg", "image (1).jpg", "image (2).jpg"), ("a.tar.gz", "a (1).tar.gz", "a (2).tar.gz"),
            ("noext", "noext (1)", "noext (2)"), ("end.", "end. (1)", "end. (2)"), ("맥.txt", "맥 (1).txt", "맥 (2).txt"),
        ])
    func a15(first: String, second: String, third: String) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--durability", "none"])
        var form = Form()
        for content in ["one", "two"] { form.file(bytes(first), bytes(content)) }
        try everyDelivery(server, HTTPRequest.post(form)) { reply, _, label in
            let stored = try reply.stored + server.post(.one(first, "three")).stored
            #expect(stored.map { bytes($0.name) } == [bytes(first), bytes(second), bytes(third)], "\(label)")
            for (name, content) in [(first, "one"), (second, "two"), (third, "three")] {
                #expect(isSame(folder.read(name), bytes(content)), "\(name) \(label)")
                folder.remove(name)
            }
            #expect(folder.visibleNames.isEmpty, "\(label)")
        }
    }

    @Test("A15 the policy error refuses a taken name and overwrite replaces it")
    func policies() throws {
        let folder = try TemporaryFolder()
        try folder.write("image.jpg", "old")
        let strict = try ServerProcess(folder.path, ["--on-duplicate-files", "error"])
        var form = Form()
        for name in ["first", "twice", "twice", "last"] { form.file(bytes(name), bytes("new")) }
        for form in [.one("image.jpg", "new"), form] {
            try everyDelivery(strict, HTTPRequest.post(form)) { reply, _, label in
                #expect(reply.status == 409, "\(label): \(reply.status)")
                #expect(reply.text.contains("image.jpg: ") || reply.text.contains("twice: "), "\(reply.text)")
                #expect(folder.visibleTexts == ["image.jpg"], "a form is stored whole or not at all, \(label)")
            }
        }
        #expect(isSame(folder.read("image.jpg"), bytes("old")))
        try strict.stop()
        let loose = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite"])
        try everyDelivery(loose, HTTPRequest.post(.one("image.jpg", "new"))) { reply, _, label in
            #expect(reply.status == 201, "\(label): \(reply.status)")
            #expect(isSame(folder.read("image.jpg"), bytes("new")), "\(label)")
            try folder.write("image.jpg", "old")
        }
        // Both are there, as the answer says.
        try folder.write("twice", "old")
        var numbered = Form()
        for text in ["1", "2", "3"] { numbered.file(bytes("twice"), bytes(text)) }
        let reply = try loose.post(numbered)
        #expect(reply.status == 201)
        for name in ["twice", "twice (1)", "twice (2)"] { #expect(reply.text.contains("\"\(name)\""), "\(reply.text)") }
        #expect(folder.text("twice") == "1" && folder.text("twice (1)") == "2" && folder.text("twice (2)") == "3")
        #expect(try loose.post(numbered).status == 201)
        #expect(folder.text("twice") == "1" && folder.text("twice (3)") == "2" && folder.text("twice (4)") == "3")
    }
}

import Foundation
import TestSupport
import Testing

@Suite("pages of a list")
struct ListPageTests {
    /// Makes empty files quickly.
    private static func fill(_ folder: TemporaryFolder, _ count: Int) throws {
        for number in 0..<count { try folder.write("file \(number) & more.txt", "") }
    }

    @Test("ten thousand files are gone through in pages, each once, although others come and go meanwhile")
    func walking() throws {
        let folder = try TemporaryFolder()
        try Self.fill(folder, 10_000)
        for number in 0..<300 { try folder.makeFolder("folder \(number)") }
        let server = try ServerProcess(folder.path)
        let stable = try server.listing()
        #expect(stable.count == 10_300)
        var seen: [FileRecord] = []
        var next: String? = "/?json&limit=200"
        var pages = 0
        while let target = next {
            let page = try server.get(target).listing
            #expect(page.files.count <= 200 && !page.files.isEmpty)
            seen += page.files
            next = page.next
            pages += 1
            // Before and behind where we are, what was seen last among it.
            try folder.write("file 0 new \(pages)", "")
            try folder.write("file 9999 new \(pages)", "")
            try folder.makeFolder("folder 0 new \(pages)")
            if pages > 1 { folder.remove("file 0 new \(pages - 1)") }
        }
        let isNew = { (record: FileRecord) in record.name.contains(" new ") }
        #expect(seen.filter { !isNew($0) }.map(\.url) == stable.map(\.url))
        #expect(Set(seen.map(\.url)).count == seen.count)
        #expect(pages >= 51)
    }

    @Test("a page goes on after a name that is gone")
    func gone() throws {
        let folder = try TemporaryFolder()
        try Self.fill(folder, 5)
        try folder.makeFolder("sub")
        let server = try ServerProcess(folder.path)
        let first = try server.get("/?limit=3", [("Accept", "application/json")]).listing
        #expect(first.files.map(\.name) == ["sub", "file 0 & more.txt", "file 1 & more.txt"])
        let next = try #require(first.next)
        #expect(!next.contains("json"))
        folder.remove("file 1 & more.txt")
        let second = try server.get(next, [("Accept", "application/json")]).listing
        #expect(second.files.map(\.name) == ["file 2 & more.txt", "file 3 & more.txt", "file 4 & more.txt"])
        #expect(second.next == nil)
    }

    @Test("names of any bytes can be what a page ends with")
    func anyBytes() throws {
        let folder = try TemporaryFolder()
        let names = ["a&limit=1", "a+b", "a b", "a%41", "a\"<>", "ü", "?#", "\\", "\u{1}"]
        for name in names { try folder.write(name, "") }
        try folder.makeFolder("x")
        let odd = try Command.run(["sh", "-c", ": > \"$(printf '\\377\\376')\""], in: folder.path)
        #expect(odd.status == 0, "\(odd.errorText)")
        let server = try ServerProcess(folder.path)
        let all = try server.listing().map(\.url)
        #expect(all.count == names.count + 2)
        var seen: [String] = []
        var next: String? = "/?json&limit=1"
        while let target = next, seen.count < 20 {
            let page = try server.get(target).listing
            seen += page.files.map(\.url)
            next = page.next
        }
        #expect(seen == all)
    }

    @Test("the page links the next one and the beginning")
    func html() throws {
        let folder = try TemporaryFolder()
        try Self.fill(folder, 450)
        let server = try ServerProcess(folder.path)
        var target = "/?limit=200"
        var files: [String] = []
        for (count, hasNext) in [(200, true), (200, true), (50, false)] {
            let page = try server.get(target, [("Accept", browserAccept)])
            #expect(page.status == 200)
            let links = page.attributes("href")
            let shown = links.filter { $0.hasPrefix("/file") }
            #expect(shown.count == count)
            files += shown
            #expect(page.attributes("rel").contains("next") == hasNext)
            #expect(links.contains("/?limit=200") == (target != "/?limit=200"))
            target = links.first { $0.hasPrefix("/?limit=200&after=") } ?? ""
        }
        #expect(Set(files).count == 450)
        let past = try server.get("/?limit=200&after=zzz", [("Accept", browserAccept)])
        #expect(contains(past.body, "nothing more") && !contains(past.body, "Nothing here yet"))
        #expect(!contains(try server.get("/", [("Accept", browserAccept)]).body, "class=\"turns\""))
    }

    @Test("a page has a thousand entries at most, whatever is asked for, and the next one has the rest")
    func longest() throws {
        let folder = try TemporaryFolder()
        for number in 0..<1205 { try folder.write("file \(1000 + number)", "") }
        let server = try ServerProcess(folder.path)
        #expect(try server.listing().count == 1205)
        let page = try server.get("/?json&limit=30000").listing
        #expect(page.files.count == 1000 && page.next == "/?json&limit=1000&after=file%201999")
        #expect(try server.get("/?json&limit=99999999999999999999").listing.files.count == 1000)
        #expect(try server.get(page.next ?? "").listing.files.map(\.name).last == "file 2204")
        let rest = try server.get("/?json&after=file%201003").listing
        #expect(rest.files.count == 1000 && rest.files.first?.name == "file 1004")
        #expect(rest.next == "/?json&limit=1000&after=file%202003")
    }

    @Test("a folder is listed under its path as it is on the disk, however it was spelled")
    func spellings() throws {
        let folder = try TemporaryFolder()
        let composed = "\u{C5EC}\u{B984}"
        try folder.makeFolder(composed)
        try folder.write("\(composed)/a", "")
        let server = try ServerProcess(folder.path)
        let path = "/%EC%97%AC%EB%A6%84/"
        // Both syllables, or one of them, decomposed.
        for spelling in [path, "/%E1%84%8B%E1%85%A7%E1%84%85%E1%85%B3%E1%86%B7/", "/%EC%97%AC%E1%84%85%E1%85%B3%E1%86%B7/"] {
            for query in ["?json", "?json&limit=1"] {
                let text = try server.get(spelling + query).text
                #expect(text.contains("\"path\":\"\(path)\"") && text.contains("\"url\":\"\(path)a\""), "\(spelling): \(text)")
            }
        }
    }

    @Test("a limit that is no number from 1 on is refused", arguments: ["0", "-1", "", "x", "1e3"])
    func badLimit(_ limit: String) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        for method in ["GET", "HEAD"] { #expect(try server.ask(method, "/?json&limit=\(limit)").status == 400) }
        #expect(try server.get("/?limit=\(limit)", [("Accept", browserAccept)]).status == 400)
    }
}

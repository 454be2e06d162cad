import TestSupport
import Testing

@Suite("the page")
struct PageTests {
    @Test("it has the title, the form, the files, and needs nobody else")
    func page() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("holidays")
        try folder.write("hello & bye.txt", "x")
        let server = try ServerProcess(folder.path, ["--title", "Our <drop>"])
        for target in ["/", "/holidays/"] {
            let page = try server.get(target, [("Accept", browserAccept), ("User-Agent", phone)])
            #expect(page.status == 200)
            #expect(page["content-type"]?.lowercased() == "text/html; charset=utf-8")
            for text in [
                "Our &lt;drop&gt;", "multipart/form-data", "type=\"file\"", "multiple", "name=\"viewport\"", "<!doctype html",
            ] {
                #expect(page.text.lowercased().contains(text.lowercased()), "\(target) lacks \(text)")
            }
            #expect(!contains(page.body, "Our <drop>"))
            for attribute in ["href", "src", "action"] {
                for link in page.attributes(attribute) { #expect(!link.hasPrefix("//") && !link.contains("://"), "\(link)") }
            }
            #expect(!contains(page.body, "style=\"") && !contains(page.body, "onclick"))
            #expect(page.attributes("method").allSatisfy { $0.lowercased() == "post" })
            for asset in page.attributes("href") + page.attributes("src") where asset.hasPrefix("/-/") {
                let reply = try server.get(asset)
                #expect(reply.status == 200 && !reply.body.isEmpty, "\(asset)")
                #expect(reply["x-content-type-options"] == "nosniff")
            }
        }
        let root = try server.get("/", [("Accept", browserAccept)])
        #expect(contains(root.body, "hello &amp; bye.txt") && contains(root.body, "holidays"))
        #expect(root.attributes("href").contains("/hello%20%26%20bye.txt"))
        #expect(root.attributes("action").contains("/delete/hello%20%26%20bye.txt"))
        #expect(root.attributes("rel").contains { $0.contains("icon") })
    }

    @Test("a wrong method is 405 with Allow, and OPTIONS tells the right ones")
    func methods() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "x")
        let server = try ServerProcess(folder.path)
        for (method, target) in [
            ("PATCH", "/"), ("TRACE", "/"), ("PROPFIND", "/"), ("PATCH", "/a"), ("POST", "/a"), ("PUT", "/delete/a"),
            ("LOCK", "/a"), ("BREW", "/a"),
        ] {
            try everyDelivery(server, HTTPRequest.bytes(method, target), to: method) { reply, _, label in
                #expect(reply.status == 405, "\(method) \(target) \(label): \(reply.status)")
                #expect(reply["allow"]?.contains("OPTIONS") == true, "\(method) \(target) \(label)")
            }
        }
        try everyDelivery(server, "CONNECT", "127.0.0.1:80", gives: 501)
        for (target, method) in [("/", "POST"), ("/a", "DELETE"), ("/a", "PUT"), ("*", "GET")] {
            let reply = try server.ask("OPTIONS", target)
            #expect(reply.status == 204, "\(target): \(reply.status)")
            #expect(reply["allow"]?.contains(method) == true, "\(target)")
        }
        #expect(folder.visibleTexts == ["a"])
    }

    @Test(
        "A26 methods of WebDAV are refused with their bodies, and make nothing",
        arguments: ["PROPFIND", "LOCK", "MKCOL", "PROPPATCH"])
    func a26(method: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("a.txt", "x")
        let server = try ServerProcess(folder.path)
        let body = bytes("<?xml version=\"1.0\"?><propfind xmlns=\"DAV:\"><allprop/></propfind>")
        for target in ["/", "/a.txt", "/new.txt"] {
            let request = HTTPRequest.bytes(method, target, [("Depth", "0")], body: body) + HTTPRequest.bytes("GET", "/a.txt")
            for (label, pieces) in deliveries(of: request) {
                let client = try server.connect()
                for piece in pieces { client.sendIgnoringRefusal(piece) }
                let reply = try client.readReply()
                #expect(reply.status == 405 && reply["allow"]?.contains("GET") == true, "\(target) \(label): \(reply.status)")
                // Either the connection ends, or what follows the body is answered.
                if reply.closes {
                    #expect(try client.endsCleanly(), "\(target) \(label)")
                } else {
                    #expect(try isSame(client.readReply().body, bytes("x")), "\(target) \(label)")
                }
            }
        }
        #expect(folder.allFiles == ["a.txt": 1])
    }

    @Test("errors come as a page, as a problem in JSON, or as text")
    func errors() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        let page = try server.get("/none", [("Accept", browserAccept)])
        #expect(page.status == 404 && page["content-type"]?.hasPrefix("text/html") == true)
        #expect(page["content-security-policy"] != nil)
        let json = try server.get("/none", [("Accept", "application/json")])
        #expect(json.status == 404 && json["content-type"]?.hasPrefix("application/problem+json") == true)
        #expect(json.text.contains("404"))
        let text = try server.get("/none", [("Accept", "*/*")])
        #expect(text.status == 404 && text["content-type"]?.hasPrefix("text/plain") == true)
        for reply in [page, json, text] {
            #expect(reply.body.count > 10)
            #expect(!reply.text.contains(folder.path) && !reply.text.contains("errno"))
        }
    }

    @Test("--read-only serves, shows no form, and writes nothing")
    func readOnly() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "x")
        let server = try ServerProcess(folder.path, ["--read-only"])
        let page = try server.get("/", [("Accept", browserAccept)])
        #expect(page.status == 200 && !contains(page.body, "type=\"file\"") && page.attributes("action").isEmpty)
        #expect(try isSame(server.get("/a").body, bytes("x")))
        for (method, target) in [
            ("PUT", "/b"), ("DELETE", "/a"), ("POST", "/delete/a"), ("GET", "/delete/a"), ("POST", "/"),
        ] {
            try everyDelivery(server, method, target, body: method == "PUT" || method == "POST" ? bytes("x") : nil, gives: 403)
        }
        try everyDelivery(server, HTTPRequest.post(.one("b", "x"))) { reply, _, label in
            #expect(reply.status == 403, "\(label): \(reply.status)")
        }
        #expect(folder.allFiles == ["a": 1])
        #expect(FileBytes.names(in: folder.path) == [bytes("a")])
    }
}

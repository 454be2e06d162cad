import TestSupport
import Testing
import UVServer

@testable import FileDrop

/// What a browser is told, and what it tells, over all routes of a whole server.
@Suite("In a browser") struct BrowserFieldTests {
    private static func start(_ folder: TemporaryFolder, readOnly: Bool = false) async throws -> (FileServer, UInt16) {
        let server = await FileServer(
            Configuration(
                folder: folder.path, port: 0, binds: ["127.0.0.1"], duplicates: .overwrite, readOnly: readOnly, durability: .none,
                quiet: true))
        try await server.start()
        return (server, await server.port)
    }

    private static func ask(_ port: UInt16, _ request: [UInt8], _ method: String) throws -> HTTPReply {
        let client = try RawClient(port: port)
        client.sendIgnoringRefusal(request)
        return try client.readReply(to: method)
    }

    private static func kind(_ example: RouteKind.Example) throws -> (RouteKind, AccessPolicy.Right) {
        var parser = RequestHeadParser(limits: RequestLimits())
        guard case .complete(let head, _) = try parser.parse(example.bytes().span) else { throw IncompleteHead() }
        let route = try Route(head)
        return (RouteKind(route, head), route.right)
    }

    /// What is missing for the answer to be harmless in a browser.
    /// - Parameter isFile: whether it is what a user has sent, of whatever type.
    private static func fault(_ reply: HTTPReply, isFile: Bool = false) -> String? {
        // It tells of no content, and the browser keeps the fields that came with what it has (RFC 9111 section 3.2).
        guard reply.status != 304 else { return nil }
        guard reply["x-content-type-options"] == "nosniff" else { return "no nosniff" }
        guard reply["referrer-policy"] == "same-origin" else { return "no Referrer-Policy" }
        for name in ["access-control-allow-origin", "server", "x-powered-by", "set-cookie"] where reply[name] != nil {
            return name
        }
        let type = reply["content-type"] ?? ""
        let active = [
            "text/html", "application/xhtml+xml", "image/svg+xml", "text/xml", "application/xml", "application/pdf",
            "text/javascript",
        ]
        let policy = reply["content-security-policy"] ?? ""
        if isFile, reply["content-disposition"] == nil { return "no Content-Disposition" }
        if isFile || active.contains(where: { type.hasPrefix($0) }) || reply["content-disposition"] != nil {
            guard policy.contains("default-src 'none'"), !policy.contains("script-src"), !policy.contains("unsafe-eval") else {
                return "policy \(policy)"
            }
            // A page of our own is no attachment: it has no place for a script, and stands in no frame.
            let isPage = policy == PageSecurity.contentSecurityPolicy
            guard isPage && !isFile || policy.contains("sandbox") && !policy.contains("allow-") else {
                return "no sandbox in \(policy)"
            }
            if isPage, reply.text.contains("<script") || reply.text.contains("style=") || reply.text.contains("javascript:") {
                return "script"
            }
            if !isPage, type.hasPrefix("text/html"), reply["content-disposition"]?.hasPrefix("attachment") != true {
                return "inline"
            }
        }
        return nil
    }

    @Test("every route has an example") func examples() throws {
        #expect(Set(try RouteKind.examples.map { try Self.kind($0).0 }) == Set(RouteKind.allCases))
    }

    @Test("every route's answers carry what keeps content from running", arguments: [false, true])
    func fields(readOnly: Bool) async throws {
        let folder = try TemporaryFolder()
        try RouteKind.fill(folder)
        let (server, port) = try await Self.start(folder, readOnly: readOnly)
        for example in RouteKind.examples {
            try RouteKind.fill(folder)
            let isWrite = ![.read, .anyHost].contains(try Self.kind(example).1)
            let status = readOnly && isWrite ? 403 : example.status
            for host in ["127.0.0.1:8080", "evil.example"] {
                let reply = try Self.ask(port, example.bytes(host: host), example.method)
                let isForeign = try host == "evil.example" && Self.kind(example).1 != .anyHost
                #expect(reply.status == (isForeign ? 421 : status), "\(example) \(host)")
                let isFile = try Self.kind(example).0 == .file && reply.status == 200
                #expect(Self.fault(reply, isFile: isFile) == nil, "\(example) \(host)")
                if isForeign { #expect(reply["allow"] == nil && !reply.text.contains("a.txt"), "\(example)") }
            }
        }
        await server.stop()
    }

    @Test(
        "every file is in a sandbox, whatever its name says it is, whole or in part, at the first time and remembered",
        arguments: [
            "a", "a.txt", "a.png", "a.jpg", "a.gif", "a.webp", "a.mp3", "a.mp4", "a.pdf", "a.json", "a.zip", "a.css", "a.js",
            "a.html", "a.xhtml", "a.svg", "a.xml", "a.unknown", "a.PNG",
        ])
    func files(name: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(name, "<script>alert(1)</script>")
        let (server, port) = try await Self.start(folder)
        for _ in 0..<3 {
            for (method, range) in [("GET", nil), ("HEAD", nil), ("GET", "bytes=1-3"), ("GET", "bytes=0-0,2-3")] {
                let request = HTTPRequest.bytes(method, "/\(name)", range.map { [("Range", $0)] } ?? [])
                let reply = try Self.ask(port, request, method)
                #expect(reply.status == (range == nil ? 200 : 206), "\(method) \(range ?? "")")
                #expect(Self.fault(reply, isFile: true) == nil, "\(method) \(range ?? "")")
            }
        }
        await server.stop()
    }

    @Test("so do all refusals, of every method at every kind of address, as page, problem and text")
    func refusals() async throws {
        let folder = try TemporaryFolder()
        let (server, port) = try await Self.start(folder)
        let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "PROPFIND", "TRACE", "CONNECT", "get"]
        let targets = [
            "/", "/a.txt", "/a.html", "/sub", "/sub/", "/none", "/none/x", "/delete/", "/delete/a.html", "/-/x", "/-/assets/x",
            "*", "/%zz", "x", "/?limit=0",
        ]
        for method in methods {
            for target in targets {
                for accept in ["text/html", "application/json", "*/*"] {
                    try RouteKind.fill(folder)
                    for fields in [
                        [], [("Range", "bytes=999-")], [("If-Match", "\"x\"")], [("If-None-Match", "*")], [("Expect", "x")],
                    ] {
                        let request = HTTPRequest.bytes(
                            method, target, [("Accept", accept)] + fields, body: method == "PUT" ? [120] : nil)
                        let reply = try Self.ask(port, request, method)
                        #expect(Self.fault(reply) == nil, "\(method) \(target) \(accept) \(fields): \(reply.status)")
                    }
                }
            }
        }
        for row in RawRequests.sections.flatMap({ $0.rows.suffix(3) }) {
            let reply = try Self.ask(port, row.bytes + RawRequests.follower(of: row), row.method)
            #expect(Self.fault(reply) == nil, "\(row)")
        }
        await server.stop()
    }

    @Test(
        "no route writes for a page of another site, and every one that reads still answers",
        arguments: [
            [("Origin", "http://evil.example")], [("Origin", "null")], [("Origin", "http://127.0.0.1:8081")],
            [("Origin", "https://localhost:8080")],
            [("Origin", "http://127.0.0.1:8080.evil.example")], [("Origin", "http://127.0.0.1:8080@evil.example")],
            [("Origin", "")],
            [("Origin", "http://evil.example"), ("Sec-Fetch-Site", "same-origin")], [("Origin", "file://127.0.0.1:8080")],
            [("Origin", "http://127.0.0.1:8080"), ("Origin", "http://evil.example")], [("Sec-Fetch-Site", "cross-site")],
            [("Sec-Fetch-Site", "same-site")], [("Sec-Fetch-Site", "")],
            [("Sec-Fetch-Site", "none"), ("Sec-Fetch-Site", "cross-site")],
            [("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Site", "same-site")],
            [("Origin", "http://127.0.0.1:8080"), ("Sec-Fetch-Site", "cross-site")],
            [("Sec-Fetch-Site", "cross-site"), ("Referer", "http://127.0.0.1:8080/")],
            [("Referer", "http://evil.example/http://127.0.0.1:8080/")], [("Referer", "http://127.0.0.1:8080@evil.example/")],
            [("Referer", "x")],
        ] as [[(String, String)]])
    func foreign(_ fields: [(String, String)]) async throws {
        let folder = try TemporaryFolder()
        try RouteKind.fill(folder)
        let (server, port) = try await Self.start(folder)
        let before = folder.allFiles
        for example in RouteKind.examples {
            let (kind, right) = try Self.kind(example)
            let reply = try Self.ask(port, example.bytes(fields), example.method)
            #expect(Self.fault(reply) == nil, "\(example)")
            // A link elsewhere may lead to the page that asks.
            let asks = kind == .deleteLink && fields.allSatisfy { $0.0 == "Referer" }
            let expected = [.read, .anyHost].contains(right) ? example.status : asks ? 200 : 403
            #expect(reply.status == expected, "\(example)")
            #expect(folder.allFiles == before && folder.exists("sub"), "\(example)")
        }
        await server.stop()
    }

    @Test(
        "every route does what our own page or no page asks for",
        arguments: [
            [("Origin", "http://127.0.0.1:8080"), ("Sec-Fetch-Site", "same-origin")], [("Sec-Fetch-Site", "same-origin")], [],
            [("Referer", "http://127.0.0.1:8080/sub/"), ("User-Agent", "Mozilla/5.0")],
        ] as [[(String, String)]])
    func own(_ fields: [(String, String)]) async throws {
        let folder = try TemporaryFolder()
        let (server, port) = try await Self.start(folder)
        for example in RouteKind.examples {
            try RouteKind.fill(folder)
            #expect(try Self.ask(port, example.bytes(fields), example.method).status == example.status, "\(example)")
        }
        await server.stop()
    }
}

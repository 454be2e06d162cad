import Testing
import UVServer

@testable import FileDrop

@Suite("A route") struct RouteTests {
    /// The route's name, path and right, or the status that its refusal is.
    private func outcome(_ line: String) throws -> String {
        let head = try requestHead(line + " HTTP/1.1")
        do throws(FileDropError) {
            let route = try Route(head)
            let text =
                switch route {
                case .asset(let name): "asset \(name)"
                case .read(let path): "read \(path.url)"
                case .uploadForm(let path): "form \(path.url)"
                case .put(let path): "put \(path.url)"
                case .delete(let path): "delete \(path.url)"
                case .deleteForm(let path): "deleteForm \(path.url)"
                case .deleteLink(let path): "deleteLink \(path.url)"
                case .options(let methods): "options \(methods.count)"
                case .pathOptions(let path): "pathOptions \(path.url)"
                case .otherMethod(let path): "otherMethod \(path.url)"
                }
            return "\(text) \(route.right)"
        } catch {
            return "\(error.status.code)"
        }
    }

    @Test(
        "follows from method and path, and states its right",
        arguments: [
            ("GET /", "read / read"), ("HEAD /a", "read /a read"), ("GET /sub/", "read /sub/ read"),
            ("GET /?json", "read / read"),
            ("POST /", "form / upload"), ("POST /sub", "form /sub/ upload"), ("PUT /a%20b", "put /a%20b upload"),
            ("PUT /sub/a", "put /sub/a upload"), ("DELETE /a", "delete /a delete"), ("DELETE /sub/", "delete /sub/ delete"),
            ("POST /delete/a", "deleteForm /a delete"), ("GET /delete/sub/a", "deleteLink /sub/a delete"),
            ("HEAD /delete/a", "deleteLink /a delete"), ("GET /delete/delete", "deleteLink /delete delete"),
            ("GET /-/assets/style.css", "asset style.css anyHost"), ("OPTIONS *", "options 6 read"),
            ("OPTIONS /a", "pathOptions /a read"), ("PATCH /a", "otherMethod /a read"), ("PROPFIND /", "otherMethod / read"),
            ("TRACE /sub/", "otherMethod /sub/ read"),
            ("OPTIONS /delete/a", "options 4 read"), ("OPTIONS /-/assets/x", "options 3 read"),
            ("GET /sub/delete", "read /sub/delete read"),
        ]
    )
    func table(_ line: String, _ expected: String) throws { #expect(try self.outcome(line) == expected) }

    @Test(
        "is refused where there is none",
        arguments: [
            ("PUT /", "400"), ("PUT /sub/", "400"), ("DELETE /", "400"), ("GET /delete/", "400"), ("POST /delete", "400"),
            ("GET /-/", "404"), ("GET /-/assets", "404"), ("GET /-/assets/a/b", "404"), ("PUT /-/x", "404"),
            ("PUT /-/assets/x", "405"),
            ("PUT /delete/a", "405"), ("DELETE /delete/a", "405"), ("PATCH /delete/a", "405"),
            ("GET /%2e%2e/x", "400"), ("GET /a%2Fb", "400"), ("GET //", "400"), ("GET /%", "400"),
        ]
    )
    func refused(_ line: String, _ expected: String) throws { #expect(try self.outcome(line) == expected) }

    @Test(
        "that failed leads back to the folder that it was about",
        arguments: [
            ("GET /", "/"), ("GET /a", "/"), ("GET /sub/a", "/sub/"), ("GET /sub/", "/"), ("POST /sub/", "/sub/"),
            ("POST /", "/"),
            ("POST /delete/sub/a", "/sub/"), ("GET /delete/", "/"), ("GET /%2e%2e", "/"), ("PUT /a%20b/c", "/a%20b/"),
        ])
    @EventLoop func back(_ line: String, _ expected: String) throws {
        #expect(Router.backURL(try requestHead(line + " HTTP/1.1"), after: .notFound) == expected)
        #expect(Router.backURL(try requestHead(line + " HTTP/1.1"), after: .wrongHost) == nil)
    }

    @Test(
        "of a delete link is plainly meant only by our own page or a tool of the command line, and only for all of it",
        arguments: [
            (["User-Agent: curl/8"], true), ([], false), (["User-Agent: Mozilla/5.0"], false),
            (["User-Agent: Mozilla/5.0", "Referer: http://h:1/x"], true),
            (["User-Agent: Mozilla/5.0", "Referer: http://evil/"], false),
            (["User-Agent: curl/8", "Referer: http://evil/"], false),
            (["User-Agent: Mozilla/5.0", "Sec-Fetch-Site: same-origin"], true),
            (["User-Agent: Mozilla/5.0", "Sec-Fetch-Site: cross-site", "Referer: http://h:1/"], false),
            (["User-Agent: curl/8", "Purpose: prefetch"], false),
            (["Sec-Fetch-Site: same-origin", "Sec-Purpose: prefetch;prerender"], false),
            (["User-Agent: curl/8", "Origin: http://h:1"], false),
            (["User-Agent: curl/8", "Range: bytes=0-1"], false), (["User-Agent: curl/8", "Sec-Fetch-Dest: video"], false),
            (["User-Agent: curl/8", "User-Agent: Mozilla/5.0"], false), (["User-Agent:"], false),
            (["User-Agent: Mozilla/5.0", "Referer: http://h:1/x", "Range: bytes=0-"], false),
            (["User-Agent: Mozilla/5.0", "Referer: http://h:1/x", "Referer: http://evil/"], false),
            (["User-Agent: Mozilla/5.0", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: none"], false),
            (["User-Agent: Wget/1.21.3 (linux-gnu)"], true), (["User-Agent: HTTPie/3.2.2"], true),
            (["User-Agent: python-requests/2.31.0"], true), (["User-Agent: Python-urllib/3.11"], true),
            (["User-Agent: Mozilla/5.0 (Windows NT 10.0; de-DE) WindowsPowerShell/5.1.19041.1"], true),
            (["User-Agent: Mozilla/5.0 (Linux; Debian) PowerShell/7.4.1"], true),
            (["User-Agent: AppleCoreMedia/1.0.0.19E241 (iPhone; U; CPU OS 15_4 like Mac OS X; en_us)"], false),
            (["User-Agent: stagefright/1.2 (Linux;Android 9)"], false), (["User-Agent: WhatsApp/2.23.20.0"], false),
            (["User-Agent: AndroidDownloadManager/13 (Linux; U; Android 13)"], false),
            (["User-Agent: Opera/9.80 (Android; Opera Mini)"], false), (["User-Agent: TelegramBot (like TwitterBot)"], false),
            (["User-Agent: facebookexternalhit/1.1"], false), (["User-Agent: curlew/1"], false),
            (["User-Agent: Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)"], false),
        ] as [([String], Bool)]
    )
    func meant(_ fields: [String], _ expected: Bool) throws {
        let head = try requestHead("GET /delete/a HTTP/1.1", ["Host: h:1"] + fields)
        #expect(DeleteRoute.isPlainlyMeant(head) == expected)
    }
}

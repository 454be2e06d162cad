import TestSupport
import UVServer

@testable import FileDrop

/// The routes by name. A new route does not compile here until it has one, and then needs an example.
enum RouteKind: CaseIterable {
    case asset, file, page, list, uploadForm, put, delete, deleteForm, deleteLink, options, otherMethod

    init(_ route: Route, _ head: RequestHead) {
        switch route {
        case .asset: self = .asset
        case .read(let path) where !path.isFolder: self = .file
        case .read: self = Negotiation(head) == .json ? .list : .page
        case .uploadForm: self = .uploadForm
        case .put: self = .put
        case .delete: self = .delete
        case .deleteForm: self = .deleteForm
        case .deleteLink: self = .deleteLink
        case .options, .pathOptions: self = .options
        case .otherMethod: self = .otherMethod
        }
    }

    /// A request that is granted and answered in a way that `status` says.
    struct Example: Sendable {
        let method: String
        let target: String
        var accept = "*/*"
        let status: Int
        var form: Form?
        var body: [UInt8]?

        func bytes(host: String = "127.0.0.1:8080", _ fields: [(String, String)] = []) -> [UInt8] {
            var fields = fields + [("Host", host), ("Accept", self.accept)]
            // A link that deletes is meant by tools and by our own page.
            if self.target.hasPrefix("/delete/"), !fields.contains(where: { $0.0 == "User-Agent" }) {
                fields.append(("User-Agent", "curl/8.5.0"))
            }
            if let form { fields.append(("Content-Type", form.contentType)) }
            return HTTPRequest.bytes(self.method, self.target, fields, body: self.form?.body ?? self.body)
        }
    }

    /// What ``fill(_:)`` makes is asked for, changed or deleted.
    static let examples: [Example] = [
        Example(method: "GET", target: "/-/assets/style.css", status: 200),
        Example(method: "HEAD", target: "/-/assets/favicon.svg", status: 200),
        Example(method: "GET", target: "/a.txt", status: 200), Example(method: "HEAD", target: "/a.txt", status: 200),
        Example(method: "GET", target: "/a.html", status: 200),
        Example(method: "GET", target: "/a.svg", accept: "text/html", status: 200),
        Example(method: "GET", target: "/", accept: "text/html", status: 200),
        Example(method: "HEAD", target: "/sub/", accept: "text/html", status: 200),
        Example(method: "GET", target: "/?json", accept: "application/json", status: 200),
        Example(method: "GET", target: "/sub", status: 308),
        Example(method: "POST", target: "/", status: 303, form: .one("formed.txt", "x")),
        Example(method: "POST", target: "/sub/", accept: "application/json", status: 201, form: .one("formed.txt", "x")),
        Example(method: "PUT", target: "/new.txt", status: 201, body: [120]),
        Example(method: "PUT", target: "/a.txt", status: 204, body: [120]),
        Example(method: "DELETE", target: "/a.txt", status: 204), Example(method: "DELETE", target: "/sub/", status: 204),
        Example(method: "POST", target: "/delete/a.txt", accept: "text/html", status: 303, body: []),
        Example(method: "POST", target: "/delete/a.txt", status: 204, body: []),
        Example(method: "GET", target: "/delete/a.txt", status: 303),
        Example(method: "HEAD", target: "/delete/a.txt", status: 200), Example(method: "OPTIONS", target: "*", status: 204),
        Example(method: "OPTIONS", target: "/", status: 204), Example(method: "OPTIONS", target: "/delete/a.txt", status: 204),
        Example(method: "PATCH", target: "/a.txt", status: 405),
    ]

    static func fill(_ folder: TemporaryFolder) throws {
        for name in ["a.txt", "a.html", "a.svg"] { try folder.write(name, "<script>alert(1)</script>") }
        folder.remove("sub")
        try folder.makeFolder("sub")
        for name in ["new.txt", "formed.txt"] { folder.remove(name) }
    }
}

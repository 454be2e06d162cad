import TestSupport

/// Clients that upload, replace and delete at once, driven by one thread, and the ledger of what they were told.
final class Traffic {
    private(set) var ledger: Ledger
    /// Answers that a sound server does not give, in words.
    private(set) var surprises: [String] = []

    private let overwrites: Bool
    private let folders: [String]
    private var random: SeededGenerator
    private let clients: [TrafficClient]
    /// Names that all clients use.
    private let sharedNames: [String]
    private var contents: Int
    /// When the last answer came.
    private var lastAnswer = monotonicSeconds()
    private var isExpected: [ObjectIdentifier: (HTTPReply) -> Bool] = [:]
    /// What a client does after a successful look at what it is to replace.
    private var replacing: [ObjectIdentifier: String] = [:]

    /// - Parameters:
    ///   - overwrites: whether the server replaces without being given a tag.
    ///   - folders: where to upload, each with a slash at its end: `` or `sub/`.
    ///   - ledger: with what has happened there before.
    init(port: UInt16, clients: Int = 8, seed: Int, overwrites: Bool, folders: [String], after ledger: Ledger = Ledger()) {
        self.ledger = ledger
        self.overwrites = overwrites
        self.folders = folders
        self.random = SeededGenerator(seed: UInt64(seed))
        self.clients = (0..<clients).map { _ in TrafficClient(port: port) }
        self.sharedNames = folders.flatMap { folder in (0..<2).map { "\(folder)shared-\($0)" } }
        self.contents = seed * 100_000
    }

    /// Keeps all clients busy as long as `condition` holds.
    /// - Throws: when none of them is answered any more.
    func run(while condition: (Traffic) -> Bool) throws {
        self.lastAnswer = monotonicSeconds()
        while condition(self) {
            guard monotonicSeconds() - self.lastAnswer < Double(patienceSeconds) else {
                throw TestFailure("nobody is answered any more, after \(self.ledger.acknowledged) changes")
            }
            for client in self.clients where client.isIdle { try self.beginSomething(client) }
            self.turn()
        }
    }

    /// Waits for the answers to what is under way, for those who still get one.
    func drain(within seconds: Double) {
        let deadline = monotonicSeconds() + seconds
        while self.clients.contains(where: { !$0.isIdle }), monotonicSeconds() < deadline { self.turn() }
        for client in self.clients { client.abandon() }
    }

    private func turn() {
        RawClient.wait(for: self.clients.filter { !$0.isIdle }.compactMap(\.interest), milliseconds: 2)
        for client in self.clients {
            guard let changes = client.changes else { continue }
            do {
                if let reply = try client.proceed() { self.settle(client, changes, reply) }
            } catch {
                client.abandon()
            }
        }
    }

    private func settle(_ client: TrafficClient, _ changes: Range<Int>, _ reply: HTTPReply) {
        self.lastAnswer = monotonicSeconds()
        switch reply.status {
        case 200..<400: self.ledger.acknowledge(changes)
        case 400..<500: self.ledger.refuse(changes)
        default: self.ledger.fail(changes)
        }
        let id = ObjectIdentifier(client)
        if let isExpected = self.isExpected.removeValue(forKey: id), !isExpected(reply) {
            self.surprises.append("\(reply.status) \(reply.text)")
        }
        guard let name = self.replacing.removeValue(forKey: id), reply.status == 200, let tag = reply["etag"] else { return }
        do { try self.put(client, name, self.content(), [("If-Match", tag)]) } catch { client.abandon() }
    }

    // MARK: What clients do

    private func beginSomething(_ client: TrafficClient) throws {
        switch Int.random(in: 0..<16, using: &self.random) {
        case 0..<4: try self.put(client, self.newName(client), self.content())
        case 4: try self.put(client, self.newName(client), self.largeContent())
        case 5: try self.putChunked(client, self.newName(client), self.largeContent())
        case 6..<9: try self.post(client, (0..<Int.random(in: 1...5, using: &self.random)).map { _ in self.content() })
        case 9: try self.post(client, [self.content(), self.largeContent()])
        case 10..<12: try self.replace(client, client.ownNames.randomElement(using: &self.random))
        case 12..<14: try self.replace(client, self.sharedNames.randomElement(using: &self.random))
        default: try self.delete(client)
        }
    }

    private func content() -> Content { self.content(Int.random(in: 0...20_000, using: &self.random)) }

    private func largeContent() -> Content { self.content(Int.random(in: 70_000...Content.longest, using: &self.random)) }

    private func content(_ size: Int) -> Content {
        self.contents += 1
        return Content(number: self.contents, size: size)
    }

    private func newName(_ client: TrafficClient) -> String {
        let name = (self.folders.randomElement(using: &self.random) ?? "") + "file-\(self.contents)"
        client.ownNames.append(name)
        return name
    }

    private func put(_ client: TrafficClient, _ name: String, _ content: Content, _ fields: [(String, String)] = []) throws {
        let changes = self.ledger.begin([(name, content)])
        let request = HTTPRequest.bytes("PUT", "/\(name)", fields, body: content.bytes)
        // Others replace shared names as well, and delete them.
        try self.begin(client, "PUT", request, changes, expecting: [201, 204, 412])
    }

    private func putChunked(_ client: TrafficClient, _ name: String, _ content: Content) throws {
        let changes = self.ledger.begin([(name, content)])
        let body = HTTPRequest.chunked(content.bytes, size: 100_000)
        try self.begin(
            client, "PUT", HTTPRequest.bytes("PUT", "/\(name)", [("Transfer-Encoding", "chunked")], body: body), changes,
            expecting: [201])
    }

    private func post(_ client: TrafficClient, _ contents: [Content]) throws {
        let folder = self.folders.randomElement(using: &self.random) ?? ""
        var form = Form()
        var wanted: [(name: String, content: Content?)] = []
        for content in contents {
            let name = "form-\(content.number)"
            form.file(Array(name.utf8), content.bytes)
            wanted.append((folder + name, content))
        }
        client.ownNames += wanted.map(\.name)
        let changes = self.ledger.begin(wanted)
        let isJSON = Bool.random(using: &self.random)
        try self.begin(
            client, "POST", HTTPRequest.post(form, to: "/\(folder)", json: isJSON), changes, expecting: [isJSON ? 201 : 303])
    }

    /// By an order to replace whatever is there, or by the tag of what is there.
    private func replace(_ client: TrafficClient, _ name: String?) throws {
        guard let name else { return try self.put(client, self.newName(client), self.content()) }
        if self.overwrites, Bool.random(using: &self.random) { return try self.put(client, name, self.content()) }
        self.replacing[ObjectIdentifier(client)] = name
        try self.begin(client, "HEAD", HTTPRequest.bytes("HEAD", "/\(name)"), self.ledger.begin([]), expecting: [200, 404])
    }

    private func delete(_ client: TrafficClient) throws {
        let isShared = Int.random(in: 0..<4, using: &self.random) == 0
        let own = client.ownNames.indices.randomElement(using: &self.random)
        let name = isShared ? self.sharedNames.randomElement(using: &self.random) : own.map { client.ownNames.remove(at: $0) }
        guard let name else { return try self.put(client, self.newName(client), self.content()) }
        let changes = self.ledger.begin([(name, nil)])
        if Bool.random(using: &self.random) {
            try self.begin(client, "DELETE", HTTPRequest.bytes("DELETE", "/\(name)"), changes, expecting: [204, 404])
        } else {
            let request = HTTPRequest.bytes("POST", "/delete/\(name)", body: [])
            try self.begin(client, "POST", request, changes, expecting: [204, 404])
        }
    }

    private func begin(
        _ client: TrafficClient, _ method: String, _ request: [UInt8], _ changes: Range<Int>, expecting statuses: [Int]
    ) throws {
        self.isExpected[ObjectIdentifier(client)] = { statuses.contains($0.status) }
        try client.begin(method, request, changing: changes)
    }
}

import TestSupport

/// A client with one request under way at most, which never waits.
final class TrafficClient {
    /// Names that it has stored and nobody else uses.
    var ownNames: [String] = []
    /// What its request changes, in the ledger.
    private(set) var changes: Range<Int>?

    private let port: UInt16
    private var connection: RawClient?
    private var method = ""
    private var unsent: ArraySlice<UInt8> = []

    init(port: UInt16) { self.port = port }

    var isIdle: Bool { self.changes == nil }
    /// What to wait for; `nil` without a connection.
    var interest: (client: RawClient, sends: Bool)? { self.connection.map { ($0, !self.unsent.isEmpty) } }

    func begin(_ method: String, _ request: [UInt8], changing changes: Range<Int>) throws {
        if self.connection == nil { self.connection = try RawClient(port: self.port) }
        self.method = method
        self.unsent = request[...]
        self.changes = changes
    }

    /// Sends what can be sent.
    /// - Returns: the answer, when it has come; it may come before everything is sent.
    /// - Throws: when the connection has ended. Nobody knows then what became of the request.
    func proceed() throws -> HTTPReply? {
        guard let connection = self.connection, self.changes != nil else { return nil }
        guard try connection.receivesNothing() else {
            let reply = try connection.readReply(to: self.method)
            if reply.closes || !self.unsent.isEmpty { self.connection = nil }
            self.changes = nil
            return reply
        }
        if !self.unsent.isEmpty { self.unsent = self.unsent.dropFirst(try connection.sendAvailable(self.unsent)) }
        return nil
    }

    /// The request will get no answer any more.
    func abandon() {
        self.connection = nil
        self.unsent = []
        self.changes = nil
    }
}

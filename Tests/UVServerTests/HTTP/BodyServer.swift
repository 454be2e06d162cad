import TestSupport

@testable import UVServer

/// A server whose handler reads the body, and answers with what it was given: the announced length, how it ended, and for `/` the
/// content, for every other path its size.
@EventLoop final class BodyServer {
    private var server: HTTPServer?
    private(set) var port: UInt16 = 0
    /// A request for `/wait` has come to the handler, which reads only when `mayRead` is reached.
    let waits = Milestone()
    let mayRead = Milestone()
    /// The handler has read a piece.
    let pieces = Milestone()
    /// What the handler was given, request after request: also where no client is left to be told.
    private(set) var journals: [[String]] = []
    let answered = Milestone()

    /// - Parameter bodyDeadline: from one piece of a body to the next.
    init(bodyDeadline: Duration = .seconds(600)) throws {
        var limits = RequestLimits()
        limits.bodyGrace = bodyDeadline
        limits.lingerDeadline = .milliseconds(200)
        let server = HTTPServer(
            limits: limits, handler: { [unowned self] in await self.handle($0) },
            refusal: { Response($0.status, type: "text/plain", bytes: Array($0.reason.utf8)) }, answered: { _ in }
        )
        self.server = server
        guard let address = SocketAddress(host: "127.0.0.1", port: 0) else { preconditionFailure("a literal") }
        self.port = try server.listen(at: address).port
    }

    func stop() async { await self.server?.stop(grace: .seconds(600)) }

    private func handle(_ request: Request) async -> Response {
        let path = String(decoding: request.head.target.path, as: UTF8.self)
        if path == "/early" { return Response(.conflict, type: "text/plain", bytes: Array("early".utf8)) }
        if path == "/wait" {
            self.waits.reach()
            await self.mayRead.reached()
        }
        let journal = await self.read(request.body, keeping: path == "/")
        self.journals.append(journal)
        self.answered.reach()
        return Response(.ok, type: "text/plain", bytes: Array(journal.joined(separator: "\n").utf8))
    }

    /// - Parameter keeping: whether the content is told, or only counted.
    private func read(_ body: RequestBody, keeping: Bool) async -> [String] {
        var lines = ["announced \(body.announcedLength.map(String.init) ?? "nothing")"]
        var (content, count, reads) = ([UInt8](), 0, 0)
        do throws(BodyError) {
            while let chunk = try await body.read() {
                reads += 1
                count += chunk.count
                self.pieces.reach()
                guard keeping else { continue }
                chunk.withSpan { span in for index in span.indices { content.append(span[index]) } }
            }
            // The end stays the end.
            let again = try await body.read()
            lines.append(again == nil && body.isComplete ? "end" : "no end")
        } catch {
            // As does a failure.
            do throws(BodyError) {
                _ = try await body.read()
                lines.append("an end after \(error)")
            } catch let second {
                lines.append(second == error && !body.isComplete ? "\(error)" : "\(error), then \(second)")
            }
        }
        lines.append(keeping ? String(decoding: content, as: UTF8.self) : "\(count) bytes in \(reads) reads")
        return lines
    }
}

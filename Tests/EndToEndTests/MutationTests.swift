import TestSupport
import Testing

@Suite("requests that chance has changed")
struct MutationTests {
    /// `UVDROP_TEST_SEED`, to see a run again; else another one each time.
    private static let seed =
        ServerProcess.variable("UVDROP_TEST_SEED").flatMap { UInt64($0) } ?? UInt64.random(in: 0...999_999_999)

    @Test(
        "whatever is sent, the server lives and answers, and the folder holds what was acknowledged and nothing else",
        .timeLimit(.minutes(10)))
    func folder() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("sub")
        let server = try ServerProcess(folder.path, ["--durability", "none", "--on-duplicate-files", "overwrite", "--quiet"])
        var mutator = RequestMutator(seed: Self.seed)
        var model = FolderModel()
        // They stop within a head, and are looked at again when its deadline has passed.
        let stalled = try (0..<10).map { _ in
            let client = try server.connect()
            try client.send(mutator.unfinishedHead())
            return client
        }
        let end = monotonicSeconds() + (isThorough ? 120 : 10)
        var number = 0
        while monotonicSeconds() < end {
            number += 1
            let stream = mutator.stream()
            let fault = try self.exchange(stream, mutator.pieces(stream), server, &model) ?? model.difference(to: folder)
            guard fault == nil, server.isRunning else {
                let sent = String(decoding: stream, as: UTF8.self).debugDescription
                Issue.record(
                    "UVDROP_TEST_SEED=\(Self.seed), connection \(number): \(fault ?? "the server has ended") after \(sent)")
                return
            }
            guard model.paths.count > 30 else { continue }
            for path in model.paths {
                folder.remove(path)
                model.forget(path)
            }
        }
        for client in stalled {
            let replies = try HTTPReply.all(in: client.readToEnd(), to: ["HEAD"])
            #expect(replies.map(\.status) == [408], "seed \(Self.seed)")
        }
        #expect(number > 100, "only \(number) connections")
        self.expectEnough(model, connections: number)
        #expect(try server.isServing())
        #expect(
            eventually { !server.openFiles.contains { $0.hasPrefix(folder.path) && $0.hasSuffix("(deleted)") } },
            "seed \(Self.seed)")
    }

    /// Most requests are as they should be, so a server that refuses any kind of them is found out.
    private func expectEnough(_ model: FolderModel, connections: Int) {
        let usual = [
            "PUT 201", "PUT 204", "POST 201", "POST 303", "DELETE 204", "POST 204", "GET 303", "GET 200", "GET 206", "HEAD 200",
        ].map { ($0, model.answers[$0] ?? 0) }
        for (answer, count) in usual { #expect(count >= connections / 200, "seed \(Self.seed), \(answer): \(usual)") }
        // A third or less of what there are by chance.
        #expect(usual.prefix(4).map(\.1).reduce(0, +) >= connections / 10, "seed \(Self.seed): \(usual)")
        #expect(model.deletions >= connections / 50, "seed \(Self.seed): \(model.deletions) of \(connections)")
        #expect(model.reads >= connections / 25, "seed \(Self.seed): \(model.reads) of \(connections)")
    }

    /// Sends `stream` on a connection of its own, reads all that is answered, and takes it into account.
    /// - Returns: what is wrong; `nil` when nothing is.
    private func exchange(
        _ stream: [UInt8], _ pieces: [ArraySlice<UInt8>], _ server: ServerProcess,
        _ model: inout FolderModel
    ) throws -> String? {
        var rest = stream[...]
        var sent: [SentRequest] = []
        while let request = SentRequest(from: &rest) { sent.append(request) }
        let client = try server.connect()
        for piece in pieces { client.sendIgnoringRefusal(piece) }
        client.halfClose()
        let unread = String(decoding: rest.drop { $0 == 13 || $0 == 10 }.prefix(5), as: UTF8.self)
        let methods = sent.map(\.method) + (unread == "HEAD " ? ["HEAD"] : [])
        let replies: [HTTPReply]
        do { replies = try HTTPReply.all(in: client.readToEnd(), to: methods) } catch { return "\(error)" }
        for (index, reply) in replies.enumerated() {
            let request = index < sent.count ? sent[index] : nil
            if reply.closes, index < replies.count - 1 { return "an answer after the last one" }
            if let fault = try model.take(request, reply) { return fault }
        }
        let isClosed = replies.last?.closes ?? false
        return isClosed || replies.count >= sent.count(where: { $0.body != nil })
            ? nil : "\(replies.count) answers to \(sent.count) requests"
    }
}

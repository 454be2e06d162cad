import UVServer

/// Holds a connection: one that asks for nothing, or, as a stalled reader, one that asks and never reads.
@EventLoop struct IdleClient {
    let session: Session

    func run() async {
        let spec = self.session.spec
        while !self.session.run.isOver {
            do throws(LoadFailure) {
                let connection = try await self.session.connect()
                if spec.kind == .slowRead {
                    try await connection.send(self.session.head("GET", self.path))
                    await connection.untilClosed(alsoForInput: false)
                } else {
                    if !spec.path.isEmpty {
                        let begin = ContinuousClock.now
                        try await connection.send(self.session.head("GET", self.path))
                        try await self.session.receive(on: connection, to: "GET", accept: 200..<300)
                        self.session.load.tally.succeed(after: .now - begin)
                    }
                    await connection.untilClosed(alsoForInput: true)
                }
                // At the end all are closed here; the server may have been first.
                guard connection.stoodWhenClosed else { throw .closed }
                self.session.load.tally.open += 1
            } catch {
                // That the server has left a stalled reader is seen only when it is closed here, at the end.
                if self.session.run.isOver, error == .closed, spec.kind == .slowRead { self.session.load.tally.fail(error) }
                await self.session.didFail(error)
            }
        }
    }

    private var path: String { self.session.spec.path(of: self.session.number) }
}

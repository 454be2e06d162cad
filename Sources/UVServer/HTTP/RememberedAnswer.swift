/// What was answered to one head, and how long that may be answered again.
@EventLoop final class RememberedAnswer {
    let key: ByteKey
    let request: RequestHead
    let answer: PreparedAnswer
    private let freshness: Freshness
    private let mark: FreshnessMark
    /// When it is forgotten whatever happens.
    let expires: Duration

    init(_ key: ByteKey, _ request: RequestHead, _ answer: PreparedAnswer, _ freshness: Freshness, expires: Duration) {
        self.key = key
        self.request = request
        self.answer = answer
        self.freshness = freshness
        self.mark = freshness.mark
        self.expires = expires
    }

    /// The turn of the loop in which it was current last.
    private var confirmedTurn: UInt64 = .max

    /// Whether nothing has changed, as far as changes have been told.
    var isCurrent: Bool { self.mark.isCurrent }

    /// Whether nothing had changed when the loop looked for events.
    func confirm() -> Bool {
        let turn = EventLoop.turn
        guard turn != self.confirmedTurn else { return self.mark.isCurrent }
        self.confirmedTurn = turn
        return self.freshness.confirm()
    }

    /// What it costs in memory, in bytes: its head and what is sent from memory.
    var bytes: Int {
        self.answer.rest.reduce(self.key.bytes.count + self.answer.bytes.count) { sum, piece in
            if case .bytes(let bytes) = piece { sum + bytes.count } else { sum }
        }
    }
}

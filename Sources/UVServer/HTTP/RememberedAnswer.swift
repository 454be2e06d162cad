/// What was answered to one head, and how long that may be answered again.
@EventLoop final class RememberedAnswer {
    let key: ByteKey
    let request: RequestHead
    let answer: PreparedAnswer
    let freshness: Freshness
    /// When it is forgotten whatever happens.
    let expires: Duration

    init(_ key: ByteKey, _ request: RequestHead, _ answer: PreparedAnswer, _ freshness: Freshness, expires: Duration) {
        self.key = key
        self.request = request
        self.answer = answer
        self.freshness = freshness
        self.expires = expires
    }

    /// What it costs in memory, in bytes: its head and what is sent from memory.
    var bytes: Int { self.key.bytes.count + self.answer.bytes.count }
}

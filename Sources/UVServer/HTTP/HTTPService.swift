/// What all connections of one server share.
@EventLoop final class HTTPService {
    let handler: Request.Handler
    let limits: RequestLimits
    /// Makes the answer to what never became a request.
    let refusal: @Sendable (HTTPError) -> Response
    /// Told of every answer.
    let answered: (@EventLoop (RequestRecord) -> Void)?
    let answers: AnswerCache
    let admission: Admission
    /// Told of a connection that has had its last answer; `nil` where nobody wants to know.
    var leaving: (@EventLoop (ObjectIdentifier, SocketAddress.IPAddress) -> Void)?
    /// No connection takes another request.
    var isStopping = false
    /// What the `Date` field says now, and that in seconds since 1970. Right after ``readClock()``.
    private(set) var date = ""
    private(set) var second: Int64 = -1

    init(
        handler: @escaping Request.Handler, limits: RequestLimits, refusal: @escaping @Sendable (HTTPError) -> Response,
        answered: (@EventLoop (RequestRecord) -> Void)?
    ) {
        self.answers = AnswerCache(fileLimit: limits.rememberedFiles)
        self.handler = handler
        self.limits = limits
        self.admission = Admission(limits: limits)
        self.refusal = refusal
        self.answered = answered
    }

    /// Makes the date, once a second.
    func readClock() {
        let second = LoopClock.wallSeconds
        if second != self.second { (self.second, self.date) = (second, HTTPDate.format(second)) }
    }
}

/// What all connections of one server share.
@EventLoop final class HTTPService {
    let handler: Request.Handler
    let limits: RequestLimits
    /// Makes the answer to what never became a request.
    let refusal: @Sendable (HTTPError) -> Response
    /// Told of every answer.
    let answered: @EventLoop (RequestRecord) -> Void
    let admission: Admission
    /// No connection takes another request.
    var isStopping = false
    private var dateSecond: Int64 = -1
    private var dateText = ""

    init(
        handler: @escaping Request.Handler, limits: RequestLimits, refusal: @escaping @Sendable (HTTPError) -> Response,
        answered: @escaping @EventLoop (RequestRecord) -> Void
    ) {
        self.handler = handler
        self.limits = limits
        self.admission = Admission(limits: limits)
        self.refusal = refusal
        self.answered = answered
    }

    /// The `Date` field's value, made once a second.
    func date() -> String {
        let second = LoopClock.wallSeconds
        if second != self.dateSecond { (self.dateSecond, self.dateText) = (second, HTTPDate.format(second)) }
        return self.dateText
    }
}

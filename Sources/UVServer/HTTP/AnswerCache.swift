/// Answers that follow from the head of a request and from watched files alone, found by the very bytes of that head.
///
/// The one path that decides rights, conditions and ranges has made each of them; a request whose head is equal to the last bit gets
/// what it would get, without the way there. An answer is forgotten with the first change of what it was made of, and after a second
/// whatever happens, since a few changes are never told (see `PathWatcher`). Times are those of one clock that never runs backwards.
@EventLoop final class AnswerCache {
    /// Longer heads are not remembered.
    private static let headBytes = 4 << 10
    /// So many bytes of heads and small bodies are remembered.
    static let capacityBytes = 16 << 20
    private static let lifetime = Duration.seconds(1)

    /// Where a head belongs by its hash. Of two that belong in the same place the later one has it.
    @EventLoop private final class Place {
        /// Of the head that was asked for last; 0 for none.
        var hash: UInt64 = 0
        var remembered: RememberedAnswer?
    }

    /// What the bytes of a head have led to.
    enum Finding {
        case answer(RememberedAnswer)
        /// It has been asked for before: what it is answered with is worth remembering under this key.
        case repeated(ByteKey)
        case new
    }

    /// As many as a power of two.
    private let places = (0..<4096).map { _ in Place() }
    private var bytes = 0
    /// How many answers keep a file open, and how many may.
    private var files = 0
    private let fileLimit: Int

    init(fileLimit: Int) { self.fileLimit = fileLimit }

    /// - Parameter head: what was received at once; only a whole head and nothing else can be found.
    func find(_ head: Span<UInt8>, at now: Duration) -> Finding {
        guard head.count <= Self.headBytes else { return .new }
        let hash = ByteKey.hash(head)
        let place = self.place(hash)
        guard place.hash == hash else {
            self.forget(place)
            place.hash = hash
            return .new
        }
        if let found = place.remembered, found.key.equals(head) {
            if now < found.expires, found.confirm() { return .answer(found) }
            self.forget(place)
            return .repeated(found.key)
        }
        return .repeated(ByteKey(copying: head, hash: hash))
    }

    /// - Parameter key: the head of a request without a body, whose answer leaves the connection open. Only GET and HEAD are remembered.
    func remember(_ key: ByteKey, _ request: RequestHead, _ answer: PreparedAnswer, while freshness: Freshness, at now: Duration)
    {
        guard request.method == .get || request.method == .head else { return }
        let place = self.place(key.hash)
        self.forget(place)
        let remembered = RememberedAnswer(key, request, answer, freshness, expires: now + Self.lifetime)
        guard freshness.isCurrent, self.bytes + remembered.bytes <= Self.capacityBytes else { return }
        guard answer.file == nil || self.files < self.fileLimit else { return }
        place.hash = key.hash
        place.remembered = remembered
        self.bytes += remembered.bytes
        if answer.file != nil { self.files += 1 }
    }

    /// Lets go of what will not be answered any more, and of the files that it keeps open.
    func sweep(at now: Duration) {
        for place in self.places {
            guard let remembered = place.remembered else { continue }
            if now >= remembered.expires || !remembered.isCurrent { self.forget(place) }
        }
    }

    func forgetAll() { for place in self.places { self.forget(place) } }

    private func forget(_ place: Place) {
        guard let forgotten = place.remembered else { return }
        place.remembered = nil
        self.bytes -= forgotten.bytes
        if forgotten.answer.file != nil { self.files -= 1 }
    }

    private func place(_ hash: UInt64) -> Place { self.places[Int(truncatingIfNeeded: hash) & (self.places.count - 1)] }
}

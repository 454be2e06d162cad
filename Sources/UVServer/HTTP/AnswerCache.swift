/// Answers that follow from the head of a request and from watched files alone, found by the very bytes of that head.
///
/// The one path that decides rights, conditions and ranges has made each of them; a request whose head is equal to the last bit gets
/// what it would get, without the way there. An answer is forgotten with the first change of what it was made of, and after a second
/// whatever happens, since a few changes are never told (see `PathWatcher`). Times are those of one clock that never runs backwards.
@EventLoop final class AnswerCache {
    /// Longer heads are not remembered.
    private static let headBytes = 4 << 10
    /// So many bytes of heads and small bodies are remembered.
    private static let capacityBytes = 16 << 20
    private static let lifetime = Duration.seconds(1)

    /// Where a head belongs by its hash. Of two that belong in the same place the later one has it.
    private struct Place {
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
    private var places = [Place](repeating: Place(), count: 4096)
    private var bytes = 0
    /// How many answers keep a file open, and how many may.
    private var files = 0
    private let fileLimit: Int

    init(fileLimit: Int) { self.fileLimit = fileLimit }

    /// - Parameter head: what was received at once; only a whole head and nothing else can be found.
    func find(_ head: Span<UInt8>, at now: Duration) -> Finding {
        guard head.count <= Self.headBytes else { return .new }
        let hash = ByteKey.hash(head)
        let index = self.index(hash)
        guard self.places[index].hash == hash else {
            self.forget(index)
            self.places[index].hash = hash
            return .new
        }
        if let found = self.places[index].remembered, found.key.equals(head) {
            if now < found.expires, found.freshness.confirm() { return .answer(found) }
            self.forget(index)
            return .repeated(found.key)
        }
        return .repeated(ByteKey(copying: head, hash: hash))
    }

    /// - Parameter key: the head of a request without a body, whose answer leaves the connection open.
    func remember(_ key: ByteKey, _ request: RequestHead, _ answer: PreparedAnswer, while freshness: Freshness, at now: Duration)
    {
        let index = self.index(key.hash)
        self.forget(index)
        let remembered = RememberedAnswer(key, request, answer, freshness, expires: now + Self.lifetime)
        guard freshness.isCurrent, self.bytes + remembered.bytes <= Self.capacityBytes else { return }
        guard answer.file == nil || self.files < self.fileLimit else { return }
        self.places[index] = Place(hash: key.hash, remembered: remembered)
        self.bytes += remembered.bytes
        if answer.file != nil { self.files += 1 }
    }

    /// Lets go of what will not be answered any more, and of the files that it keeps open.
    func sweep(at now: Duration) {
        for index in self.places.indices {
            guard let remembered = self.places[index].remembered else { continue }
            if now >= remembered.expires || !remembered.freshness.isCurrent { self.forget(index) }
        }
    }

    func forgetAll() { for index in self.places.indices { self.forget(index) } }

    private func forget(_ index: Int) {
        guard let forgotten = self.places[index].remembered.take() else { return }
        self.bytes -= forgotten.bytes
        if forgotten.answer.file != nil { self.files -= 1 }
    }

    private func index(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (self.places.count - 1) }
}

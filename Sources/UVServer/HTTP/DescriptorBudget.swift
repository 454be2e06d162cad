/// How many descriptors connections and their answers hold, and what there is still room for.
struct DescriptorBudget {
    /// What a request may hold while it is answered, beside its connection: an upload its file and that file's folder, a download
    /// one of them.
    static let answerDescriptors = 2

    private let descriptors: Int
    private let connections: Int
    /// Connections that are open.
    var open = 0
    /// Requests that are being answered.
    var answers = 0
    /// Those of them whose clients still send, or did when they began.
    var uploads = 0

    init(limits: RequestLimits) {
        self.descriptors = limits.descriptors
        self.connections = limits.connections
    }

    private var used: Int { self.open + self.answers * Self.answerDescriptors }

    var hasRoomForConnection: Bool { self.open < self.connections && self.used < self.descriptors }

    /// One request is always answered, however little there is: else all would wait for ever.
    var hasRoomForAnswer: Bool { self.answers == 0 || self.used + Self.answerDescriptors <= self.descriptors }

    /// Uploads leave a quarter of what connections leave to others, and at least one of them goes on: they last as long as their clients
    /// like, and who only wants to fetch something must not wait for all of them.
    var hasShareForUpload: Bool {
        let answers = (self.descriptors - self.open) / Self.answerDescriptors
        return self.uploads < max(1, answers - max(1, answers / 4))
    }
}

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

    init(limits: RequestLimits) {
        self.descriptors = limits.descriptors
        self.connections = limits.connections
    }

    private var used: Int { self.open + self.answers * Self.answerDescriptors }

    var hasRoomForConnection: Bool { self.open < self.connections && self.used < self.descriptors }

    /// One request is always answered, however little there is: else all would wait for ever.
    var hasRoomForAnswer: Bool { self.answers == 0 || self.used + Self.answerDescriptors <= self.descriptors }
}

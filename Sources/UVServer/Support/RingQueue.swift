/// A first-in, first-out queue that takes and gives in constant time.
public struct RingQueue<Element> {
    private var slots: [Element?]
    private var head = 0
    public private(set) var count = 0

    public init() { self.slots = [] }

    public var isEmpty: Bool { self.count == 0 }

    public mutating func append(_ element: Element) {
        if self.count == self.slots.count { self.grow() }
        self.slots[(self.head + self.count) % self.slots.count] = element
        self.count += 1
    }

    public mutating func popFirst() -> Element? {
        guard self.count > 0 else { return nil }
        let element = self.slots[self.head].take()
        self.head = (self.head + 1) % self.slots.count
        self.count -= 1
        return element
    }

    /// Puts an element before the first, as when one was taken and not used up.
    public mutating func prepend(_ element: Element) {
        if self.count == self.slots.count { self.grow() }
        self.head = (self.head + self.slots.count - 1) % self.slots.count
        self.slots[self.head] = element
        self.count += 1
    }

    private mutating func grow() {
        var slots: [Element?] = []
        slots.reserveCapacity(max(4, self.slots.count * 2))
        for offset in 0..<self.count { slots.append(self.slots[(self.head + offset) % self.slots.count]) }
        while slots.count < max(4, self.slots.count * 2) { slots.append(nil) }
        self.slots = slots
        self.head = 0
    }
}

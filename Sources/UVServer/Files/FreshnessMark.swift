/// Whether something is as it was. Everything that watches for it has the same mark and can end it, for good.
@EventLoop final class FreshnessMark {
    private(set) var isCurrent = true

    func end() { self.isCurrent = false }
}

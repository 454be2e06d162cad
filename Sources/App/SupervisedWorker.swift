internal import UVServer

/// The place of one worker, as its supervisor sees it: one process after another takes it.
@EventLoop final class SupervisedWorker {
    /// From 1.
    let number: Int
    /// `nil` between one and the next.
    var process: ChildProcess?
    /// When it was started last.
    var startedAt: Duration = .zero
    var isReady = false
    /// Why it could not start, as far as it has told.
    var failure: String?
    /// How many requests it has to finish before it ends; `nil` before it has told.
    var unfinished: Int?
    var delay = RestartDelay()
    /// Runs while the place stays empty.
    var pause: LoopTimer?

    init(number: Int) { self.number = number }
}

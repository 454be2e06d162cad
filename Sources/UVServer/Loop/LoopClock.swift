internal import CUV

/// The loop's own time: monotonic, read once a turn, in milliseconds' resolution.
@EventLoop enum LoopClock {
    static var now: Duration { unsafe .milliseconds(Int64(clamping: uv_now(EventLoop.shared.executor.loop))) }
}

internal import CUV
internal import Glibc

/// The loop's own time: monotonic, read once a turn, in milliseconds' resolution.
@EventLoop public enum LoopClock {
    public static var now: Duration { unsafe .milliseconds(Int64(clamping: uv_now(EventLoop.shared.executor.loop))) }

    /// Seconds since 1970, as the system clock had them at its last tick, some milliseconds ago at most.
    public static var wallSeconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Int64(time.tv_sec)
    }
}

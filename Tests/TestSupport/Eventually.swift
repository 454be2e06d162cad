internal import Glibc

/// Seconds on the clock that no one sets back.
public func monotonicSeconds() -> Double {
    var now = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}

/// Looks at `condition` every 5 ms until it holds; false when it did not within `seconds`.
public func eventually(within seconds: Double = Double(patienceSeconds), _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = monotonicSeconds() + seconds
    while true {
        if try condition() { return true }
        if monotonicSeconds() >= deadline { return false }
        var pause = timespec(tv_sec: 0, tv_nsec: 5_000_000)
        _ = unsafe nanosleep(&pause, nil)
    }
}

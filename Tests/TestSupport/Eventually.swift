internal import Glibc

/// Seconds on the clock that no one sets back.
public func monotonicSeconds() -> Double {
    var now = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}

/// Looks at `condition` every so many milliseconds until it holds; false when it did not within `seconds`.
public func eventually(
    within seconds: Double = Double(patienceSeconds), every milliseconds: Int = 5, _ condition: () throws -> Bool
) rethrows -> Bool {
    let deadline = monotonicSeconds() + seconds
    while true {
        if try condition() { return true }
        if monotonicSeconds() >= deadline { return false }
        var pause = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
        _ = unsafe nanosleep(&pause, nil)
    }
}

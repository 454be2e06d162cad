internal import UVServer

/// A moment in UTC, for a page: once for people, once for `<time datetime>`.
struct TimeText: Sendable, Equatable {
    /// `30 Nov 2026, 07:25 UTC`
    let readable: String
    /// `2026-11-30T07:25:09Z` (RFC 3339)
    let machine: String

    private static let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    /// The years 1 to 9999: `<time>` has no others. File systems can hold more; those moments show as the nearest end.
    private static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// - Parameter seconds: since 1970, negative before.
    init(seconds: Int64) {
        let clamped = min(max(seconds, Self.range.lowerBound), Self.range.upperBound)
        let date = CivilDate(clamped)
        let minute = date.minute < 10 ? "0\(date.minute)" : "\(date.minute)"
        let hour = date.hour < 10 ? "0\(date.hour)" : "\(date.hour)"
        self.machine = HTTPDate.rfc3339(clamped)
        self.readable = "\(date.day) \(Self.months[Int(date.month - 1)]) \(date.year), \(hour):\(minute) UTC"
    }
}

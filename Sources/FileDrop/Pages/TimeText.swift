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
        var (days, second) = clamped.quotientAndRemainder(dividingBy: 86_400)
        if second < 0 {
            second += 86_400
            days -= 1
        }
        // Years begin in March here, so that the leap day is a year's last; day 0 is 1 March of the year 0.
        let fromMarch = days + 719_468
        let era = fromMarch / 146_097  // 400 years; never negative within `range`
        let dayOfEra = fromMarch % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)

        let hour = Self.padded(second / 3600, to: 2)
        let minute = Self.padded(second / 60 % 60, to: 2)
        let date = "\(Self.padded(year, to: 4))-\(Self.padded(month, to: 2))-\(Self.padded(day, to: 2))"
        self.machine = "\(date)T\(hour):\(minute):\(Self.padded(second % 60, to: 2))Z"
        self.readable = "\(day) \(Self.months[Int(month - 1)]) \(year), \(hour):\(minute) UTC"
    }

    private static func padded(_ value: Int64, to width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

/// A moment of the Gregorian calendar in UTC, for years 0 to 9999. The calendar is counted in eras of 400 years,
/// which all have the same number of days, from 1 March, so that the leap day is a year's last.
public struct CivilDate: Equatable, Sendable {
    public let year: Int64
    /// 1 to 12.
    public let month: Int64
    /// 1 to 31.
    public let day: Int64
    public let hour: Int64
    public let minute: Int64
    public let second: Int64
    /// 0 is Sunday.
    let weekday: Int64

    private static let daysInEra: Int64 = 146_097
    /// From 1 March of year 0 to 1 January 1970.
    private static let daysToEpoch: Int64 = 719_468

    /// - Parameter seconds: Since 1970-01-01 00:00:00 UTC; the caller keeps them in the years 0 to 9999.
    public init(_ seconds: Int64) {
        let days = Self.floorDivide(seconds, 86_400)
        let rest = seconds - days * 86_400
        let shifted = days + Self.daysToEpoch
        let era = Self.floorDivide(shifted, Self.daysInEra)
        let dayOfEra = shifted - era * Self.daysInEra
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        self.day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        self.month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        self.year = yearOfEra + era * 400 + (self.month <= 2 ? 1 : 0)
        self.hour = rest / 3_600
        self.minute = rest % 3_600 / 60
        self.second = rest % 60
        self.weekday = Self.weekday(ofDay: days)
    }

    /// Days from 1970-01-01 to the given day; `nil` when no such day exists or the year is not 0 to 9999.
    static func days(year: Int64, month: Int64, day: Int64) -> Int64? {
        guard (0...9_999).contains(year), (1...12).contains(month) else { return nil }
        guard day >= 1, day <= self.length(ofMonth: month, year: year) else { return nil }
        let marchYear = month <= 2 ? year - 1 : year
        let era = self.floorDivide(marchYear, 400)
        let yearOfEra = marchYear - era * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * self.daysInEra + dayOfEra - self.daysToEpoch
    }

    /// 0 is Sunday; day 0, 1970-01-01, was a Thursday.
    static func weekday(ofDay day: Int64) -> Int64 {
        let shifted = day + 4
        return shifted - self.floorDivide(shifted, 7) * 7
    }

    private static func length(ofMonth month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }
}

/// Dates as HTTP writes them (RFC 9110 section 5.6.7). Times are whole seconds since 1970-01-01 00:00:00 UTC.
public enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let longDays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The years that four digits can write. A file system may hold others; they are shown as the nearest of these.
    private static let writable: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// 2026-01-01, what two-digit years are read against unless the caller knows better.
    public static let referenceSeconds: Int64 = 1_767_225_600

    /// `Sun, 06 Nov 1994 08:49:37 GMT`. Always 29 bytes; times outside the years 0 to 9999 are clamped.
    public static func format(_ seconds: Int64) -> String {
        let date = CivilDate(self.clamped(seconds))
        let day = self.days[Int(date.weekday)]
        let month = self.months[Int(date.month - 1)]
        return "\(day), \(self.padded(date.day, 2)) \(month) \(self.padded(date.year, 4)) \(self.time(date)) GMT"
    }

    /// `1994-11-06T08:49:37Z` (RFC 3339). Times outside the years 0 to 9999 are clamped.
    public static func rfc3339(_ seconds: Int64) -> String {
        var bytes: [UInt8] = []
        self.appendRFC3339(seconds, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// As ``rfc3339(_:)``, into bytes that are being written.
    public static func appendRFC3339(_ seconds: Int64, to bytes: inout [UInt8]) {
        func append(_ value: Int64, _ end: Unicode.Scalar) {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10 % 10))
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
            bytes.append(UInt8(ascii: end))
        }
        let date = CivilDate(self.clamped(seconds))
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: date.year / 1000))
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: date.year / 100 % 10))
        append(date.year, "-")
        append(date.month, "-")
        append(date.day, "T")
        append(date.hour, ":")
        append(date.minute, ":")
        append(date.second, "Z")
    }

    /// Reads IMF-fixdate and the two obsolete forms, letter case and blanks exactly as the grammar has them.
    ///
    /// - Returns: `nil` for anything else, and for dates that never were: 30 February, 24:00:00, the wrong weekday.
    public static func parse(_ text: String) -> Int64? {
        self.parse(text, now: self.referenceSeconds)
    }

    /// - Parameter now: The current time: a two-digit year that would lie more than 50 years after it is a past one.
    public static func parse(_ text: String, now: Int64) -> Int64? {
        let reader = DateReader(text)
        return self.parseFixdate(reader) ?? self.parseRFC850(reader, now: self.clamped(now)) ?? self.parseAsctime(reader)
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private static func parseFixdate(_ start: DateReader) -> Int64? {
        var reader = start
        guard let weekday = reader.choice(self.days), reader.literal(", "),
            let day = reader.digits(2), reader.literal(" "),
            let month = reader.choice(self.months), reader.literal(" "),
            let year = reader.digits(4), reader.literal(" "),
            let second = reader.timeOfDay(), reader.literal(" GMT"), reader.isAtEnd
        else { return nil }
        return self.seconds(year: year, month: month + 1, day: day, weekday: weekday, second: second)
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    private static func parseRFC850(_ start: DateReader, now: Int64) -> Int64? {
        var reader = start
        guard let weekday = reader.choice(self.longDays), reader.literal(", "),
            let day = reader.digits(2), reader.literal("-"),
            let month = reader.choice(self.months), reader.literal("-"),
            let shortYear = reader.digits(2), reader.literal(" "),
            let second = reader.timeOfDay(), reader.literal(" GMT"), reader.isAtEnd
        else { return nil }
        let thisYear = CivilDate(now).year
        var year = thisYear - thisYear % 100 + shortYear
        if year < thisYear - 49 { year += 100 }
        if year > thisYear + 50 { year -= 100 }
        return self.seconds(year: year, month: month + 1, day: day, weekday: weekday, second: second)
    }

    /// `Sun Nov  6 08:49:37 1994`
    private static func parseAsctime(_ start: DateReader) -> Int64? {
        var reader = start
        guard let weekday = reader.choice(self.days), reader.literal(" "),
            let month = reader.choice(self.months), reader.literal(" "),
            let day = reader.literal(" ") ? reader.digits(1) : reader.digits(2), reader.literal(" "),
            let second = reader.timeOfDay(), reader.literal(" "),
            let year = reader.digits(4), reader.isAtEnd
        else { return nil }
        return self.seconds(year: year, month: month + 1, day: day, weekday: weekday, second: second)
    }

    private static func seconds(year: Int64, month: Int64, day: Int64, weekday: Int64, second: Int64) -> Int64? {
        guard let midnight = CivilDate.days(year: year, month: month, day: day) else { return nil }
        guard CivilDate.weekday(ofDay: midnight) == weekday else { return nil }
        return midnight * 86_400 + second
    }

    private static func clamped(_ seconds: Int64) -> Int64 {
        min(max(seconds, self.writable.lowerBound), self.writable.upperBound)
    }

    private static func time(_ date: CivilDate) -> String {
        "\(self.padded(date.hour, 2)):\(self.padded(date.minute, 2)):\(self.padded(date.second, 2))"
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

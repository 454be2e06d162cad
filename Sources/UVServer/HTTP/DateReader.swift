/// Takes the pieces of an HTTP date from the front of a text, exactly as written.
struct DateReader {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) {
        self.rest = Array(text.utf8)[...]
    }

    var isAtEnd: Bool { self.rest.isEmpty }

    /// Takes the text if it comes next.
    mutating func literal(_ text: String) -> Bool {
        guard self.rest.starts(with: text.utf8) else { return false }
        self.rest = self.rest.dropFirst(text.utf8.count)
        return true
    }

    /// Takes the one of the texts that comes next and returns its place in the list.
    mutating func choice(_ texts: [String]) -> Int64? {
        for (index, text) in texts.enumerated() where self.literal(text) { return Int64(index) }
        return nil
    }

    /// Takes exactly so many digits.
    mutating func digits(_ count: Int) -> Int64? {
        let field = self.rest.prefix(count)
        guard field.count == count, let value = ASCII.decimal(field) else { return nil }
        self.rest = self.rest.dropFirst(count)
        return value
    }

    /// Takes `08:49:37` and returns seconds since midnight. 23:59:60, the leap second, is the next midnight.
    mutating func timeOfDay() -> Int64? {
        guard let hour = self.digits(2), self.literal(":"), let minute = self.digits(2), self.literal(":"),
            let second = self.digits(2)
        else { return nil }
        let isLeapSecond = hour == 23 && minute == 59 && second == 60
        guard hour < 24, minute < 60, second < 60 || isLeapSecond else { return nil }
        return hour * 3_600 + minute * 60 + second
    }
}

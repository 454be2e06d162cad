@testable import UVServer

// First line: the file's size. Second line: the value of the Range field.

func fuzz(_ bytes: [UInt8]) {
    var input = FuzzInput(bytes)
    let digits = input.line()
    let header = input.text()
    for size in [ASCII.decimal(digits) ?? 0, 100, 1, 0, .max] {
        let answer = ByteRange(header: header, fileSize: size)
        if case .slices(let slices) = answer { checkSlices(slices, fileSize: size) }
        if size > 0 {
            checkAgainstReference(answer, header, size)
        } else {
            expectEqual(answer, .whole, "an empty file has no ranges")
        }
    }
}

private func checkSlices(_ slices: [ByteSlice], fileSize: Int64) {
    expect((1...ByteRange.slicesLimit).contains(slices.count), "as many slices as are allowed")
    for slice in slices {
        expect(slice.offset >= 0 && slice.length > 0 && slice.length <= fileSize - slice.offset, "a slice lies in the file")
        expectEqual(
            slice.contentRange(fileSize: fileSize), "bytes \(slice.offset)-\(slice.offset + (slice.length - 1))/\(fileSize)",
            "Content-Range says first and last")
    }
    let ascending = slices.sorted { $0.offset < $1.offset }
    for (left, right) in zip(ascending, ascending.dropFirst()) {
        expect(left.offset + left.length < right.offset, "slices neither overlap nor touch")
    }
}

/// The same, read by way of text and with no thought for speed.
private func checkAgainstReference(_ answer: ByteRange, _ header: String, _ size: Int64) {
    guard let asked = asked(header, size) else { return expectEqual(answer, .whole, "what cannot be read is ignored") }
    let inside = asked.compactMap { $0 }
    guard !inside.isEmpty else { return expectEqual(answer, .unsatisfiable, "all of it lies past the end") }
    guard case .slices(let slices) = answer else { return expectEqual(answer, .whole, "too many slices are the whole") }
    var firstAsked: [Int] = []
    for slice in slices {
        let bounds = slice.offset...(slice.offset + (slice.length - 1))
        let members = inside.enumerated().filter { $0.element.overlaps(bounds) }
        expect(
            members.allSatisfy { bounds.contains($0.element.lowerBound) && bounds.contains($0.element.upperBound) },
            "no range is cut")
        expect(members.contains { $0.element.lowerBound == bounds.lowerBound }, "a slice begins where a range does")
        expect(members.contains { $0.element.upperBound == bounds.upperBound }, "a slice ends where a range does")
        // Gaps inside a slice would be bytes that nobody asked for.
        var end = bounds.lowerBound
        for range in members.map(\.element).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            expect(range.lowerBound <= end || range.lowerBound == end + 1, "a slice holds what was asked for")
            end = max(end, range.upperBound)
        }
        firstAsked.append(members[0].offset)
    }
    expectEqual(firstAsked, firstAsked.sorted(), "slices keep the order in which they were asked for")
    expect(
        inside.allSatisfy { range in slices.contains { $0.offset <= range.lowerBound && range.upperBound < $0.offset + $0.length }
        },
        "every range is answered")
}

/// Each range asked for, `nil` for one past the end; `nil` for all when the field is no list of ranges that may be answered.
private func asked(_ header: String, _ size: Int64) -> [ClosedRange<Int64>?]? {
    func trim(_ text: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar] {
        var scalars = Array(text)
        while scalars.first == " " || scalars.first == "\t" { scalars.removeFirst() }
        while scalars.last == " " || scalars.last == "\t" { scalars.removeLast() }
        return scalars
    }
    func number(_ scalars: ArraySlice<Unicode.Scalar>) -> Int64? {
        guard !scalars.isEmpty, scalars.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        let significant = scalars.drop { $0 == "0" }
        guard significant.count <= 19 else { return .max }
        return Int64(clamping: significant.reduce(UInt64(0)) { $0 * 10 + UInt64($1.value - 48) })
    }
    let scalars = trim(header.unicodeScalars)
    guard let equals = scalars.firstIndex(of: "=") else { return nil }
    let unit = scalars[..<equals].map(\.properties.lowercaseMapping).joined()
    guard scalars[..<equals].allSatisfy(\.isASCII), unit == "bytes" else { return nil }
    let members = scalars[(equals + 1)...].split(separator: ",", omittingEmptySubsequences: false)
    guard members.count <= ByteRange.listedLimit else { return nil }
    var ranges: [ClosedRange<Int64>?] = []
    for member in members.map(trim) where !member.isEmpty {
        guard let dash = member.firstIndex(of: "-") else { return nil }
        let (before, after) = (member[..<dash], member[(dash + 1)...])
        if before.isEmpty {
            guard let suffix = number(after) else { return nil }
            ranges.append(suffix == 0 ? nil : max(0, size - suffix)...(size - 1))
        } else {
            guard let first = number(before) else { return nil }
            guard let last = after.isEmpty ? Int64.max : number(after), last >= first else { return nil }
            ranges.append(first < size ? first...min(last, size - 1) : nil)
        }
    }
    return ranges.isEmpty ? nil : ranges
}

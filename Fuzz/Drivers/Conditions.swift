@testable import UVServer

// Lines: If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, If-Range (`-` for none); the current tag; a time in seconds.

func fuzz(_ bytes: [UInt8]) {
    var input = FuzzInput(bytes)
    let fields = (0..<5).map { _ in input.text() }
    let tagText = input.text()
    let seconds = signed(input.line())
    for text in fields + [tagText] {
        checkTags(text)
        checkDate(text)
    }
    checkTime(seconds)
    let given = fields.map { $0 == "-" ? nil : $0 }
    let tag = EntityTag.parse(tagText) ?? EntityTag(opaque: "1")
    checkConditions(given, Preconditions.Validators(tag: tag, modified: seconds))
}

private func signed(_ line: [UInt8]) -> Int64 {
    guard line.first == UInt8(ascii: "-") else { return ASCII.decimal(line) ?? 0 }
    return -(ASCII.decimal(line.dropFirst()) ?? 0)
}

private func checkTags(_ text: String) {
    if let tag = EntityTag.parse(text) {
        expectEqual(EntityTag.parse(tag.description), tag, "a tag that is written is read")
        expectEqual(EntityTag.parseList(text), [tag], "a tag is a list of one")
        expect(
            tag.weaklyMatches(tag) && tag.stronglyMatches(tag) == !tag.isWeak, "a tag matches itself, strongly unless it is weak")
    }
    if let tags = EntityTag.parseList(text) {
        expect(!tags.isEmpty, "a list has members")
        expectEqual(
            EntityTag.parseList(tags.map(\.description).joined(separator: " ,,\t")), tags, "a list that is written is read")
    }
}

private func checkDate(_ text: String) {
    guard let seconds = HTTPDate.parse(text) else { return }
    // The leap second at the end of the year 9999 cannot be written.
    guard seconds <= 253_402_300_799 else { return expectEqual(seconds, 253_402_300_800, "no date is later") }
    expectEqual(HTTPDate.parse(HTTPDate.format(seconds)), seconds, "a date that is written is read")
}

private func checkTime(_ seconds: Int64) {
    let text = HTTPDate.format(seconds)
    expectEqual(text.utf8.count, 29, "a date has 29 bytes")
    guard let parsed = HTTPDate.parse(text) else { fatalError("a date that is written is read") }
    let clamped = min(max(seconds, -62_167_219_200), 253_402_300_799)
    expectEqual(parsed, clamped, "a time comes back")
    let other = HTTPDate.rfc3339(seconds)
    expectEqual(other.utf8.count, 20, "a time of the list has 20 bytes")
    expect(text.utf8.dropFirst(17).prefix(8).elementsEqual(other.utf8.dropFirst(11).prefix(8)), "both say the same time of day")
    expect(text.utf8.dropFirst(12).prefix(4).elementsEqual(other.utf8.prefix(4)), "both say the same year")
    // A two-digit year is at most 50 years after now.
    if let late = HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", now: seconds) {
        expect(late <= clamped + 51 * 366 * 86_400, "a short year is not far away")
    }
}

private func checkConditions(_ fields: [String?], _ current: Preconditions.Validators) {
    let conditions = Preconditions(
        ifMatch: fields[0], ifNoneMatch: fields[1], ifModifiedSince: fields[2], ifUnmodifiedSince: fields[3], ifRange: fields[4])
    let read = conditions.evaluate(isRead: true, current: current)
    let write = conditions.evaluate(isRead: false, current: current)
    expect(write != .notModified, "no write is answered 304")
    expect((read == .failed) <= (write == .failed), "what fails a read fails a write")
    if fields[...3].allSatisfy({ $0 == nil }) {
        expectEqual([read, write], [.proceed, .proceed], "without conditions all proceeds")
    }
    if fields[0] == "*" || fields[0] != nil && current.tag.isWeak && fields[0]?.utf8.contains(UInt8(ascii: "*")) == false {
        expectEqual(read == .failed, fields[0] != "*", "a weak tag never fulfils If-Match")
    }
    if fields[0] == nil, fields[1] == nil, fields[2] != nil, fields[3] == nil {
        let date = HTTPDate.parse(trimmed(fields[2]!))
        expectEqual(read == .notModified, date.map { current.modified <= $0 } ?? false, "304 when nothing is newer")
    }
    if read == .notModified { expect(fields[1] != nil || fields[2] != nil, "304 is for who has a copy") }
    expectEqual(
        Preconditions(
            ifMatch: nil, ifNoneMatch: "\(current.tag)", ifModifiedSince: fields[2], ifUnmodifiedSince: nil, ifRange: nil
        )
        .evaluate(isRead: true, current: current), .notModified, "who has the current version gets 304")
    let missing = conditions.evaluate(isRead: true, current: nil)
    expectEqual(missing == .failed, fields[0] != nil, "what does not exist fails If-Match alone")
    expect(missing != .notModified, "what does not exist is not unchanged")
    checkRangeCondition(conditions, fields[4], current)
    checkDates(current)
}

/// The date that the answer named is the bound: what has not changed since is the client's, a second later it is not.
private func checkDates(_ current: Preconditions.Validators) {
    guard (-62_167_219_200...253_402_300_798).contains(current.modified) else { return }
    let date = HTTPDate.format(current.modified)
    let since = Preconditions(ifMatch: nil, ifNoneMatch: nil, ifModifiedSince: date, ifUnmodifiedSince: nil, ifRange: nil)
    let unless = Preconditions(ifMatch: nil, ifNoneMatch: nil, ifModifiedSince: nil, ifUnmodifiedSince: date, ifRange: date)
    var later = current
    later.modified += 1
    expectEqual(since.evaluate(isRead: true, current: current), .notModified, "not modified since its own date")
    expectEqual(since.evaluate(isRead: true, current: later), .proceed, "modified a second later")
    expectEqual(since.evaluate(isRead: false, current: current), .proceed, "If-Modified-Since is for reading")
    expectEqual(unless.evaluate(isRead: false, current: current), .proceed, "unmodified since its own date")
    expectEqual(unless.evaluate(isRead: false, current: later), .failed, "not unmodified a second later")
    expect(unless.allowsRange(current) && !unless.allowsRange(later), "If-Range wants the very date")
}

private func checkRangeCondition(_ conditions: Preconditions, _ field: String?, _ current: Preconditions.Validators) {
    let allowed = conditions.allowsRange(current)
    guard let field else { return expect(allowed, "without If-Range ranges are allowed") }
    if let tag = EntityTag.parse(field) {
        expectEqual(
            allowed, !tag.isWeak && !current.tag.isWeak && tag.opaque.utf8.elementsEqual(current.tag.opaque.utf8),
            "If-Range wants the same bytes")
    } else {
        expectEqual(allowed, HTTPDate.parse(trimmed(field)) == current.modified, "If-Range wants the very date")
    }
}

private func trimmed(_ text: String) -> String { String(decoding: ASCII.trimmed(Array(text.utf8)[...]), as: UTF8.self) }

private func <= (left: Bool, right: Bool) -> Bool { !left || right }

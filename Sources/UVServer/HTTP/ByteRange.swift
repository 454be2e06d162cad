/// What a `Range` field asks of a file (RFC 9110 sections 14.1.2 and 14.2). Only GET has ranges; and `If-Range` goes first.
public enum ByteRange: Equatable, Sendable {
    /// Answer 200 as if the field were not there: it is malformed, of another unit, past a limit, or the file is empty.
    case whole
    /// Answer 206 with these, one or more. None overlap or touch; they keep the order they were asked for in.
    case slices([ByteSlice])
    /// Answer 416 with `Content-Range: bytes */SIZE`: all of it lies past the end.
    case unsatisfiable

    /// Most ranges a field may list, empty members included. Past it: the whole file.
    public static let listedLimit = 64
    /// Most ranges left once those that overlap or touch are one. Past it: the whole file.
    public static let slicesLimit = 32

    private enum Spec {
        case slice(ByteSlice)
        case pastEnd
    }

    /// - Parameters:
    ///   - header: The field's value.
    ///   - fileSize: In bytes.
    public init(header: String, fileSize: Int64) {
        let bytes = ASCII.trimmed(Array(header.utf8)[...])
        guard fileSize > 0, let equals = bytes.firstIndex(of: UInt8(ascii: "=")),
            ASCII.equalsIgnoringCase(bytes[..<equals], "bytes")
        else {
            self = .whole
            return
        }
        // One member more than allowed is enough to know.
        let members = bytes[equals...].dropFirst()
            .split(separator: UInt8(ascii: ","), maxSplits: Self.listedLimit, omittingEmptySubsequences: false)
            .map(ASCII.trimmed)
        let listed = members.filter { !$0.isEmpty }
        guard members.count <= Self.listedLimit, !listed.isEmpty else {
            self = .whole
            return
        }
        var slices: [ByteSlice] = []
        for member in listed {
            switch Self.parse(member, fileSize: fileSize) {
            case .slice(let slice): slices.append(slice)
            case .pastEnd: continue
            case nil:
                self = .whole
                return
            }
        }
        let coalesced = Self.coalesce(slices)
        if coalesced.isEmpty {
            self = .unsatisfiable
        } else {
            self = coalesced.count <= Self.slicesLimit ? .slices(coalesced) : .whole
        }
    }

    /// `first-last`, `first-` or `-suffix`; `nil` for anything else.
    private static func parse(_ member: ArraySlice<UInt8>, fileSize: Int64) -> Spec? {
        guard let dash = member.firstIndex(of: UInt8(ascii: "-")) else { return nil }
        let (before, after) = (member[..<dash], member[dash...].dropFirst())
        if before.isEmpty {
            guard let suffix = self.position(after) else { return nil }
            guard suffix > 0 else { return .pastEnd }
            let length = min(suffix, fileSize)
            return .slice(ByteSlice(offset: fileSize - length, length: length))
        }
        guard let first = self.position(before) else { return nil }
        var last = fileSize - 1
        if !after.isEmpty {
            guard let asked = self.position(after), asked >= first else { return nil }
            last = min(last, asked)
        }
        guard first < fileSize else { return .pastEnd }
        return .slice(ByteSlice(offset: first, length: last - first + 1))
    }

    /// A number of digits only. One too large for `Int64` lies past the end of every file, as `Int64.max` does.
    private static func position(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
        return ASCII.decimal(digits) ?? .max
    }

    /// Slices are inside the file, so sums of offset and length cannot overflow.
    private static func coalesce(_ slices: [ByteSlice]) -> [ByteSlice] {
        var merged: [(order: Int, slice: ByteSlice)] = []
        for next in slices.enumerated().sorted(by: { $0.element.offset < $1.element.offset }) {
            let slice = next.element
            if let last = merged.last, slice.offset <= last.slice.offset + last.slice.length {
                let end = max(last.slice.offset + last.slice.length, slice.offset + slice.length)
                let joined = ByteSlice(offset: last.slice.offset, length: end - last.slice.offset)
                merged[merged.count - 1] = (min(last.order, next.offset), joined)
            } else {
                merged.append((next.offset, slice))
            }
        }
        return merged.sorted { $0.order < $1.order }.map(\.slice)
    }
}

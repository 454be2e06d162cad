extension [UInt8] {
    /// Appends a number, its lowest byte first.
    mutating func append(littleEndian number: some FixedWidthInteger) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) { self.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}

/// Takes numbers one after the other from bytes in which the lowest one comes first.
struct LittleEndianReader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// - Precondition: there are as many bytes as it has.
    mutating func next<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
        var number: Number = 0
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            number |= Number(truncatingIfNeeded: self.bytes.removeFirst()) << shift
        }
        return number
    }
}

/// The bytes of one file, as a function of seed and name: any part can be made and checked without keeping the rest.
///
/// Each eight bytes are the word of their number (splitmix64), lowest byte first, so no two places look alike: a piece that is
/// missing, doubled or out of place is a difference.
@safe struct Content: Sendable {
    private let key: UInt64

    /// - Parameter name: the last component of a path; what stands before its last slash does not count.
    init(seed: UInt64, name: String) {
        // FNV-1a.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8.reversed().prefix(while: { $0 != UInt8(ascii: "/") }) {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        self.key = Self.mix(hash ^ Self.mix(seed))
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var word = value
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }

    /// Eight bytes of the content, and as good as a random number.
    func word(_ number: Int64) -> UInt64 {
        Self.mix(self.key &+ UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15)
    }

    func byte(at offset: Int64) -> UInt8 {
        UInt8(truncatingIfNeeded: self.word(offset >> 3) >> UInt64((offset & 7) * 8))
    }

    /// `count` bytes from `offset`.
    func bytes(at offset: Int64, count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var index = 0
            while index < count {
                let place = offset + Int64(index)
                if place & 7 == 0, count - index >= 8 {
                    // Safe: eight bytes of the buffer's `count` are left.
                    unsafe UnsafeMutableRawPointer(buffer.baseAddress! + index)
                        .storeBytes(of: self.word(place >> 3).littleEndian, as: UInt64.self)
                    index += 8
                } else {
                    unsafe (buffer.baseAddress! + index).initialize(to: self.byte(at: place))
                    index += 1
                }
            }
            initialized = count
        }
    }

    /// The index of the first byte of `bytes` that does not stand at `offset` and on in this content; `nil` when all do.
    func firstDifference(in bytes: Span<UInt8>, at offset: Int64) -> Int? {
        unsafe bytes.withUnsafeBytes { raw in
            var index = 0
            while index < raw.count {
                let place = offset + Int64(index)
                if place & 7 == 0, raw.count - index >= 8 {
                    // Safe: eight bytes of the span are left.
                    let found = unsafe UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                    let wanted = self.word(place >> 3)
                    if found != wanted { return index + (found ^ wanted).trailingZeroBitCount / 8 }
                    index += 8
                } else {
                    if unsafe raw[index] != self.byte(at: place) { return index }
                    index += 1
                }
            }
            return nil
        }
    }
}

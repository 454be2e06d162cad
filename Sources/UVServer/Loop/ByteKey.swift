internal import Glibc

/// Bytes that something is looked up by. Compared as a whole; their hash only says where to look.
@safe struct ByteKey {
    let bytes: [UInt8]
    let hash: UInt64

    init(copying span: Span<UInt8>, hash: UInt64) {
        self.hash = hash
        // Safe: both are `span.count` bytes long, and the array is new.
        self.bytes = unsafe [UInt8](unsafeUninitializedCapacity: span.count) { target, count in
            unsafe span.withUnsafeBufferPointer { source in
                if let start = source.baseAddress { unsafe memcpy(target.baseAddress!, start, source.count) }
            }
            count = span.count
        }
    }

    func equals(_ span: Span<UInt8>) -> Bool {
        guard span.count == self.bytes.count else { return false }
        // Safe: both are as long as is compared.
        return unsafe span.withUnsafeBufferPointer { other in
            unsafe self.bytes.withUnsafeBufferPointer { own in
                unsafe own.isEmpty || memcmp(own.baseAddress!, other.baseAddress!, own.count) == 0
            }
        }
    }

    /// Folds 16 bytes a step by a 128-bit product, from a seed of this process's own: who cannot see the seed cannot choose bytes whose
    /// hashes meet more often than by chance.
    static func hash(_ span: Span<UInt8>) -> UInt64 {
        unsafe span.withUnsafeBytes { bytes in
            func word(_ offset: Int) -> UInt64 { unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
            var hash = self.seed.0 ^ UInt64(truncatingIfNeeded: bytes.count)
            var offset = 0
            while offset + 16 <= bytes.count {
                hash = Self.fold(word(offset) ^ self.seed.1, word(offset + 8) ^ hash)
                offset += 16
            }
            while offset < bytes.count {
                hash = unsafe Self.fold(UInt64(bytes[offset]) ^ self.seed.1, hash)
                offset += 1
            }
            return Self.fold(hash, self.seed.1)
        }
    }

    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    private static let seed = (UInt64.random(in: 1 ... .max), UInt64.random(in: 1 ... .max))
}

import Testing

@testable import UVServer

@Suite("A byte key") struct ByteKeyTests {
    @Test("equals its own bytes alone")
    func equality() {
        for count in [0, 1, 15, 16, 17, 33, 100] {
            let bytes = (0..<count).map { UInt8($0) }
            let key = ByteKey(copying: bytes.span, hash: ByteKey.hash(bytes.span))
            func equals(_ other: [UInt8]) -> Bool { key.equals(other.span) }
            #expect(key.bytes == bytes && equals(bytes))
            #expect(!equals(bytes + [0]))
            for index in bytes.indices {
                var other = bytes
                other[index] ^= 0x80
                #expect(!equals(other), "\(index) of \(count)")
            }
        }
    }

    @Test("has another hash for another byte, place or length")
    func hash() {
        var hashes: Set<UInt64> = []
        var count = 0
        for length in 0...40 {
            let zeros = [UInt8](repeating: 0, count: length)
            hashes.insert(ByteKey.hash(zeros.span))
            count += 1
            for index in 0..<length {
                for bit in 0..<8 {
                    var bytes = zeros
                    bytes[index] = 1 << UInt8(bit)
                    hashes.insert(ByteKey.hash(bytes.span))
                    count += 1
                }
            }
        }
        #expect(hashes.count == count)
    }
}

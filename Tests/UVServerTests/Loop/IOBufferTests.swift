import Testing

@testable import UVServer

@Suite("IOBuffer", .serialized) struct IOBufferTests {
    @Test("many bulk blocks are followed by large ones, and bulk ones come back when some are free again")
    func bulk() {
        var blocks = (0..<IOBuffer.bulkBlocks + 3).map { _ in IOBuffer(capacity: IOBuffer.bulkBytes) }
        // Other tests may hold some as well.
        let bulk = blocks.count { $0.capacity == IOBuffer.bulkBytes }
        #expect((1...IOBuffer.bulkBlocks).contains(bulk))
        #expect(blocks.allSatisfy { $0.capacity == IOBuffer.bulkBytes || $0.capacity == IOBuffer.largeBytes })
        #expect(blocks.last?.capacity == IOBuffer.largeBytes)
        blocks.removeAll()
        #expect(IOBuffer(capacity: IOBuffer.bulkBytes).capacity == IOBuffer.bulkBytes)
    }

    @Test("a block has the size that was asked for", arguments: [IOBuffer.smallBytes, IOBuffer.largeBytes, 1, 5000])
    func sizes(_ bytes: Int) { #expect(IOBuffer(capacity: bytes).capacity == bytes) }
}

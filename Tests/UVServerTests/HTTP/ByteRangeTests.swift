import Testing
import UVServer

@Suite("Byte ranges")
struct ByteRangeTests {
    static func slices(_ pairs: (Int64, Int64)...) -> ByteRange {
        .slices(pairs.map { ByteSlice(offset: $0.0, length: $0.1) })
    }

    @Test(
        "are read as RFC 9110 section 14.1.2 says",
        arguments: [
            ("bytes=-10", 1000, slices((990, 10))), ("bytes=-1000", 1000, slices((0, 1000))),
            ("bytes=-1001", 1000, slices((0, 1000))),
            ("bytes=-1", 1, slices((0, 1))), ("bytes=-0", 1000, .unsatisfiable), ("bytes=10-200", 180, slices((10, 170))),
            ("bytes=180-", 180, .unsatisfiable), ("bytes=179-179", 180, slices((179, 1))), ("bytes=179-", 180, slices((179, 1))),
            ("bytes=180-181", 180, .unsatisfiable), ("bytes=0-", 180, slices((0, 180))), ("bytes=0-0", 180, slices((0, 1))),
            ("bytes=00-0009", 180, slices((0, 10))), ("BYTES=0-0", 180, slices((0, 1))), (" bytes=0-0 ", 180, slices((0, 1))),
            ("bytes=0-99999999999999999999999", 180, slices((0, 180))), ("bytes=-99999999999999999999999", 180, slices((0, 180))),
            ("bytes=99999999999999999999999-", 180, .unsatisfiable), ("bytes=9223372036854775807-", 180, .unsatisfiable),
            ("bytes=9223372036854775806-", .max, slices((.max - 1, 1))), ("bytes=0-9223372036854775807", .max, slices((0, .max))),
            ("bytes=-9223372036854775807", .max, slices((0, .max))),
        ] as [(String, Int64, ByteRange)])
    func single(_ header: String, _ size: Int64, _ expected: ByteRange) {
        #expect(ByteRange(header: header, fileSize: size) == expected)
    }

    @Test(
        "that are malformed or of another unit mean the whole file",
        arguments: [
            "", "bytes", "bytes=", "bytes=,", "bytes= , ,", "bytes=-", "bytes=--1", "bytes=1", "bytes=a-", "bytes=-a",
            "bytes=5-4",
            "bytes=0-1,5-4", "bytes=0-1,x", "bytes =0-1", "bytes=0 -1", "bytes=0- 1", "bytes=+0-1", "bytes=0-+1", "bytes=0x0-1",
            "bytes=0-1-2", "bytes=0-1;5-6", "items=0-1", "byte=0-1", "=0-1", "bytes:0-1", "bytes=٣-", "bytes=0.5-1",
            "bytes=bytes=0-1",
            "bytes=99999999999999999999-1",
        ])
    func malformed(_ header: String) {
        #expect(ByteRange(header: header, fileSize: 1000) == .whole)
    }

    @Test("on an empty file mean all of it", arguments: ["bytes=0-1023", "bytes=-5", "bytes=0-", "bytes=-0", "bytes=7-9,1-2"])
    func empty(_ header: String) {
        #expect(ByteRange(header: header, fileSize: 0) == .whole)
        #expect(ByteRange(header: header, fileSize: -1) == .whole)
    }

    @Test(
        "that overlap or touch become one, in the order asked for",
        arguments: [
            ("bytes=0-1,5-6", slices((0, 2), (5, 2))), ("bytes=5-6,0-1", slices((5, 2), (0, 2))),
            ("bytes=0-4,2-9", slices((0, 10))),
            ("bytes=2-9,0-4", slices((0, 10))), ("bytes=0-9,2-3", slices((0, 10))), ("bytes=0-1,2-3", slices((0, 4))),
            ("bytes=0-1,3-4", slices((0, 2), (3, 2))), ("bytes=0-0,0-0,0-0", slices((0, 1))), ("bytes=-5,0-", slices((0, 100))),
            ("bytes=50-60, 0-1 ,\t55-70", slices((50, 21), (0, 2))), ("bytes=,0-1,,", slices((0, 2))),
            ("bytes=0-1,200-", slices((0, 2))), ("bytes=200-,300-400", .unsatisfiable), ("bytes=-0,200-", .unsatisfiable),
            ("bytes=90-99,0-0,80-95", slices((80, 20), (0, 1))),
        ] as [(String, ByteRange)])
    func several(_ header: String, _ expected: ByteRange) {
        #expect(ByteRange(header: header, fileSize: 100) == expected)
    }

    @Test("past the limits mean the whole file")
    func limits() {
        func header(_ count: Int, _ spec: (Int) -> String) -> String { "bytes=" + (0..<count).map(spec).joined(separator: ",") }
        let size: Int64 = 5 << 20
        #expect(ByteRange(header: header(1301) { _ in "0-" }, fileSize: size) == .whole)
        #expect(ByteRange(header: header(65) { _ in "0-" }, fileSize: size) == .whole)
        #expect(ByteRange(header: header(64) { _ in "0-" }, fileSize: size) == .slices([ByteSlice(offset: 0, length: size)]))
        #expect(ByteRange(header: "bytes=0-1" + String(repeating: ",", count: 64), fileSize: size) == .whole)
        #expect(ByteRange(header: header(33) { "\($0 * 2)-\($0 * 2)" }, fileSize: size) == .whole)
        let most = (0..<32).map { ByteSlice(offset: $0 * 2, length: 1) }
        #expect(ByteRange(header: header(32) { "\($0 * 2)-\($0 * 2)" }, fileSize: size) == .slices(most))
        #expect(ByteRange(header: header(64) { "\($0)-\($0)" }, fileSize: size) == .slices([ByteSlice(offset: 0, length: 64)]))
    }

    @Test("are named in Content-Range")
    func contentRange() {
        #expect(ByteSlice(offset: 990, length: 10).contentRange(fileSize: 1000) == "bytes 990-999/1000")
        #expect(ByteSlice(offset: 10, length: 170).contentRange(fileSize: 180) == "bytes 10-179/180")
    }
}

import Testing

@testable import App

@Suite("Byte sizes")
struct ByteSizeTests {
    @Test(
        "are read in powers of 1024",
        arguments: [
            ("50MB", 50 << 20), ("50mb", 50 << 20), ("50 MB", 50 << 20), ("50M", 50 << 20), ("50MiB", 50 << 20), ("1KB", 1024),
            ("2GB", 2 << 30), ("1TB", 1 << 40), ("0", 0), ("0GB", 0), ("1048576", 1 << 20), ("7b", 7), (" 8 KB ", 8192),
            ("1152921504606846976", 1 << 60), ("1073741824GB", 1 << 60),
        ] as [(String, Int64)])
    func sizes(_ text: String, _ expected: Int64) {
        #expect(ByteSize.parse(text) == expected)
    }

    @Test(
        "that are none, have a sign or a fraction, or are too large are refused",
        arguments: [
            "", " ", "MB", "-1", "+1", "1.5MB", "1,5MB", "50XB", "50MBB", "MB50", "50 M B", "0x10", "1e6", "1152921504606846977",
            "9223372036854775807", "9223372036854775808", "99999999999999999999999", "1073741825GB", "9007199254740992KB", "٣",
        ])
    func noSizes(_ text: String) {
        #expect(ByteSize.parse(text) == nil)
    }

    @Test(
        "are shown exactly, and read back as what they were",
        arguments: [
            (50 << 20, "50 MB"), (1024, "1 KB"), (1025, "1025 bytes"), (1, "1 byte"), (0, "0 bytes"), (3 << 30, "3 GB"),
            (1 << 40, "1 TB"), (1 << 60, "1048576 TB"),
        ] as [(Int64, String)])
    func shown(_ bytes: Int64, _ expected: String) {
        #expect(ByteSize.format(bytes) == expected)
        if !expected.contains("byte") { #expect(ByteSize.parse(expected) == bytes) }
    }
}

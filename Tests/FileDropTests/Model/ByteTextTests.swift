import Testing

@testable import FileDrop

@Suite("Sizes and times for people")
struct ByteTextTests {
    @Test(
        "count in units of 1024",
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (1023, "1023 bytes"), (1024, "1 KB"), (1536, "1.5 KB"), (1075, "1 KB"),
            (1076, "1.1 KB"),
            (102_348, "99.9 KB"), (102_349, "100 KB"), (1_047_552, "1023 KB"), (1_048_063, "1023 KB"), (1_048_064, "1 MB"),
            (1_572_864, "1.5 MB"), (50 << 20, "50 MB"), (1 << 30, "1 GB"), (1 << 40, "1 TB"), (1 << 50, "1 PB"),
            (1 << 60, "1 EB"),
            (Int64.max, "8 EB"), (-1, "0 bytes"), (Int64.min, "0 bytes"),
        ] as [(Int64, String)])
    func sizes(_ bytes: Int64, _ text: String) { #expect(ByteText.format(bytes) == text) }

    @Test(
        "name moments in UTC",
        arguments: [
            (0, "1 Jan 1970, 00:00 UTC", "1970-01-01T00:00:00Z"), (-1, "31 Dec 1969, 23:59 UTC", "1969-12-31T23:59:59Z"),
            (951_782_400, "29 Feb 2000, 00:00 UTC", "2000-02-29T00:00:00Z"),
            (4_107_542_400, "1 Mar 2100, 00:00 UTC", "2100-03-01T00:00:00Z"),
            (1_735_689_599, "31 Dec 2024, 23:59 UTC", "2024-12-31T23:59:59Z"),
            (784_111_777, "6 Nov 1994, 08:49 UTC", "1994-11-06T08:49:37Z"),
            (Int64.max, "31 Dec 9999, 23:59 UTC", "9999-12-31T23:59:59Z"),
            (Int64.min, "1 Jan 1, 00:00 UTC", "0001-01-01T00:00:00Z"),
        ] as [(Int64, String, String)])
    func times(_ seconds: Int64, _ readable: String, _ machine: String) {
        let time = TimeText(seconds: seconds)
        #expect(time.readable == readable)
        #expect(time.machine == machine)
    }
}

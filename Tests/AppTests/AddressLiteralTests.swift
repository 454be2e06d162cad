import Testing

@testable import App

@Suite("Address literals")
struct AddressLiteralTests {
    @Test(
        "are taken",
        arguments: [
            "0.0.0.0", "192.168.1.255", "::", "::1", "1::", "fe80::1%eth0", "2001:db8::8:800:200c:417a", "1:2:3:4:5:6:7:8",
            "::ffff:1.2.3.4", "::1.2.3.4", "1:2:3:4:5:6:7::", "1:2:3:4:5:6:1.2.3.4",
        ])
    func good(_ text: String) {
        #expect(AddressLiteral.normalized(text) == text)
        #expect(!text.contains(":") || AddressLiteral.normalized("[\(text)]") == text)
    }

    @Test(
        "with a fault are refused",
        arguments: [
            "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.", "a.b.c.d", "[1.2.3.4]", "[::1", "::1]", ":", ":1", "1:", ":::",
            "1::2::3",
            "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "g::", "::1%", "::1.2.3", "eth0", "/run/uvdrop.sock", "example.org",
        ])
    func bad(_ text: String) {
        #expect(AddressLiteral.normalized(text) == nil)
    }
}

import Testing

@testable import UVServer

@Suite("Machine") struct MachineTests {
    @Test(
        "looks names up in the domains of the last line that names any",
        arguments: [
            ("", []), ("nameserver 10.0.0.1\n", []), ("search lan\n", ["lan"]),
            ("search a.example  b.example.\n", ["a.example", "b.example"]),
            ("domain one\nsearch two\n", ["two"]), ("search two\ndomain one", ["one"]), ("search\tlan\r\n", ["lan"]),
            ("# search no\nsearch .\n", []), ("searching lan", []),
        ] as [(String, [String])])
    func searchDomains(_ text: String, _ expected: [String]) { #expect(Machine.searchDomains(in: text) == expected) }
}

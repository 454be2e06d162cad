import Testing

@testable import FileDrop

@Suite("The host rule") struct HostRuleTests {
    private let rule = HostRule(
        machineName: "Attic", searchDomains: ["fritz.box", "Office.example", "com"], allowed: ["Drop.Example"])

    @Test(
        "admits addresses, the machine and what was allowed",
        arguments: [
            "127.0.0.1", "192.168.1.7:8080", "[::1]", "[fe80::1]:80", "localhost", "LOCALHOST:99", "attic", "attic.local",
            "ATTIC.lan:80",
            "attic.", "drop.example", "DROP.example:1", "attic.home.arpa", "attic.internal.",
            "attic.fritz.box", "attic.office.example",
        ]
    )
    func admits(_ host: String) { #expect(self.rule.admits(Array(host.utf8))) }

    @Test(
        "refuses every name that somebody else can make resolve here",
        arguments: [
            "evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "notattic", "attics.local",
            "drop.example.evil.example",
            "1.2.3", "evil.example:8080", "attic.evil.example", "attic.example", "attic.com:8080", "attic.local.evil.example",
            "x.attic.lan", "fritz.box", "local", "", ".",
        ]
    )
    func refuses(_ host: String) { #expect(!self.rule.admits(Array(host.utf8))) }

    @Test("takes the first label of a machine's full name for its name") func fullName() {
        let rule = HostRule(machineName: "nas.home.example", searchDomains: [], allowed: [])
        for host in ["nas", "nas.local", "nas.home.example", "NAS:8080"] { #expect(rule.admits(Array(host.utf8)), "\(host)") }
        for host in ["home.example", "nas.example", "nas.evil.example"] { #expect(!rule.admits(Array(host.utf8)), "\(host)") }
    }

    @Test("lets HTTP/1.0 without Host pass") func noHost() { #expect(self.rule.admits(nil)) }
}

import FileDrop
import Testing

@testable import App

@Suite("The start-up lines")
struct StartupBannerTests {
    private let loopback4 = ReachableAddress(text: "127.0.0.1", isIPv6: false, isLoopback: true)
    private let loopback6 = ReachableAddress(text: "::1", isIPv6: true, isLoopback: true)
    private let lan4 = ReachableAddress(text: "192.168.1.5", isIPv6: false, isLoopback: false)
    private let lan6 = ReachableAddress(text: "fd00::5", isIPv6: true, isLoopback: false)
    private let link6 = ReachableAddress(text: "fe80::5%eth0", isIPv6: true, isLoopback: false)

    private func banner(_ addresses: [ReachableAddress], port: UInt16 = 8080, _ change: (inout Configuration) -> Void = { _ in })
        -> StartupBanner
    {
        var configuration = Configuration(folder: "drop")
        change(&configuration)
        return StartupBanner(
            configuration: configuration, folder: "/srv/drop", title: configuration.title ?? "box:8080", port: port,
            addresses: addresses)
    }

    @Test("say what is served and where")
    func whole() {
        #expect(
            self.banner([self.lan6, self.loopback4, self.lan4]).lines == [
                "uvdrop \(FileDropVersion.current)", "Folder: /srv/drop", "Limit: 50 MB an upload", "Title: box:8080",
                "http://192.168.1.5:8080/", "http://[fd00::5]:8080/",
            ])
    }

    @Test("have IPv4 first, each address once, and loopback only alone")
    func order() {
        #expect(self.banner([self.loopback6, self.loopback4]).urls == ["http://127.0.0.1:8080/", "http://[::1]:8080/"])
        #expect(
            self.banner([self.link6, self.lan4, self.lan4], port: 80).urls == ["http://192.168.1.5/", "http://[fe80::5%25eth0]/"])
        #expect(self.banner([]).urls.isEmpty)
    }

    typealias Change = @Sendable (inout Configuration) -> Void

    static let partsTable: [(Change, String)] = [
        ({ $0.maxSize = nil }, "Limit: none"), ({ $0.maxSize = 1000 }, "Limit: 1000 bytes an upload"),
        ({ $0.readOnly = true }, "Read-only: no uploads, no deletions"), ({ $0.title = "Holiday" }, "Title: Holiday"),
        ({ $0.title = "a\u{1B}[31m" }, "Title: a?[31m"),
    ]

    @Test("name the limit and the title", arguments: StartupBannerTests.partsTable)
    func parts(_ change: Change, _ expected: String) {
        #expect(self.banner([self.lan4], change).lines.contains(expected))
    }

    @Test("of the help name every option and variable and fit 100 columns")
    func help() {
        for name in OptionName.allCases {
            #expect(HelpText.help.contains(name.flag))
            if let variable = name.variable { #expect(HelpText.help.contains("[\(variable)]")) }
        }
        #expect(HelpText.help.split(separator: "\n").allSatisfy { $0.count <= 100 })
        #expect(HelpText.version == "uvdrop \(FileDropVersion.current)\n")
    }
}

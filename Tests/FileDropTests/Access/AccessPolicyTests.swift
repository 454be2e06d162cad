import Testing
import UVServer

@testable import FileDrop

@Suite("The gate") struct AccessPolicyTests {
    private static let own = "Origin: http://127.0.0.1:8080"

    private func verdict(
        readOnly: Bool = false, _ right: AccessPolicy.Right, _ fields: [String], by method: String = "POST"
    ) throws -> Int {
        let policy = AccessPolicy(readOnly: readOnly, hosts: HostRule(machineName: "attic", searchDomains: [], allowed: []))
        let head = try requestHead("\(method) / HTTP/1.1", fields)
        do throws(FileDropError) { try policy.admit(head, right: right) } catch { return error.status.code }
        return 200
    }

    @Test("grants every right to a client without an origin, and to our own page", arguments: AccessPolicy.Right.allCases)
    func grants(_ right: AccessPolicy.Right) throws {
        for fields in [
            ["Host: 127.0.0.1:8080"], ["Host: 127.0.0.1:8080", Self.own],
            ["Host: 127.0.0.1:8080", "Sec-Fetch-Site: same-origin"],
            ["Host: attic", "Origin: http://attic:80"], ["Host: 127.0.0.1:8080", "Sec-Fetch-Site: none"],
        ] {
            #expect(try self.verdict(right, fields) == 200, "\(fields)")
        }
    }

    @Test(
        "refuses a write from another origin, and lets it read",
        arguments: [
            "null", "http://evil.example", "http://127.0.0.1:8081", "http://127.0.0.1", "http://127.0.0.1:8080.evil.example",
            "127.0.0.1:8080", "",
        ]
    )
    func foreign(_ origin: String) throws {
        let fields = ["Host: 127.0.0.1:8080", "Origin: \(origin)"]
        #expect(try self.verdict(.read, fields) == 200)
        #expect(try self.verdict(.upload, fields) == 403)
        #expect(try self.verdict(.delete, fields) == 403)
    }

    @Test("refuses a write that only one of two origins may do")
    func twoOrigins() throws {
        #expect(try self.verdict(.upload, ["Host: 127.0.0.1:8080", Self.own, "Origin: http://evil.example"]) == 403)
    }

    @Test("refuses a write that a page of another site refers to")
    func referer() throws {
        #expect(try self.verdict(.delete, ["Host: 127.0.0.1:8080", "Referer: http://evil.example/x"]) == 403)
        #expect(try self.verdict(.delete, ["Host: 127.0.0.1:8080", "Referer: http://127.0.0.1:8080/sub/?x"]) == 200)
        #expect(try self.verdict(.read, ["Host: 127.0.0.1:8080", "Referer: http://evil.example/x"]) == 200)
        #expect(try self.verdict(.delete, ["Host: 127.0.0.1:8080", "Referer: http://evil.example/x"], by: "GET") == 200)
    }

    @Test("refuses a write that the browser calls foreign", arguments: ["cross-site", "same-site", "whatever"])
    func fetchSite(_ site: String) throws {
        #expect(try self.verdict(.delete, ["Host: 127.0.0.1:8080", "Sec-Fetch-Site: \(site)"]) == 403)
    }

    @Test(
        "answers 421 to a foreign host before anything else, but for what the page that says so loads",
        arguments: AccessPolicy.Right.allCases)
    func host(_ right: AccessPolicy.Right) throws {
        #expect(try self.verdict(readOnly: true, right, ["Host: evil.example"]) == (right == .anyHost ? 200 : 421))
    }

    @Test("of a read-only server grants reading alone")
    func readOnly() throws {
        #expect(try self.verdict(readOnly: true, .read, ["Host: 127.0.0.1"]) == 200)
        #expect(try self.verdict(readOnly: true, .upload, ["Host: 127.0.0.1"]) == 403)
        #expect(try self.verdict(readOnly: true, .delete, ["Host: 127.0.0.1"]) == 403)
    }
}

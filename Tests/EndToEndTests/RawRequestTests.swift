import TestSupport
import Testing

@Suite("raw requests")
struct RawRequestTests {
    @Test(
        "hostile requests of every section are answered as their rows say, alone and behind another, and nothing they hide is done",
        arguments: RawRequests.sections)
    func table(_ section: RawRequests.Section) throws {
        let folder = try TemporaryFolder()
        try RawRequests.fill(folder)
        let server = try ServerProcess(folder.path, ["--durability", "none"])
        for row in section.rows {
            let all = row.bytes + RawRequests.follower(of: row)
            let size = max(1, all.count / 200)
            for isSecond in [false, true] {
                let request = isSecond ? RawRequests.before.request + all : all
                let end = request.count - all.count + row.bytes.count
                for (label, pieces) in [
                    ("whole", [request]), ("before its last byte", [Array(request[..<(end - 1)]), Array(request[(end - 1)...])]),
                    ("at its end", [Array(request[..<end]), Array(request[end...])]),
                    (
                        "into bytes",
                        stride(from: 0, to: request.count, by: size).map { Array(request[$0..<min($0 + size, request.count)]) }
                    ),
                ] {
                    let client = try server.connect()
                    for piece in pieces { client.sendIgnoringRefusal(piece) }
                    if isSecond { #expect(try client.readReply().text == RawRequests.before.text) }
                    let fault = try RawRequests.fault(in: client, after: row)
                    #expect(fault == nil, "\(isSecond ? "second, " : "")cut \(label): \(row)")
                    guard row.stored != nil else { continue }
                    #expect(folder.read("put") == row.stored, "cut \(label): \(row)")
                    folder.remove("put")
                }
            }
        }
        #expect(folder.allFiles == ["a": 5, "after": 5, "kept": 4])
        #expect(try server.isServing())
    }
}

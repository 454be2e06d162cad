import Foundation
import TestSupport
public import Testing

/// What a browser sends as Accept.
let browserAccept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
let phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Safari/604.1"

func bytes(_ text: String) -> [UInt8] {
    [UInt8](text.utf8)
}

/// Bytes that look random and are the same every time.
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    var content: [UInt8] = []
    content.reserveCapacity(count)
    for _ in 0..<count {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        content.append(UInt8(truncatingIfNeeded: state >> 24))
    }
    return content
}

/// Equality without the search for differences that `#expect` makes of `==`: it takes for ever on megabytes.
func isSame(_ found: [UInt8]?, _ expected: [UInt8]) -> Bool {
    found == expected
}

// Only this test target sees it, and it changes nothing but what a failure prints.
// swift-format-ignore: AvoidRetroactiveConformances
extension Array: @retroactive CustomTestStringConvertible where Element == UInt8 {
    public var testDescription: String {
        self.count <= 200 ? String(decoding: self, as: UTF8.self).debugDescription : "\(self.count) bytes"
    }
}

func contains(_ haystack: [UInt8], _ needle: String) -> Bool {
    let needle = bytes(needle)
    guard haystack.count >= needle.count, let first = needle.first else { return needle.isEmpty }
    for index in 0...(haystack.count - needle.count) where haystack[index] == first {
        if haystack[index..<(index + needle.count)].elementsEqual(needle) { return true }
    }
    return false
}

struct FileRecord: Decodable {
    let name: String
    let kind: String?
    let size: Int?
    let modified: String?
    let type: String?
    let url: String
}

struct FileListing: Decodable {
    let path: String?
    let files: [FileRecord]
    /// The address of the next page.
    let next: String?
}

extension HTTPReply {
    var listing: FileListing {
        get throws { try JSONDecoder().decode(FileListing.self, from: Data(self.body)) }
    }

    /// The files an upload's 201 tells of.
    var stored: [FileRecord] {
        get throws {
            #expect(self.status == 201, "\(self.status) \(self.text)")
            #expect(self["content-type"]?.hasPrefix("application/json") == true)
            return try self.listing.files
        }
    }

    /// The values of an HTML attribute, entities undone.
    func attributes(_ name: String) -> [String] {
        let mark = bytes(" \(name)=\"")
        var values: [String] = []
        var index = 0
        while index + mark.count <= self.body.count {
            guard self.body[index] == 0x20, self.body[index..<(index + mark.count)].elementsEqual(mark) else {
                index += 1
                continue
            }
            index += mark.count
            let end = self.body[index...].firstIndex(of: UInt8(ascii: "\"")) ?? self.body.endIndex
            var value = String(decoding: self.body[index..<end], as: UTF8.self)
            for (entity, text) in [
                ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"),
            ] {
                value = value.replacingOccurrences(of: entity, with: text)
            }
            values.append(value)
            index = end
        }
        return values
    }
}

extension ServerProcess {
    func listing(_ target: String = "/?json") throws -> [FileRecord] {
        let reply = try self.get(target)
        #expect(reply.status == 200, "\(reply.status) \(reply.text)")
        return try reply.listing.files
    }

    /// The program still runs and still serves.
    func isServing() throws -> Bool {
        guard self.isRunning else { return false }
        return try self.get("/").status == 200
    }
}

/// `request` in the ways that a network may deliver it: whole, in as many pieces as it has bytes (two thousand at most), and cut in
/// two at several places.
func deliveries(of request: [UInt8]) -> [(label: String, pieces: [ArraySlice<UInt8>])] {
    let count = request.count
    let size = max(1, count / 2000)
    let small = stride(from: 0, to: count, by: size).map { request[$0..<min($0 + size, count)] }
    let cuts = [1, count / 3, count / 2, count - 3].filter { $0 > 0 && $0 < count }
    return [("whole", [request[...]]), ("in pieces of \(size)", small)]
        + cuts.map { ("cut at \($0)", [request[..<$0], request[$0...]]) }
}

/// Sends `request` to a connection of its own in each of its ``deliveries(of:)``; gives each answer and whether the server then
/// ended the stream with nothing more.
func everyDelivery(
    _ server: ServerProcess, _ request: [UInt8], to method: String = "GET", _ check: (HTTPReply, Bool, String) throws -> Void
) throws {
    for (label, pieces) in deliveries(of: request) {
        let client = try server.connect()
        for piece in pieces { client.sendIgnoringRefusal(piece) }
        let reply = try client.readReply(to: method)
        let ended = reply.closes ? try client.endsCleanly() : false
        client.close()
        try check(reply, ended, label)
    }
}

/// The same, where the status says it all.
func everyDelivery(
    _ server: ServerProcess, _ method: String, _ target: String, _ fields: [(String, String)] = [], body: [UInt8]? = nil,
    gives status: Int, _ location: SourceLocation = #_sourceLocation
) throws {
    try everyDelivery(server, HTTPRequest.bytes(method, target, fields, body: body), to: method) { reply, _, label in
        #expect(reply.status == status, "\(method) \(target) \(fields) \(label): \(reply.text)", sourceLocation: location)
    }
}

import CMemmem
import UVServer

/// How fast the multipart parser finds its delimiter: against glibc's memmem over random bytes, and alone over hostile ones.
/// Prints the best of five rounds, in GB/s; rounds of parser and memmem take turns.
@main
enum Main {
    private static let bodyBytes = 64 << 20
    private static let pieceBytes = 256 << 10

    static func main() {
        var generator = SystemRandomNumberGenerator()
        let plain = "----WebKitFormBoundary7MA4YWxkTrZu0gW"
        print("case                                            parser GB/s   memmem GB/s   ratio")
        self.report("random bytes", plain, Body.random(self.bodyBytes, &generator), against: true)
        for (label, unit) in Body.floods { self.report(label, plain, Body.repeating(unit, self.bodyBytes)) }
        for boundary in ["a", String(repeating: "a", count: 70)] {
            let width = "boundary of \(boundary.utf8.count)"
            for (label, unit) in Body.nearDelimiters(boundary) {
                self.report("\(label), \(width)", boundary, Body.repeating(unit, self.bodyBytes))
            }
            self.report("all of these in no order, \(width)", boundary, Body.shuffled(boundary, self.bodyBytes, &generator))
        }
    }

    private static func report(_ name: String, _ boundary: String, _ body: [UInt8], against: Bool = false) {
        let delimiter = Array("\r\n--\(boundary)".utf8)
        var (parser, memmem) = (0.0, 0.0)
        for _ in 0..<5 {
            parser = max(parser, self.rate(body.count) { self.parse(boundary, body) })
            guard against else { continue }
            memmem = max(memmem, self.rate(body.count) { self.find(delimiter, in: body) })
        }
        let label = name.padding(48)
        print(
            label + self.text(parser) + (against ? "          \(self.text(memmem))          \(self.text(parser / memmem))" : ""))
    }

    private static func parse(_ boundary: String, _ body: [UInt8]) {
        // The boundary is one that the grammar allows, so neither this nor the head can fail.
        guard let boundary = try? Boundary(contentType: "multipart/form-data; boundary=\(boundary)") else {
            fatalError("boundary")
        }
        var parser = MultipartParser(boundary: boundary, limits: MultipartLimits())
        let head = Array(
            "--\(String(decoding: boundary.bytes, as: UTF8.self))\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\n".utf8)
        var found = self.feed(&parser, head.span)
        var start = 0
        while start < body.count {
            let end = min(start + self.pieceBytes, body.count)
            found += self.feed(&parser, body.span.extracting(start..<end))
            start = end
        }
        precondition(found >= body.count - 200, "the body came back whole")
    }

    private static func feed(_ parser: inout MultipartParser, _ bytes: Span<UInt8>) -> Int {
        var (index, found) = (0, 0)
        do {
            while let event = try parser.next(bytes, at: &index) {
                if case .body(let range) = event { found += range.count }
                if case .delimiterBytes(let count) = event { found += count }
            }
        } catch {
            fatalError("\(error)")
        }
        return found
    }

    private static func find(_ delimiter: [UInt8], in body: [UInt8]) {
        var start = 0
        while start < body.count {
            let end = min(start + self.pieceBytes, body.count)
            let hit = unsafe body.withUnsafeBytes {
                unsafe memmem($0.baseAddress! + start, end - start, delimiter, delimiter.count)
            }
            precondition(unsafe hit == nil, "random bytes hold no delimiter")
            start = end
        }
    }

    private static func rate(_ bytes: Int, _ work: () -> Void) -> Double {
        let duration = ContinuousClock().measure(work)
        let parts = duration.components
        return Double(bytes) / (Double(parts.seconds) * 1e9 + Double(parts.attoseconds) / 1e9)
    }

    private static func text(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}

extension String {
    fileprivate func padding(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - self.count)) }
}

@testable import UVServer

extension Response {
    /// Reads a body to its end, and says how many bytes it had or why it has none.
    @EventLoop static func bodyEnd(of request: Request) async -> Response {
        var count = 0
        do throws(BodyError) {
            while let chunk = try await request.body.read() { count += chunk.count }
        } catch {
            return Response(
                error == .timedOut ? .requestTimeout : .badRequest, type: "text/plain", bytes: Array("\(error)".utf8))
        }
        return Response(.ok, type: "text/plain", bytes: Array("\(count)".utf8))
    }
}

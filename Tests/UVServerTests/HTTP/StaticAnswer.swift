import UVServer

/// A response for a file, taken apart for comparing.
struct StaticAnswer {
    let status: Status
    let fields: Fields
    /// What the connection would send; `nil` where the response has no body.
    let body: String?
    /// How many stretches of the file the body names.
    let slices: Int

    /// - Parameter content: the file's.
    init(_ response: borrowing Response, content: String) {
        self.status = response.status
        self.fields = response.fields
        switch response.body {
        case .none: (self.body, self.slices) = (nil, 0)
        case .omitted: (self.body, self.slices) = (nil, 0)
        case .made: (self.body, self.slices) = (nil, 0)
        case .bytes(let bytes): (self.body, self.slices) = (String(decoding: bytes, as: UTF8.self), 0)
        case .file(_, let pieces):
            var sent: [UInt8] = []
            var slices = 0
            for piece in pieces {
                switch piece {
                case .bytes(let bytes): sent += bytes
                case .slice(let slice):
                    slices += 1
                    sent += content.utf8.dropFirst(Int(slice.offset)).prefix(Int(slice.length))
                }
            }
            (self.body, self.slices) = (String(decoding: sent, as: UTF8.self), slices)
        }
    }

    /// Every field as `Name: value`, sorted.
    var lines: [String] { self.fields.map { "\($0.name.spelling): \($0.value)" }.sorted() }
}

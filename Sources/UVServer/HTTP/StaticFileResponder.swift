/// Answers GET and HEAD for an open file: conditions (RFC 9110 section 13), then ranges (section 14).
public enum StaticFileResponder {
    /// The validators of a file: a strong tag made of what changes when the content does.
    public static func validators(of status: FileStatus) -> Preconditions.Validators {
        let parts = [
            status.inode, UInt64(bitPattern: status.size), UInt64(bitPattern: status.modifiedSeconds),
            UInt64(bitPattern: Int64(status.modifiedNanoseconds)),
        ]
        return Preconditions.Validators(
            tag: EntityTag(opaque: parts.map { String($0, radix: 36) }.joined(separator: "-")), modified: status.modifiedSeconds
        )
    }

    /// The conditions that a request carries.
    public static func preconditions(of head: RequestHead) -> Preconditions {
        // A field that comes in several lines is one list (RFC 9110 section 5.3).
        func joined(_ name: FieldName) -> String? {
            let values = head.fields.all(name)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
        return Preconditions(
            ifMatch: joined(.ifMatch), ifNoneMatch: joined(.ifNoneMatch), ifModifiedSince: head.fields[.ifModifiedSince],
            ifUnmodifiedSince: head.fields[.ifUnmodifiedSince], ifRange: head.fields[.ifRange]
        )
    }

    /// - Parameters:
    ///   - fields: what the caller adds to every answer with content (disposition, security).
    ///   - type: the file's media type.
    public static func respond(
        to head: RequestHead, file: consuming OwnedFile, status: FileStatus, type: String, fields: Fields
    ) -> Response {
        let current = self.validators(of: status)
        let conditions = self.preconditions(of: head)
        var fields = fields
        fields[.etag] = current.tag.description
        fields[.lastModified] = HTTPDate.format(current.modified)
        switch conditions.evaluate(isRead: true, current: current) {
        case .notModified: return self.unchanged(fields)
        case .failed: return Response(.preconditionFailed, fields: fields)
        case .proceed: break
        }
        fields[.acceptRanges] = "bytes"
        fields[.contentType] = type
        // Range is defined for GET alone; several Range lines are no Range at all.
        let ranges = head.fields.all(.range)
        guard head.method == .get, ranges.count == 1, conditions.allowsRange(current) else {
            return self.whole(file, status, fields)
        }
        switch ByteRange(header: ranges[0], fileSize: status.size) {
        case .whole: return self.whole(file, status, fields)
        case .unsatisfiable:
            fields[.contentType] = nil
            fields[.contentDisposition] = nil
            fields[.contentRange] = "bytes */\(status.size)"
            return Response(.rangeNotSatisfiable, fields: fields)
        case .slices(let slices) where slices.count == 1:
            fields[.contentRange] = slices[0].contentRange(fileSize: status.size)
            return Response(.partialContent, fields: fields, body: .file(file, [.slice(slices[0])]))
        // Their heads, a few kilobytes together, must still fit into a length.
        case .slices where status.size > Int64.max - 1 << 20: return self.whole(file, status, fields)
        case .slices(let slices): return self.several(slices, file, status, type, fields)
        }
    }

    /// Tells what may have become different, and nothing that the client has got already (RFC 9110 section 15.4.5).
    private static func unchanged(_ fields: Fields) -> Response {
        var response = Response(.notModified)
        for name in [FieldName.cacheControl, .etag, .lastModified] { response.fields[name] = fields[name] }
        return response
    }

    private static func whole(_ file: consuming OwnedFile, _ status: FileStatus, _ fields: Fields) -> Response {
        Response(.ok, fields: fields, body: .file(file, [.slice(ByteSlice(offset: 0, length: status.size))]))
    }

    /// multipart/byteranges (RFC 9110 section 14.6): each range is still sent from the file.
    private static func several(
        _ slices: [ByteSlice], _ file: consuming OwnedFile, _ status: FileStatus, _ type: String, _ fields: Fields
    ) -> Response {
        let boundary = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
        var pieces: [ResponseBody.Piece] = []
        for (index, slice) in slices.enumerated() {
            let head = """
                \(index == 0 ? "" : "\r\n")--\(boundary)\r\nContent-Type: \(type)\r\n\
                Content-Range: \(slice.contentRange(fileSize: status.size))\r\n\r\n
                """
            pieces.append(.bytes(Array(head.utf8)))
            pieces.append(.slice(slice))
        }
        pieces.append(.bytes(Array("\r\n--\(boundary)--\r\n".utf8)))
        var fields = fields
        fields[.contentType] = "multipart/byteranges; boundary=\(boundary)"
        return Response(.partialContent, fields: fields, body: .file(file, pieces))
    }
}

internal import UVServer

/// Makes the answers that all routes share, with the fields that keep user content out of our origin.
enum Reply {
    /// On every answer.
    static func securityFields() -> Fields {
        var fields = Fields()
        fields[.xContentTypeOptions] = "nosniff"
        fields[.referrerPolicy] = "same-origin"
        return fields
    }

    static func page(_ status: Status, _ body: consuming ResponseBody) -> Response {
        var fields = self.securityFields()
        fields[.contentType] = "text/html; charset=utf-8"
        fields[.contentSecurityPolicy] = PageSecurity.contentSecurityPolicy
        fields[.cacheControl] = "no-cache"
        fields[.vary] = "Accept"
        return Response(status, fields: fields, body: body)
    }

    static func json(_ status: Status, _ value: some Encodable, type: String = "application/json") -> Response {
        self.json(status, .bytes(JSONText.encode(value) + [ASCII.lineFeed]), type: type)
    }

    static func json(_ status: Status, _ body: consuming ResponseBody, type: String = "application/json") -> Response {
        var fields = self.securityFields()
        fields[.contentType] = type
        fields[.cacheControl] = "no-cache"
        fields[.vary] = "Accept"
        return Response(status, fields: fields, body: body)
    }

    /// To be asked for anew each time: what is a folder today may be a file tomorrow.
    /// - Parameter text: for clients that show the answer instead of following it.
    static func redirect(_ status: Status, to location: String, text: String = "") -> Response {
        var fields = self.securityFields()
        fields[.location] = location
        fields[.cacheControl] = "no-cache"
        guard !text.isEmpty else { return Response(status, fields: fields) }
        fields[.contentType] = "text/plain; charset=utf-8"
        return Response(status, fields: fields, body: .bytes(Array(text.utf8)))
    }

    /// A page for browsers, a problem (RFC 9457) for clients that ask for JSON, text for the rest.
    static func error(_ error: FileDropError, as form: Negotiation, backURL: String? = "/") -> Response {
        let status = error.status
        var response = self.error(error, status, form, backURL)
        if case .methodNotAllowed(let methods) = error {
            response.fields[.allow] = methods.map(\.name).joined(separator: ", ")
        }
        if status == .serviceUnavailable { response.fields[.retryAfter] = "5" }
        return response
    }

    private static func error(
        _ error: FileDropError, _ status: Status, _ form: Negotiation, _ backURL: String?
    ) -> Response {
        switch form {
        case .page:
            let page = ErrorPage(
                statusCode: status.code, title: error.headline ?? status.reason, detail: error.detail, backURL: backURL)
            return self.page(status, .bytes(page.render()))
        case .json:
            let problem = Problem(type: "about:blank", title: status.reason, status: status.code, detail: error.detail)
            return self.json(status, problem, type: "application/problem+json")
        case .text:
            var fields = self.securityFields()
            fields[.contentType] = "text/plain; charset=utf-8"
            fields[.cacheControl] = "no-cache"
            fields[.vary] = "Accept"
            let text = "\(status.code) \(status.reason)\n\(error.detail)\n"
            return Response(status, fields: fields, body: .bytes(Array(text.utf8)))
        }
    }

    /// RFC 9457.
    private struct Problem: Encodable {
        let type: String
        let title: String
        let status: Int
        let detail: String
    }
}

internal import UVServer

/// The three ways to delete: `DELETE`, the page's form, and the old link, which asks unless it is plainly meant.
@EventLoop struct DeleteRoute {
    let context: RouteContext

    /// `DELETE /NAME`: 204.
    func respond(_ path: DropPath, _ head: RequestHead) async throws(FileDropError) -> Response {
        let expected = try await self.expected(path, head)
        try await self.delete(path, expecting: expected)
        return Response(.noContent, fields: Reply.securityFields())
    }

    /// `POST /delete/NAME`: back to the list for a browser, 204 for the rest.
    func respondToForm(_ path: DropPath, _ head: RequestHead) async throws(FileDropError) -> Response {
        try await self.delete(path)
        guard Negotiation(head) == .page else { return Response(.noContent, fields: Reply.securityFields()) }
        return Reply.redirect(.seeOther, to: path.parent.url)
    }

    /// `GET /delete/NAME`.
    func respondToLink(_ path: DropPath, _ head: RequestHead) async throws(FileDropError) -> Response {
        if head.method == .get, Self.isPlainlyMeant(head) {
            try await self.delete(path)
            return Reply.redirect(.seeOther, to: path.parent.url)
        }
        let page = DeletePage(name: path.name?.bytes ?? [], postURL: "/delete" + path.url, backURL: path.parent.url)
        return Reply.page(.ok, .bytes(page.render()))
    }

    /// A GET changes something only if our own page or a tool of the command line asks for all of it, and no prefetch.
    nonisolated static func isPlainlyMeant(_ head: RequestHead) -> Bool {
        let names: [FieldName] = [.purpose, .secPurpose, FieldName("X-Purpose"), FieldName("X-Moz")]
        let purposes = names.flatMap { head.fields.bytes($0) }
        if purposes.contains(where: { ASCII.contains($0, "prefetch") || ASCII.contains($0, "preview") }) { return false }
        // Players and previews ask for a piece.
        if head.fields.contains(.range) { return false }
        let sites = head.fields.all(.secFetchSite)
        if !sites.isEmpty { return sites.allSatisfy { $0 == "same-origin" } }
        let referers = head.fields.all(.referer)
        if !referers.isEmpty { return referers.allSatisfy { OriginRule.isOwn($0, head) } }
        return CommandLineTool.sent(head)
    }

    private func delete(_ path: DropPath, expecting expected: FileStatus? = nil) async throws(FileDropError) {
        try await FileDropError.translating { () throws(StoreError) in
            try await self.context.store.delete(path, expecting: expected)
        }
    }

    /// The file that fulfils the request's conditions; `nil` without any.
    private func expected(_ path: DropPath, _ head: RequestHead) async throws(FileDropError) -> FileStatus? {
        let conditions = StaticFileResponder.preconditions(of: head)
        guard conditions.bindWrites else { return nil }
        let current = try await FileDropError.translating { () throws(StoreError) -> FileStatus in
            switch try await self.context.store.open(path) {
            case .file(_, let status, _): return status
            // It has no version that a condition could name.
            case .folder: throw .changed
            }
        }
        let validators = StaticFileResponder.validators(of: current)
        guard conditions.evaluate(isRead: false, current: validators) == .proceed else { throw .preconditionFailed }
        return current
    }
}

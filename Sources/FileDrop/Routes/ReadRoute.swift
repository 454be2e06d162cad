internal import UVServer

/// `GET` and `HEAD` of a path: a file's bytes, or a folder as page or JSON.
@EventLoop struct ReadRoute {
    let router: Router

    func respond(_ path: DropPath, _ head: RequestHead) async throws(FileDropError) -> Response {
        let opened: OpenedItem
        do throws(StoreError) { opened = try await self.router.store.open(path) } catch { throw FileDropError(error) }
        switch consume opened {
        case .file(let file, let status): return Self.file(file, status, path.name, head)
        case .folder: break
        }
        guard path.isFolder else {
            // Relative links and uploads of the page need the slash.
            let query = head.target.query.map { "?" + String(decoding: $0, as: UTF8.self) } ?? ""
            return Reply.redirect(.permanentRedirect, to: DropPath(names: path.names, isFolder: true).url + query)
        }
        let entries = try await FileDropError.translating { () throws(StoreError) in try await self.router.store.list(path) }
        let query = Query(head.target.query ?? [])
        if query.has("json") || Negotiation(head) == .json { return Reply.json(.ok, FolderListing(path, entries)) }
        return Reply.page(.ok, self.page(path, entries).render())
    }

    private static func file(
        _ file: consuming OwnedFile, _ status: FileStatus, _ name: DropName?, _ head: RequestHead
    ) -> Response {
        let bytes = name?.bytes ?? []
        let type = MediaType.of(name: bytes)
        var fields = Reply.securityFields()
        // What users sent never runs in our origin, however it is opened.
        fields[.contentSecurityPolicy] =
            "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'"
        fields[.cacheControl] = "no-cache"
        fields[.contentDisposition] = AttachmentName.header(
            // Browsers show no PDF in a sandbox: it is saved instead.
            disposition: MediaType.showsInline(type) && type != "application/pdf" ? .inline : .attachment, name: bytes
        )
        let size = status.size
        let response = StaticFileResponder.respond(to: head, file: file, status: status, type: type, fields: fields)
        let refusals: [Status: FileDropError] = [
            .preconditionFailed: .preconditionFailed, .rangeNotSatisfiable: .rangeNotSatisfiable(size: size),
        ]
        guard let refusal = refusals[response.status] else { return response }
        var answer = Reply.error(refusal, as: Negotiation(head))
        for name in [FieldName.etag, .lastModified, .acceptRanges, .contentRange] { answer.fields[name] = response.fields[name] }
        return answer
    }

    private func page(_ path: DropPath, _ entries: [DropEntry]) -> ListingPage {
        let crumbs = path.names.indices.map { index in
            (name: path.names[index].bytes, url: DropPath(names: Array(path.names[...index]), isFolder: true).url)
        }
        let canChange = !self.router.configuration.readOnly
        return ListingPage(
            title: self.router.title, path: crumbs,
            entries: entries.map { entry in
                let target = path.appending(entry.name, isFolder: entry.isFolder)
                // A name that is one of our own first elements is shown, but no address reaches it.
                return ListingPage.Entry(
                    name: entry.name.bytes, url: target.isReserved ? "" : target.url,
                    deleteURL: target.isReserved || !canChange ? "" : "/delete" + target.url,
                    isFolder: entry.isFolder, size: entry.size, modifiedSeconds: entry.modifiedSeconds
                )
            },
            uploadURL: path.url, maxSizeText: self.router.configuration.maxSize.map { ByteText.format($0) },
            canUpload: canChange, canDelete: canChange
        )
    }
}

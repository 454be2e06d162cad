internal import UVServer

/// `GET` and `HEAD` of a path: a file's bytes, or a folder as page, JSON or archive.
@EventLoop struct ReadRoute {
    let context: RouteContext

    func respond(_ path: DropPath, _ request: Request) async throws(FileDropError) -> Response {
        let head = request.head
        let opened = try await FileDropError.translating { () throws(StoreError) -> OpenedItem in
            try await self.context.store.open(path, watching: request.isRepeated)
        }
        // However many ways there are to spell it, its list is one.
        let folder: DropPath
        switch consume opened {
        case .file(let file, let status, let freshness):
            // The root is a folder, so a file has a name.
            guard let name = path.name else { throw .notFound }
            var response = self.file(file, status, name, head)
            response.freshness = freshness
            return response
        case .folder(let found): folder = found
        }
        guard path.isFolder else {
            // Relative links and uploads of the page need the slash.
            let query = head.target.query.map { "?" + String(decoding: $0, as: UTF8.self) } ?? ""
            return Reply.redirect(.permanentRedirect, to: DropPath(names: path.names, isFolder: true).url + query)
        }
        let query = Query(head.target.query ?? [])
        if let format = ArchiveFormat(query) {
            return try await ArchiveRoute(context: self.context).respond(path, format, query, request)
        }
        return try await self.folder(folder, head, query)
    }

    /// The list or a part of it, as page or JSON.
    private func folder(_ path: DropPath, _ head: RequestHead, _ query: Query) async throws(FileDropError) -> Response {
        let part = try ListPart(query)
        let isJSON = query.has("json") || Negotiation(head) == .json
        // Nobody reads it, and how long it would be is not told (RFC 9110 section 8.6).
        guard head.method != .head else { return isJSON ? Reply.json(.ok, .omitted) : Reply.page(.ok, .omitted) }
        let page = self.page(path)
        let beginning = path.url + "?" + (query.has("json") ? "json&" : "")
        let form = FolderLists.Form(isJSON: isJSON, part: part, query: part.limit == nil ? "" : beginning)
        return try await FileDropError.translating { () throws(StoreError) -> Response in
            try await self.context.lists.respond(path, form) { (index, spool) throws(UVError) in
                func append(_ bytes: [UInt8]) throws(UVError) { try spool.append(bytes) }
                let range = part.range(in: index)
                let next = part.next(range, of: index).map { beginning + $0 }
                if isJSON {
                    try FolderListing(path: path).render(index, range, next: next, to: append)
                } else {
                    let first = part.after == nil ? nil : path.url + (part.limit.map { "?limit=\($0)" } ?? "")
                    let turns = ListingPage.Turns(first: first, next: next)
                    try page.render(index[range].lazy.map { page.entry($0, in: path) }, turns, to: append)
                }
            }
        }
    }

    private func file(
        _ file: consuming OwnedFile, _ status: FileStatus, _ name: DropName, _ head: RequestHead
    ) -> Response {
        let known = self.context.fileFields.entry(name)
        let size = status.size
        let response = StaticFileResponder.respond(
            to: head, file: file, status: status, type: known.type, fields: known.fields)
        guard let refusal = Self.refusal(response.status, size: size) else { return response }
        var answer = Reply.error(refusal, as: Negotiation(head))
        for name in [FieldName.etag, .lastModified, .acceptRanges, .contentRange] { answer.fields[name] = response.fields[name] }
        return answer
    }

    /// What an answer without the file is told in.
    private static func refusal(_ status: Status, size: Int64) -> FileDropError? {
        switch status {
        case .preconditionFailed: .preconditionFailed
        case .rangeNotSatisfiable: .rangeNotSatisfiable(size: size)
        default: nil
        }
    }

    private func page(_ path: DropPath) -> ListingPage {
        let crumbs = path.names.indices.map { index in
            (name: path.names[index].bytes, url: DropPath(names: Array(path.names[...index]), isFolder: true).url)
        }
        let canChange = !self.context.configuration.readOnly
        return ListingPage(
            title: self.context.title, path: crumbs, uploadURL: path.url,
            maxSizeText: self.context.configuration.maxSize.map { ByteText.format($0) }, maxFiles: FormUploadRoute.filesLimit,
            canUpload: canChange, canDelete: canChange
        )
    }
}

extension ListingPage {
    /// How the page of `path` shows one entry. A name that is one of our own first elements is shown, but no address reaches it.
    fileprivate func entry(_ entry: FolderIndex.Element, in path: DropPath) -> Entry {
        let isReserved = path.isRoot && DropName(entry.name)?.isReserved == true
        let url = isReserved ? "" : path.url + PercentEncoding.encodeElement(entry.name) + (entry.isFolder ? "/" : "")
        return Entry(
            name: [UInt8](entry.name), url: url, deleteURL: url.isEmpty || !self.canDelete ? "" : "/delete" + url,
            isFolder: entry.isFolder, size: entry.size, modifiedSeconds: entry.modifiedSeconds
        )
    }
}

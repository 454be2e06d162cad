internal import UVServer

/// `PUT /NAME`: the body is the file. Never renames: an existing name is replaced only where the client or the policy says so.
@EventLoop struct PutRoute {
    let context: RouteContext

    func respond(_ path: DropPath, _ request: Request) async throws(FileDropError) -> Response {
        guard let last = path.name else { throw .missingName }
        // RFC 9110 section 14.5: a part of a file must not be taken for the whole.
        guard !request.head.fields.contains(.contentRange) else { throw .partialContentNotSupported }
        var limit = UploadLimit(self.context.configuration.maxSize)
        try limit.admit(announced: request.body.announcedLength)
        let store = self.context.store
        let folder: TargetFolder
        do throws(StoreError) { folder = try await store.targetFolder(path.parent) } catch {
            throw error == .notFound || error == .notFolder ? .folderMissing : FileDropError(error)
        }
        let name: DropName
        do throws(StoreError) { name = try store.newName(last.bytes, in: folder) } catch { throw FileDropError(error) }
        let conditions = StaticFileResponder.preconditions(of: request.head)
        let existing = try await self.replaceable(path, request.head, conditions)
        var upload: PendingUpload
        do throws(StoreError) {
            // What is small is there sooner than it is refused, unless the client waits to be asked for it.
            upload = try await store.beginUpload(
                in: folder, expectedBytes: request.body.announcedLength, looksForRoom: request.head.expectsContinue)
        } catch {
            throw error == .notFound ? .folderMissing : FileDropError(error)
        }
        do throws(FileDropError) {
            try await Self.receive(request.body, into: &upload, &limit)
        } catch {
            await upload.discard()
            throw error
        }
        // Who names the version to be replaced, or one that must not be, replaces the one that was looked at and no other. Who asks
        // for a new file gets no other either, also when the name was taken while the body arrived.
        let isConditional = conditions.bindWrites
        let replaces = self.context.configuration.duplicates == .overwrite && !isConditional
        let stored: (DropName, replaced: Bool)
        do throws(StoreError) {
            stored = try await upload.commit(
                as: name, onDuplicate: replaces ? .overwrite : .error, expecting: isConditional ? existing : nil)
        } catch {
            throw error == .nameTaken && isConditional ? .preconditionFailed : FileDropError(error)
        }
        var fields = Reply.securityFields()
        fields[.location] = path.parent.appending(stored.0).url
        return Response(stored.replaced ? .noContent : .created, fields: fields)
    }

    /// The existing file, which may be replaced; `nil` when the name is free.
    private func replaceable(
        _ path: DropPath, _ head: RequestHead, _ conditions: Preconditions
    ) async throws(FileDropError) -> FileStatus? {
        let existing: FileStatus?
        do throws(StoreError) {
            switch try await self.context.store.open(path) {
            case .file(_, let status, _): existing = status
            case .folder: throw .nameTaken
            }
        } catch {
            guard error == .notFound else { throw FileDropError(error) }
            existing = nil
        }
        let current = existing.map(StaticFileResponder.validators)
        guard conditions.evaluate(isRead: false, current: current) == .proceed else { throw .preconditionFailed }
        guard let existing else { return nil }
        let mayReplace = head.fields.contains(.ifMatch) || self.context.configuration.duplicates == .overwrite
        guard mayReplace else { throw .nameTaken }
        return existing
    }

    private static func receive(
        _ body: RequestBody, into upload: inout PendingUpload, _ limit: inout UploadLimit
    ) async throws(FileDropError) {
        while let chunk = try await Self.next(body) {
            try limit.count(chunk.count)
            do throws(StoreError) { try await upload.write(chunk) } catch { throw FileDropError(error) }
        }
    }

    private static func next(_ body: RequestBody) async throws(FileDropError) -> ByteChunk? {
        do throws(BodyError) { return try await body.read() } catch { throw FileDropError(error) }
    }
}

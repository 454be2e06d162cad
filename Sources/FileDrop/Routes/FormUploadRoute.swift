internal import UVServer

/// `POST /FOLDER/`: a multipart form; every part with a file name is stored. Files appear together, after the whole form
/// has arrived: a form that was cut off leaves nothing.
@EventLoop struct FormUploadRoute {
    /// The most that text fields of a form may hold together, in bytes. Past it: 413.
    static let fieldBytes = 1 << 20
    /// The most files that one form may bring: each holds a descriptor until all have arrived. Past it: 413.
    static let filesLimit = 250

    /// Up to here a form is read before anyone looks whether it fits, in bytes: it is sent sooner than that is told, unless the client
    /// waits to be asked for it.
    private static let smallBytes: Int64 = 1 << 20

    let context: RouteContext

    func respond(_ folder: DropPath, _ request: Request) async throws(FileDropError) -> Response {
        let place = try await self.folder(folder)
        guard let type = request.head.fields[.contentType] else { throw .notAForm }
        var limit = UploadLimit(self.context.configuration.maxSize)
        try limit.admit(announced: request.body.announcedLength, framing: UploadLimit.framingBytes)
        let boundary: Boundary
        do throws(MultipartError) {
            boundary = try Boundary(contentType: type)
        } catch {
            throw type.lowercased().hasPrefix("multipart/form-data") ? FileDropError(error) : .notAForm
        }
        if let announced = request.body.announcedLength {
            try await self.requireRoom(announced, in: place, isAwaited: request.head.expectsContinue)
        }
        let reader = MultipartReader(body: request.body, boundary: boundary, limits: MultipartLimits())
        let files = FormFiles(self.context.slots)
        defer { files.giveBackSlots() }
        do throws(FileDropError) {
            try await self.receive(reader, into: files, place, &limit)
        } catch {
            await files.discard()
            throw error
        }
        guard !files.isEmpty else { throw .noFileChosen }
        let stored = try await FileDropError.translating { () throws(StoreError) in
            try await files.commit(to: self.context.store, onDuplicate: self.context.configuration.duplicates)
        }
        guard Negotiation(request.head) == .json else {
            // For those who do not follow it, like curl: a name may have got a number.
            return Reply.redirect(.seeOther, to: folder.url, text: stored.map { "stored \($0.name)\n" }.joined())
        }
        let items = stored.map { file in
            StoredFiles.Item(name: file.name.description, size: file.size, url: folder.appending(file.name).url)
        }
        var response = Reply.json(.created, StoredFiles(files: items))
        // Without it the folder would be what was created (RFC 9110 section 15.3.2).
        response.fields[.location] = items.first?.url
        return response
    }

    /// Refuses a form that cannot fit by its announced length, before its body is read.
    private func requireRoom(_ announced: Int64, in place: TargetFolder, isAwaited: Bool) async throws(FileDropError) {
        guard isAwaited || announced > Self.smallBytes || self.context.configuration.minFree > 0 else { return }
        // How much of it is framing is not known, but some of it is a file.
        let bytes = max(1, announced - UploadLimit.framingBytes)
        try await FileDropError.translating { () throws(StoreError) in
            try await self.context.store.requireRoom(for: bytes, in: place)
        }
    }

    /// A form goes to a folder: one that is sent to a file is told so before its body is read.
    private func folder(_ path: DropPath) async throws(FileDropError) -> TargetFolder {
        do throws(StoreError) { return try await self.context.store.targetFolder(path) } catch {
            throw error == .notFolder ? .methodNotAllowed(Route.fileMethods) : FileDropError(error)
        }
    }

    private func receive(
        _ reader: MultipartReader, into files: FormFiles, _ folder: TargetFolder, _ limit: inout UploadLimit
    ) async throws(FileDropError) {
        var isFile = false
        var fieldBytes = 0
        while let event = try await self.next(reader) {
            switch event {
            case .partBegan(let head):
                isFile = false
                guard let filename = head.filename else { continue }
                let last = Self.lastElement(filename)
                // What browsers send for a field in which nothing was chosen.
                guard !last.isEmpty else { continue }
                guard files.count < Self.filesLimit else {
                    throw .tooManyParts("A form can bring \(Self.filesLimit) files at most. Send the rest in another one.")
                }
                do throws(FileDropError) { try await self.begin(last, in: folder, files, reader) } catch {
                    throw .file(VisibleName.text(last), error)
                }
                isFile = true
            case .bytes(let chunk) where isFile:
                try limit.count(chunk.count)
                try await FileDropError.translating { () throws(StoreError) in try await files.write(chunk) }
            case .bytes(let chunk):
                fieldBytes += chunk.count
                guard fieldBytes <= Self.fieldBytes else { throw .fieldsTooLarge }
            case .partEnded where isFile:
                try await FileDropError.translating { () throws(StoreError) in try await files.endFile() }
            case .partEnded: break
            }
        }
    }

    private func begin(
        _ name: [UInt8], in folder: TargetFolder, _ files: FormFiles, _ reader: MultipartReader
    ) async throws(FileDropError) {
        try await self.refuseTaken(name, in: folder.path)
        try files.takeSlot()
        try await FileDropError.translating { () throws(StoreError) in
            let name = try self.context.store.newName(name, in: folder)
            // At most all that is still to come: no room for it is told now, not when the disk is full.
            let upload = try await self.context.store.beginUpload(in: folder, expectedBytes: reader.longestPart)
            files.append(name, upload)
        }
    }

    /// Where a taken name is an error, it is told before the file has been sent.
    private func refuseTaken(_ name: [UInt8], in folder: DropPath) async throws(FileDropError) {
        guard self.context.configuration.duplicates == .error, let name = DropName(name) else { return }
        do throws(StoreError) {
            _ = try await self.context.store.open(folder.appending(name))
        } catch {
            if error == .notFound { return }
            throw FileDropError(error)
        }
        throw .nameTaken
    }

    private func next(_ reader: MultipartReader) async throws(FileDropError) -> MultipartReader.Event? {
        do throws(MultipartReader.Failure) { return try await reader.next() } catch { throw FileDropError(error) }
    }

    /// A file name without the folders that some clients send with it (RFC 7578 section 4.2).
    static func lastElement(_ filename: [UInt8]) -> [UInt8] {
        let separators = [UInt8(ascii: "/"), UInt8(ascii: "\\")]
        guard let index = filename.lastIndex(where: { separators.contains($0) }) else { return filename }
        return Array(filename[(index + 1)...])
    }

    private struct StoredFiles: Encodable {
        struct Item: Encodable {
            let name: String
            let size: Int64
            let url: String
        }
        let files: [Item]
    }
}

internal import UVServer

extension FileDropError {
    /// What a failure of the store means to the client.
    init(_ error: StoreError) {
        switch error {
        case .notFound, .notFolder: self = .notFound
        case .nameTaken: self = .nameTaken
        case .nameOfFileTaken(let name): self = .file(VisibleName.text(name), .nameTaken)
        case .folderNotEmpty: self = .folderNotEmpty
        case .nameTooLong: self = .badName("The name is too long. Use at most 255 bytes.")
        case .badName(let reason): self = .badName(reason)
        case .diskFull: self = .diskFull
        case .fileTooLarge: self = .fileTooLarge
        case .busy: self = .busy
        case .away: self = .folderAway
        case .moved: self = .folderMoved
        case .forbidden: self = .forbidden
        case .changed: self = .preconditionFailed
        case .io(let cause): self = .failed(cause)
        }
    }

    init(_ error: BodyError) {
        switch error {
        case .clientClosed: self = .clientGone
        case .timedOut: self = .timedOut
        case .malformed(let cause): self = .refused(cause)
        }
    }

    init(_ error: MultipartError) {
        self = error.isTooLarge ? .tooManyParts(error.reason) : .badForm(error.reason)
    }

    init(_ failure: MultipartReader.Failure) {
        switch failure {
        case .body(let error): self.init(error)
        case .multipart(let error): self.init(error)
        }
    }

    /// Runs a call of the store with its errors as ours.
    @EventLoop static func translating<Value: ~Copyable>(
        _ body: @EventLoop () async throws(StoreError) -> Value
    ) async throws(FileDropError) -> Value {
        do throws(StoreError) { return try await body() } catch { throw FileDropError(error) }
    }
}

internal import UVServer

/// Why a request was not done, in the product's words. Each case says which status it is and what the client can do about it.
indirect enum FileDropError: Error {
    /// As the protocol has it: malformed, past a limit of it, or one connection too many.
    case refused(HTTPError)
    case badPath
    case badName(String)
    case missingName
    /// A sentence about what is wrong with the query.
    case badQuery(String)
    case notFound
    case methodNotAllowed([UVServer.Method])
    case notAForm
    case noFileChosen
    case partialContentNotSupported
    /// The form's body is malformed: a sentence about how.
    case badForm(String)
    case tooLarge(limit: Int64)
    /// Larger than any file may be where it would be stored.
    case fileTooLarge
    /// The form's text fields together.
    case fieldsTooLarge
    case tooManyParts(String)
    case nameTaken
    /// What is wrong with one of several files.
    case file(String, FileDropError)
    case folderMissing
    case folderNotEmpty
    case preconditionFailed
    case rangeNotSatisfiable(size: Int64)
    case readOnly
    case forbidden
    case foreignOrigin
    case wrongHost
    /// No space, or less would stay free than has to.
    case diskFull
    /// Too many files or lists are on their way at once.
    case busy
    /// The drop folder has been removed, renamed or unmounted.
    case folderAway
    /// Another folder has taken the place of the one that was meant.
    case folderMoved
    case timedOut
    /// The client went away; whatever is answered, nobody reads it.
    case clientGone
    /// Our fault, with what failed, for the log only.
    case failed(UVError)

    var status: Status {
        switch self {
        case .refused(let error): error.status
        case .file(_, let error): error.status
        case .badPath, .badName, .missingName, .badQuery, .noFileChosen, .badForm, .partialContentNotSupported, .clientGone:
            .badRequest
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .notAForm: .unsupportedMediaType
        case .tooLarge, .fileTooLarge, .fieldsTooLarge, .tooManyParts: .contentTooLarge
        case .nameTaken, .folderMissing, .folderNotEmpty, .folderMoved: .conflict
        case .preconditionFailed: .preconditionFailed
        case .rangeNotSatisfiable: .rangeNotSatisfiable
        case .readOnly, .forbidden, .foreignOrigin: .forbidden
        case .wrongHost: .misdirectedRequest
        case .busy, .folderAway: .serviceUnavailable
        case .diskFull: .insufficientStorage
        case .timedOut: .requestTimeout
        case .failed: .internalServerError
        }
    }

    /// Something that a path names was not found.
    var saysMissing: Bool {
        switch self {
        case .notFound, .folderMissing: true
        case .file(_, let error): error.saysMissing
        default: false
        }
    }

    /// What failed, when it is our fault.
    var cause: UVError? {
        switch self {
        case .failed(let cause): cause
        case .file(_, let error): error.cause
        case .refused, .badPath, .badName, .missingName, .badQuery, .notFound, .methodNotAllowed, .notAForm, .noFileChosen,
            .partialContentNotSupported, .badForm, .tooLarge, .fileTooLarge, .fieldsTooLarge, .tooManyParts, .nameTaken,
            .folderMissing, .folderNotEmpty, .preconditionFailed, .rangeNotSatisfiable, .readOnly, .forbidden, .foreignOrigin,
            .wrongHost, .diskFull, .busy, .folderAway, .folderMoved, .timedOut, .clientGone:
            nil
        }
    }

    /// What happened, in a few words for people; `nil` where the status's own say it.
    var headline: String? {
        switch self {
        case .file(_, let error): error.headline
        case .badName: "This name cannot be used"
        case .tooLarge, .fieldsTooLarge, .tooManyParts: "Too much at once"
        case .fileTooLarge: "The file is too large"
        case .nameTaken: "The name is taken"
        case .folderNotEmpty: "The folder is not empty"
        case .preconditionFailed: "It has changed"
        case .readOnly: "Nothing can be changed here"
        case .wrongHost: "Not the name of this server"
        case .diskFull: "No room left"
        case .folderAway: "The folder is away"
        case .folderMoved: "The folder was moved"
        case .refused, .badPath, .missingName, .badQuery, .notFound, .methodNotAllowed, .notAForm, .noFileChosen,
            .partialContentNotSupported, .badForm, .folderMissing, .rangeNotSatisfiable, .forbidden, .foreignOrigin, .busy,
            .timedOut, .clientGone, .failed:
            nil
        }
    }

    /// A sentence for people. It never holds a path of this machine or an error number.
    var detail: String {
        switch self {
        case .refused(let error): error.reason
        case .badPath:
            "This address is not a usable path. Each name in it has 1 to 255 bytes, and none is . or .. or holds a slash or a NUL."
        case .badName(let reason), .badQuery(let reason): reason
        case .missingName: "The address names no file. Put the file's name at its end."
        case .notFound: "There is nothing at this address. It may have been deleted; look at the list."
        case .methodNotAllowed(let methods): "This address takes only \(methods.map(\.name).joined(separator: ", "))."
        case .notAForm: "Send the files as multipart/form-data, or one file with PUT."
        case .noFileChosen: "No file was chosen. Choose at least one file, then upload."
        case .partialContentNotSupported: "Send the whole file: parts of a file cannot be uploaded."
        case .badForm(let reason): reason
        case .tooLarge(let limit):
            "The upload is over the limit of \(ByteText.format(limit)). Send less, or ask for a higher limit."
        case .fileTooLarge:
            "The file is larger than its disk, or the system there, allows a file to be. Send it in several parts."
        case .fieldsTooLarge: "The form's text fields are too large. Send files only."
        case .tooManyParts(let reason): reason
        case .nameTaken: "This name is taken. Choose another one, or delete what has it first."
        case .file(let name, let error): "\(name): \(error.detail)"
        case .folderMissing: "The folder in this path does not exist. Upload into a folder that does."
        case .folderNotEmpty: "The folder is not empty. Delete what is in it first."
        case .preconditionFailed: "The file is not in the state that the request asked for. Load it again, then decide."
        case .rangeNotSatisfiable(let size): "The file has \(size) bytes, and the range begins after them. Ask for less."
        case .readOnly: "This server only shares files; it takes no uploads and deletes nothing."
        case .forbidden:
            "The server may not do this here. Ask whoever runs it to check the folder's permissions, and whether its disk is read-only."
        case .foreignOrigin: "This request came from another web site. Open the server's own page and do it there."
        case .wrongHost:
            "This server does not answer to that host name. Use its IP address, or ask for the name to be allowed (--allow-host)."
        case .busy: "Too much is under way at the moment. Wait a little, then try again; of files, send fewer at once."
        case .diskFull: "The disk has not enough room left for this. Delete something, then upload again."
        case .folderMoved:
            "The folder was moved or renamed meanwhile, and another one is in its place. Look at the list, then try again."
        case .folderAway:
            "The folder that is shared here is not in its place at the moment. Ask whoever runs the server to bring it back."
        case .timedOut: "The upload stopped arriving. Check the connection, then send it again; nothing was stored."
        case .clientGone: "The connection ended before the upload was complete; nothing was stored."
        case .failed: "The server could not do this. Try again; if it stays so, whoever runs it finds the cause in the log."
        }
    }
}

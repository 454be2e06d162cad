import UVServer

/// Why a request failed.
enum LoadFailure: Error, Equatable {
    /// No connection came about.
    case connecting(UVError)
    /// The connection broke while a request or its answer was under way.
    case broken(UVError)
    /// The server closed before an answer, or while the client had nothing to ask.
    case closed
    /// The server closed within a body, whose announced length, if it had one, lacks this many bytes.
    case cut(missing: Int64?)
    /// A status that the load does not take. `early`: it came while the request was still being sent.
    case status(Int, early: Bool = false)
    /// The body announces or has another length than the load was told.
    case wrongLength(Int64, expected: Int64)
    /// The body has a byte that does not belong there.
    case wrongBytes(offset: Int64)
    /// A partial answer without the range that was asked for; what its `Content-Range` says.
    case wrongRange(String)
    /// What came is no HTTP/1 answer.
    case malformed(String)
    /// Nothing moved for the time that `--timeout` allows.
    case timedOut
    /// What was uploaded cannot be fetched as it was sent.
    indirect case notStored(LoadFailure)
    /// An upload could not be deleted.
    indirect case notDeleted(LoadFailure)
    /// The file to be read anew from the disk could not be dropped from the page cache.
    case notDropped(UVError)

    /// The same for all failures of one kind: by this they are counted.
    var kind: String {
        switch self {
        case .connecting: "connecting"
        case .broken: "broken"
        case .closed: "closed"
        case .cut: "cut"
        case .status(let code, _): "status \(code)"
        case .wrongLength: "wrong length"
        case .wrongBytes: "wrong bytes"
        case .wrongRange: "wrong range"
        case .malformed: "malformed"
        case .timedOut: "timed out"
        case .notStored: "not stored"
        case .notDeleted: "not deleted"
        case .notDropped: "not dropped"
        }
    }

    /// One sentence without an end.
    var text: String {
        switch self {
        case .connecting(let error): "no connection: \(error)"
        case .broken(let error): "the connection broke: \(error)"
        case .closed: "the server closed the connection without an answer"
        case .cut(let missing?): "the server closed with \(missing) bytes of the body missing"
        case .cut(nil): "the server closed within a chunked body"
        case .status(let code, early: false): "the answer is \(code)"
        case .status(let code, early: true): "the answer is \(code), before the request was sent whole"
        case .wrongLength(let length, let expected): "the body has \(length) bytes instead of \(expected)"
        case .wrongBytes(let offset): "byte \(offset) of the file is wrong"
        case .wrongRange(let text): text.isEmpty ? "a partial answer without Content-Range" : "the range is \(text)"
        case .malformed(let what): "not an HTTP/1 answer: \(what)"
        case .timedOut: "nothing moved for too long"
        case .notStored(let failure): "fetching what was uploaded: \(failure.text)"
        case .notDeleted(let failure): "deleting what was uploaded: \(failure.text)"
        case .notDropped(let error): "dropping the file from the page cache: \(error)"
        }
    }
}

internal import UVServer

/// What a request asks for: its method and path, parsed. Pure; whether the thing exists is the handler's business.
enum Route: Equatable {
    case asset(String)
    case read(DropPath)
    case uploadForm(DropPath)
    case put(DropPath)
    case delete(DropPath)
    /// `POST /delete/NAME`.
    case deleteForm(DropPath)
    /// `GET /delete/NAME`, which may have to ask first.
    case deleteLink(DropPath)
    case options([UVServer.Method])
    /// `OPTIONS /NAME`: what is there decides.
    case pathOptions(DropPath)
    /// A method that nothing here knows; what is there decides which ones are named.
    case otherMethod(DropPath)

    /// Of what may become anything.
    static let pathMethods: [UVServer.Method] = [.get, .head, .post, .put, .delete, .options]
    static let fileMethods: [UVServer.Method] = [.get, .head, .put, .delete, .options]
    static let folderMethods: [UVServer.Method] = [.get, .head, .post, .delete, .options]
    /// The drop folder stays.
    static let rootMethods: [UVServer.Method] = [.get, .head, .post, .options]
    private static let deleteMethods: [UVServer.Method] = [.get, .head, .post, .options]
    private static let assetMethods: [UVServer.Method] = [.get, .head, .options]

    /// - Throws: `.badPath`, `.missingName`, `.notFound` below `/-/`, `.methodNotAllowed`.
    init(_ head: RequestHead) throws(FileDropError) {
        if head.target.path == Array("*".utf8) {
            self = .options(Self.pathMethods)
            return
        }
        guard let path = DropPath(encodedPath: head.target.path) else { throw .badPath }
        switch path.names.first?.description {
        case "-"?: self = try Self.own(path, head.method)
        case "delete"?:
            let target = DropPath(names: Array(path.names.dropFirst()), isFolder: path.isFolder)
            self = try Self.deletion(target, head.method)
        default: self = try Self.path(path, head.method)
        }
    }

    /// Whether it is about what is in the drop folder.
    var needsFolder: Bool {
        switch self {
        case .asset, .options, .pathOptions, .otherMethod: false
        case .read, .uploadForm, .put, .delete, .deleteForm, .deleteLink: true
        }
    }

    /// The right that the gate must grant first.
    var right: AccessPolicy.Right {
        switch self {
        case .asset: .anyHost
        case .read, .options, .pathOptions, .otherMethod: .read
        case .uploadForm, .put: .upload
        case .delete, .deleteForm, .deleteLink: .delete
        }
    }

    private static func own(_ path: DropPath, _ method: UVServer.Method) throws(FileDropError) -> Route {
        guard path.names.count == 3, path.names[1].description == "assets", !path.isFolder else { throw .notFound }
        if method == .options { return .options(self.assetMethods) }
        guard method == .get || method == .head else { throw .methodNotAllowed(self.assetMethods) }
        return .asset(path.names[2].description)
    }

    private static func deletion(_ path: DropPath, _ method: UVServer.Method) throws(FileDropError) -> Route {
        if method == .options { return .options(self.deleteMethods) }
        guard self.deleteMethods.contains(method) else { throw .methodNotAllowed(self.deleteMethods) }
        guard !path.isRoot else { throw .missingName }
        return method == .post ? .deleteForm(path) : .deleteLink(path)
    }

    private static func path(_ path: DropPath, _ method: UVServer.Method) throws(FileDropError) -> Route {
        switch method {
        case .options: return .pathOptions(path)
        case .get, .head: return .read(path)
        case .post: return .uploadForm(DropPath(names: path.names, isFolder: true))
        case .put:
            guard !path.isRoot, !path.isFolder else { throw .missingName }
            return .put(path)
        case .delete:
            guard !path.isRoot else { throw .missingName }
            return .delete(path)
        default: return .otherMethod(path)
        }
    }
}

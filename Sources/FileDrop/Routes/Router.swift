internal import UVServer

/// Takes every request through route, gate and handler, and turns each error into its answer.
@EventLoop struct Router {
    let context: RouteContext
    let policy: AccessPolicy
    /// Called with what was our fault, for the log.
    let failed: @EventLoop (UVError) -> Void

    /// - Parameter folderIsAway: whether the drop folder is not in its place: nothing of it is served then.
    func respond(to request: Request, folderIsAway: Bool = false) async -> Response {
        do throws(FileDropError) {
            let route: Route
            do throws(FileDropError) { route = try Route(request.head) } catch {
                // Whoever reaches us by a foreign name learns nothing, not even which routes there are.
                try self.policy.admit(request.head, right: .read)
                throw error
            }
            try self.policy.admit(request.head, right: route.right)
            if folderIsAway, route.needsFolder { throw FileDropError.folderAway }
            do throws(FileDropError) { return try await self.handle(route, request) } catch {
                throw await self.looked(at: error, of: route)
            }
        } catch {
            if let cause = error.cause { self.failed(cause) }
            return Reply.error(error, as: Negotiation(request.head), backURL: Self.backURL(request.head, after: error))
        }
    }

    /// What is missing may be so because the drop folder is: that is looked for only now and then, and once more here.
    private func looked(at error: FileDropError, of route: Route) async -> FileDropError {
        guard route.needsFolder, error.saysMissing, await self.context.store.locate() != .here else { return error }
        return .folderAway
    }

    /// Where a person goes on after an error: the folder that a form was sent to, or the one that the name is in.
    /// No link leads there from a host name that is not ours.
    static func backURL(_ head: RequestHead, after error: FileDropError) -> String? {
        if case .wrongHost = error { return nil }
        guard let path = DropPath(encodedPath: head.target.path), let first = path.names.first else { return "/" }
        guard !first.isReserved else { return DropPath(names: Array(path.names.dropFirst()), isFolder: false).parent.url }
        return head.method == .post ? DropPath(names: path.names, isFolder: true).url : path.parent.url
    }

    private func handle(_ route: Route, _ request: Request) async throws(FileDropError) -> Response {
        switch route {
        case .asset(let name): return try AssetRoute.respond(name, request.head)
        case .read(let path): return try await ReadRoute(context: self.context).respond(path, request)
        case .uploadForm(let folder): return try await FormUploadRoute(context: self.context).respond(folder, request)
        case .put(let path): return try await PutRoute(context: self.context).respond(path, request)
        case .delete(let path): return try await DeleteRoute(context: self.context).respond(path, request.head)
        case .deleteForm(let path): return try await DeleteRoute(context: self.context).respondToForm(path, request.head)
        case .deleteLink(let path): return try await DeleteRoute(context: self.context).respondToLink(path, request.head)
        case .options(let methods): return Self.options(methods)
        case .pathOptions(let path): return Self.options(await self.methods(of: path))
        case .otherMethod(let path): throw .methodNotAllowed(await self.methods(of: path))
        }
    }

    private static func options(_ methods: [UVServer.Method]) -> Response {
        var fields = Reply.securityFields()
        fields[.allow] = methods.map(\.name).joined(separator: ", ")
        return Response(.noContent, fields: fields)
    }

    /// The methods that what is at `path` knows; where nothing is, those of what may come there.
    private func methods(of path: DropPath) async -> [UVServer.Method] {
        if path.isRoot { return Route.rootMethods }
        do throws(StoreError) {
            switch try await self.context.store.open(path) {
            case .file: return Route.fileMethods
            case .folder: return Route.folderMethods
            }
        } catch {
            return path.isFolder ? Route.folderMethods : Route.pathMethods
        }
    }
}

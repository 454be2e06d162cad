internal import UVServer

/// What a request may do: the one gate that every route passes before its handler runs. Pure: a head in, a verdict out.
struct AccessPolicy: Sendable {
    /// What a route needs.
    enum Right: CaseIterable, Sendable {
        /// Anyone may have it, by whatever name they came: what our own error pages load.
        case anyHost
        case read
        case upload
        case delete
    }

    let readOnly: Bool
    let hosts: HostRule

    /// - Throws: `.wrongHost` against DNS rebinding, `.foreignOrigin` for a write that another site's page sent,
    ///   `.readOnly` for a write where nothing may change.
    func admit(_ head: RequestHead, right: Right) throws(FileDropError) {
        guard right != .anyHost else { return }
        guard self.hosts.admits(head.host) else { throw .wrongHost }
        guard right != .read else { return }
        guard OriginRule.isOwn(head) else { throw .foreignOrigin }
        guard !self.readOnly else { throw .readOnly }
    }
}

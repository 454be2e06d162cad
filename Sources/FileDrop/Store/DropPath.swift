internal import UVServer

/// Where something is in the drop folder: names that are safe by construction.
public struct DropPath: Hashable, Sendable {
    /// From the drop folder down; empty for the folder itself.
    public let names: [DropName]
    /// Whether it was written with a slash at its end. The root always is.
    public let isFolder: Bool

    /// The drop folder.
    public static let root = DropPath(names: [], isFolder: true)

    public init(names: [DropName], isFolder: Bool) {
        self.names = names
        self.isFolder = isFolder || names.isEmpty
    }

    /// Takes apart the path of a request target: split at `/` first, then each element is decoded, once.
    /// - Returns: `nil` without a leading slash, for a malformed escape, and when an element is empty, `.`, `..`, over
    ///   255 bytes, or holds NUL or an encoded slash.
    public init?(encodedPath: some Collection<UInt8>) {
        guard encodedPath.first == UInt8(ascii: "/") else { return nil }
        var elements = encodedPath.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isFolder = elements.last?.isEmpty ?? true
        if isFolder, !elements.isEmpty { elements.removeLast() }
        var names: [DropName] = []
        for element in elements {
            guard let decoded = PercentEncoding.decode(element), let name = DropName(decoded) else { return nil }
            names.append(name)
        }
        self.init(names: names, isFolder: isFolder)
    }

    public var isRoot: Bool { self.names.isEmpty }

    /// The last name; `nil` for the root.
    public var name: DropName? { self.names.last }

    /// The folder it is in; the root for the root.
    public var parent: DropPath { DropPath(names: Array(self.names.dropLast()), isFolder: true) }

    /// Lies beneath one of the program's own first elements, which no file is reached by.
    public var isReserved: Bool { self.names.first?.isReserved ?? false }

    /// What `name` is called in this folder.
    public func appending(_ name: DropName, isFolder: Bool = false) -> DropPath {
        DropPath(names: self.names + [name], isFolder: isFolder)
    }

    /// The absolute path for a link, encoded; it leads back to these very bytes.
    public var url: String {
        let joined = self.names.map { "/" + PercentEncoding.encodeElement($0.bytes) }.joined()
        return self.isFolder ? joined + "/" : joined
    }

    var elements: [[UInt8]] { self.names.map(\.bytes) }
}

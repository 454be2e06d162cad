/// Paths that mean the same place whatever becomes of the working directory.
enum AbsolutePath {
    /// What `path` means in `directory`, which is absolute and without links. A link in `path` stays one: it may lead elsewhere later.
    static func of(_ path: String, in directory: String) -> String {
        guard !path.isEmpty, !self.isAbsolute(path) else { return path }
        let slash = UInt8(ascii: "/")
        var above = directory.utf8.split(separator: slash)
        var below = path.utf8.split(separator: slash)[...]
        // The directory may be renamed, and what is beside it stays. Behind a name, that may be a link, .. is for the kernel.
        while let first = below.first, first.elementsEqual(".".utf8) || first.elementsEqual("..".utf8) {
            if first.count == 2 { _ = above.popLast() }
            below.removeFirst()
        }
        return "/" + (above + below).map { Substring($0) }.joined(separator: "/")
    }

    static func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }
}

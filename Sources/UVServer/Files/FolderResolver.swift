internal import CUV
internal import Glibc

/// How a path becomes a descriptor without ever leaving the folder.
extension Folder {
    /// As many links as the kernel itself follows.
    private static let linksFollowed = 40
    /// The walk keeps a descriptor for every folder it is in.
    private static let walkDepth = 128

    /// Opens `path` with `flags`.
    ///
    /// The kernel does it in one call where the path holds no symlink. Where it does, or where the call is missing
    /// or filtered, the path is walked, and each link's target is judged as the path it stands for.
    /// - Throws: `ENOENT` for a missing or excluded element, `ENOTDIR` for a path through a file, `EXDEV` for a link
    ///   that leads outside, `ELOOP` for too many links or too deep a walk.
    func resolve(_ path: [[UInt8]], flags: CInt) throws(UVError) -> OwnedFile {
        try Self.check(path)
        if self.usesOpenat2, let file = try self.openDirectly(path, flags: flags) { return file }
        return try self.walk(path, flags: flags)
    }

    /// One `openat2` that gives up (`EAGAIN`) where the kernel would have to wait, and at the border of the file system. Whether the
    /// path is excluded is left to the caller.
    func resolveAtOnce(_ path: [[UInt8]], flags: CInt) throws(UVError) -> OwnedFile {
        try Self.check(path)
        guard self.usesOpenat2 else { throw UVError(code: -ENOSYS, call: "openat2") }
        let restrictions = Self.restrictions | UInt64(RESOLVE_NO_XDEV) | Self.onlyCached
        let descriptor = try checkErrno(
            unsafe shim_openat2(
                self.file.descriptor, cString(Self.joined(path)), UInt64(UInt32(bitPattern: flags)), 0, restrictions),
            "openat2")
        return OwnedFile(owning: descriptor)
    }

    private static let restrictions = UInt64(RESOLVE_BENEATH) | UInt64(RESOLVE_NO_MAGICLINKS) | UInt64(RESOLVE_NO_SYMLINKS)

    /// `RESOLVE_CACHED` of Linux 5.12. Older kernels know it not and refuse it.
    private static let onlyCached: UInt64 = 0x20

    private static func check(_ path: [[UInt8]]) throws(UVError) {
        for element in path {
            let isName = !element.isEmpty && element != Self.here && element != Self.parent
            guard isName, !element.contains(0), !element.contains(UInt8(ascii: "/")) else {
                throw UVError(code: -ENOENT, call: "openat2")
            }
        }
    }

    private static func joined(_ path: [[UInt8]]) -> [UInt8] {
        path.isEmpty ? self.here : Array(path.joined(separator: [UInt8(ascii: "/")]))
    }

    /// `O_PATH` of `fcntl.h`: opens without the right to read.
    static let lookOnly: CInt = 0o10000000

    private static let here = [UInt8(ascii: ".")]
    private static let parent = [UInt8(ascii: "."), UInt8(ascii: ".")]

    /// One `openat2`; `nil` when only a walk can tell.
    private func openDirectly(_ path: [[UInt8]], flags: CInt) throws(UVError) -> OwnedFile? {
        let joined = Self.joined(path)
        let openFlags = UInt64(UInt32(bitPattern: flags))
        while true {
            let descriptor = unsafe shim_openat2(self.file.descriptor, cString(joined), openFlags, 0, Self.restrictions)
            guard descriptor < 0 else {
                let file = OwnedFile(owning: descriptor)
                if !self.excluded.isEmpty { try self.refuseExcluded(path, try file.status()) }
                return file
            }
            switch errno {
            case EINTR: continue
            // EAGAIN: a lease is in the way, or something was renamed; the walk tells which.
            // EPERM is what a seccomp filter says; a path that earns it fails the walk as well.
            case ELOOP, ENOSYS, EPERM, EAGAIN: return nil
            case let code: throw UVError(code: -code, call: "openat2")
            }
        }
    }

    /// Without symlinks a path passes exactly the folders it spells.
    func refuseExcluded(_ path: [[UInt8]], _ status: FileStatus) throws(UVError) {
        guard !self.excluded.isEmpty else { return }
        var isExcluded = self.excluded.contains(status.identity)
        var prefix: [UInt8] = []
        for element in path.dropLast() where !isExcluded {
            if !prefix.isEmpty { prefix.append(UInt8(ascii: "/")) }
            prefix += element
            isExcluded = try self.status(of: prefix).map { self.excluded.contains($0.identity) } ?? false
        }
        if isExcluded { throw UVError(code: -ENOENT, call: "openat2") }
    }

    /// Holds one folder of the walk.
    private final class Step {
        let file: OwnedFile
        init(_ file: consuming OwnedFile) { self.file = file }
    }

    private func walk(_ path: [[UInt8]], flags: CInt) throws(UVError) -> OwnedFile {
        var steps: [Step] = []
        // Reversed: the next element is the last.
        var ahead = Array(path.reversed())
        var links = 0
        while let element = ahead.popLast() {
            if element == Self.here { continue }
            if element == Self.parent {
                guard steps.popLast() != nil else { throw UVError(code: -EXDEV, call: "openat") }
                continue
            }
            let folder = steps.last?.file.descriptor ?? self.file.descriptor
            let look = Self.lookOnly | O_NOFOLLOW | O_CLOEXEC
            let found = OwnedFile(owning: try checkErrno(unsafe shim_openat(folder, cString(element), look, 0), "openat"))
            // Whoever passes by a folder whose disk does not answer must not wait for it.
            let status = try found.knownStatus()
            switch status.kind {
            case .symlink:
                links += 1
                guard links <= Self.linksFollowed else { throw UVError(code: -ELOOP, call: "openat") }
                ahead += try Self.elements(ofLink: found).reversed()
            case .folder:
                if self.excluded.contains(status.identity) {
                    throw UVError(code: -ENOENT, call: "openat")
                }
                guard steps.count < Self.walkDepth else { throw UVError(code: -ELOOP, call: "openat") }
                steps.append(Step(found))
            case .file, .other:
                guard ahead.isEmpty else { throw UVError(code: -ENOTDIR, call: "openat") }
                return OwnedFile(
                    owning: try checkErrno(
                        unsafe shim_openat(folder, cString(element), flags | O_NOFOLLOW, 0), "openat"))
            }
        }
        let folder = steps.last?.file.descriptor ?? self.file.descriptor
        return OwnedFile(owning: try checkErrno(unsafe shim_openat(folder, ".", flags, 0), "openat"))
    }

    /// The path that a symlink stands for. A trailing slash becomes a last `.`, which only a folder has.
    private static func elements(ofLink link: borrowing OwnedFile) throws(UVError) -> [[UInt8]] {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlinkat(link.descriptor, "", &target, target.count)
        guard count >= 0 else { throw UVError(code: -errno, call: "readlinkat") }
        let bytes = target.prefix(count).map { UInt8(bitPattern: $0) }
        guard !bytes.isEmpty else { throw UVError(code: -ENOENT, call: "readlinkat") }
        guard bytes[0] != UInt8(ascii: "/") else { throw UVError(code: -EXDEV, call: "readlinkat") }
        var elements = bytes.split(separator: UInt8(ascii: "/")).map { Array($0) }
        if bytes.last == UInt8(ascii: "/") { elements.append(Self.here) }
        return elements
    }
}

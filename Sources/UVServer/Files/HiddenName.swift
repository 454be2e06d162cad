internal import CUV
internal import Glibc

/// The names that unfinished files have while they need one: `.uvdrop-RANDOM.part`.
public enum HiddenName {
    private static let prefix = Array(".uvdrop-".utf8)
    private static let suffix = Array(".part".utf8)

    /// A new one; 64 random bits.
    static func random() -> [UInt8] {
        let bits = String(UInt64.random(in: .min ... .max), radix: 36)
        return self.prefix + Array(bits.utf8) + self.suffix
    }

    /// Whether `name` is of this form: such names belong to writers, no one else uses them.
    public static func matches(_ name: [UInt8]) -> Bool {
        name.count > self.prefix.count + self.suffix.count && name.starts(with: self.prefix)
            && name.suffix(self.suffix.count).elementsEqual(self.suffix)
    }

    /// Removes from `folder` what dead writers left behind. A file that is locked has a live one and stays.
    /// - Returns: how many were removed.
    @discardableResult
    public static func sweep(_ folder: Folder) throws(UVError) -> Int {
        var removed = 0
        for name in try Folder.names(in: folder.file) where self.matches(name) {
            let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
            let descriptor = unsafe shim_openat(folder.file.descriptor, cString(name), flags, 0)
            // It may have gone meanwhile, and what cannot be opened cannot be judged.
            guard descriptor >= 0 else { continue }
            let file = OwnedFile(owning: descriptor)
            guard try file.status().kind == .file, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { continue }
            guard unsafe unlinkat(folder.file.descriptor, cString(name), 0) == 0 else { continue }
            removed += 1
        }
        return removed
    }
}

internal import Glibc

/// What a folder and the folders in it hold. The locks that the server keeps beside the folder's content are no part of it.
public enum FolderContents {
    /// The content of each file, hidden ones too, by its path from the folder on.
    public static func all(in folder: String) -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for name in self.names(in: folder) { found[name] = FileBytes.read("\(folder)/\(name)") ?? [] }
        return found
    }

    /// The same of files that clients can see.
    public static func visible(in folder: String) -> [String: [UInt8]] {
        self.all(in: folder).filter { !$0.key.split(separator: "/").contains { $0.hasPrefix(".") } }
    }

    /// The paths of all files, hidden ones too.
    public static func names(in folder: String) -> Set<String> { Set(self.sizes(in: folder).keys) }

    /// The size of each file in bytes, hidden ones too; of a link, that of itself.
    public static func sizes(in folder: String) -> [String: Int] {
        var found: [String: Int] = [:]
        self.collect(folder, below: "", into: &found)
        return found
    }

    private static func collect(_ folder: String, below prefix: String, into found: inout [String: Int]) {
        for bytes in FileBytes.names(in: "\(folder)/\(prefix)") {
            let name = prefix + String(decoding: bytes, as: UTF8.self)
            var status = stat()
            guard unsafe lstat("\(folder)/\(name)", &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                self.collect(folder, below: name + "/", into: &found)
            } else {
                if name.hasSuffix(".uvdrop/names.lock"), status.st_size == 0 { continue }
                found[name] = Int(status.st_size)
            }
        }
    }
}

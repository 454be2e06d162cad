import TestSupport

/// What a drop folder and the folders in it hold.
enum Files {
    /// The content of each file that clients can see, by its name.
    static func visible(in folder: String) -> [String: [UInt8]] {
        self.contents(in: folder).filter { !$0.key.split(separator: "/").contains { $0.hasPrefix(".") } }
    }

    /// The same of hidden files too.
    static func contents(in folder: String) -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for name in self.all(in: folder) { found[name] = FileBytes.read("\(folder)/\(name)") ?? [] }
        return found
    }

    /// The name of each file, hidden ones too, but for the server's locks.
    static func all(in folder: String, below prefix: String = "") -> Set<String> {
        var found: Set<String> = []
        for bytes in FileBytes.names(in: "\(folder)/\(prefix)") {
            let name = prefix + String(decoding: bytes, as: UTF8.self)
            if FileBytes.isFolder("\(folder)/\(name)") {
                found.formUnion(self.all(in: folder, below: name + "/"))
            } else if name != ".uvdrop/names.lock" {
                found.insert(name)
            }
        }
        return found
    }
}

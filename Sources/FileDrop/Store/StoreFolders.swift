internal import Glibc
internal import UVServer

/// The folders that a store works in, opened at its start. All calls block.
struct StoreFolders: Sendable {
    /// The drop folder; it keeps out of the state folder, and out of the one of a server that was told otherwise.
    let root: Folder
    /// For the program's own files; `nil` where nothing is written and none was there.
    let state: Folder?
    /// Where long answers wait for those who read slowly; `nil`: nowhere but in memory.
    let spool: Folder?
    let names: NameLock
    let location: FolderLocation
    private let path: String

    /// Opens `folder`, and `given` or `.uvdrop` inside it for the program's own files, which is made unless `readOnly`. Both paths are
    /// absolute: a relative one would go with the working directory, and lead to a folder that was renamed as if nothing had happened.
    init(_ folder: String, state given: String?, readOnly: Bool, usesOpenat2: Bool) throws(StoreStartError) {
        for path in [folder, given].compactMap({ $0 }) where !AbsolutePath.isAbsolute(path) { throw .relative(path) }
        let opened = try Self.openRoot(folder, usesOpenat2: usesOpenat2)
        self.state = try Self.openState(given, in: opened, at: folder, readOnly: readOnly)
        self.path = folder
        self.location = FolderLocation(folder, of: opened)
        self.spool = readOnly ? Self.temporary() : self.state
        let statePath = given ?? "\(folder)/\(DropName.stateFolder)"
        let location = self.location
        let isInside = given == nil
        // A state folder of its own does not go with the drop folder.
        let isInPlace: @Sendable () -> Bool = { !isInside || location.look() == .here }
        do throws(UVError) {
            self.names = try NameLock(state: readOnly ? nil : statePath, followsLink: !isInside, isInPlace: isInPlace)
        } catch {
            throw .stateFolder(statePath, cause: error)
        }
        do throws(UVError) {
            var own = Set([self.state?.identity].compactMap { $0 })
            if let usual = try? opened.status(of: Array(DropName.stateFolder.utf8)) { own.insert(usual.identity) }
            self.root = try opened.excluding(own)
        } catch {
            throw .unreadable(folder: folder, cause: error)
        }
    }

    /// Makes sure that a file can be made, by making one; sweeps what dead writers left before.
    func requireWritable(allowsUnnamed: Bool) throws(StoreStartError) {
        do throws(UVError) {
            // Leftovers cost space only: failing to sweep is no reason not to start.
            if let state = self.state { _ = try? HiddenName.sweep(state) }
            _ = try? HiddenName.sweep(self.root)
            _ = try TemporaryFile(in: self.root, spare: self.state, allowsUnnamed: allowsUnnamed)
        } catch {
            throw .notWritable(folder: self.path, cause: error)
        }
    }

    /// A folder for files that nobody sees, on a disk if there is one (hier(7)).
    private static func temporary() -> Folder? {
        let named = OwnProcess.environment(prefix: "TMPDIR")["TMPDIR"].map { [$0] } ?? []
        for path in named + ["/var/tmp", "/tmp"] {
            guard let folder = try? Folder(path: path), (try? TemporaryFile(in: folder, spare: nil)) != nil else { continue }
            return folder
        }
        return nil
    }

    private static func openRoot(_ folder: String, usesOpenat2: Bool) throws(StoreStartError) -> Folder {
        do throws(UVError) {
            return try Folder(path: folder, usesOpenat2: usesOpenat2)
        } catch {
            switch -error.code {
            case ENOENT: throw .missing(folder: folder)
            case ENOTDIR: throw .notFolder(folder)
            default: throw .unreadable(folder: folder, cause: error)
            }
        }
    }

    private static func openState(
        _ given: String?, in root: Folder, at folder: String, readOnly: Bool
    ) throws(StoreStartError) -> Folder? {
        let path = given ?? "\(folder)/\(DropName.stateFolder)"
        do throws(UVError) {
            if !readOnly { try Folder.make(path: path, mode: 0o700) }
        } catch {
            guard given != nil else { throw .notWritable(folder: folder, cause: error) }
            throw .stateFolder(path, cause: error)
        }
        let state: Folder
        do throws(UVError) {
            // A link at the usual place is somebody else's: what it leads to could be any folder of this machine.
            state = try Folder(path: path, followsLink: given != nil)
        } catch {
            // Whoever may not open it cannot be led into it by a link either.
            if readOnly, error.code == -ENOENT || (given == nil && error.code == -EACCES) { return nil }
            throw .stateFolder(path, cause: error)
        }
        guard state.identity != root.identity else { throw .stateIsFolder(path) }
        return state
    }
}

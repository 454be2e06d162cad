import Glibc
import TestSupport
import Testing

/// What happens to `drop/sub/f`.
struct DownloadChange: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Returns what is to be had there afterwards; `nil` for nothing.
    let act: @Sendable (TemporaryFolder, ServerProcess) throws -> [UInt8]?

    init(_ name: String, _ act: @escaping @Sendable (TemporaryFolder, ServerProcess) throws -> [UInt8]?) {
        self.testDescription = name
        self.act = act
    }

    static func write(_ path: String, _ bytes: [UInt8], flags: CInt = 0, at offset: Int = 0) throws {
        let file = unsafe open(path, O_WRONLY | flags)
        guard file >= 0 else { throw TestFailure("open \(path): errno \(errno)") }
        defer { close(file) }
        guard unsafe pwrite(file, bytes, bytes.count, off_t(offset)) == bytes.count else {
            throw TestFailure("pwrite: errno \(errno)")
        }
    }

    static func rename(_ folder: TemporaryFolder, _ old: String, _ new: String) throws {
        guard unsafe Glibc.rename(folder.path(of: old), folder.path(of: new)) == 0 else {
            throw TestFailure("rename: errno \(errno)")
        }
    }

    static let all: [DownloadChange] = [
        DownloadChange("nothing") { folder, _ in folder.read("drop/sub/f") },
        DownloadChange("some bytes are overwritten") { folder, _ in
            try Self.write(folder.path(of: "drop/sub/f"), [1, 2, 3], at: 10)
            return folder.read("drop/sub/f")
        },
        DownloadChange("some bytes are appended") { folder, _ in
            try Self.write(folder.path(of: "drop/sub/f"), [1, 2, 3], flags: O_APPEND)
            return folder.read("drop/sub/f")
        },
        DownloadChange("it is cut") { folder, _ in
            guard unsafe truncate(folder.path(of: "drop/sub/f"), 100) == 0 else { throw TestFailure("truncate: errno \(errno)") }
            return folder.read("drop/sub/f")
        },
        DownloadChange("it is written through a name elsewhere") { folder, _ in
            guard unsafe link(folder.path(of: "drop/sub/f"), folder.path(of: "other")) == 0 else {
                throw TestFailure("link: errno \(errno)")
            }
            try Self.write(folder.path(of: "other"), [7, 7])
            return folder.read("drop/sub/f")
        },
        DownloadChange("it is written through a mapping") { folder, _ in
            let file = unsafe open(folder.path(of: "drop/sub/f"), O_RDWR)
            let memory = unsafe mmap(nil, 100, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
            unsafe memory?.storeBytes(of: 99, as: UInt8.self)
            unsafe munmap(memory, 100)
            close(file)
            return folder.read("drop/sub/f")
        },
        DownloadChange("it is replaced by a rename") { folder, _ in
            try folder.write("drop/sub/new", noise(500))
            try Self.rename(folder, "drop/sub/new", "drop/sub/f")
            return noise(500)
        },
        DownloadChange("it is deleted") { folder, _ in
            folder.remove("drop/sub/f")
            return nil
        },
        DownloadChange("it is deleted and made anew") { folder, _ in
            folder.remove("drop/sub/f")
            try folder.write("drop/sub/f", noise(600))
            return noise(600)
        },
        DownloadChange("it is renamed") { folder, _ in
            try Self.rename(folder, "drop/sub/f", "drop/sub/g")
            return nil
        },
        DownloadChange("its folder is renamed") { folder, _ in
            try Self.rename(folder, "drop/sub", "drop/away")
            return nil
        },
        DownloadChange("its folder is replaced") { folder, _ in
            try folder.makeFolder("drop/next")
            try folder.write("drop/next/f", noise(700))
            try Self.rename(folder, "drop/sub", "drop/away")
            try Self.rename(folder, "drop/next", "drop/sub")
            return noise(700)
        },
        DownloadChange("a symlink that leads outside takes its name") { folder, _ in
            try folder.write("secret", "secret")
            folder.remove("drop/sub/f")
            try folder.makeLink("drop/sub/f", to: "../../secret")
            return nil
        },
        DownloadChange("a symlink that leads outside takes its folder's name") { folder, _ in
            try folder.makeFolder("secrets")
            try folder.write("secrets/f", "secret")
            try Self.rename(folder, "drop/sub", "drop/away")
            try folder.makeLink("drop/sub", to: "../secrets")
            return nil
        },
        DownloadChange("it is replaced by PUT") { folder, server in
            let reply = try server.ask("PUT", "/sub/f", [("If-Match", "*")], body: noise(800))
            #expect(reply.status == 204)
            return noise(800)
        },
        DownloadChange("it is deleted by DELETE") { _, server in
            let reply = try server.ask("DELETE", "/sub/f")
            #expect(reply.status == 204)
            return nil
        },
    ]
}

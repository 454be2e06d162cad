import TestSupport
import Testing

/// A form of which a later file is refused: those before it have their names by then.
@Suite("when a name cannot be taken back", .traces) struct TakingBackTests {
    @Test("the file that has it is whole, and the answer says that the form failed", arguments: [3, 200_000])
    func whole(size: Int) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "error"])
        let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 256 ^ $0) }
        var form = Form()
        for name in ["twice", "twice"] { form.file(Array(name.utf8), content) }
        #expect(try server.post(form).status == 409)
        #expect(folder.visibleNames.isEmpty)
        let strace = try Strace(server.serving, ["-e", "trace=unlinkat", "-e", "inject=unlinkat:error=EIO"])
        #expect(try server.post(form).status == 409)
        #expect(folder.read("twice") == content)
        #expect(try strace.detach().injected > 0)
        #expect(try server.stop() == 0)
    }
}

internal import Glibc
internal import UVServer

/// What the command says before it ends.
enum LastWord {
    @EventLoop static func say(_ text: String, to descriptor: CInt, _ code: Int32) -> Never {
        LogWriter(descriptor: descriptor).writeNow([text.hasSuffix("\n") ? String(text.dropLast()) : text])
        OwnProcess.end(code)
    }
}

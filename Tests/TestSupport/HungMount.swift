internal import Glibc

/// A file system that never answers, mounted for as long as the value lives: one in user space whose process never reads what it is asked.
public final class HungMount {
    private let path: String
    private let device: CInt

    /// `nil`, and a line that the test run counts, where mounting is not allowed.
    public init?(at path: String, _ test: String) {
        self.path = path
        self.device = unsafe open("/dev/fuse", O_RDWR | O_CLOEXEC)
        let options = "fd=\(self.device),rootmode=40000,user_id=0,group_id=0,allow_other"
        guard self.device >= 0, unsafe mount("hung", path, "fuse", 0, options) == 0 else {
            print("SKIPPED: \(test): cannot mount a file system in user space (errno \(errno))")
            return nil
        }
    }

    deinit {
        guard self.device >= 0 else { return }
        // Whoever waits is told that it is gone.
        _ = close(self.device)
        _ = unsafe umount2(self.path, CInt(MNT_DETACH))
    }
}

import Glibc
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    static var loopDisks: Self {
        .enabled("needs root, mkfs.ext4 and loop devices, to mount a disk of its own") { Rights.loopDisks }
    }
    static var traces: Self { .enabled("needs root and strace, to let system calls fail") { Rights.traces } }
}

/// What this run may do to the system. Found out by doing it.
private enum Rights {
    static let loopDisks = geteuid() == 0 && (try? LoopDisk()) != nil

    static let traces: Bool = {
        guard geteuid() == 0, let sleeper = try? ChildProcess(["sleep", "60"]) else { return false }
        return (try? Strace([sleeper.processID], ["-e", "trace=none"])) != nil
    }()
}

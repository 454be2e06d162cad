import Glibc
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    static var mounts: Self { .enabled("needs root, mkfs.ext4 and loop devices, to mount a disk of its own") { Rights.mounts } }
}

/// What this run may do to the system. Found out by doing it.
private enum Rights {
    static let mounts = geteuid() == 0 && (try? LoopDisk()) != nil
}

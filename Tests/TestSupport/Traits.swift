public import Testing

extension Trait where Self == ConditionTrait {
    /// What holds for each process, and is not to be seen when clients are shared out.
    public static var oneWorker: Self { .enabled("only with one worker") { ServerProcess.workers == 1 } }
    /// What there is to see between processes.
    public static var severalWorkers: Self { .enabled("only with several workers") { ServerProcess.workers > 1 } }
    public static var mounts: Self { .enabled("needs the right to mount a small file system") { SmallMount.isAllowed } }
}

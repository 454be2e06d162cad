import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// What holds for each process, and is not to be seen when clients are shared out.
    static var oneWorker: Self { .enabled("only with one worker") { ServerProcess.workers == 1 } }
    /// What there is to see between processes.
    static var severalWorkers: Self { .enabled("only with several workers") { ServerProcess.workers > 1 } }
}

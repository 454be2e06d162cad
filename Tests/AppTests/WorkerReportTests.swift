import Testing

@testable import App

@Suite("What a worker reports") struct WorkerReportTests {
    @Test(
        "is read as it was written",
        arguments: [.ready, .failed("There is no folder /a b. Make it first."), .finishing(0), .finishing(12)] as [WorkerReport])
    func both(report: WorkerReport) { #expect(WorkerReport(report.line) == report) }

    @Test("is nothing else", arguments: ["", "readyy", "ready 1", "finishing", "finishing x", "failed", "hello there"])
    func nonsense(line: String) { #expect(WorkerReport(line) == nil) }
}

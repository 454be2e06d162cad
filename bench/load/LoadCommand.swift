import Glibc
import UVServer

/// The whole command, but for its process.
@EventLoop enum LoadCommand {
    struct Outcome {
        let output: String
        let isError: Bool
        let status: CInt
    }

    /// - Parameter begun: gets the run, to end it early.
    static func run(_ arguments: [String], begun: @EventLoop (Run) -> Void = { _ in }) async -> Outcome {
        do throws(UsageError) {
            let options = try Options(arguments)
            switch options.task {
            case .help: return Outcome(output: HelpText.text, isError: false, status: 0)
            case .make(let files): return self.make(files, options.seed)
            case .check(let files): return self.check(files, options.seed)
            case .run:
                let run = Run(options, try Target(options.url))
                begun(run)
                await run.run()
                let loads = run.loads.map { (spec: $0.spec, tally: $0.tally) }
                let report = Report(seed: options.seed, seconds: run.seconds, loads: loads)
                return Outcome(
                    output: options.printsJSON ? report.json : report.text, isError: false, status: report.errors == 0 ? 0 : 1)
            }
        } catch {
            return Outcome(output: "uvload: \(error.text)\nTry uvload --help.", isError: true, status: 2)
        }
    }

    private static func make(_ files: [(path: String, size: Int64)], _ seed: UInt64) -> Outcome {
        for (path, size) in files {
            do throws(UVError) { try ContentFile.make(path, size: size, seed: seed) } catch {
                return Outcome(output: "uvload: cannot make \(path): \(error)", isError: true, status: 1)
            }
        }
        return Outcome(output: "", isError: false, status: 0)
    }

    private static func check(_ files: [String], _ seed: UInt64) -> Outcome {
        var (lines, status): ([String], CInt) = ([], 0)
        for path in files {
            do throws(UVError) {
                let (size, wrong) = try ContentFile.check(path, seed: seed)
                lines.append(wrong.map { "\(path): byte \($0) of \(size) is wrong" } ?? "\(path): \(size) bytes, right")
                if wrong != nil { status = 1 }
            } catch {
                lines.append("\(path): \(error)")
                status = 1
            }
        }
        return Outcome(output: lines.joined(separator: "\n"), isError: false, status: status)
    }
}

internal import Glibc

/// The process's environment variables that are ours.
enum Environment {
    /// Those whose names begin with `UVDROP_`.
    static var all: [String: String] {
        var variables: [String: String] = [:]
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            let line = unsafe String(cString: text)
            if line.hasPrefix("UVDROP_"), let equals = line.firstIndex(of: "=") {
                variables[String(line[..<equals])] = String(line[line.index(after: equals)...])
            }
            unsafe entry += 1
        }
        return variables
    }
}

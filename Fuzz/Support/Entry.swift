/// What libFuzzer calls with every input; each driver defines `fuzz`.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // Safe: libFuzzer lends the memory for this call, and it is copied at once.
    fuzz(unsafe [UInt8](UnsafeBufferPointer(start: data, count: count)))
    return 0
}

/// Ends the process, which libFuzzer reports as a crash, unless the two are the same.
func expectEqual<Value: Equatable>(_ found: Value, _ expected: Value, _ what: StaticString) {
    if found != expected { fatalError("\(what): \(found), expected: \(expected)") }
}

func expect(_ condition: Bool, _ what: StaticString) {
    if !condition { fatalError("\(what)") }
}

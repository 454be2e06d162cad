/// The number of seconds a test waits for an event at most.
public let patienceSeconds = 20

/// Whether tests that could go on for ever are to take minutes instead of seconds: `UVDROP_TEST_THOROUGH`.
public let isThorough = ServerProcess.variable("UVDROP_TEST_THOROUGH") == "1"

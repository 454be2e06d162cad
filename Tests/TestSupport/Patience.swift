/// The number of seconds a test waits for an event at most.
public let patienceSeconds = 20

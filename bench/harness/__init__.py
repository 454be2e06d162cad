"""The harness behind bench/run. One class a file; what computes and what parses does no I/O and has tests in tests/."""

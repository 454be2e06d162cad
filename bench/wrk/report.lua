-- The figures of a run as one line of JSON. wrk's own text rounds them.
function done(summary, latency, requests)
    local errors = summary.errors
    io.write(string.format(
        '{"seconds": %.6f, "requests": %d, "bytes": %d, "errors": %d, "p50_us": %d, "p99_us": %d}\n',
        summary.duration / 1e6, summary.requests, summary.bytes,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout,
        latency:percentile(50), latency:percentile(99)))
end

#!/usr/bin/env bash
# Builds the fuzz drivers and runs each for SECONDS, as many at once as there are processors. Ends with 1 when one has found something.
#   Fuzz/run.sh SECONDS [DRIVER…]       drivers are the files of Fuzz/Drivers, without .swift; all when none is named
# What is found stays in .build/fuzz: inputs that reach new code in corpus/DRIVER, those that crash in crashes/DRIVER.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
if ! [[ ${1:-} =~ ^[1-9][0-9]*$ ]]; then
    sed -n '2,4s/^# //p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
seconds=$1
shift
drivers=("$@")
[ $# -gt 0 ] || for file in Fuzz/Drivers/*.swift; do drivers+=("$(basename "$file" .swift)"); done
for driver in "${drivers[@]}"; do
    if [ ! -f "Fuzz/Drivers/$driver.swift" ]; then
        echo "no such driver: $driver" >&2
        exit 2
    fi
done

scripts/setup
work=.build/fuzz
# The modules are built as ever, but for the instrumentation and for @testable; Package.swift knows nothing of it.
swift build -c release --scratch-path "$work" --target FileDrop -Xswiftc -enable-testing -Xswiftc -sanitize=fuzzer,address
products=$work/release

# The objects of both modules, by the sources that are there now: those of deleted sources stay where they were.
objects=("$products/FileDrop.build/embedded_resources.swift.o")
for module in UVServer FileDrop; do
    while IFS= read -r name; do objects+=("$products/$module.build/$name.o"); done \
        < <(find "Sources/$module" -name '*.swift' -printf '%f\n' | sort)
done

compile() {
    # No `-strict-memory-safety`: it knows no pointers in functions that C calls.
    # shellcheck disable=SC2046
    swiftc -parse-as-library -O -swift-version 6 -warnings-as-errors -module-name "Fuzz$1" -sanitize=fuzzer,address -use-ld=lld \
        -enable-upcoming-feature MemberImportVisibility -I "$products/Modules" -I Sources/CUV -I Sources/CUTF8Proc -I Sources/CZlib \
        "Fuzz/Drivers/$1.swift" Fuzz/Support/*.swift "${objects[@]}" $(pkg-config --libs libuv libutf8proc zlib) -o "$work/$1"
}

# Swift's own crash handler would wait for somebody who looks at the crash. Leaks are looked for by the tests under AddressSanitizer.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0

# Ends with 1 when the driver has found something. What it says comes at its end, at once.
run() {
    local driver=$1 log=$work/$1.log input
    compile "$driver"
    mkdir -p "$work/corpus/$driver" "$work/crashes/$driver"
    # New inputs go to the first folder, and what was found in earlier runs is begun with.
    if "$work/$driver" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix="$work/crashes/$driver/" "$work/corpus/$driver" "Fuzz/seeds/$driver" >"$log" 2>&1 </dev/null; then
        printf '%-12s %9d runs  %s\n' "$driver" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" \
            "$(grep -oE 'cov: [0-9]+ ft: [0-9]+' "$log" | tail -n 1 | tr -d :)"
        return 0
    fi
    echo "$driver: failed"
    grep -E 'Fatal error|SUMMARY|ERROR' "$log" | head -n 5 || tail -n 20 "$log"
    input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
    if [ -n "$input" ]; then
        echo "input: $input"
        od -An -v -tx1 "$input" | tr -d ' \n'
        echo
        echo "again: SWIFT_BACKTRACE=enable=no $work/$driver $input"
    fi
    return 1
}

# As many at once as there are processors.
running=0 status=0
for driver in "${drivers[@]}"; do
    if [ "$running" -ge "$(nproc)" ]; then
        wait -n || status=1
        running=$((running - 1))
    fi
    run "$driver" &
    running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
    wait -n || status=1
    running=$((running - 1))
done
exit "$status"

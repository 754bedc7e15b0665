#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the fuzzers of test/fuzz with clang and runs each for so many seconds (default 60), first
# over its committed inputs. An input that crashes one is left in build/fuzz/found/. The last line
# counts fuzzers: `N passed, N failed, N skipped`.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
if ! [[ $seconds =~ ^0*[1-9][0-9]*$ ]]; then  # to the fuzzers 0 is no limit
  echo "fuzz: expected a number of seconds above 0, got '$seconds'" >&2
  exit 2
fi
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz
found=build/fuzz/found
mkdir -p "$found"

passed=0 failed=0
for source in test/fuzz/fuzz_*.cpp; do
  name=$(basename "$source" .cpp)
  grown=build/fuzz/grown/$name
  mkdir -p "$grown"
  log=build/fuzz/$name.log
  # More than 2 GB or 10 s for one input is a failure too.
  if "build/fuzz/bin/$name" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=10 \
    -print_final_stats=1 -artifact_prefix="$found/$name-" "$grown" \
    "test/fuzz/corpus/${name#fuzz_}" 2>"$log"; then
    passed=$((passed + 1))
    echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs in $seconds s"
  else
    failed=$((failed + 1))
    echo "$name: failed; log: $log"
    tail -n 40 "$log"
  fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

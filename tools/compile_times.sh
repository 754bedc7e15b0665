#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# compile_times.sh [--slack FACTOR]: processor seconds that one compilation of a small program takes.
# Fails above FACTOR (default 1) times a bar, if two more tries are above it too.
set -euo pipefail
cd "$(dirname "$0")/.."
slack=1
if [ "${1:-}" = --slack ]; then slack=$2; fi
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
host=(-fopenmp -ffp-contract=off)
if [ "$(uname -m)" = x86_64 ]; then host+=(-march=x86-64-v3); fi
cxx=(g++ -std=c++20 -O3 "${host[@]}" -I. -c -o /dev/null)
cuda=("$nvcc" -std=c++20 -O3 --extended-lambda --expt-relaxed-constexpr -arch=sm_90
  "${host[@]/#/-Xcompiler=}" -I. -x cu -c -o /dev/null)
passed=0 failed=0 skipped=0

# seconds COMMAND...: the processor time of one run, which other work on the machine hardly changes
seconds() {
  local TIMEFORMAT='%U %S' used
  used=$({ time "$@" 2>&3; } 3>&2 2>&1) && awk '{ printf "%.2f", $1 + $2 }' <<<"$used"
}

# check NAME BAR COMMAND...
check() {
  local name=$1 bar=$2 best=999 try time
  shift 2
  for try in 1 2 3; do
    time=$(seconds "$@") || { echo "$name: does not compile"; failed=$((failed + 1)); return; }
    best=$(awk "BEGIN { print ($time < $best) ? $time : $best }")
    if awk "BEGIN { exit !($best <= $slack * $bar) }"; then
      echo "$name: $best s, bar $bar s"
      passed=$((passed + 1))
      return
    fi
  done
  echo "$name: $best s, over the bar of $bar s"
  failed=$((failed + 1))
}

check "triad, g++" 3 "${cxx[@]}" test/package/triad.cpp
if [ -x "$nvcc" ]; then
  check "triad, nvcc" 5 "${cuda[@]}" test/package/triad.cpp
  check "time step, nvcc" 12 "${cuda[@]}" examples/04_*.cpp
else
  echo "nvcc is not here: two programs not timed"
  skipped=2
fi
echo "$passed passed, $failed failed, $skipped skipped"
exit $((failed > 0))

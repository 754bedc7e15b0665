#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# compile_times.sh: processor seconds that one compilation of a small program takes.
# Machines and their load differ, so a compilation fails by its multiple of what the same compiler
# takes, between the tries, for a program that only includes standard headers.
set -euo pipefail
cd "$(dirname "$0")/.."
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
host=(-fopenmp -ffp-contract=off)
if [ "$(uname -m)" = x86_64 ]; then host+=(-march=x86-64-v3); fi
cxx=(g++ -std=c++20 -O3 "${host[@]}" -I. -c -o /dev/null)
cuda=("$nvcc" -std=c++20 -O3 --extended-lambda --expt-relaxed-constexpr -arch=sm_90
  "${host[@]/#/-Xcompiler=}" -I. -x cu -c -o /dev/null)
passed=0 failed=0 skipped=0

standard=$(mktemp --suffix=.cpp)
trap 'rm -f "$standard"' EXIT
printf '#include <%s>\n' atomic cmath cstdio memory string vector >"$standard"

# seconds COMMAND...: the processor time of one run
seconds() {
  local TIMEFORMAT='%U %S' used
  used=$({ time "$@" 2>&3; } 3>&2 2>&1) && awk '{ printf "%.2f", $1 + $2 }' <<<"$used"
}
less() { awk "BEGIN { print ($1 < $2) ? $1 : $2 }"; }

# check NAME AIM MOST SOURCE COMPILER...: its seconds; fails above MOST times those of standard
# headers, the best of at most four tries of both
check() {
  local name=$1 aim=$2 most=$3 source=$4 best=999 unit=999 try time
  shift 4
  for try in 1 2 3 4; do
    unit=$(less "$unit" "$(seconds "$@" "$standard")")
    time=$(seconds "$@" "$source") || { echo "$name: does not compile"; failed=$((failed + 1)); return; }
    best=$(less "$best" "$time")
    if awk "BEGIN { exit !($best <= $most * $unit) }"; then break; fi
  done
  local line="$name: $best s, aim $aim s; $(awk "BEGIN { printf \"%.1f\", $best / $unit }") times standard headers"
  if awk "BEGIN { exit !($best <= $most * $unit) }"; then
    echo "$line"
    passed=$((passed + 1))
  else
    echo "$line, over $most"
    failed=$((failed + 1))
  fi
}

check "triad, g++" 3 6 test/package/triad.cpp "${cxx[@]}"
# What most programs have of templates is in the library, compiled.
check "time step, g++" 7 12 examples/04_diffusion_timestep.cpp "${cxx[@]}"
# So is its solver.
check "Poisson, g++" 5 14 examples/14_poisson.cpp "${cxx[@]}"
if [ -x "$nvcc" ]; then
  check "triad, nvcc" 5 4 test/package/triad.cpp "${cuda[@]}"
  check "time step, nvcc" 12 10 examples/04_diffusion_timestep.cpp "${cuda[@]}"
else
  echo "nvcc is not here: two programs not timed"
  skipped=2
fi
echo "$passed passed, $failed failed, $skipped skipped"
exit $((failed > 0))

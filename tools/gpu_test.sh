#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# gpu_test.sh [BIN]: on a machine with a GPU, runs the tests that `./run gpu-test` built, then a
# quick subset under compute-sanitizer, then times how statements are enqueued. Needs only the
# binaries, so it also runs away from home. With two GPUs and an MPI, ranks that are processes, too.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || cd "$(dirname "$0")/.."
bin=${1:-build/release/bin}

if ! nvidia-smi -L 2>/dev/null | grep -q GPU; then
  echo "Built, not run: no GPU here. On a machine that has one, with $bin copied there as BIN:"
  echo "  tools/gpu_test.sh BIN"
  exit 0
fi
"$bin/teff_test_cuda"
if [ "$(nvidia-smi -L | grep -c GPU)" -ge 2 ]; then
  "$here/test_mpi.py" "$bin/.." --gpus
fi

sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
if [ ! -x "$sanitizer" ]; then
  echo "compute-sanitizer is not here: its four tools not run"
  exec "$bin/teff_enqueue_time"
fi
# Errors of the API are no findings: the tests ask for too much memory.
check() {
  local tool=$1 && shift
  echo "compute-sanitizer: $tool"
  TEFF_TEST_QUICK=1 "$sanitizer" --tool "$tool" --report-api-errors no --error-exitcode 1 \
    "$bin/teff_test_cuda" "$@"
}
for tool in memcheck initcheck synccheck; do check $tool; done
# (Emulated kernels run on the CPU; generated formulas and steps take racecheck more than minutes.)
check racecheck -sf='*/kernel/*,*/algo/*' -tce='*emulated*'
for steps in resident boundary boundary_passes trial iterate run_checks; do
  check racecheck -sf="*/stencil/test_$steps.cpp"
done
"$bin/teff_enqueue_time"

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# gpu_solve.sh: `teff solve` on a GPU. Each solver goes on from one checkpoint on the CPU and on the GPU, which must
# end with the same bits; then what each reaches at its default shape. Needs only the command,
# build/release/bin/teff or $TEFF, so it also runs away from home. Exit status 1 where bits differ or a run fails.
set -uo pipefail
teff=$(realpath "${TEFF:-$(dirname "$0")/../build/release/bin/teff}")
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder" || exit 1
failed=0

# same_bits SOLVER SHAPE STEPS OPTION...: a checkpoint after one step on the CPU, then the rest on each device
same_bits() {
  local solver=$1 shape=$2 steps=$3 type && shift 3
  for type in f64 f32; do
    local run=("$solver" --shape "$shape" --type "$type" "$@")
    "$teff" solve "${run[@]}" --device cpu --steps 1 --checkpoint start.ckpt >/dev/null || return 1
    for device in cpu cuda; do
      "$teff" solve --resume start.ckpt --steps "$steps" --device $device --checkpoint "$device.ckpt" \
        --save "$device.npy" >"$device.txt" || return 1
    done
    if cmp cpu.npy cuda.npy && cmp cpu.ckpt cuda.ckpt; then echo -n "same    "; else echo -n "DIFFER  " && failed=1; fi
    echo "${run[*]}: $(sed -n 's/^schedule *//p' cuda.txt)"
    rm -f ./*.ckpt ./*.npy
  done
}

echo "== $("$teff" --version); $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1)"
echo "== from one checkpoint on a CPU and on a GPU"
same_bits diffusion1d 1023 3000 || failed=1
same_bits diffusion2d 301x257 400 || failed=1
same_bits diffusion3d 65x48x37 100 || failed=1
same_bits nonlinear_diffusion2d 255x200 300 || failed=1
same_bits pressure2d 127x127 500 --tolerance 0 || failed=1
same_bits poisson2d 129x100 20 --tolerance 0 || failed=1
same_bits poisson2d_cg 129x100 100 --tolerance 0 || failed=1
same_bits wave2d 255x200 400 || failed=1
same_bits wave3d 33x40x47 100 || failed=1
echo "== at the default shapes"
for solver in diffusion1d diffusion2d diffusion3d nonlinear_diffusion2d pressure2d poisson2d poisson2d_cg wave2d wave3d; do
  "$teff" solve $solver --device cuda || failed=1
  echo
done
exit $failed

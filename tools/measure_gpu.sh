#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# measure_gpu.sh OUT [GROUP|FILE...]: measures what the README and the docs publish of a GPU: one results
# file a run, in the folder OUT. Groups: primitives, ladders, streams, steps, checks (default: all these);
# grids, of a machine with several GPUs;
# or single files, as gemv. Needs only the command, build/release/bin/teff or $TEFF, so it also runs away from home.
# A run that fails leaves the others alone. All checks at full size: the primitives take more than nine
# minutes on 16 cores.
set -uo pipefail
[ $# -gt 0 ] || { sed -n 3,8p "$0" >&2 && exit 2; }
out=$1 && shift
wanted=" ${*:-primitives ladders streams steps checks} "
teff=${TEFF:-$(dirname "$0")/../build/release/bin/teff}
mkdir -p "$out" || exit 1
failed=0

# run FILE ARGUMENTS...: the table on the screen and in FILE.txt, the samples in FILE.json; if it, or the
# group that it is in, is wanted
run() {
  [[ $wanted == *" $group "* || $wanted == *" $1 "* ]] || return 0
  local file=$out/$1 && shift
  echo "\$ teff $*"
  "$teff" "$@" --json "$file.json" 2>"$file.err" | tee "$file.txt" && rm "$file.err" && return
  cat "$file.err" && failed=$((failed + 1))
}
# "a b c" -> --variant a --variant b --variant c
variants() { printf -- '--variant %s ' "$@"; }

group=primitives
long=100x1000000x1,1000000x100x1,13x10000000x1,1000x100000x1
both='--type f64,f32'
run cumsum bench cumsum $both --shape "512x512x512,511x513x517,$long,134217728x1x1,10000x13x1,13x10000x1" \
  $(variants dim-0 dim-1 dim-2)
run cumsum_vendor bench cumsum $both --shape 512x512x512 \
  $(variants vendor-dim-0 vendor-dim-1 vendor-dim-2)
run reduce bench reduce $both --shape "512x512x512,$long,1024x1024x1" $(variants full dim-0 dim-1 dim-2)
run reduce_vendor bench reduce $both --shape 512x512x512 \
  $(variants vendor vendor-dim-0 vendor-dim-1 vendor-dim-2)
run reduce_expression bench reduce_expression $both
run segmented_sum bench segmented_sum --type f32 --shape 128x1110,128x111000 $(variants best vendor)
run gemv bench gemv $both --shape 20000x20000,1000000x32,32x1000000,4000000x8,1000x100000 \
  $(variants best best-row-major vendor vendor-row-major)
run transpose bench transpose $both --shape 8192x8192,8191x8193,16384x8192
run julia_set bench julia_set $both
run second_derivatives bench d2x d2y --shape 8193x8193,16385x16385 $(variants flat statement)
run poisson2d bench poisson2d $both --shape 1023x1023,8193x8193
group=ladders
for name in cumsum reduce gemv segmented_sum d2x d2y poisson2d vadd diffusion2d nonlinear2d pressure2d wave2d wave3d; do
  run "ladder_$name" ladder "$name"
done
run scale_pressure2d scale pressure2d $(variants stepwise fused temporal)
group=streams
run streams bench copy triad --type f64,f32 --shape 8191x8193,511x513x517,16383x16385,134217727 \
  $(variants library array slice)
run transfer bench transfer --shape 128x128,1024x1024,4096x4096,8192x8192
group=steps
run diffusion2d bench diffusion2d --type f64,f32 --shape 16384x16384,16383x16385 \
  $(variants fused stepwise temporal factored)
for name in star2d box2d insulated2d nonlinear2d; do
  run "$name" bench "$name" --type f64,f32 $(variants stepwise temporal)
done
for name in pressure2d wave2d; do
  run "$name" bench "$name" --type f64,f32 $(variants stepwise fused temporal)
done
run diffusion3d bench diffusion3d --type f64,f32 --shape 512x512x512,511x513x517,1000x1000x1000
run star3d bench star3d --type f64,f32 --shape 512x512x512,1000x1000x1000
run insulated3d bench insulated3d --type f64,f32
run wave3d bench wave3d --type f64,f32 $(variants stepwise fused)
run diffusion1d bench diffusion1d --type f64,f32
run small2d bench diffusion2d --type f64,f32 --shape 127x127,255x255,511x511,1023x1023 \
  $(variants stepwise temporal replay resident)
run small_flow bench pressure2d wave2d insulated2d nonlinear2d --shape 127x127,255x255,511x511 \
  $(variants stepwise temporal resident)
group=checks
for every in 0 200 400; do
  run check_temporal_$every solve diffusion2d --device cuda --shape 16384x16384 --steps 4000 --check-every $every \
    --schedule temporal --depth 8
done
for every in 0 100; do
  run check_stepwise_$every solve diffusion2d --device cuda --shape 16384x16384 --steps 1000 --check-every $every \
    --schedule stepwise
done
group=grids
for n in 16384 8192 4096 2048; do
  run "grid2d_weak_$n" scale grid2d --type f64,f32 --ranks 1,2 --weak --shape ${n}x$n --variant deep
  run "grid2d_strong_$n" scale grid2d --type f64,f32 --ranks 1,2 --strong --shape ${n}x$n --variant deep
done
run grid3d_weak scale grid3d --type f64,f32 --ranks 1,2 --weak --shape 512x512x512,256x256x256 --variant deep
run grid_pressure2d_weak scale grid_pressure2d --type f64,f32 --ranks 1,2 --weak --shape 8191x8191 --variant deep
run grid2d_periods scale grid2d --ranks 2 --shape 4096x4096,2048x2048 --exchange-every 1,2,4,8,16,24,32,48,64
echo "$failed failed"
exit $((failed > 0))

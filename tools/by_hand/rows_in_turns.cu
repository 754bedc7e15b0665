// SPDX-License-Identifier: MIT
// Time-step rows of docs/measured.md by a program so small that two commits' builds of it, run in
// turns on one GPU, can be compared: a line for each row with the median of five runs in
// microseconds a step. (It does not check results: the tests do, for both commits.)
//   nvcc -std=c++20 -O3 --extended-lambda --expt-relaxed-constexpr -fmad=false -arch=sm_90 \
//     -I TREE -Xcompiler=-fopenmp,-ffp-contract=off,-march=x86-64-v3 \
//     tools/by_hand/rows_in_turns.cu libteff.a -lboost_context -ldl -lgomp
#include <cstdio>

#include <teff/solver/diffusion.hpp>
#include <teff/solver/nonlinear_diffusion.hpp>
#include <teff/solver/pressure.hpp>
#include <teff/solver/wave.hpp>
#include <teff/teff.hpp>

#include "timing.hpp"

using namespace teff;

namespace {

const device gpu = device::cuda(0);

template <class T, class Step, class... Fields>
void row(const char* name, schedule kind, int depth, const Step& step, int steps,
         Fields&... fields) {
  iterate_options how;
  how.steps = steps;
  how.schedule = kind;
  how.depth = depth;
  iterate(step, how, fields...);
  const double s = by_hand::median_seconds(5, 1, [&] { iterate(step, how, fields...); });
  std::printf("%-12s %-8s %s %10.2f\n", name, depth == 1 ? "fused" : schedule_name(kind),
              sizeof(T) == 8 ? "f64" : "f32", 1e6 * s / steps);
  std::fflush(stdout);
}

template <class T>
array<T, 1> line(index_t n, int seed) {
  array<T, 1> a(gpu, {n});
  a = random<T>(gpu, {n}, seed);
  return a;
}
template <class T>
array<T, 2> plane(index_t nx, index_t ny, int seed) {
  array<T, 2> a(gpu, {nx, ny});
  a = random<T>(gpu, {nx, ny}, seed);
  return a;
}
template <class T>
array<T, 3> cube(index_t nx, index_t ny, index_t nz, int seed) {
  array<T, 3> a(gpu, {nx, ny, nz});
  a = random<T>(gpu, {nx, ny, nz}, seed);
  return a;
}

template <class T>
void staggered_2d() {
  const index_t n = 8191;
  array<T, 2> P = plane<T>(n, n, 1), x = plane<T>(n + 1, n, 2), y = plane<T>(n, n + 1, 3);
  row<T>("pressure2d", schedule::stepwise, 0, pressure::step2d(T(1), T(2), T(300), T(.1), T(.1)),
         40, P, x, y);
  row<T>("wave2d", schedule::stepwise, 0, wave::in2d::step(T(1), T(1), T(.06), T(.1), T(.1)), 40, P,
         x, y);
}
template <class T>
void heat() {
  const index_t n = 8192;
  array<T, 2> U = plane<T>(n, n, 1), C = plane<T>(n, n, 2);
  const auto linear = diffusion::step2d(T(1), T(.002), T(10), T(10));
  row<T>("diffusion2d", schedule::stepwise, 0, linear, 60, U, C);
  row<T>("diffusion2d", schedule::temporal, 0, linear, 120, U, C);
  const auto law = diffusion::nonlinear2d(diffusion::one_plus_square{}, T(.001), T(10), T(10));
  row<T>("nonlinear2d", schedule::stepwise, 0, law, 60, U);
  row<T>("nonlinear2d", schedule::temporal, 0, law, 120, U);
  array<T, 1> u = line<T>(index_t{1} << 28, 1), c = line<T>(index_t{1} << 28, 2);
  row<T>("diffusion1d", schedule::stepwise, 0, diffusion::step1d(T(1), T(.002), T(10)), 20, u, c);
}
template <class T>
void sound_3d() {
  const index_t n = 511;
  array<T, 3> P = cube<T>(n, n, n, 1), x = cube<T>(n + 1, n, n, 2), y = cube<T>(n, n + 1, n, 3),
              z = cube<T>(n, n, n + 1, 4);
  const auto step = wave::in3d::step(T(1), T(1), T(.05), T(.1), T(.1), T(.1));
  row<T>("wave3d", schedule::stepwise, 0, step, 20, P, x, y, z);
  row<T>("wave3d", schedule::temporal, 1, step, 20, P, x, y, z);
}
template <class T>
void all() {
  staggered_2d<T>();
  heat<T>();
  sound_3d<T>();
}

}  // namespace

int main() {
  all<double>();
  all<float>();
}

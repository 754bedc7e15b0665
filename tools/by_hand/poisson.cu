// SPDX-License-Identifier: MIT
// Poisson's equation on a GPU: random f, about 0, on 1023^2, 8191^2 and 255^3 points by V-cycles to
// a relative residual of 1e-10 (f32: 1e-3), the same on cells between closed walls whose k jumps from
// 1 to 1000, and an iteration of conjugate gradients on 1023^2 and 8193^2 points. Writes JSON to stdout, and is 1 where a residual is not what it should be.
//   solve_s   poisson2d or poisson3d, with all that comes before the first cycle
//   setup_s   what comes before: poisson_cycles, made
//   cycles_s  the cycles alone and their residuals, from the same start, with a wait for each
//   cycle_s   one of ten cycles, without a wait
// Least and median of the turns, after one that warms up. Argument: points of the largest square,
// where 8191 is too many. -DONLY_F64 and -DONLY_F32 halve what is to be compiled.
//   nvcc -std=c++20 -O3 --extended-lambda --expt-relaxed-constexpr -fmad=false -arch=sm_90 -I.
//     -DCOMMIT=\"$(git rev-parse --short HEAD)\"
//     -Xcompiler=-fopenmp,-ffp-contract=off,-march=x86-64-v3 tools/by_hand/poisson.cu libteff.a
//     -lboost_context -ldl -lgomp
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/solver/poisson.hpp>
#include <teff/solver/poisson_cells.hpp>

using namespace teff;

namespace {

bool is_right = true;
const char* between = "";

template <class F>
double seconds(const stream& on, const F& f) {
  on.synchronize();
  const auto from = std::chrono::steady_clock::now();
  f();
  on.synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
}
std::string least_and_median(std::vector<double> s) {
  std::sort(s.begin(), s.end());
  char text[80];
  std::snprintf(text, sizeof text, "{\"least\": %.4g, \"median\": %.4g}", s.front(),
                s[s.size() / 2]);
  return text;
}

/// |f + laplacian u| / |f|, by a formula of its own; u is 0 at the border.
template <class R>
double residual_of(const array<R, 2>& u, const array<R, 2>& f) {
  using namespace fd2;
  const R _dx2 = static_cast<R>((u.extent(0) - 1.0) * (u.extent(0) - 1.0)),
          _dy2 = static_cast<R>((u.extent(1) - 1.0) * (u.extent(1) - 1.0));
  return norm2(inn(f) + (_dx2 * d2_xi(u) + _dy2 * d2_yi(u))) / norm2(inn(f));
}
template <class R>
double residual_of(const array<R, 3>& u, const array<R, 3>& f) {
  using namespace fd3;
  const R _d2 = static_cast<R>((u.extent(0) - 1.0) * (u.extent(0) - 1.0));
  return norm2(inn(f) + (_d2 * d2_xi(u) + _d2 * d2_yi(u) + _d2 * d2_zi(u))) / norm2(inn(f));
}

template <class R, int N>
void by_multigrid(device dev, const extents<N>& points, int turns) {
  const double tolerance = sizeof(R) == 8 ? 1e-10 : 1e-3;
  array<R, N> f = random<R>(dev, points, 1);
  f = f - R(0.5);  // (Of a mean that is not 0 rounding would leave more than 1e-10.)
  array<R, N> u = zeros<R>(dev, points);
  const poisson_options options{.tolerance = tolerance};
  std::vector<double> whole, setup, alone, free;
  poisson_report report;
  for (int t = 0; t <= turns; ++t) {
    u = R(0);
    const double s = seconds(u.on(), [&] {
      if constexpr (N == 2)
        report = poisson2d(u, f, options);
      else
        report = poisson3d(u, f, options);
    });
    if (t > 0) whole.push_back(s);
  }
  const double residual = residual_of(u, f);
  bool ok = report.has_converged() && residual < 1.05 * tolerance;

  for (int t = 0; t <= turns; ++t) {
    const double s = seconds(u.on(), [&] { poisson_cycles<R, N> made(u, f); });
    if (t > 0) setup.push_back(s);
  }
  array<R, N> v = zeros<R>(dev, points);
  poisson_cycles<R, N> cycles(v, f);
  for (int t = 0; t <= turns; ++t) {
    cycles.restart();
    index_t made = 0;
    const double s = seconds(v.on(), [&] {
      double left = 1;
      while (left > tolerance && made < 100) {
        cycles.cycle();
        ++made;
        left = cycles.residual();
      }
    });
    ok = ok && made == report.iterations;
    const double ten = seconds(v.on(), [&] {
      for (int c = 0; c < 10; ++c) cycles.cycle();
    });
    if (t > 0) alone.push_back(s), free.push_back(ten / 10);
  }
  is_right = is_right && ok;
  std::printf(
      "%s\n  {\"method\": \"multigrid\", \"points\": \"%s\", \"type\": \"%s\", "
      "\"tolerance\": %.0e, \"cycles\": %d, \"factor\": %.3f, \"residual\": %.3g, "
      "\"solve_s\": %s, \"setup_s\": %s, \"cycles_s\": %s, \"cycle_s\": %s, "
      "\"a_eff_gb_of_cycle\": %.4g, \"right\": %s}",
      between, extents_text(points).c_str(), type_name<R>(), tolerance,
      static_cast<int>(report.iterations), report.factor, residual, least_and_median(whole).c_str(),
      least_and_median(setup).c_str(), least_and_median(alone).c_str(),
      least_and_median(free).c_str(), cycles.per_cycle().a_eff_bytes() / 1e9,
      ok ? "true" : "false");
  between = ",";
  std::fflush(stdout);
}

/// Cells between closed walls, k a chessboard of 8x8 fields. Of the JSON's fields those of a solution,
/// with what comes before. (In f32 rounding may let the residual get no smaller before.)
template <class R>
void on_cells(device dev, index_t n, int turns) {
  const double tolerance = sizeof(R) == 8 ? 1e-10 : 1e-3;
  array<R, 2> f = random<R>(dev, {n, n}, 1), k(dev, {n, n}), u = zeros<R>(dev, {n, n});
  f = f - static_cast<R>(mean(f));
  const double fields = 8 * 3.14159265358979 / static_cast<double>(n);
  k = where(sin(fields * (ix + 0.5)) * sin(fields * (iy + 0.5)) > 0.0, R(1), R(1000));
  const poisson_cells_options options{.tolerance = tolerance, .project = true};
  const array_ref<R, 2> coefficient = k;
  std::vector<double> whole, setup;
  poisson_report report;
  for (int t = 0; t <= turns; ++t) {
    u = R(0);
    const double s = seconds(u.on(), [&] { report = poisson(u, f, k, options); });
    const double before = seconds(
        u.on(), [&] { detail::cells_problem<R, 2> made(u, f, &coefficient, options); });
    if (t > 0) whole.push_back(s), setup.push_back(before);
  }
  const bool ok = report.has_converged() || (sizeof(R) == 4 && report.is_stuck);
  is_right = is_right && ok;
  std::printf(
      "%s\n  {\"method\": \"%s\", \"k\": \"1 and 1000\", \"points\": \"%s\", \"type\": \"%s\", "
      "\"tolerance\": %.0e, \"cycles\": %d, \"residual\": %.3g, \"solve_s\": %s, \"setup_s\": %s, \"right\": %s}",
      between, report.steps.c_str(), extents_text(u.shape()).c_str(), type_name<R>(), tolerance,
      static_cast<int>(report.iterations), report.residual, least_and_median(whole).c_str(),
      least_and_median(setup).c_str(), ok ? "true" : "false");
  between = ",";
  std::fflush(stdout);
}

template <class R>
void by_gradients(device dev, index_t n, int iterations, int turns) {
  array<R, 2> f = random<R>(dev, {n, n}, 1);
  f = f - R(0.5);
  array<R, 2> u = zeros<R>(dev, {n, n});
  poisson2d_solver<R> solver(u, f);
  solver.iterate(iterations);
  std::vector<double> all;
  for (int t = 0; t < turns; ++t)
    all.push_back(seconds(u.on(), [&] { solver.iterate(iterations); }) / iterations);
  const double of_r = solver.residual_of_r(), of_u = residual_of(u, f);
  const bool ok = solver.made() == (turns + 1) * iterations &&
                  std::abs(of_r - of_u) < (sizeof(R) == 8 ? 1e-6 : 0.2) * of_u;
  is_right = is_right && ok;
  const double bytes = solver.per_iteration().a_eff_bytes();
  std::printf(
      "%s\n  {\"method\": \"an iteration of conjugate gradients\", \"points\": \"%dx%d\", "
      "\"type\": \"%s\", \"iterations\": %d, \"residual_of_r\": %.6g, \"residual\": %.6g, "
      "\"s\": %s, \"gb_per_s\": %.0f, \"right\": %s}",
      between, static_cast<int>(n), static_cast<int>(n), type_name<R>(), (turns + 1) * iterations,
      of_r, of_u, least_and_median(all).c_str(),
      bytes / *std::min_element(all.begin(), all.end()) / 1e9, ok ? "true" : "false");
  between = ",";
  std::fflush(stdout);
}

template <class R>
void all_of(device dev, index_t largest) {
  by_multigrid<R, 2>(dev, {1023, 1023}, 10);
  by_multigrid<R, 2>(dev, {largest, largest}, 4);
  by_multigrid<R, 3>(dev, {255, 255, 255}, 6);
  on_cells<R>(dev, 1024, 10);
  on_cells<R>(dev, largest + 1, 4);
  by_gradients<R>(dev, 1023, 100, 10);
  by_gradients<R>(dev, largest + 2, 20, 5);
}

}  // namespace

int main(int argc, char** argv) {
  const device dev = device::cuda(0);
  const index_t largest = argc > 1 ? std::atoll(argv[1]) : 8191;
  std::printf("{\"device\": \"%s\", \"commit\": \"%s\", \"rows\": [", describe(dev).name.c_str(),
              COMMIT);
#ifndef ONLY_F32
  all_of<double>(dev, largest);
#endif
#ifndef ONLY_F64
  all_of<float>(dev, largest);
#endif
  std::puts("\n]}");
  return is_right ? 0 : 1;
}

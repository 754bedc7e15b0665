// SPDX-License-Identifier: MIT
// 3-D time steps on a CPU beside a copy of the same process, single and by passes of four, in ms a
// step; to compare two commits, one program of each, in turns (results/cpu-2core/steps_3d.txt).
//   g++ -std=c++20 -O3 -fopenmp -ffp-contract=off -march=x86-64-v3 -I. tools/by_hand/steps_3d.cpp
//     libteff.a -lboost_context -ldl -o steps_3d && OMP_PROC_BIND=close ./steps_3d 512 512 512
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <teff/teff.hpp>

using namespace teff;
using namespace teff::fd3;

namespace {

/// The least of so many runs, after one that does not count.
template <class F>
double least_ms(int runs, const F& run) {
  run();
  double least = 1e300;
  for (int r = 0; r < runs; ++r) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    least = std::min(least, took.count());
  }
  return least;
}

template <class Step, class... Field>
double ms_of_step(const Step& step, const iterate_options& how, Field&... fields) {
  return least_ms(3, [&] { iterate(step, how, fields...); }) / static_cast<double>(how.steps);
}

}  // namespace

int main(int argc, char** argv) {
  const auto extent = [&](int d) -> index_t { return argc > d ? std::atoll(argv[d]) : 512; };
  array<double, 3> T(device::cpu(), {extent(1), extent(2), extent(3)}, "T");
  array<double, 3> copied(device::cpu(), T.shape(), "copied"), C(device::cpu(), T.shape(), "C");
  fill_random(T, 1);
  fill_random(C, 2);
  const double copy = least_ms(5, [&] { copied = T; });

  const double dt = 0.1, lam = 1.01, s = 0.99;
  const auto heat = timestep([=](auto t, auto c) {
    const auto spread = d2_xi(t) * s + d2_yi(t) * s + d2_zi(t) * s;
    return update(inn(t), inn(t) + dt * (lam * inn(c) * spread));
  });
  const auto star = timestep([](auto field) {
    const auto u = around<1>(field);
    const auto faces = at<-1, 0, 0>(u) + at<1, 0, 0>(u) + at<0, -1, 0>(u) + at<0, 1, 0>(u) +
                       at<0, 0, -1>(u) + at<0, 0, 1>(u);
    return update(u(), 0.25 * u() + 0.125 * faces);
  });
  const iterate_options single{.steps = 8, .schedule = schedule::stepwise};
  const iterate_options several{.steps = 8, .schedule = schedule::temporal, .depth = 4};
  const auto print = [&](const char* what, double ms, double arrays) {
    std::printf("%-14s %8.1f ms, %.2f of copy\n", what, ms, arrays / 2 * copy / ms);
  };
  print("copy", copy, 2);
  print("heat single", ms_of_step(heat, single, T, C), 3);
  print("heat several", ms_of_step(heat, several, T, C), 3);
  fill_random(T, 1);
  print("star single", ms_of_step(star, single, T), 2);
  print("star several", ms_of_step(star, several, T), 2);
}

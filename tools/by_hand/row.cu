// SPDX-License-Identifier: MIT
// One row of docs/measured.md on one GPU: single steps and passes of a step that the lab does not
// ship (steps_of_rows.hpp), and plain kernels of the same step (kernels_of_rows.cuh), each beside a
// copy of the same run. Before they are timed, the fields of each schedule are compared with those
// of single steps bit by bit, those of the plain kernels to rounding. Writes JSON to stdout. With a
// type and a depth (f64 4; 0: single steps, -1: all stages at once) it only runs, for a profiler.
//   nvcc -std=c++20 -O3 --extended-lambda --expt-relaxed-constexpr -arch=sm_90 -I. -DROW=elastic \
//     -DCOMMIT=$(git rev-parse --short HEAD) \
//     -Xcompiler=-fopenmp,-ffp-contract=off,-march=x86-64-v3 tools/by_hand/row.cu \
//     libteff.a -lboost_context -ldl -lgomp
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "kernels_of_rows.cuh"
#include "steps_of_rows.hpp"
#include "timing.hpp"

using namespace teff;

namespace {

constexpr int most_steps = 24;  ///< of a run, about: whole passes

template <class Row, class T>
struct measured_row : Row {
  static constexpr int N = Row::rank, fields = std::size(Row::more);
  using field_list = std::vector<array<T, N>>;
  device dev = device::cuda(0);
  const decltype(Row::template step<T>()) step = Row::template step<T>();

  auto extents_of(int f) const {
    std::array<index_t, N> e;
    for (int d = 0; d < N; ++d) e[d] = this->n + Row::more[f][d];
    return e;
  }
  template <int... D>
  array<T, N> made(int f, std::integer_sequence<int, D...>) const {
    const auto e = extents_of(f);
    array<T, N> a(dev, {e[D]...});
    a = static_cast<T>(this->level) +
        static_cast<T>(this->spread) * random<T>(dev, {e[D]...}, 7 * f + 1);
    return a;
  }
  field_list fresh() const {
    field_list a;
    for (int f = 0; f < fields; ++f) a.push_back(made(f, std::make_integer_sequence<int, N>{}));
    return a;
  }
  template <int... S>
  auto ran(field_list& a, const iterate_options& how, std::integer_sequence<int, S...>) const {
    return iterate(step, how, a[S]...);
  }
  auto ran(field_list& a, const iterate_options& how) const {
    return ran(a, how, std::make_integer_sequence<int, fields>{});
  }

  double seconds_of_copy() const {
    array<T, N> from = made(0, std::make_integer_sequence<int, N>{}), to = from;
    return by_hand::median_seconds(9, 10, [&] { to = from; });
  }
  void report(const char* name, int depth, double s, double copy, double differ, bool first) const {
    const double of_copy = this->arrays / 2 * copy / s;
    std::printf("%s\n      {\"schedule\": \"%s\", \"depth\": %d, \"ms\": %.5f, ", first ? "" : ",",
                name, depth, 1e3 * s);
    std::printf("\"of_copy\": %.4f, \"differ\": %g}", of_copy, differ);
    std::fprintf(stderr, "  %-9s %2d %9.4f ms  %6.3f of copy  differs by %g\n", name, depth,
                 1e3 * s, of_copy, differ);
  }
  /// One schedule: compared, then timed. @returns false if it does not run
  /// @param stretch steps after which the run is cut; 0: it is not
  bool schedule_of(const char* name, schedule kind, int depth, double copy, bool first,
                   int stretch = 0) const {
    field_list a = fresh();
    const int whole = stretch > 0 ? 2 * stretch : std::max(depth, 1),
              steps = std::max(most_steps / whole, 1) * whole;
    iterate_options how{.steps = steps, .schedule = kind};
    if (depth > 0) how.depth = depth;
    if (stretch > 0) how.on_step = {stretch, [](index_t) {}};
    const auto run = ran(a, how);
    if (depth == 1 && run.schedule() == schedule::fused) return true;  // that was measured
    if (run.schedule() != kind || (depth > 0 && run.depth() != depth)) {
      if (depth > 0 && run.schedule() == kind) return true;  // this depth has no shape of its own
      std::fprintf(stderr, "  %s %d: %s\n", name, depth, std::string(run.reason()).c_str());
      return false;
    }
    field_list single = fresh();
    ran(single, {.steps = steps, .schedule = schedule::stepwise});
    double differ = 0;
    for (int f = 0; f < Row::evolve; ++f)
      differ = std::max(differ, double(max_abs(a[f] - single[f])));
    const double s = by_hand::median_seconds(7, 1, [&] { ran(a, how); }) / steps;
    report(name, stretch > 0 ? stretch : run.depth(), s, copy, differ, first);
    return true;
  }
  /// Passes of each depth; and stretches of so many steps by the deepest.
  void several_steps(double copy) const {
    for (const int depth : {1, 2, 3, 4, 5, 6, 7, 8, 12})
      if (!schedule_of("temporal", schedule::temporal, depth, copy, false)) return;
    field_list a = fresh();
    const int deepest =
        ran(a, {.steps = most_steps, .schedule = schedule::temporal, .depth = most_steps}).depth();
    for (int steps = 1; steps < deepest; ++steps)
      schedule_of("stretch", schedule::temporal, deepest, copy, false, steps);
  }
  /// Plain kernels: compared, to their rounding, from fields that meet the conditions, then timed.
  void by_hand_beside(double copy) const {
    field_list single = fresh();
    by_hand::begin(static_cast<const Row&>(*this), single);
    ran(single, {.steps = 1, .schedule = schedule::stepwise});
    field_list a = single, b = single;
    const auto steps_by_hand = [&](int steps) {
      for (int k = 0; k < steps; ++k)
        by_hand::step(static_cast<const Row&>(*this), a, b, static_cast<int>(this->n));
    };
    cudaDeviceSynchronize();
    steps_by_hand(3);
    cudaDeviceSynchronize();
    ran(single, {.steps = 3, .schedule = schedule::stepwise});
    double differ = 0;
    for (int f = 0; f < Row::evolve; ++f) {
      const double apart = double(max_abs(a[f] - single[f])) / double(max_abs(single[f]));
      if (!(apart < (sizeof(T) == 8 ? 1e-12 : 1e-4))) {
        std::fprintf(stderr, "  by_hand: field %d differs by %g, not timed\n", f, apart);
        return;
      }
      differ = std::max(differ, apart);
    }
    const double s = by_hand::median_seconds(7, 1, [&] { steps_by_hand(most_steps); }) / most_steps;
    report("by_hand", 1, s, copy, differ, false);
  }
  /// Some runs of one schedule alone, for a profiler.
  void run_alone(int depth) const {
    field_list a = fresh();
    iterate_options how{.steps = most_steps, .schedule = schedule::stepwise};
    if (depth > 0) how.schedule = schedule::temporal, how.depth = depth;
    if (depth < 0) how.schedule = schedule::fused;
    for (int turn = 0; turn < 2; ++turn) ran(a, how);
    a[0].on().synchronize();
  }
  void measure(bool first) const {
    const char* type = sizeof(T) == 8 ? "f64" : "f32";
    const double copy = seconds_of_copy();
    double cells = 1;
    for (int d = 0; d < N; ++d) cells *= static_cast<double>(this->n);
    const double rate = 2 * sizeof(T) * cells / copy;
    std::fprintf(stderr, "%s %s, %lld cells a side: copy %.4f ms, %.0f GB/s\n", BY_HAND_TEXT(ROW),
                 type, static_cast<long long>(this->n), 1e3 * copy, 1e-9 * rate);
    std::printf("%s\n    {\"type\": \"%s\", \"copy_ms\": %.5f, \"copy_gbps\": %.1f, \"runs\": [",
                first ? "" : ",", type, 1e3 * copy, 1e-9 * rate);
    schedule_of("stepwise", schedule::stepwise, 0, copy, true);
    schedule_of("fused", schedule::fused, 0, copy, false);
    several_steps(copy);
    by_hand_beside(copy);
    std::printf("]}");
  }
};

}  // namespace

int main(int argc, char** argv) {
  const rows::ROW row;
  if (argc == 3) {
    const int depth = std::atoi(argv[2]);
    if (argv[1] == std::string("f64"))
      measured_row<rows::ROW, double>{}.run_alone(depth);
    else
      measured_row<rows::ROW, float>{}.run_alone(depth);
    return 0;
  }
  std::printf("{\"row\": \"%s\", \"device\": \"%s\", \"commit\": \"%s\", ", BY_HAND_TEXT(ROW),
              known_device(device::cuda(0)).name.c_str(), BY_HAND_TEXT(COMMIT));
  std::printf("\"command\": \"tools/by_hand/row.cu -DROW=%s\", ", BY_HAND_TEXT(ROW));
  std::printf("\"cells_a_side\": %lld, \"arrays\": %g, \"types\": [", static_cast<long long>(row.n),
              row.arrays);
#ifdef ONLY
  measured_row<rows::ROW, ONLY>{}.measure(true);
#else
  measured_row<rows::ROW, double>{}.measure(true);
  measured_row<rows::ROW, float>{}.measure(false);
#endif
  std::printf("]}\n");
}

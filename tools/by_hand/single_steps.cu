// SPDX-License-Identifier: MIT
// Single steps beside the plain CUDA kernels that their authors would write, in one run on one GPU:
// values compared first, then times in turns. Argument: cells along each side.
//   nvcc -std=c++20 -O3 --extended-lambda --expt-relaxed-constexpr -arch=sm_90 -I. \
//     -Xcompiler=-fopenmp,-ffp-contract=off,-march=x86-64-v3 tools/by_hand/single_steps.cu \
//     libteff.a -lboost_context -ldl -lgomp
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "kernels.cuh"
#include "steps.hpp"
#include "timing.hpp"

using namespace teff;

namespace {

template <class T>
using planes = std::vector<array<T, 2>>;

/// Teff's single steps, as many as asked, over the first fields of a list.
template <int... S>
auto single_steps(const auto& step, std::integer_sequence<int, S...>) {
  return [step](auto& a, index_t count) {
    iterate(step, {.steps = count, .schedule = schedule::stepwise}, a[S]...);
  };
}

struct side_by_side {
  device dev;
  index_t n;
  double copy_bytes_per_second = 0;
  bool are_alike = true;

  /// Three steps by each from the same values, compared; then ten by each, in turns.
  /// @param evolve how many of the fields do; `by_hand`(from, to) is a step, in place or not
  template <class T, int Fields>
  void row(const char* name, double arrays, int evolve, bool is_in_place, const auto& step,
           const auto& by_hand) {
    planes<T> a;
    for (int s = 0; s < Fields; ++s) {
      a.emplace_back(dev, extents{n, n});
      a.back() = random<T>(dev, {n, n}, s + 1);
    }
    planes<T> b = a, next = a;
    const auto ours = single_steps(step, std::make_integer_sequence<int, Fields>{});
    const auto theirs = [&](int count) {
      for (int k = 0; k < count; ++k) {
        by_hand(b, next);
        if (!is_in_place)
          for (int s = 0; s < evolve; ++s) swap(b[s], next[s]);
      }
    };
    ours(a, 3), theirs(3);
    double off = 0;
    for (int s = 0; s < evolve; ++s) {
      const auto inside = range(1, n - 1);
      const double apart = max_abs(a[s](inside, inside) - b[s](inside, inside));
      off = std::max(off, apart);
    }
    const bool alike = off < (sizeof(T) == 8 ? 1e-12 : 1e-4);
    are_alike = are_alike && alike;
    std::vector<double> of_ours, of_theirs;
    for (int turn = 0; turn < 7; ++turn) {
      of_theirs.push_back(by_hand::seconds_of([&] { theirs(10); }) / 10);
      of_ours.push_back(by_hand::seconds_of([&] { ours(a, 10); }) / 10);
    }
    const double bytes = arrays * sizeof(T) * static_cast<double>(n * n);
    const double s = by_hand::median(of_ours), hand = by_hand::median(of_theirs);
    std::printf("%-20s f%zu %8.3f %8.3f %8.2f %8.2f %8.2f   %.0e%s\n", name, 8 * sizeof(T), 1e3 * s,
                1e3 * hand, hand / s, bytes / s / copy_bytes_per_second,
                bytes / hand / copy_bytes_per_second, off, alike ? "" : "  DIFFERS");
    std::fflush(stdout);
  }

  template <class T>
  void rows() {
    const dim3 threads(32, 8);
    const dim3 blocks(static_cast<unsigned>((n + 31) / 32), static_cast<unsigned>((n + 7) / 8));
    const int m = static_cast<int>(n);
    array<T, 2> from(dev, {n, n}), to(dev, {n, n});
    from = 1;
    std::vector<double> times;
    for (int turn = 0; turn < 9; ++turn)
      times.push_back(by_hand::seconds_of([&] {
                        for (int k = 0; k < 10; ++k) to = from;
                      }) /
                      10);
    copy_bytes_per_second = 2.0 * sizeof(T) * static_cast<double>(n * n) / by_hand::median(times);
    std::printf("copy                 f%zu %8.3f ms %8.0f GB/s\n", 8 * sizeof(T),
                1e3 * by_hand::median(times), 1e-9 * copy_bytes_per_second);

    row<T, 1>("heat", 2, 1, false, steps::heat<T>(), [&](auto& a, auto& b) {
      by_hand::heat<<<blocks, threads>>>(a[0].data(), b[0].data(), m);
    });
    row<T, 1>("nonlinear", 2, 1, false, steps::nonlinear<T>(), [&](auto& a, auto& b) {
      by_hand::nonlinear<<<blocks, threads>>>(a[0].data(), b[0].data(), m);
    });
    row<T, 3>("ice", 4, 1, false, steps::ice<T>(), [&](auto& a, auto& b) {
      by_hand::ice<<<blocks, threads>>>(a[0].data(), a[1].data(), a[2].data(), b[0].data(), m);
    });
    row<T, 2>("gray_scott", 4, 2, false, steps::gray_scott<T>(), [&](auto& a, auto& b) {
      by_hand::gray_scott<<<blocks, threads>>>(a[0].data(), a[1].data(), b[0].data(), b[1].data(),
                                               m);
    });
    row<T, 7>("elastic", 12, 5, true, steps::elastic<T>(), [&](auto& a, auto&) {
      by_hand::stresses<<<blocks, threads>>>(a[0].data(), a[1].data(), a[2].data(), a[3].data(),
                                             a[4].data(), a[5].data(), a[6].data(), m);
      by_hand::velocities<<<blocks, threads>>>(a[0].data(), a[1].data(), a[2].data(), a[3].data(),
                                               a[4].data(), m);
    });
  }
};

}  // namespace

int main(int argc, char** argv) {
  const device dev = device::cuda(0);
  side_by_side bench{dev, argc > 1 ? std::atoll(argv[1]) : 8190};
  std::printf(
      "%s, %lld x %lld cells; ms a step, its speed by that of the plain kernel, and the\n"
      "traffic of an ideal step by copy's: here, by hand; largest difference\n",
      dev.name().c_str(), static_cast<long long>(bench.n), static_cast<long long>(bench.n));
  std::printf("%-20s type %7s %8s %8s %8s %8s\n", "step", "ms", "by hand", "faster", "x copy",
              "by hand");
  bench.rows<double>();
  bench.rows<float>();
  return bench.are_alike ? 0 : 1;
}

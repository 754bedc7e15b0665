// SPDX-License-Identifier: MIT
// Cumulative sums: B(.., l, ..) = A(.., 0, ..) + ... + A(.., l, ..). Every cell depends on the one
// before it, so along one dim neighbouring threads would read cells that are far apart, and along
// another they would have to wait for each other. Here the dim must not matter. Argument: side.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <teff/teff.hpp>

using namespace teff;

// Seconds that the fastest of several runs took, after one that does not count
template <class Run>
double best_time_s(device dev, const Run& run) {
  timer watch{dev};
  double best = 1e300;
  for (int i = 0; i < 6; ++i) {
    watch.start();
    run();
    watch.stop();
    if (i > 0) best = std::min(best, watch.elapsed_s());
  }
  return best;
}

int main(int argc, char** argv) {
  const device dev = default_device();
  const index_t usual = dev.is_cuda() ? 512 : 200;
  const index_t n = argc > 1 ? std::atoll(argv[1]) : usual;
  bool all_right = true;

  // Arrays
  const array<double, 3> A = random<double>(dev, {n, n, n}, 1);
  array<double, 3> B(dev, {n, n, n}, "B");

  // The limit: a scan reads A and writes B, as a copy does
  const double A_eff = traffic_of(B, A).a_eff_bytes();
  const double copy_s = best_time_s(dev, [&] { B = A; });
  std::printf("%s f64 on %s\n%-16s %10.1f GB/s\n", extents_text(A.shape()).c_str(),
              dev.name().c_str(), "B = A", gb_per_s(A_eff, copy_s));

  for (int dim = 0; dim < 3; ++dim) {
    const double time_s = best_time_s(dev, [&] { cumsum(B, A, dim); });
    std::printf("cumsum(B, A, %d) %10.1f GB/s, %.2f of the copy\n", dim, gb_per_s(A_eff, time_s),
                copy_s / time_s);

    // Check: the last sum of each column is the sum of the column
    const std::vector<double> sums = to_host(sum(A, dim));
    const std::vector<double> last = dim == 0   ? to_host(B(n - 1, whole, whole))
                                     : dim == 1 ? to_host(B(whole, n - 1, whole))
                                                : to_host(B(whole, whole, n - 1));
    for (std::size_t c = 0; c < sums.size(); ++c)
      if (!(std::fabs(sums[c] - last[c]) <= 1e-12 * sums[c])) all_right = false;
  }

  // Of an expression, which is never stored: how far a walk of random steps has come
  array<double, 3> walk(dev, {n, n, n}, "walk");
  cumsum(walk, where(A < 0.5, -1.0, 1.0), 0);
  std::printf("%ld walks of %ld steps end %.2f from their start, expected %.2f\n", n * n, n,
              std::sqrt(static_cast<double>(sum(sq(walk(n - 1, whole, whole)))) /
                        static_cast<double>(n * n)),
              std::sqrt(static_cast<double>(n)));

  if (!all_right) std::printf("WRONG RESULT\n");
  return all_right ? 0 : 1;
}

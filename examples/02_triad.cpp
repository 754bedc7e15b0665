// SPDX-License-Identifier: MIT
// Two arrays read, one written: A = B + s*C. What a statement costs is what it reads and writes, so
// fewer statements are faster; and size matters while caches can hold it. Argument: largest side.
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
  for (int i = 0; i < 9; ++i) {
    watch.start();
    run();
    watch.stop();
    if (i > 0) best = std::min(best, watch.elapsed_s());
  }
  return best;
}

int main(int argc, char** argv) {
  const device dev = default_device();
  const index_t usual = dev.is_cuda() ? 4096 : 2048;
  const index_t largest = argc > 1 ? std::atoll(argv[1]) : usual;
  const double s = 0.3;
  bool all_right = true;

  std::printf("A = B + s*C, f64, on %s\n%12s %12s %17s %17s %9s\n", dev.name().c_str(), "cells",
              "A_eff", "one statement", "two statements", "ratio");
  for (index_t n = std::min<index_t>(64, largest); n <= largest; n *= 2) {
    // Arrays
    array<double, 2> A(dev, {n, n}, "A");
    const array<double, 2> B = random<double>(dev, {n, n}, 1), C = random<double>(dev, {n, n}, 2);

    // One statement is one kernel: it reads B and C and writes A, nothing else
    const double one_s = best_time_s(dev, [&] { A = B + s * C; });
    const std::vector<double> from_one = to_host(A);

    // The same in two: A is written, read again and written again
    const double two_s = best_time_s(dev, [&] {
      A = s * C;
      A = A + B;
    });

    // A statement knows its bytes: three arrays here. Both ways are rated by the same A_eff.
    const double A_eff = traffic_of(A, B + s * C).a_eff_bytes();
    std::printf("%12s %9.2f MB %12.1f GB/s %12.1f GB/s %9.2f\n", extents_text(A.shape()).c_str(),
                A_eff * 1e-6, gb_per_s(A_eff, one_s), gb_per_s(A_eff, two_s), two_s / one_s);

    // Check, bit by bit. A sum with a product in it is rounded once, on every device. In two
    // statements the product is rounded when it is stored, and the sum again.
    const std::vector<double> b = to_host(B), c = to_host(C), from_two = to_host(A);
    for (std::size_t i = 0; i < b.size(); ++i) {
      const double product = s * c[i];
      if (from_one[i] != std::fma(s, c[i], b[i]) || from_two[i] != product + b[i])
        all_right = false;
    }
  }
  if (!all_right) std::printf("WRONG RESULT\n");
  return all_right ? 0 : 1;
}

// SPDX-License-Identifier: MIT
// A matrix-vector product, y = A x, uses each cell of A once: how fast A can be read is all that
// counts. Is it worth bringing A to a GPU for one product? Transfer and product are timed apart.
// Argument: side.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

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

// A kernel, one thread a row: neighbours read neighbouring cells, but 20000 threads are too few
struct row_product {
  view<double, 2> A;
  view<double, 1> x, y;
  TEFF_FN void operator()(index_t i) const {
    double sum = 0;
    for (index_t j = 0; j < A.extent(1); ++j) sum += A(i, j) * x(j);
    y(i) = sum;
  }
};

int main(int argc, char** argv) {
  const device dev = default_device();
  const index_t n = argc > 1 ? std::atoll(argv[1]) : dev.is_cuda() ? 20000 : 2000;

  // A on the host, in page-locked memory, from where a GPU can fetch it at full speed
  const array<double, 2> A_host = random<double>(device::cpu_pinned(), {n, n}, 1);
  array<double, 2> A(dev, {n, n}, "A");
  const array<double, 1> x = random<double>(dev, {n}, 2);
  array<double, 1> y(dev, {n}, "y"), z(dev, {n}, "z");

  // Transfer
  const double transfer_s = best_time_s(dev, [&] { copy(A, A_host); });

  // Products: with the columns of A side by side in memory, and with its rows
  const double A_eff = gemv_traffic(A, x, 0.0, y).a_eff_bytes();
  const double columns_s = best_time_s(dev, [&] { gemv(y, A, x); });
  const double rows_s = best_time_s(dev, [&] { gemv(z, A.t(), x); });

  // The kernel, which is also the check of both
  array<double, 1> w(dev, {n}, "w");
  const double kernel_s = best_time_s(dev, [&] {
    launch(dev, {n}, row_product{A.view(), x.view(), w.view()});
  });
  const double wrong_y = max_abs(y - w);
  launch(dev, {n}, row_product{A.t().view(), x.view(), w.view()});
  const double wrong_z = max_abs(z - w);
  const double tolerance = 1e-12 * static_cast<double>(n * n);
  const bool is_right = wrong_y <= tolerance && wrong_z <= tolerance;

  std::printf("A of %s f64 to %s\n", extents_text(A.shape()).c_str(), dev.name().c_str());
  const auto report = [&](const char* what, double time_s) {
    std::printf("%-26s %10.3f ms %8.1f GB/s\n", what, 1e3 * time_s, gb_per_s(A_eff, time_s));
  };
  report("transfer", transfer_s);
  report("gemv(y, A, x)", columns_s);
  report("gemv(z, A.t(), x)", rows_s);
  report("kernel, one thread a row", kernel_s);
  std::printf("A transfer takes as long as %.1f products\n", transfer_s / columns_s);
  if (!is_right) std::printf("WRONG RESULT\n");
  return is_right ? 0 : 1;
}

// SPDX-License-Identifier: MIT
// How fast can this machine copy memory? The peak throughput T_peak is found by trying: the
// library's copy, an array statement, and kernels with several launch shapes.
// Argument: cells along each side.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <teff/teff.hpp>

using namespace teff;

// Seconds that the fastest of several runs took. Other programs can only make a run slower, so the
// fastest is the nearest to what the hardware can do. The first run wakes it up and does not count.
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
  // Arrays: random numbers, because memory and caches may treat constant data better
  const device dev = default_device();
  const index_t usual = dev.is_cuda() ? 16384 : 2048;
  const index_t n = argc > 1 ? std::atoll(argv[1]) : usual;
  array<double, 2> A(dev, {n, n}, "A");
  const array<double, 2> B = random<double>(dev, {n, n}, 42);

  // Experiments: each starts from a wrong A, and is checked before its time is believed
  bool all_right = true;
  double T_peak = 0;
  const auto experiment = [&](const std::string& name, const auto& run) {
    fill(A, -1.0);
    const double T_tot = gb_per_s(traffic_of(A, B).a_eff_bytes(), best_time_s(dev, run));
    const bool is_right = max_abs(A - B) == 0.0;
    std::printf("%-16s %8.1f GB/s%s\n", name.c_str(), T_tot, is_right ? "" : "  WRONG RESULT");
    all_right = all_right && is_right;
    if (is_right) T_peak = std::max(T_peak, T_tot);
  };

  std::printf("copy of %s f64 on %s, %s\n", extents_text(A.shape()).c_str(), dev.name().c_str(),
              describe(dev).name.c_str());
  experiment("library copy",
             [&] { copy_bytes(A.on(), A.data(), B.data(), static_cast<std::size_t>(bytes(B))); });
  experiment("array statement", [&] { A = B; });

  // A kernel: views are what a function captures, by value
  const auto a = A.view(), b = B.view();
  const auto copy_cell = [=] TEFF_FN(index_t i, index_t j) { a(i, j) = b(i, j); };
  std::vector<launch_shape> shapes = {{32, 1}, {128, 1}, {256, 1}, {1024, 1}, {32, 8}, {32, 32}};
  if (dev.is_cpu()) shapes = {launch_shape{}};  // threads of a block are a GPU's
  for (const launch_shape& threads : shapes)
    experiment("kernel " + threads.text(),
               [&] { launch(dev, A.shape(), {.threads = threads}, copy_cell); });

  // Report
  std::printf("T_peak is at least %.1f GB/s", T_peak);
  if (static_cast<std::size_t>(bytes(A)) < describe(dev).cache_bytes)
    std::printf(" (of the cache: take a larger size)");
  const double nominal = describe(dev).nominal_gb_per_s;
  if (nominal > 0)
    std::printf(", %.2f of the %.0f GB/s in its data sheet", T_peak / nominal, nominal);
  std::printf("\n");
  return all_right ? 0 : 1;
}

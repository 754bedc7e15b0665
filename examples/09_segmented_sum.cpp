// SPDX-License-Identifier: MIT
// Sums over bags of columns, most of them short, a few long: O(:, b) = the sum of the columns of X
// in bag b. A sum for each bag, a round trip to the CPU, and one call for all bags. Argument: rows.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <teff/teff.hpp>

using namespace teff;

// Seconds that the fastest of several runs took, after one that does not count
template <class Run>
double best_time_s(device dev, const Run& run) {
  timer watch{dev};
  double best = 1e300;
  for (int i = 0; i < 4; ++i) {
    watch.start();
    run();
    watch.stop();
    if (i > 0) best = std::min(best, watch.elapsed_s());
  }
  return best;
}

int main(int argc, char** argv) {
  const device dev = default_device(), cpu = device::cpu();
  const index_t rows = argc > 1 ? std::atoll(argv[1]) : 128;

  // Bags: 1000 of 1 to 10 columns, 100 of 11 to 100, 10 of 101 to 1000
  std::mt19937 random_bits(1);
  std::vector<range> bags;
  index_t columns = 0;
  for (const auto& [count, low] : {std::pair{1000, 1}, {100, 11}, {10, 101}})
    for (int b = 0; b < count; ++b) {
      const index_t n = low + random_bits() % (low == 1 ? 10 : 9 * (low - 1));
      bags.push_back(range(columns, columns + n));
      columns += n;
    }
  const auto bag_count = static_cast<index_t>(bags.size());

  // Arrays, on the device and on the CPU
  array<float, 2> X(dev, {rows, columns}, "X"), O(dev, {rows, bag_count}, "O");
  fill_random(X, 42);
  array<float, 2> X_cpu(cpu, {rows, columns}), O_cpu(cpu, {rows, bag_count});

  // A bag after the other, each as a sum along a dim
  const double loop_s = best_time_s(dev, [&] {
    for (index_t b = 0; b < bag_count; ++b)
      O(whole, b) = sum(X(whole, bags[static_cast<std::size_t>(b)]), 1);
  });
  const std::vector<float> of_loop = to_host(O);

  // To the CPU, summed up there, and back
  const double round_trip_s = best_time_s(dev, [&] {
    copy(X_cpu, X);
    segmented_sum(O_cpu, X_cpu, bags);
    copy(O, O_cpu);
  });

  // All bags at once; where they stay the same, a bag_list is planned and uploaded only once
  const bag_list ready(dev, bags);
  const double best_s = best_time_s(dev, [&] { segmented_sum(O, X, ready); });
  const std::vector<float> of_best = to_host(O);

  // Report; A_eff is what any program must move
  const double A_eff = static_cast<double>(bytes(X) + bytes(O));
  std::printf("%ld bags, X of %ld x %ld f32\n", bag_count, rows, columns);
  std::printf("bag after bag %8.1f us\nround trip    %8.1f us\nsegmented_sum %8.1f us, %.1f GB/s\n",
              loop_s * 1e6, round_trip_s * 1e6, best_s * 1e6, gb_per_s(A_eff, best_s));

  // Check: CPU and GPU agree in every bit, and with sums along a dim
  double error = 0;
  for (std::size_t i = 0; i < of_loop.size(); ++i)
    error = std::max(error, std::abs(static_cast<double>(of_best[i]) - of_loop[i]) / of_loop[i]);
  return of_best == to_host(O_cpu) && error < 1e-6 ? 0 : 1;
}

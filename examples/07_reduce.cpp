// SPDX-License-Identifier: MIT
// Reductions: many values to one, or to one for each row or column. In floating point the order of
// additions is part of the result: a loop in f32, a tree in f32 and sums in f64 differ. Teff's
// order is fixed by the extents, so its results are the same in every run, on CPU and GPU.
// Argument: side.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <teff/teff.hpp>

using namespace teff;

// Neighbours are added up, then neighbours of these sums, and so on: log2(n) roundings, not n
float tree_sum(std::vector<float> x) {
  while (x.size() > 1) {
    if (x.size() % 2 != 0) x.push_back(0);
    for (std::size_t i = 0; i < x.size() / 2; ++i) x[i] = x[2 * i] + x[2 * i + 1];
    x.resize(x.size() / 2);
  }
  return x[0];
}

int main(int argc, char** argv) {
  const device dev = default_device();
  const index_t n = argc > 1 ? std::atoll(argv[1]) : 1024;
  bool all_right = true;
  const auto expect = [&](const char* what, bool holds) {
    if (!holds) std::printf("WRONG: %s\n", what);
    all_right = all_right && holds;
  };

  // The same numbers, added up in three orders
  const array<float, 2> A = random<float>(dev, {n, n}, 1);
  const std::vector<float> a = to_host(A);
  float loop = 0;
  double exact = 0;
  for (const float v : a) loop += v, exact += static_cast<double>(v);
  const float tree = tree_sum(a), teff_sum = sum(A);
  const double unit = exact * 0x1p-24;  // the most that rounding once to f32 changes
  std::printf("sum of %ldx%ld f32 on %s\n", n, n, dev.name().c_str());
  std::printf("%-34s %18.6f, off by %9.1f roundings\n", "in f64", exact, 0.0);
  std::printf("%-34s %18.6f, off by %9.1f roundings\n", "a loop in f32", static_cast<double>(loop),
              std::fabs(static_cast<double>(loop) - exact) / unit);
  std::printf("%-34s %18.6f, off by %9.1f roundings\n", "a tree in f32", static_cast<double>(tree),
              std::fabs(static_cast<double>(tree) - exact) / unit);
  std::printf("%-34s %18.6f, off by %9.1f roundings\n", "sum(A): f64 inside",
              static_cast<double>(teff_sum),
              std::fabs(static_cast<double>(teff_sum) - exact) / unit);
  expect("sum(A) is rounded once",
         std::fabs(static_cast<double>(teff_sum) - exact) <= 1.001 * unit);
  expect("a second sum has the same bits", sum(A) == teff_sum);

  // Along dims: rows, columns, both; nothing of an expression is stored
  const std::vector<float> of_rows = to_host(sum(A, 0)), of_columns = to_host(mean(A, 1));
  std::printf("row 0 adds up to %.3f, row 0 of A^2 to %.3f, the mean of column 0 is %.3f\n",
              static_cast<double>(of_rows[0]), static_cast<double>(to_host(sum(A * A, 0))[0]),
              static_cast<double>(of_columns[0]));
  expect("sum(A, 0, 1) is sum(A)", sum(A, 0, 1) == teff_sum);

  // Where and how large
  const index_t cell = argmax(A);
  const float top = max(A);
  std::printf("largest: %.9f in cell (%ld, %ld); norm %.3f; A.A %.3f\n", static_cast<double>(top),
              cell % n, cell / n, static_cast<double>(norm2(A)), static_cast<double>(dot(A, A)));
  expect("argmax names the largest cell", A(cell % n, cell / n) == top);
  expect("any and all agree", all(A < 1) && !any(A >= 1));
  const double norm = static_cast<double>(norm2(A)), square = static_cast<double>(dot(A, A));
  expect("norm2 is the root of dot", std::fabs(norm * norm - square) <= 1e-6 * square);
  return all_right ? 0 : 1;
}

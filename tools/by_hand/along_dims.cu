// SPDX-License-Identifier: MIT
// Rows of "Along a dim" of docs/measured.md that are below 0.9 of their ceilings, on one GPU, in
// about a minute: each compared with the CPU's result cell by cell, then timed. Writes JSON lines
// to stdout.
//   nvcc -std=c++20 -O3 --extended-lambda --expt-relaxed-constexpr -arch=sm_90 -I. \
//     -Xcompiler=-fopenmp,-ffp-contract=off,-march=x86-64-v3 tools/by_hand/along_dims.cu \
//     libteff.a -lboost_context -ldl -lgomp
#include "along_dims.hpp"

using namespace teff;
using namespace by_hand;

namespace {

template <class T>
void scans(const ceilings& of) {
  const struct {
    extents<3> shape;
    int dim;
  } rows[] = {{{511, 513, 517}, 1},   {{511, 513, 517}, 2},   {{512, 512, 512}, 1},
              {{13, 10000000, 1}, 1}, {{100, 1000000, 1}, 1}, {{1000, 100000, 1}, 1},
              {{1001, 100000, 1}, 1}, {{134217728, 1, 1}, 0}};
  for (const auto& row : rows) {
    scan_row<T> r(row.shape, row.dim);
    r.measure("cumsum", of, [&] { cumsum(r.b, r.a, r.dim); });
  }
}

/// Column-major and row-major.
template <class T>
void products(const ceilings& of, index_t m, index_t n) {
  const auto values = whole_numbers<T>(m * n), factors = whole_numbers<T>(n);
  const device gpu = device::cuda(0), cpu = device::cpu();
  const std::string text = std::to_string(m) + "x" + std::to_string(n);
  for (const bool is_row_major : {false, true}) {
    const extents<2> e = is_row_major ? extents<2>{n, m} : extents<2>{m, n};
    const auto a = filled<T, 2>(gpu, e, values), on_cpu = filled<T, 2>(cpu, e, values);
    const auto x = filled<T, 1>(gpu, {n}, factors), x_on_cpu = filled<T, 1>(cpu, {n}, factors);
    array<T, 1> y(gpu, {m}, "y"), expected(cpu, {m}, "y");
    y = T{-1234};
    const auto product = [&] {
      if (is_row_major)
        gemv(y, a.t(), x);
      else
        gemv(y, a, x);
    };
    if (is_row_major)
      gemv(expected, on_cpu.t(), x_on_cpu);
    else
      gemv(expected, on_cpu, x_on_cpu);
    product();
    const double differ = difference_of(y, expected);
    report(is_row_major ? "gemv row-major" : "gemv column-major", text.c_str(), name_of<T>(),
           timed(product), sizeof(T) * static_cast<double>(m * n + m + n), of.read, differ);
  }
}

template <class T>
void sums_of_rows(const ceilings& of, index_t length, index_t rows) {
  const auto values = whole_numbers<T>(length * rows);
  const extents<2> e{length, rows};
  const auto a = filled<T, 2>(device::cuda(0), e, values);
  array<T, 1> b(device::cuda(0), {rows}, "B"), expected(device::cpu(), {rows}, "B");
  b = T{-1234};
  expected = sum(filled<T, 2>(device::cpu(), e, values), 0);
  b = sum(a, 0);
  const double differ = difference_of(b, expected);
  const std::string text = std::to_string(length) + "x" + std::to_string(rows);
  report("sum dim 0", text.c_str(), name_of<T>(), timed([&] { b = sum(a, 0); }),
         sizeof(T) * static_cast<double>((length + 1) * rows), of.read, differ);
}

/// Bags as `teff bench segmented_sum` has them: mostly of 1 to 10 columns, some of up to 1000.
void bags(const ceilings& of, index_t count) {
  const auto random = [](index_t b, index_t low, index_t high) {
    const double at = (whole_number(static_cast<std::uint64_t>(b + 77)) + 100) / 201;
    return low + static_cast<index_t>(at * static_cast<double>(high - low + 1));
  };
  std::vector<i64> ends{0};
  for (index_t b = 0; b < count; ++b)
    ends.push_back(ends.back() + (b * 1110 < count * 1000   ? random(b, 1, 10)
                                  : b * 1110 < count * 1100 ? random(b, 11, 100)
                                                            : random(b, 101, 1000)));
  const extents<2> e{128, ends.back()};
  const auto values = whole_numbers<f32>(e[0] * e[1]);
  const device gpu = device::cuda(0), cpu = device::cpu();
  const auto x = filled<f32, 2>(gpu, e, values), on_cpu = filled<f32, 2>(cpu, e, values);
  const bag_list list(x.on(), filled<i64, 1>(gpu, {count + 1}, ends)),
      list_on_cpu(on_cpu.on(), filled<i64, 1>(cpu, {count + 1}, ends));
  array<f32, 2> o(gpu, {128, count}, "O"), expected(cpu, {128, count}, "O");
  o = -1234.0f;
  segmented_sum(expected, on_cpu, list_on_cpu);
  segmented_sum(o, x, list);
  const double differ = difference_of(o, expected);
  const double s = timed([&] { segmented_sum(o, x, list); });
  report("segmented_sum", ("128x" + std::to_string(count)).c_str(), "f32", s,
         4.0 * 128 * static_cast<double>(e[1] + count), of.read, differ);
}

}  // namespace

/// With a word, as `cumsum`, only rows of that name.
int main(int count, char** words) {
  const auto asks = [&](const char* name) { return count < 2 || std::strcmp(words[1], name) == 0; };
  const ceilings f64s = measured_ceilings<f64>(), f32s = measured_ceilings<f32>();
  if (asks("cumsum")) {
    scans<f64>(f64s);
    scans<f32>(f32s);
  }
  if (asks("gemv")) {
    products<f64>(f64s, 32, 1000000);
    products<f32>(f32s, 32, 1000000);
  }
  for (const index_t length : {100, 13}) {
    if (!asks("sum")) break;
    sums_of_rows<f64>(f64s, length, 100000000 / length);
    sums_of_rows<f32>(f32s, length, 100000000 / length);
  }
  if (asks("segmented_sum")) {
    bags(f32s, 111000);
    bags(f32s, 1110);
  }
}

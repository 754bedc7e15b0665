// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <vector>

#include <teff/algo/gemv_cpu.hpp>

namespace teff {

namespace {

constexpr index_t parallel_cells = 1 << 15;
constexpr index_t most_sums = 4096;  // 32 KB: they stay in the caches
constexpr index_t rows_at_once = 4;

/// Adds neighbouring sums two by two, in place. @shape sums: `count` of `rows` values, count a
/// power of two
void pair_up(double* sums, index_t count, index_t rows) {
  for (; count > 1; count /= 2) {
    if (rows == 1) {
#pragma omp simd
      for (index_t s = 0; s < count / 2; ++s) sums[s] = sums[2 * s] + sums[2 * s + 1];
      continue;
    }
    for (index_t s = 0; s < count / 2; ++s) {
      const double *one = sums + 2 * s * rows, *other = one + rows;
      double* both = sums + s * rows;
#pragma omp simd
      for (index_t i = 0; i < rows; ++i) both[i] = one[i] + other[i];
    }
  }
}

/// sums[i] += a[i * stride] * x for `rows` of them, with x[0] of a, x[1] of a + column, and so on.
template <int Columns, class T>
void add_columns(double* sums, const T* a, index_t stride, index_t column, const double* x,
                 index_t rows) {
  const auto add = [=](index_t i, index_t at) {
    double sum = sums[i];
    for (int c = 0; c < Columns; ++c)
      sum = __builtin_fma(static_cast<double>(a[at + c * column]), x[c], sum);
    sums[i] = sum;
  };
  if (stride == 1) {
#pragma omp simd
    for (index_t i = 0; i < rows; ++i) add(i, i);
  } else {
    for (index_t i = 0; i < rows; ++i) add(i, i * stride);
  }
}

/// Rows of N columns, a power of two, all side by side: in registers, a row a lane.
template <int N, int Rows, class T>
void short_row_sums(double* results, const T* const (&rows)[Rows], const T* x) {
  double sums[N][Rows];
  for (int l = 0; l < N; ++l)
    for (int r = 0; r < Rows; ++r)
      sums[l][r] = __builtin_fma(static_cast<double>(rows[r][l]), static_cast<double>(x[l]), 0.0);
  for (int count = N / 2; count > 0; count /= 2)
    for (int l = 0; l < count; ++l)
      for (int r = 0; r < Rows; ++r) sums[l][r] = sums[2 * l][r] + sums[2 * l + 1][r];
  constexpr bool has_idle_lanes = N < 64 / static_cast<int>(sizeof(T));  // they add 0
  for (int r = 0; r < Rows; ++r) results[r] = has_idle_lanes ? sums[0][r] + 0.0 : sums[0][r];
}

/// What the threads of way `dot` do in turn: the sums over a piece of Rows rows from i on. x lies
/// side by side. (Several rows at once: a core reads faster from several places.)
template <int Rows, class T>
void row_sums(double* results, const gemv_operands<T>& of, index_t i, index_t begin, index_t end,
              index_t width) {
  const T* rows[Rows];
  for (int r = 0; r < Rows; ++r) rows[r] = of.a + (i + r) * of.row_stride;
  const index_t stride = of.column_stride;
  if (stride == 1 && of.n == 8) return short_row_sums<8>(results, rows, of.x);
  if (stride == 1 && of.n == 16) return short_row_sums<16>(results, rows, of.x);
  if (stride == 1 && of.n == 32) return short_row_sums<32>(results, rows, of.x);

  alignas(64) double sums[Rows][most_sums / rows_at_once];
  // The positions that have a column; the others would only add 0.
  const auto used =
      static_cast<index_t>(std::bit_ceil(static_cast<std::uint64_t>(std::min(width, end - begin))));
  for (auto& row : sums) std::fill_n(row, used, 0.0);
  for (index_t c = begin; c < end; c += width) {
    const index_t count = std::min(width, end - c);
    const T* const x = of.x + c;
    const T* a[Rows];
    for (int r = 0; r < Rows; ++r) a[r] = rows[r] + c * stride;
    const auto add = [&](index_t l, index_t at) {
      for (int r = 0; r < Rows; ++r)
        sums[r][l] =
            __builtin_fma(static_cast<double>(a[r][at]), static_cast<double>(x[l]), sums[r][l]);
    };
    if (stride == 1) {
#pragma omp simd
      for (index_t l = 0; l < count; ++l) add(l, l);
    } else {
      for (index_t l = 0; l < count; ++l) add(l, l * stride);
    }
  }
  for (int r = 0; r < Rows; ++r) {
    pair_up(sums[r], used, 1);
    results[r] = used < width ? sums[r][0] + 0.0 : sums[r][0];
  }
}

/// Way `march`: the sums of `rows` rows from i on, over a piece.
template <class T>
void column_sums(double* sums, const gemv_operands<T>& of, index_t i, index_t rows, index_t begin,
                 index_t end, index_t width) {
  std::fill_n(sums, width * rows, 0.0);
  constexpr int at_once = 4;
  double x[at_once];
  index_t c = begin;
  for (; width == 1 && c + at_once <= end; c += at_once) {
    for (int u = 0; u < at_once; ++u) x[u] = static_cast<double>(of.x[c + u]);
    add_columns<at_once>(sums, of.a + i * of.row_stride + c * of.column_stride, of.row_stride,
                         of.column_stride, x, rows);
  }
  for (; c < end; ++c) {
    x[0] = static_cast<double>(of.x[c]);
    add_columns<1>(sums + ((c - begin) & (width - 1)) * rows,
                   of.a + i * of.row_stride + c * of.column_stride, of.row_stride, 0, x, rows);
  }
  pair_up(sums, width, rows);
}

template <class Y>
void store(const gemv_target<Y>& to, index_t piece, index_t m, index_t i, double sum) {
  if (to.partial != nullptr) {
    to.partial[piece * m + i] = sum;
    return;
  }
  Y& y = to.y[i * to.stride];
  y = static_cast<Y>(to.beta == 0 ? to.alpha * sum
                                  : __builtin_fma(to.alpha, sum, to.beta * static_cast<double>(y)));
}

}  // namespace

template <class T, class Y>
void gemv_cpu(const gemv_operands<T>& given, const gemv_target<Y>& to, const gemv_plan& plan) {
  gemv_operands<T> of = given;
  std::vector<T> x;
  if (of.x == nullptr || of.x_stride != 1) {
    x.assign(static_cast<std::size_t>(of.n), T{1});
    for (index_t c = 0; of.x != nullptr && c < of.n; ++c)
      x[static_cast<std::size_t>(c)] = of.x[c * of.x_stride];
    of.x = x.data();
  }
  const auto end_of = [&](index_t piece) { return std::min((piece + 1) * plan.span, of.n); };
  const bool is_parallel = of.m * of.n >= parallel_cells;
  if (plan.how == gemv_plan::way::dot) {
    const index_t strips = ceil_div(of.m, rows_at_once);
#pragma omp parallel for schedule(static) if (is_parallel)
    for (index_t task = 0; task < strips * plan.pieces; ++task) {
      const index_t strip = plan.pieces == 1 ? task : task / plan.pieces;
      const index_t piece = task - strip * plan.pieces, i = strip * rows_at_once;
      const index_t begin = piece * plan.span, end = end_of(piece),
                    rows = std::min(rows_at_once, of.m - i);
      double sums[rows_at_once];
      if (rows == rows_at_once)
        row_sums<rows_at_once>(sums, of, i, begin, end, plan.width);
      else
        for (index_t r = 0; r < rows; ++r) row_sums<1>(sums + r, of, i + r, begin, end, plan.width);
      for (index_t r = 0; r < rows; ++r) store(to, piece, of.m, i + r, sums[r]);
    }
    return;
  }
  const index_t panel = most_sums / plan.width, panels = ceil_div(of.m, panel);
#pragma omp parallel for schedule(static) if (is_parallel)
  for (index_t task = 0; task < panels * plan.pieces; ++task) {
    const index_t piece = task / panels, i = task % panels * panel;
    const index_t rows = std::min(panel, of.m - i);
    alignas(64) double sums[most_sums];
    column_sums(sums, of, i, rows, piece * plan.span, end_of(piece), plan.width);
    for (index_t r = 0; r < rows; ++r) store(to, piece, of.m, i + r, sums[r]);
  }
}

template void gemv_cpu(const gemv_operands<double>&, const gemv_target<double>&, const gemv_plan&);
template void gemv_cpu(const gemv_operands<float>&, const gemv_target<float>&, const gemv_plan&);
template void gemv_cpu(const gemv_operands<double>&, const gemv_target<float>&, const gemv_plan&);

}  // namespace teff

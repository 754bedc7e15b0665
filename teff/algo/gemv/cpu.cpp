// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <vector>

#include <teff/algo/gemv/cpu.hpp>
#include <teff/base/for_tasks.hpp>

namespace teff::runtime {

namespace {

constexpr index_t most_sums = 4096;  // 32 KB: they stay in the caches
constexpr index_t rows_at_once = 4, most_width = most_sums / rows_at_once;

/// The sum of N neighbours, added two by two.
template <int N>
double paired_up(const double* sums) {
  if constexpr (N == 1)
    return *sums;
  else
    return paired_up<N / 2>(sums) + paired_up<N / 2>(sums + N / 2);
}

/// Adds neighbouring sums two by two, until one is left. @param count a power of two
double pair_up(double* sums, index_t count) {
  for (; count >= 16; count /= 16)
    for (index_t s = 0; s < count / 16; ++s) sums[s] = paired_up<16>(sums + 16 * s);
  for (; count > 1; count /= 2)
    for (index_t s = 0; s < count / 2; ++s) sums[s] = sums[2 * s] + sums[2 * s + 1];
  return sums[0];
}

/// The same for `rows` rows, whose sums lie side by side.
void pair_up_rows(double* sums, index_t count, index_t rows) {
  for (; count > 1; count /= 2)
    for (index_t s = 0; s < count / 2; ++s) {
      const double *one = sums + 2 * s * rows, *other = one + rows;
      double* both = sums + s * rows;
#pragma omp simd
      for (index_t i = 0; i < rows; ++i) both[i] = one[i] + other[i];
    }
}

double multiply_add(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}

/// sums[l] += a[l * stride] * x[l * x_stride]
template <class T>
void add_products(double* sums, const T* a, index_t stride, const T* x, index_t x_stride,
                  index_t count) {
  if (stride == 1 && x_stride == 1) {
#pragma omp simd
    for (index_t l = 0; l < count; ++l) sums[l] = multiply_add(a[l], x[l], sums[l]);
  } else if (stride == 1 && x_stride == 0) {
    const double all = *x;
#pragma omp simd
    for (index_t l = 0; l < count; ++l) sums[l] = multiply_add(a[l], all, sums[l]);
  } else {
    for (index_t l = 0; l < count; ++l)
      sums[l] = multiply_add(a[l * stride], x[l * x_stride], sums[l]);
  }
}

/// The same for four rows at once, all cells side by side: a core reads faster from several places.
template <class T>
void add_four_rows(double (&sums)[4][most_width], const T* const (&rows)[4], index_t first,
                   const T* x, index_t count) {
  double *sa = sums[0], *sb = sums[1], *sc = sums[2], *sd = sums[3];
  const T *a = rows[0] + first, *b = rows[1] + first, *c = rows[2] + first, *d = rows[3] + first;
#pragma omp simd
  for (index_t l = 0; l < count; ++l) {
    sa[l] = multiply_add(a[l], x[l], sa[l]);
    sb[l] = multiply_add(b[l], x[l], sb[l]);
    sc[l] = multiply_add(c[l], x[l], sc[l]);
    sd[l] = multiply_add(d[l], x[l], sd[l]);
  }
}

/// sums[i] += four columns, `distance` cells apart, times x[0] to x[3]
template <class T>
void add_four_columns(double* sums, const T* a, index_t distance, const T* x, index_t rows) {
  const T *b = a + distance, *c = b + distance, *d = c + distance;
  const double xa = x[0], xb = x[1], xc = x[2], xd = x[3];
#pragma omp simd
  for (index_t i = 0; i < rows; ++i)
    sums[i] = multiply_add(
        d[i], xd, multiply_add(c[i], xc, multiply_add(b[i], xb, multiply_add(a[i], xa, sums[i]))));
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
  for (int r = 0; r < Rows; ++r) results[r] = sums[0][r];
}

/// What the threads of way `dot` do in turn: the sums over a piece of Rows rows from i on. x lies
/// side by side.
template <int Rows, class T>
void row_sums(double* results, const gemv_operands<T>& of, index_t i, index_t begin, index_t end,
              index_t width) {
  const T* rows[Rows];
  for (int r = 0; r < Rows; ++r) rows[r] = of.a + (i + r) * of.row_stride;
  const index_t stride = of.column_stride;
  if (stride == 1 && of.n == 8) return short_row_sums<8>(results, rows, of.x);
  if (stride == 1 && of.n == 16) return short_row_sums<16>(results, rows, of.x);
  if (stride == 1 && of.n == 32) return short_row_sums<32>(results, rows, of.x);

  alignas(64) double sums[Rows][most_width];
  // The positions that have a column; the others would only add 0.
  const auto used =
      static_cast<index_t>(std::bit_ceil(static_cast<std::uint64_t>(std::min(width, end - begin))));
  for (auto& row : sums) std::fill_n(row, used, 0.0);
  for (index_t c = begin; c < end; c += width) {
    const index_t count = std::min(width, end - c);
    if constexpr (Rows == 4) {
      if (stride == 1) {
        add_four_rows(sums, rows, c, of.x + c, count);
        continue;
      }
    }
    for (int r = 0; r < Rows; ++r)
      add_products(sums[r], rows[r] + c * stride, stride, of.x + c, 1, count);
  }
  for (int r = 0; r < Rows; ++r) {
    results[r] = pair_up(sums[r], used);
    if (used < width) results[r] += 0.0;
  }
}

/// Way `march`: the sums of `rows` rows from i on, over a piece.
template <class T>
void column_sums(double* sums, const gemv_operands<T>& of, index_t i, index_t rows, index_t begin,
                 index_t end, index_t width) {
  std::fill_n(sums, width * rows, 0.0);
  const T* const a = of.a + i * of.row_stride;
  index_t c = begin;
  if (width == 1 && of.row_stride == 1)
    for (; c + 4 <= end; c += 4)
      add_four_columns(sums, a + c * of.column_stride, of.column_stride, of.x + c, rows);
  for (; c < end; ++c)
    add_products(sums + ((c - begin) & (width - 1)) * rows, a + c * of.column_stride, of.row_stride,
                 of.x + c, 0, rows);
  pair_up_rows(sums, width, rows);
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
    teff::for_tasks(strips * plan.pieces, is_parallel, [&](index_t task) {
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
    });
    return;
  }
  const index_t panel = most_sums / plan.width, panels = ceil_div(of.m, panel);
  teff::for_tasks(panels * plan.pieces, is_parallel, [&](index_t task) {
    const index_t piece = task / panels, i = task % panels * panel;
    const index_t rows = std::min(panel, of.m - i);
    alignas(64) double sums[most_sums];
    column_sums(sums, of, i, rows, piece * plan.span, end_of(piece), plan.width);
    for (index_t r = 0; r < rows; ++r) store(to, piece, of.m, i + r, sums[r]);
  });
}

template void gemv_cpu(const gemv_operands<double>&, const gemv_target<double>&, const gemv_plan&);
template void gemv_cpu(const gemv_operands<float>&, const gemv_target<float>&, const gemv_plan&);
template void gemv_cpu(const gemv_operands<double>&, const gemv_target<float>&, const gemv_plan&);

}  // namespace teff::runtime

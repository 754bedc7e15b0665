// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include <teff/algo/gemv/cpu.hpp>
#include <teff/base/for_tasks.hpp>
#include <teff/kernel/four_doubles.hpp>
#include <teff/kernel/streaming_store.hpp>

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

four_doubles multiply_add(four_doubles a, four_doubles b, four_doubles c) {
#ifdef __FMA__
  return _mm256_fmadd_pd(a, b, c);
#else
  for (int l = 0; l < 4; ++l) c[l] = multiply_add(a[l], b[l], c[l]);
  return c;
#endif
}

/// sums[i] += N columns, `distance` cells apart, times x[0], x[step], ..., x[(N - 1) * step]
template <int N, class T>
void add_columns(double* sums, const T* a, index_t distance, const T* x, index_t step,
                 index_t rows) {
  double factor[N];
  four_doubles factors[N];
  for (int c = 0; c < N; ++c) {
    factor[c] = x[c * step];
    factors[c] = four_doubles{factor[c], factor[c], factor[c], factor[c]};
  }
  index_t i = 0;
  for (; i + 4 <= rows; i += 4) {
    four_doubles sum = load_four(sums + i);
    for (int c = 0; c < N; ++c)
      sum = multiply_add(load_four(a + c * distance + i), factors[c], sum);
    std::memcpy(sums + i, &sum, sizeof sum);
  }
  for (; i < rows; ++i)
    for (int c = 0; c < N; ++c) sums[i] = multiply_add(a[c * distance + i], factor[c], sums[i]);
}

/// Fetches what lies a page further: a core prefetches what follows, but not beyond a page.
void ask_for(const void* at) {
  constexpr std::uintptr_t page = 4096;
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(at) + page));
}

/// Of four sums of each of four rows, neighbours added two by two: what each row then has.
four_doubles paired_up(four_doubles a, four_doubles b, four_doubles c, four_doubles d) {
  const four_doubles ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) +
                          __builtin_shufflevector(a, b, 1, 5, 3, 7),
                     cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) +
                          __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

/// Eight sums of each of four rows, in registers.
struct eight_by_four {
  four_doubles a0{}, a1{}, b0{}, b1{}, c0{}, c1{}, d0{}, d1{};

  template <class T>
  void add_products(const T* a, const T* b, const T* c, const T* d, const T* x) {
    const four_doubles x0 = load_four(x), x1 = load_four(x + 4);
    a0 = multiply_add(load_four(a), x0, a0);
    a1 = multiply_add(load_four(a + 4), x1, a1);
    b0 = multiply_add(load_four(b), x0, b0);
    b1 = multiply_add(load_four(b + 4), x1, b1);
    c0 = multiply_add(load_four(c), x0, c0);
    c1 = multiply_add(load_four(c + 4), x1, c1);
    d0 = multiply_add(load_four(d), x0, d0);
    d1 = multiply_add(load_four(d + 4), x1, d1);
  }
  /// What each row has when neighbours are added two by two.
  four_doubles paired_up() const {
    return runtime::paired_up(a0, b0, c0, d0) + runtime::paired_up(a1, b1, c1, d1);
  }
};

/// The sums over a piece of four rows, whose columns lie side by side: eight positions of `width`,
/// which is eight or more, at a time. @param is_far they come from memory, and are read one after
/// the other, whatever their position
template <class T>
void four_row_sums(double (&results)[4], const T* const (&rows)[4], const T* x, index_t begin,
                   index_t end, index_t width, bool is_far) {
  constexpr index_t at_once = 8;
  const T *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
  const auto add = [&](eight_by_four& sums, index_t at) {
    for (const T* row : rows) ask_for(row + at);
    sums.add_products(a + at, b + at, c + at, d + at, x + at);
  };
  const auto add_rest = [&](eight_by_four& sums, index_t at) {  // the others add nothing
    T rest[5][at_once] = {};
    const auto bytes = static_cast<std::size_t>(end - at) * sizeof(T);
    for (int r = 0; r < 4; ++r) std::memcpy(rest[r], rows[r] + at, bytes);
    std::memcpy(rest[4], x + at, bytes);
    sums.add_products(rest[0], rest[1], rest[2], rest[3], rest[4]);
  };
  four_doubles pairs[most_width / at_once];
  index_t count = 0;
  if (is_far) {
    eight_by_four sums[most_width / at_once];
    index_t at = begin;
    for (; at + at_once <= end; at += at_once)
      add(sums[((at - begin) & (width - 1)) / at_once], at);
    if (at < end) add_rest(sums[((at - begin) & (width - 1)) / at_once], at);
    for (index_t l = begin; l < std::min(begin + width, end); l += at_once, ++count)
      pairs[count] = sums[count].paired_up();
  } else {
    for (index_t l = begin; l < std::min(begin + width, end); l += at_once) {
      eight_by_four sums;
      index_t at = l;
      for (; at + at_once <= end; at += width) add(sums, at);
      if (at < end) add_rest(sums, at);
      pairs[count++] = sums.paired_up();
    }
  }
  const auto used = static_cast<index_t>(std::bit_ceil(static_cast<std::uint64_t>(count)));
  std::fill(pairs + count, pairs + used, four_doubles{});
  for (count = used; count > 1; count /= 2)
    for (index_t s = 0; s < count / 2; ++s) pairs[s] = pairs[2 * s] + pairs[2 * s + 1];
  if (used * at_once < width) pairs[0] += four_doubles{};
  std::memcpy(results, pairs, sizeof results);
}

/// What the threads of way `dot` do in turn: the sums over a piece of Rows rows from i on. x lies
/// side by side.
template <int Rows, class T>
void row_sums(double (&results)[Rows], const gemv_operands<T>& of, index_t i, index_t begin,
              index_t end, index_t width, bool is_far) {
  const T* rows[Rows];
  for (int r = 0; r < Rows; ++r) rows[r] = of.a + (i + r) * of.row_stride;
  const index_t stride = of.column_stride;
  if constexpr (Rows == 4)
    if (stride == 1 && width >= 8)
      return four_row_sums(results, rows, of.x, begin, end, width, is_far);

  alignas(64) double sums[Rows][most_width];
  // The positions that have a column; the others would only add 0.
  const auto used =
      static_cast<index_t>(std::bit_ceil(static_cast<std::uint64_t>(std::min(width, end - begin))));
  for (auto& row : sums) std::fill_n(row, used, 0.0);
  for (index_t c = begin; c < end; c += width) {
    const index_t count = std::min(width, end - c);
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
  if (of.row_stride == 1) {
    constexpr int at_once = 8;  // columns of each position
    for (; c + at_once * width <= end; c += at_once * width)
      for (index_t l = 0; l < width; ++l)
        add_columns<at_once>(sums + l * rows, a + (c + l) * of.column_stride,
                             width * of.column_stride, of.x + c + l, width, rows);
  }
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
    // (Of rows in few pages, and of few columns a position, that was 0.9 to 1 times as fast.)
    const index_t row_bytes = of.n * static_cast<index_t>(sizeof(T));
    const bool is_far =
        row_bytes > 8192 && of.n > 4 * plan.width && exceeds_cache(of.m * row_bytes);
    teff::for_tasks(strips * plan.pieces, is_parallel, [&](index_t task) {
      const index_t strip = plan.pieces == 1 ? task : task / plan.pieces;
      const index_t piece = task - strip * plan.pieces, i = strip * rows_at_once;
      const index_t begin = piece * plan.span, end = end_of(piece),
                    rows = std::min(rows_at_once, of.m - i);
      double sums[rows_at_once];
      if (rows == rows_at_once) {
        row_sums<rows_at_once>(sums, of, i, begin, end, plan.width, is_far);
      } else {
        for (index_t r = 0; r < rows; ++r) {
          double sum[1];
          row_sums<1>(sum, of, i + r, begin, end, plan.width, is_far);
          sums[r] = sum[0];
        }
      }
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

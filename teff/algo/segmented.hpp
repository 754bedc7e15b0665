// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <teff/algo/overlap.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/algo/segmented/bag_list.hpp>
#include <teff/algo/segmented/cpu.hpp>
#ifdef __CUDACC__
#include <teff/algo/segmented/warps.hpp>
#endif

/// Reductions of bags of columns: O(d, b) combines X(d, n) for all columns n of bag b.
///
/// X is D x N, O is D x B. What bags may be:
///  - a `std::vector<range>` of half-open ranges, in any order; they may overlap, leave gaps or be
///  empty;
///  - an array of B + 1 sorted offsets, i64 or i32, on any device: bag b is [offsets(b), offsets(b
///  + 1));
///  - a `bag_list`, made once of one of them. On a GPU the others are made into one by every call,
///  which costs
///    an upload, and offsets wait.
///
/// The order in which values are combined is fixed by the bag's number of columns (see
/// runtime::segmented_plan): the same bits in every run, with any other bags beside it, on CPU and
/// GPU alike.
namespace teff::inline TEFF_MODE {

/// @param R the element type of the result
template <class R>
struct segmented_options {
  /// What the column of an empty bag is: D values. Left out: the neutral value.
  std::optional<array_ref<R, 1>> empty_column = std::nullopt;
};

/// What a reduction of bags moves and computes: each column of the bags once (where they overlap,
/// at most all of X), and the result.
template <class R, class T>
traffic segmented_traffic(const array_ref<R, 2>& O, const array_ref<T, 2>& X,
                          const bag_list& bags) {
  const index_t columns = bags.plan().columns, N = X.extent(1);
  const auto rows = static_cast<double>(X.extent(0));
  traffic moved;
  moved.read_bytes = static_cast<double>(columns < N ? columns : N) * rows * sizeof(T);
  moved.write_bytes = static_cast<double>(bytes(O));
  moved.cells = static_cast<double>(columns) * rows;
  moved.flop = moved.cells;
  return moved;
}

namespace detail {

inline const bag_list& as_bags(const stream&, const bag_list& bags,
                               const runtime::columns_of& all) {
  bags.plan().check_columns(all);
  return bags;
}
inline bag_list as_bags(const stream& on, const std::vector<range>& columns,
                        const runtime::columns_of& all) {
  return {on, columns, all};
}
template <class I>
bag_list as_bags(const stream& on, const array_ref<I, 1>& offsets, const runtime::columns_of& all) {
  static_assert(std::is_same_v<I, i64> || std::is_same_v<I, i32>,
                "The offsets of bags are i64 or i32.");
  return {on, offsets, all};
}

template <class R, class T, class A, class Op>
void reduce_bags(const array_ref<R, 2>& O, const array_ref<T, 2>& X, const bag_list& bags, Op op,
                 A neutral, const segmented_options<R>& options, const char* kind) {
  static_assert(sizeof(T) >= 4 && sizeof(R) >= 4 && !std::is_same_v<T, bool>,
                "Bags are reduced in f64, f32, i64 and i32.");
  const index_t D = X.extent(0);
  if (O.extent(0) != D || O.extent(1) != bags.size())
    throw error(std::string(kind) + ": the target is " + described(O) + ", expected " +
                extents_text(extents<2>(D, bags.size())) + " for " + std::to_string(bags.size()) +
                " bags of columns of " + described(X));
  if (bags.dev() != O.dev())
    throw error(std::string(kind) + ": the target, " + described(O) + ", is on " + O.dev().name() +
                ", the bags are on " + bags.dev().name());
  if (options.empty_column && options.empty_column->extent(0) != D)
    throw error(std::string(kind) + ": empty_column, " + described(*options.empty_column) +
                ", must have as many cells as X, " + described(X) + ", has rows");
  refuse_overlap(kind, O, X, "the columns");
  if (options.empty_column) refuse_overlap(kind, O, *options.empty_column, "empty_column");
  operation<R, 2> found(O);
  found.reads(X);
  if (options.empty_column)
    found.reads_along(*options.empty_column, region_of(*options.empty_column));
  const auto facts = [&] { return operation_facts{segmented_traffic(O, X, bags), ""}; };
  found.run(kind, facts, [&] {
    const segmented_call<R, T, A, Op> what{
        .O = O.view(),
        .X = {X.data(), X.shape(), {X.stride(0), X.stride(1)}},
        .empty = options.empty_column ? options.empty_column->data() : nullptr,
        .empty_stride = options.empty_column ? options.empty_column->stride(0) : 0,
        .neutral = neutral,
        .op = op};
    if (O.dev().is_cpu()) {
      segmented_cpu(what, bags.plan());
    } else {
#ifdef __CUDACC__
      segmented_warps(O.on(), what, bags);
#else
    runtime::throw_no_kernel(kind, O.dev());
#endif
    }
  });
}

}  // namespace detail

/// O(d, b) = sum of X(d, n) over the columns n of bag b. f32 adds in f64, integers in i64.
/// @shape X: (D, N), any strides, unit strides along the first dim are fast; O: (D, B), of X's
/// element type,
///        or for i32 of i64 (sums kept as i32 wrap)
/// @traffic reads the bags' columns of X, writes O
/// @order fixed by the number of columns of a bag: the same bits on CPU and GPU, in every run
/// @throws error on extents that differ, a bag beyond the last column, offsets that are not sorted,
/// arrays on
///         different devices, or if O overlaps X
/// @sync asynchronous on the stream of O; offsets on a GPU are waited for
template <class R, class T, class Bags = std::vector<range>>
void segmented_sum(const array_ref<R, 2>& O, const array_ref<T, 2>& X, const Bags& bags,
                   const segmented_options<R>& options = {}) {
  static_assert(std::is_same_v<R, T> || std::is_same_v<R, detail::sum_result<T>>,
                "The sums have the element type of X, or i64 for integers.");
  using A = detail::sum_accumulator<T>;
  detail::reduce_bags<R, T, A>(O, X, detail::as_bags(O.on(), bags, {X.extent(1), described(X)}),
                               ops::sum{}, A{}, options, "segmented_sum");
}

/// O(d, b) = op(... op(op(neutral, X(d, n0)), X(d, n0 + 1)) ...) over the columns of bag b, for any
/// associative op(A, A) on values of the type A of `neutral`, which may be f64, f32, i64 or i32.
/// Shapes, order, errors and waiting are those of segmented_sum.
template <class R, class T, class Op, class A, class Bags = std::vector<range>>
void segmented_reduce(const array_ref<R, 2>& O, const array_ref<T, 2>& X, const Bags& bags, Op op,
                      A neutral, const segmented_options<R>& options = {}) {
  static_assert(element<A> && sizeof(A) >= 4, "The neutral value must be f64, f32, i64 or i32.");
  static_assert(std::is_convertible_v<decltype(op(neutral, neutral)), A>,
                "op must combine two values of the neutral value's type to one.");
  detail::reduce_bags<R, T, A>(O, X, detail::as_bags(O.on(), bags, {X.extent(1), described(X)}), op,
                               neutral, options, "segmented_reduce");
}

}  // namespace teff::inline TEFF_MODE

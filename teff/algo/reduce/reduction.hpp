// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>

#include <teff/algo/along_dim/reduce_cpu.hpp>
#include <teff/algo/reduce/arrays_cpu.hpp>
#include <teff/algo/reduce/cpu.hpp>
#include <teff/algo/reduce/later.hpp>
#include <teff/algo/reduce/ops.hpp>
#include <teff/array/array.hpp>
#include <teff/expr/statement.hpp>
#ifdef __NVCC__
#include <teff/algo/along_dim/reduce_blocks.hpp>
#include <teff/algo/reduce/blocks.hpp>
#endif

/// The engine of all reductions: an expression, an operation, its neutral element, and what is made
/// of the total. Nothing of the expression is stored but partial results, one per 4096 cells. CPU
/// and GPU follow the same orders (reduce_tree for all cells and along dim 0, column_tree along the
/// other dims), so they give the same bits.
namespace teff::inline TEFF_MODE::detail {

/// The device and stream of the first array in an expression.
struct find_stream {
  const stream* on = nullptr;
  template <class S, int M>
  void reads(const array_ref<S, M>& source, const region&) {
    note(source.on());
  }
  template <class S>
  void reads_along(const array_ref<S, 1>& source, const region&) {
    note(source.on());
  }
  void note(const stream& s) {
    if (on == nullptr) on = &s;
  }
};

/// The extents of an expression with an array in it.
template <class E>
extents<E::rank> extents_of_expression(const E& e) {
  const shape3 shape = e.shape(no_fields{});
  extents<E::rank> result;
  for (int d = 0; d < E::rank; ++d) result[d] = shape.n[d];
  return result;
}

/// What a reduction finds out about the expression that it reads.
template <class E>
class reduction_source {
 public:
  static constexpr int N = E::rank;
  static_assert(N > 0, "A reduction needs an expression with an array in it.");

  explicit reduction_source(const E& e)
      : e_(e), on_(stream_of(e)), cells_(cells_of(e)), found_(cells_) {
    e.template visit<0, 0, 0>(window_of(cells_), found_);
  }
  const stream& on() const { return on_; }
  const extents<N>& shape() const { return cells_.shape(); }
  statement_shape where() const { return found_.shape(E::is_collapsible); }
  auto lowered() const { return e_.lower(lowering{where().is_one_row}); }
  /// What it moves, but for the result; one operation a cell more than the expression itself.
  traffic moved() const {
    traffic result = traffic_of(cells_, e_);
    result.write_bytes = 0;
    result.flop += result.cells;
    return result;
  }
  /// Does the work. @param result_bytes that it writes @param how in words, as "dim 1"
  template <class How, class Work>
  void run(const char* kind, index_t result_bytes, const How& how, const Work& work) {
    run_moving(
        kind,
        [&] {
          traffic all = moved();
          all.write_bytes = static_cast<double>(result_bytes);
          return all;
        },
        how, work);
  }
  /// @param all () -> traffic
  template <class All, class How, class Work>
  void run_moving(const char* kind, const All& all, const How& how, const Work& work) {
    found_.run_described(
        kind,
        [&] {
          return runtime::call_description{"", extents_text(shape()) + " cells", all(), how()};
        },
        work);
  }

 private:
  static const stream& stream_of(const E& e) {
    find_stream first;
    e.template visit<0, 0, 0>(window{}, first);
    return *first.on;
  }
  // The survey wants a target: one that covers the cells, overlaps nothing and is laid out plainly.
  array_ref<u8, N> cells_of(const E& e) const {
    view<u8, N> layout;
    layout.shape = extents_of_expression(e);
    set_contiguous_strides(layout.shape, layout.strides);
    return array_ref<u8, N>(on_, nullptr, layout, nullptr);
  }

  const E& e_;
  const stream& on_;
  array_ref<u8, N> cells_;
  operation<u8, N> found_;
};

/// A reduction: the values of an expression, as A, are combined by Op from `neutral` on, and what
/// `finish` makes of the total is given as R.
template <class R, class A, class Op, class Finish = as_it_is>
struct reduction {
  const char* name;
  A neutral;
  Finish finish{};
  bool is_of_nothing = true;  ///< false: of no cells there is no result
};

/// How many cells are reduced to one, and how many results there are.
struct reduced_counts {
  index_t cells = 1, results = 1;
};

/// @param dims along which e is reduced; none: all
/// @throws error on a dim that e does not have, or that is given twice
template <class E, class... D>
reduced_counts counts_of(const char* name, const E& e, D... dims) {
  constexpr int N = E::rank, K = sizeof...(D);
  static_assert(N > 0, "A reduction needs an expression with an array in it.");
  static_assert((... && std::integral<D>),
                "What follows the expression are dims, as in max(A, 1); of two arrays, cell by "
                "cell, use maximum(A, B) or minimum(A, B).");
  static_assert(K <= N, "A reduction takes no more dims than its expression has.");
  const extents<N> shape = extents_of_expression(e);
  if constexpr (K == 0) {
    return {shape.size(), 1};
  } else {
    bool is_reduced[N] = {};
    for (const index_t dim : {static_cast<index_t>(dims)...}) {
      const bool exists = dim >= 0 && dim < N;
      if (!exists || is_reduced[dim])
        throw error(std::string(name) + ": " + e.text() + " of " + extents_text(shape) +
                    " cells has dims 0 to " + std::to_string(N - 1) +
                    (exists ? ", got dim " + std::to_string(dim) + " twice"
                            : ", asked for dim " + std::to_string(dim)));
      is_reduced[dim] = true;
    }
    reduced_counts counts;
    for (int d = 0; d < N; ++d) (is_reduced[d] ? counts.cells : counts.results) *= shape[d];
    return counts;
  }
}

/// Lanes that take in all values of a lowered expression.
template <class Op, class A, class E>
lane_reader<Op, A> reader_of_all(const E& e, const statement_shape& where) {
  constexpr index_t value_bytes{sizeof(typename E::value_type)};
  const index_t values = where.n[0] * where.n[1] * where.n[2];
  return lane_reader<Op, A>(e, where, where.has_unit_stride ? values * value_bytes : 0);
}

/// A reduction, on the device of its result.
struct reduction_on_device {
  static bool uses_blocks(device dev) { return dev.is_cuda(); }

  /// @param room for reduce_by_blocks, if it is used
  template <class Op, class A, class To, class E>
  void run_all(const stream& on, const To& to, const E& e, const statement_shape& where, A neutral,
               void* room) const;
  template <class Op, class A, class To, class E>
  void run(const stream& on, const To& to, const E& e, const statement_shape& where,
           const dim_cells& cells, bool is_dim_0, A neutral) const;
};

template <class Op, class A, class To, class E>
void reduction_on_device::run_all(const stream& on, const To& to, const E& e,
                                  const statement_shape& where, A neutral,
                                  [[maybe_unused]] void* room) const {
  if (on.dev().is_cpu()) {
    if constexpr (is_cuda_unit && is_known_reduction<Op, A, E>())
      return to.store(0, known_reduction<Op>(e, where, neutral));
    else
      return to.store(0, reduce_cpu(reader_of_all<Op, A>(e, where), where.n, neutral));
  }
#ifdef __NVCC__
  reduce_by_blocks<Op>(on, to, e, where, neutral, room);
#else
  runtime::throw_no_kernel("a reduction", on.dev());
#endif
}
template <class Op, class A, class To, class E>
void reduction_on_device::run(const stream& on, const To& to, const E& e,
                              const statement_shape& where, const dim_cells& cells, bool is_dim_0,
                              A neutral) const {
  if (on.dev().is_cpu())
    return reduce_dim_cpu(run_writer<A>(to), lane_reader<Op, A>(e, where), cells, is_dim_0,
                          neutral);
#ifdef __NVCC__
  reduce_dim_by_blocks<Op>(on, to, e, where, cells, is_dim_0, neutral);
#else
  runtime::throw_no_kernel("a reduction", on.dev());
#endif
}

/// The result of a reduction of all cells, in one block of memory with `room` bytes for partial
/// results, which begin 16 bytes after it.
template <class R>
[[gnu::noinline]] array_ref<R, 1> result_with_room(const stream& on, index_t room) {
  static const std::string label = "result of a reduction";
  auto block = runtime::shared_block(on, 16 + static_cast<std::size_t>(room), label);
  auto* const data = static_cast<R*>(block->data());
  return {on, std::move(block), {data, {1}, {1}}, nullptr};
}

/// Of all cells.
template <class E, class R, class A, class Op, class Finish, class Backend = reduction_on_device>
scalar<R> reduce_all(const E& e, const reduction<R, A, Op, Finish>& how,
                     const Backend& backend = {}) {
  reduction_source<E> source(e);
  const stream& on = source.on();
  const index_t room = Backend::uses_blocks(on.dev())
                           ? chunk_counts(source.shape().size()).room_bytes(sizeof(A))
                           : 0;
  const array_ref<R, 1> result = result_with_room<R>(on, room);
  source.run(
      how.name, 0, [] { return std::string(); },
      [&] {
        backend.template run_all<Op>(on, result_cells<A, R, Finish>{result.data(), how.finish},
                                     source.lowered(), source.where(), how.neutral,
                                     reinterpret_cast<char*>(result.data()) + 16);
      });
  return scalar<R>(result);
}

/// Along one dim of two or three.
template <class E, class R, class A, class Op, class Finish, class Backend = reduction_on_device>
array<R, E::rank - 1> reduce_along(const E& e, int dim, const reduction<R, A, Op, Finish>& how,
                                   const Backend& backend = {}) {
  constexpr int N = E::rank;
  reduction_source<E> source(e);
  extents<N - 1> left;
  index_t n[3] = {1, 1, 1};
  for (int d = 0, to = 0; d < N; ++d) {
    n[d] = source.shape()[d];
    if (d != dim) left[to++] = n[d];
  }
  array<R, N - 1> result(source.on(), left);
  if (result.size() == 0) return result;
  if (n[dim] == 0) {
    result = convert<R>(how.finish(how.neutral));
    return result;
  }
  const auto dim_text = [&] { return "dim " + std::to_string(dim); };
  source.run(how.name, bytes(result), dim_text, [&] {
    const statement_shape where = source.where();
    backend.template run<Op>(result.on(), result_cells<A, R, Finish>{result.data(), how.finish},
                             source.lowered(), where, cells_along(n, dim, where.is_one_row),
                             dim == 0, how.neutral);
  });
  return result;
}

/// Along the dims that are given; of all cells where none is. Two dims of three are reduced one
/// after the other, the longer one first, so that little is stored in between.
template <class E, class R, class A, class Op, class Finish, class... D>
requires(has_later_fields<E>) auto reduced(const E& e, const reduction<R, A, Op, Finish>& how,
                                           D...) {
  static_assert(sizeof...(D) == 0,
                "A rule by which a parameter follows reduces all cells: max_abs(u), without dims.");
  return later_reduction<E, R, reduction<R, A, Op, Finish>>(e, how);
}
template <class E, class R, class A, class Op, class Finish, class... D>
auto reduced(const E& e, const reduction<R, A, Op, Finish>& how, D... dims) {
  constexpr int N = E::rank, K = sizeof...(D);
  const reduced_counts counts = counts_of(how.name, e, dims...);
  if (counts.cells == 0 && counts.results > 0 && !how.is_of_nothing)
    throw error(std::string(how.name) + ": " + e.text() + " of " +
                extents_text(extents_of_expression(e)) +
                " cells has none to take it of, and of nothing there is no " + how.name);
  if constexpr (K == 0 || K == N) {
    return reduce_all(e, how);
  } else if constexpr (K == 1) {
    return reduce_along(e, static_cast<int>(dims)..., how);
  } else {
    static_assert(element<A>, "A reduction with accumulators of its own takes one dim, or all.");
    const int dim[] = {static_cast<int>(dims)...};
    const extents<N> shape = extents_of_expression(e);
    const bool is_first_longer = shape[dim[0]] >= shape[dim[1]];
    const int first = dim[is_first_longer ? 0 : 1], second = dim[is_first_longer ? 1 : 0];
    const array<A, 2> between = reduce_along(e, first, reduction<A, A, Op>{how.name, how.neutral});
    return reduce_along(as_node(between), second - (first < second ? 1 : 0), how);
  }
}

}  // namespace teff::inline TEFF_MODE::detail

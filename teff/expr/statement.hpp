// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include <teff/array/array.hpp>
#include <teff/expr/context.hpp>
#include <teff/expr/fd.hpp>
#include <teff/expr/operation.hpp>
#include <teff/expr/sliced.hpp>
#include <teff/expr/statement_cpu.hpp>
#include <teff/expr/statement_tuning.hpp>
#include <teff/kernel/kernel_facts.hpp>
#ifdef __CUDACC__
#include <teff/expr/statement_cuda.cuh>
#endif

/// A statement `A = expression`: one kernel, whatever the expression.
namespace teff::inline TEFF_MODE {

/// What `target = e` moves and computes: each distinct array once.
template <class T, int N, operand A>
traffic traffic_of(const array_ref<T, N>& target, const A& a) {
  const auto& e = as_node(a);
  runtime::read_count count;
  const detail::count_reads reads{count};
  e.template visit<0, 0, 0>(detail::window_of(target), reads);
  traffic moved;
  moved.read_bytes = count.bytes();
  moved.write_bytes = static_cast<double>(bytes(target));
  moved.cells = static_cast<double>(target.size());
  moved.flop = moved.cells * node_of<A>::flops;
  return moved;
}

namespace detail {

/// How many rows a launch on a GPU takes: all, but of many large planes.
template <class T, int N, class E>
index_t rows_of_launch(const array_ref<T, N>& target, const E& e, const statement_shape& where) {
  if constexpr (N == 3 && !E::is_pointwise) {
    if (where.n[2] < least_planes_of_bands) return where.n[1];
    const auto cache = static_cast<index_t>(known_device(target.dev()).cache_bytes);
    const index_t plane_bytes = where.n[0] * where.n[1] * index_t{sizeof(T)};
    if (plane_bytes > cache / 40) {  // or else eight such arrays need no bands; counting takes time
      const auto all_bytes = static_cast<index_t>(traffic_of(target, e).a_eff_bytes());
      return rows_of_band(where.n[1], where.n[2], all_bytes / where.n[2], cache);
    }
  }
  return where.n[1];
}

/// Runs one statement on the device of its target; extents, legality and streams are settled.
/// @tparam Echo the dim along which the outermost values also go to the cells beyond; -1: none
template <int Echo, class T, int N, class E>
void evaluate(const array_ref<T, N>& target, const E& e, const survey<T, N>& found) {
  const statement_shape where = found.shape(E::is_collapsible && Echo < 0);
  const auto lowered = e.lower(lowering{where.is_one_row});
  const device_target<T> to = found.lowered_target(where);
  const far_cells far = far_cells_of(e, window_of(target));
  if (target.dev().is_cpu()) {
    evaluate_cpu<E::is_pointwise>(to, lowered, where, found.rows(), far);
    if constexpr (Echo >= 0) echo_cpu<Echo>(to, where);
    return;
  }
#ifdef __CUDACC__
  const index_t rows = rows_of_launch(target, e, where);
  if constexpr (Echo >= 0)
    evaluate_cuda<E>(target, echoing_target<Echo, T>{to}, for_kernel(lowered, far), where, rows);
  else
    evaluate_cuda<E>(target, to, for_kernel(lowered, far), where, rows);
#else
  runtime::throw_no_kernel("a statement", target.dev());
#endif
}

/// The kernel of a statement; nothing on a CPU.
template <class T, int N, class E>
std::optional<kernel_facts> statement_kernel([[maybe_unused]] const array_ref<T, N>& target,
                                             [[maybe_unused]] const E& e,
                                             [[maybe_unused]] const statement_shape& where) {
#ifdef __CUDACC__
  if (target.dev().is_cuda() && target.size() > 0) {
    const traffic moved = traffic_of(target, e);
    return statement_facts<E>(target, moved.read_bytes / moved.cells, where);
  }
#endif
  return std::nullopt;
}

/// The statement target = e. @tparam Echo as for evaluate(); the cells beyond must be the caller's
/// @param by_one_block of a GPU, which has a thread for each cell: e may read target at any cells
template <int Echo, class T, int N, operand A>
void assign_echoing(const array_ref<T, N>& target, const A& a, bool by_one_block = false) {
  using E = node_of<A>;
  static_assert(E::rank == N || E::rank == 0,
                "The two sides of a statement must have the same number of dims.");
  static_assert(std::is_convertible_v<typename E::value_type, T>,
                "The expression's values can not be converted to the array's element type.");
  const auto& e = as_node(a);
  const array_leaf<T, N> left(target);
  (void)combined(left.shape(no_fields{}), left, e.shape(no_fields{}), e);

  operation<T, N> found(target);
  if (by_one_block) found.be_of_one_block();
  e.template visit<0, 0, 0>(window_of(target), found);
  found.run(
      "statement",
      [&] {
        return operation_facts{traffic_of(target, a), ""};
      },
      [&] { evaluate<Echo>(target, e, found); });
}

/// What is known on the host when a statement is made: a number, or a parameter's.
template <class A>
inline constexpr bool is_plain = number_like<A> || is_number<A> || is_parameter<A>;
template <class A>
auto plain_number(const A& a) {
  if constexpr (number_like<A>)
    return a;
  else if constexpr (is_number<A>)
    return a.value;
  else
    return a.value();
}

/// What stands on the right of A op= a: a number that does not fit the array is refused, one that
/// does takes its type.
/// @param may_be_opposite A += -1 is A -= 1, also where the array's type has no -1
template <class T, int N, class A>
decltype(auto) for_update(const array_ref<T, N>& target, const A& a, bool may_be_opposite) {
  if constexpr (is_plain<A>) {
    const auto value = plain_number(a);
    if constexpr (std::integral<T> && std::integral<decltype(value)>) {
      const auto opposite = std::uint64_t{0} - static_cast<std::uint64_t>(value);
      if (!(may_be_opposite && is_negative(value) && holds<T>(opposite)))
        (void)fitted<T>(value, [&] {
          return described(target) + " can not be updated by " + runtime::number_text(value);
        });
      // (Narrow ones are computed in i32, where -1 is -1.)
      return number<meet<T, T>>(static_cast<meet<T, T>>(value));
    } else {
      return number(value);
    }
  } else {
    return a;  // itself: a copy of an array would copy its cells
  }
}

}  // namespace detail

/// target = e, cell by cell, as one kernel. Where the types differ, each value is converted
/// (convert()); a number is refused if the array's type can not hold it.
/// @shape e: the extents of target, or free in some dims
/// @traffic reads each distinct array of e, writes target
/// @throws error on extents that differ, arrays on different devices, a number that does not fit,
/// or a racy
///         statement: one that reads, at another place, cells that it writes
/// @sync asynchronous on the target's stream
template <class T, int N, operand A>
void assign(const array_ref<T, N>& target, const A& a) {
  if constexpr (std::derived_from<A, array_ref<T, N>>) {
    detail::assign_echoing<-1>(target, static_cast<const array_ref<T, N>&>(a));
  } else if constexpr (detail::is_plain<A>) {
    const auto value = detail::plain_number(a);
    detail::assign_echoing<-1>(target, number<T>(detail::fitted<T>(value, [&] {
                                 return described(target) + " can not become " +
                                        runtime::number_text(value);
                               })));
  } else {
    detail::assign_echoing<-1>(target, a);
  }
}

/// A = A + e and its like. @throws error, besides, for a number that the array's type can not hold
template <class T, int N, operand A>
const array_ref<T, N>& operator+=(const array_ref<T, N>& target, const A& a) {
  assign(target, target + detail::for_update(target, a, true));
  return target;
}
template <class T, int N, operand A>
const array_ref<T, N>& operator-=(const array_ref<T, N>& target, const A& a) {
  assign(target, target - detail::for_update(target, a, true));
  return target;
}
template <class T, int N, operand A>
const array_ref<T, N>& operator*=(const array_ref<T, N>& target, const A& a) {
  assign(target, target * detail::for_update(target, a, false));
  return target;
}
template <class T, int N, operand A>
const array_ref<T, N>& operator/=(const array_ref<T, N>& target, const A& a) {
  assign(target, target / detail::for_update(target, a, false));
  return target;
}

}  // namespace teff::inline TEFF_MODE

#ifndef __CUDACC__
namespace teff::inline TEFF_MODE {

/// Arrays of reals, their copies and fills: for C++ programs compiled once, in the library.
#define TEFF_ARRAYS_OF(external, T, N)                                             \
  external template class array_ref<T, N>;                                         \
  external template class array<T, N>;                                             \
  external template void detail::assign_echoing<-1>(const array_ref<T, N>&,        \
                                                    const array_ref<T, N>&, bool); \
  external template void detail::assign_echoing<-1>(const array_ref<T, N>&, const number<T>&, bool);
#define TEFF_COMPILED_ARRAYS(external) \
  TEFF_ARRAYS_OF(external, f64, 1)     \
  TEFF_ARRAYS_OF(external, f64, 2)     \
  TEFF_ARRAYS_OF(external, f64, 3)     \
  TEFF_ARRAYS_OF(external, f32, 1)     \
  TEFF_ARRAYS_OF(external, f32, 2)     \
  TEFF_ARRAYS_OF(external, f32, 3)

TEFF_COMPILED_ARRAYS(extern)

}  // namespace teff::inline TEFF_MODE
#endif

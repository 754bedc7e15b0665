// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <teff/algo/along_dim/cells.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/algo/scan/cpu.hpp>
#ifdef __CUDACC__
#include <teff/algo/scan/blocks.hpp>
#endif

/// Scans along a dim: B(.., l, ..) = op of all values up to l, in their order.
namespace teff::inline TEFF_MODE {

/// scan(B, A, 0, op, {.init = 1.0, .exclusive = true})
template <class T>
struct scan_options {
  std::optional<detail::given<T>> init =
      std::nullopt;        ///< comes before the first cell; an exclusive scan needs it
  bool exclusive = false;  ///< cell l is left out of B(.., l, ..)
};

namespace detail {

/// How a scan's cells lie. Views whose cells along `dim` are far apart, but near each other along
/// another dim, are marched through, whatever the dim.
template <class T, int N>
bool is_row_of_lanes(const array_ref<T, N>& target, int dim) {
  if constexpr (N == 1) return true;
  const auto distance = [&](int d) {
    return target.stride(d) < 0 ? -target.stride(d) : target.stride(d);
  };
  for (int d = 0; d < N; ++d)
    if (d != dim && target.extent(d) > 1 && distance(d) < distance(dim)) return false;
  return true;
}

/// A scan whose extents, legality and streams are settled, on the device of its target.
struct scan_on_device {
  const stream& on;

  template <class Op, class Start, class T, class E>
  void run(const device_target<T>& to, const E& e, const statement_shape& where,
           const dim_cells& cells, bool is_row, const Start& start) const {
    if (on.dev().is_cpu()) return scan_cpu<Op>(to, e, where, cells, is_row, start);
#ifdef __CUDACC__
    scan_by_blocks<Op>(on, to, e, where, cells, is_row, start);
#else
    runtime::throw_no_kernel("a scan", on.dev());
#endif
  }
};

template <class Op, class Start, class T, int N, class E, class Backend>
void scan_along(const array_ref<T, N>& target, const E& e, int dim, const char* name,
                const Start& start, const Backend& backend) {
  static_assert(E::rank == N || E::rank == 0,
                "The two sides of a scan must have the same number of dims.");
  if (dim < 0 || dim >= N)
    throw error(std::string(name) + ": " + described(target) + " has dims 0 to " +
                std::to_string(N - 1) + ", asked for dim " + std::to_string(dim));
  const array_leaf<T, N> left(target);
  (void)combined(left.shape(no_fields{}), left, e.shape(no_fields{}), e);
  operation<T, N> found(target);
  e.template visit<0, 0, 0>(window_of(target), found);
  const auto facts = [&] {
    traffic moved = traffic_of(target, e);
    moved.flop += moved.cells;
    return operation_facts{moved, "dim " + std::to_string(dim)};
  };
  found.run(name, facts, [&] {
    const statement_shape where = found.shape(E::is_collapsible);
    index_t n[3] = {1, 1, 1};
    for (int d = 0; d < N; ++d) n[d] = target.extent(d);
    backend.template run<Op>(found.lowered_target(where), e.lower(lowering{where.is_one_row}),
                             where, cells_along(n, dim, where.is_one_row),
                             is_row_of_lanes(target, dim), start);
  });
}

}  // namespace detail

/// B(.., l, ..) = op(.. op(op(init, e(.., 0, ..)), e(.., 1, ..)) .., e(.., l, ..)) along `dim`, for
/// any associative op, a function object for the host and the device. e may read B, but at the cell
/// itself alone: scan(A, A, 0, op) and scan(A, 2 * A + C, 0, op) give what a second array would
/// hold.
/// @shape e: the extents of B, any strides
/// @traffic reads each distinct array of e, writes B
/// @order depends on extents and layout only: the same bits in every run, on every GPU, with any
/// number of threads
/// @throws error on extents that differ, a dim out of range, arrays on different devices, a target
///         that is read at other cells (shifted, flipped, transposed, through windows), an
///         exclusive scan without init
/// @sync asynchronous on the stream of B
template <class T, int N, operand X, class Op>
void scan(const array_ref<T, N>& B, const X& e, int dim, Op,
          const scan_options<std::type_identity_t<T>>& options = {}) {
  static_assert(std::is_invocable_r_v<T, Op, T, T>,
                "A scan's operation takes two values of the target's type and gives one.");
  static_assert(std::is_default_constructible_v<Op>,
                "A scan's operation is a function object without data, such as ops::sum.");
  if (options.exclusive && !options.init)
    throw error("scan: an exclusive scan needs the value of the first cell; give it as .init");
  detail::scan_along<Op>(B, as_node(e), dim, "scan",
                         detail::scan_start<T>{options.init.value_or(T{}), options.init.has_value(),
                                               options.exclusive},
                         detail::scan_on_device{B.on()});
}

/// Inclusive sum along `dim`, in place too, as scan. f32 is carried in f64, integers in i64; sums
/// of real values are converted where they are stored, also to integers.
/// @example examples/06_cumsum.cpp
template <class T, int N, operand X>
void cumsum(const array_ref<T, N>& B, const X& e, int dim) {
  using A = detail::sum_accumulator<meet<T, typename node_of<X>::value_type>>;
  detail::scan_along<ops::sum>(B, as_node(e), dim, "cumsum", detail::scan_start<A, true>{},
                               detail::scan_on_device{B.on()});
}

}  // namespace teff::inline TEFF_MODE

// SPDX-License-Identifier: MIT
#pragma once

#include <teff/array/array.hpp>
#include <teff/expr/statement.hpp>
#include <teff/kernel/launch.hpp>

/// Arithmetic of device scalars, with each other and with numbers: 0.4 * dx / max_abs(u) is a
/// device scalar, too.
///
/// @traffic a kernel of one cell for each operation
/// @order each operation rounds once, as those of numbers on the host: nothing fuses. Types meet as
///        in expressions: a plain number takes the type of a real scalar beside it
/// @sync asynchronous on the stream of the first scalar; converting the result to a number waits
namespace teff::inline TEFF_MODE {

namespace detail {

template <class A, class B>
concept scalar_pair = (scalar_like<A> && (scalar_like<B> || number_like<B>)) ||
                      (number_like<A> && scalar_like<B>);

template <class A, class... More>
const stream& stream_of_scalars(const A& first, const More&... more) {
  if constexpr (scalar_like<A>)
    return first.cell().on();
  else
    return stream_of_scalars(more...);
}

/// Sets the cell of a device scalar.
template <class V, class E>
struct set_scalar {
  V* cell;
  E value;
  TEFF_FN void operator()(index_t) const {
    *cell = convert<V>(value.template eval<0, 0, 0>(cell_context<1, true>{0, 0, 0}));
  }
};

template <class V>
[[gnu::noinline]] array<V, 1> new_cell(const stream& on) {
  static const std::string label = "a device scalar";
  return array<V, 1>(on, {1}, label);
}

/// The value of an expression of scalars, as one more of them. (No statement: its kernels for rows
/// of any length take seconds to compile.)
template <class E>
auto value_on_device(const stream& on, const E& e) {
  using V = typename E::value_type;
  const array<V, 1> cell = new_cell<V>(on);
  operation<V, 1> found(cell);
  e.template visit<0, 0, 0>(window_of(cell), found);
  found.run(
      "statement",
      [&] {
        return operation_facts{traffic_of(cell, e), ""};
      },
      [&] {
        const auto value = e.lower(lowering{false});
        const set_scalar<V, std::remove_const_t<decltype(value)>> set{cell.data(), value};
        if (on.dev().is_cpu()) return set(0);
#ifdef __CUDACC__
        launch_cuda<1>(on, {1}, launch_shape(1, 1, 1), set);
#else
        runtime::throw_no_kernel("a statement", on.dev());
#endif
      });
  return scalar<V>(cell);
}

}  // namespace detail

template <class A, class B>
requires detail::scalar_pair<A, B>
auto operator+(const A& a, const B& b) {
  return detail::value_on_device(detail::stream_of_scalars(a, b), make_binary<ops::plus>(a, b));
}
template <class A, class B>
requires detail::scalar_pair<A, B>
auto operator-(const A& a, const B& b) {
  return detail::value_on_device(detail::stream_of_scalars(a, b), make_binary<ops::minus>(a, b));
}
template <class A, class B>
requires detail::scalar_pair<A, B>
auto operator*(const A& a, const B& b) {
  return detail::value_on_device(detail::stream_of_scalars(a, b), make_binary<ops::times>(a, b));
}
template <class A, class B>
requires detail::scalar_pair<A, B>
auto operator/(const A& a, const B& b) {
  return detail::value_on_device(detail::stream_of_scalars(a, b),
                                 make_binary<ops::divided_by>(a, b));
}
template <class A, class B>
requires detail::scalar_pair<A, B>
auto minimum(const A& a, const B& b) {
  return detail::value_on_device(detail::stream_of_scalars(a, b),
                                 detail::map_pair(ops::smaller{}, a, b));
}
template <class A, class B>
requires detail::scalar_pair<A, B>
auto maximum(const A& a, const B& b) {
  return detail::value_on_device(detail::stream_of_scalars(a, b),
                                 detail::map_pair(ops::larger{}, a, b));
}
template <scalar_like A>
auto operator-(const A& a) {
  return detail::value_on_device(a.cell().on(), map(ops::negate{}, a));
}
template <scalar_like A>
auto sqrt(const A& a) {
  return detail::value_on_device(a.cell().on(), map(ops::square_root{}, a));
}
template <scalar_like A>
auto abs(const A& a) {
  return detail::value_on_device(a.cell().on(), map(ops::magnitude{}, a));
}
template <scalar_like A>
auto sq(const A& a) {
  return detail::value_on_device(a.cell().on(), map(ops::square{}, a));
}

}  // namespace teff::inline TEFF_MODE

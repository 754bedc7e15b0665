// SPDX-License-Identifier: MIT
#include <teff/algo/reduce/arrays_cpu.hpp>
#include <teff/algo/reduce/compiled.hpp>

namespace teff::runtime {
namespace {

template <class Op, class A, class E>
A combined(const E& e, const statement_shape& where, A neutral) {
  return detail::reduce_cpu(detail::reader_of_all<Op, A>(e, where), where.n, neutral);
}

template <class T>
device_leaf<T> leaf_of(const array_cells<T>& a) {
  return {{}, a.data, {a.stride[0], a.stride[1], a.stride[2]}};
}

template <class E>
auto magnitudes(const E& e) {
  return call<ops::full_magnitude, E>({}, detail::tuple_of(e));
}

}  // namespace

template <class A, class T>
A reduced_on_cpu(combining how, combined_values of, const array_cells<T>& a,
                 const array_cells<T>& b, const statement_shape& where, A neutral) {
  const device_leaf<T> left = leaf_of(a);
  if (how == combining::sum) return combined<ops::sum, A>(left, where, neutral);
  if constexpr (std::is_same_v<A, T>) {
    if (how == combining::smaller) return combined<ops::smaller, A>(left, where, neutral);
    if (of == combined_values::magnitudes)
      return combined<ops::larger, A>(magnitudes(left), where, neutral);
    if (of == combined_values::magnitudes_of_differences)
      return combined<ops::larger, A>(
          magnitudes(binary<ops::minus, device_leaf<T>, device_leaf<T>>(left, leaf_of(b))), where,
          neutral);
    return combined<ops::larger, A>(left, where, neutral);
  }
  return neutral;
}

template f64 reduced_on_cpu(combining, combined_values, const array_cells<f64>&,
                            const array_cells<f64>&, const statement_shape&, f64);
template f64 reduced_on_cpu(combining, combined_values, const array_cells<f32>&,
                            const array_cells<f32>&, const statement_shape&, f64);
template f32 reduced_on_cpu(combining, combined_values, const array_cells<f32>&,
                            const array_cells<f32>&, const statement_shape&, f32);

}  // namespace teff::runtime

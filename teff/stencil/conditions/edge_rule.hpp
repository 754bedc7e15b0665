// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>

#include <teff/base/conversion.hpp>
#include <teff/base/rounding.hpp>

/// Boundary conditions as kernels take them.
namespace teff::inline TEFF_MODE::detail {

/// A formula's values at border cells: of integers where the formula and the field are made of
/// them.
template <class T>
struct formula_values {
  const double* real = nullptr;

  TEFF_INLINE bool are_given() const { return real != nullptr; }
  TEFF_INLINE T at(index_t cell, double scale) const {
    return convert<T>(rounded::multiply(scale, real[cell]));
  }
};
template <std::integral T>
struct formula_values<T> {
  const double* real = nullptr;
  const i64* whole = nullptr;

  TEFF_INLINE bool are_given() const { return real != nullptr || whole != nullptr; }
  TEFF_INLINE T at(index_t cell, double) const {  // (Of integers only the value is given.)
    return whole != nullptr ? convert<T>(whole[cell]) : convert<T>(real[cell]);
  }
};

/// What a border cell becomes, from its next inner cell: factor * inner + offset, rounded once; or
/// the offset alone, whatever the inner cell is.
template <class T>
struct edge_rule {
  T factor, constant;
  bool has_inner;
  double scale;
  formula_values<T> values;  // by cell; none: the constant
  index_t stride[2];         // of y and z; cells along x lie side by side

  TEFF_INLINE T operator()(T inner, index_t i, index_t j, index_t k) const {
    return with(inner, values.are_given() ? of_formula(i, j, k) : constant);
  }
  /// Of a rule without a formula.
  TEFF_INLINE T plain(T inner) const { return with(inner, constant); }
  /// What the formula gives, scaled: the offset.
  TEFF_INLINE T of_formula(index_t i, index_t j, index_t k) const {
    return values.at(i + j * stride[0] + k * stride[1], scale);
  }
  TEFF_INLINE T with(T inner, T offset) const {
    if constexpr (rounded::real<T>) {
      const T sum = rounded::fused_multiply_add(factor, inner, offset);
      return has_inner ? sum : offset;
    } else {
      return has_inner ? inner : offset;  // periodic: integers have no slopes
    }
  }
  TEFF_INLINE edge_rule with_values(const formula_values<T>& of_step) const {
    edge_rule rule = *this;
    rule.values = of_step;
    return rule;
  }
};

}  // namespace teff::inline TEFF_MODE::detail

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
  index_t stride[3];

  TEFF_INLINE T operator()(T inner, index_t i, index_t j, index_t k) const {
    const T offset = values.are_given()
                         ? values.at(i * stride[0] + j * stride[1] + k * stride[2], scale)
                         : constant;
    return with(inner, offset);
  }
  /// Of a rule without a formula.
  TEFF_INLINE T plain(T inner) const { return with(inner, constant); }

 private:
  TEFF_INLINE T with(T inner, T offset) const {
    if constexpr (rounded::real<T>) {
      const T sum = rounded::fused_multiply_add(factor, inner, offset);
      return has_inner ? sum : offset;
    } else {
      return has_inner ? inner : offset;  // periodic: integers have no slopes
    }
  }
};

}  // namespace teff::inline TEFF_MODE::detail

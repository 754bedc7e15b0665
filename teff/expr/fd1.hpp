// SPDX-License-Identifier: MIT
#pragma once

#include <teff/expr/fd.hpp>

/// Finite-difference operators of expressions of one dim: see fd.hpp for their names.
namespace teff::inline TEFF_MODE::fd1 {

template <class Fn, class Shrink, class... At>
using op = detail::fd_operator<1, Fn, Shrink, At...>;

inline constexpr op<ops::difference, shrink<1>, offset<1>, offset<0>> d{};

inline constexpr op<ops::second_difference, shrink<2>, offset<2>, offset<1>, offset<0>> d2{};

inline constexpr op<ops::mean, shrink<1>, offset<0>, offset<1>> av{};

inline constexpr op<ops::harmonic_mean, shrink<1>, offset<0>, offset<1>> harm{};

inline constexpr op<ops::largest, shrink<2>, offset<1>, offset<0>, offset<2>> maxloc{};
inline constexpr op<ops::smallest, shrink<2>, offset<1>, offset<0>, offset<2>> minloc{};

inline constexpr detail::inner_operator<1, 1> inn{};

}  // namespace teff::inline TEFF_MODE::fd1

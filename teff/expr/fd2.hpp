// SPDX-License-Identifier: MIT
#pragma once

#include <teff/expr/fd.hpp>

/// Finite-difference operators of expressions of two dims: see fd.hpp for their names.
namespace teff::inline TEFF_MODE::fd2 {

template <class Fn, class Shrink, class... At>
using op = detail::fd_operator<2, Fn, Shrink, At...>;

inline constexpr op<ops::difference, shrink<1, 0>, offset<1, 0>, offset<0, 0>> d_xa{};
inline constexpr op<ops::difference, shrink<0, 1>, offset<0, 1>, offset<0, 0>> d_ya{};
inline constexpr op<ops::difference, shrink<1, 2>, offset<1, 1>, offset<0, 1>> d_xi{};
inline constexpr op<ops::difference, shrink<2, 1>, offset<1, 1>, offset<1, 0>> d_yi{};

inline constexpr op<ops::second_difference, shrink<2, 0>, offset<2, 0>, offset<1, 0>, offset<0, 0>>
    d2_xa{};
inline constexpr op<ops::second_difference, shrink<0, 2>, offset<0, 2>, offset<0, 1>, offset<0, 0>>
    d2_ya{};
inline constexpr op<ops::second_difference, shrink<2, 2>, offset<2, 1>, offset<1, 1>, offset<0, 1>>
    d2_xi{};
inline constexpr op<ops::second_difference, shrink<2, 2>, offset<1, 2>, offset<1, 1>, offset<1, 0>>
    d2_yi{};

inline constexpr op<ops::mean, shrink<1, 1>, offset<0, 0>, offset<1, 0>, offset<0, 1>, offset<1, 1>>
    av{};
inline constexpr op<ops::mean, shrink<1, 0>, offset<0, 0>, offset<1, 0>> av_xa{};
inline constexpr op<ops::mean, shrink<0, 1>, offset<0, 0>, offset<0, 1>> av_ya{};
inline constexpr op<ops::mean, shrink<1, 2>, offset<0, 1>, offset<1, 1>> av_xi{};
inline constexpr op<ops::mean, shrink<2, 1>, offset<1, 0>, offset<1, 1>> av_yi{};

inline constexpr op<ops::harmonic_mean, shrink<1, 1>, offset<0, 0>, offset<1, 0>, offset<0, 1>,
                    offset<1, 1>>
    harm{};
inline constexpr op<ops::harmonic_mean, shrink<1, 0>, offset<0, 0>, offset<1, 0>> harm_xa{};
inline constexpr op<ops::harmonic_mean, shrink<0, 1>, offset<0, 0>, offset<0, 1>> harm_ya{};
inline constexpr op<ops::harmonic_mean, shrink<1, 2>, offset<0, 1>, offset<1, 1>> harm_xi{};
inline constexpr op<ops::harmonic_mean, shrink<2, 1>, offset<1, 0>, offset<1, 1>> harm_yi{};

inline constexpr op<ops::largest, shrink<2, 2>, offset<1, 1>, offset<0, 1>, offset<2, 1>,
                    offset<1, 0>, offset<1, 2>>
    maxloc{};
inline constexpr op<ops::smallest, shrink<2, 2>, offset<1, 1>, offset<0, 1>, offset<2, 1>,
                    offset<1, 0>, offset<1, 2>>
    minloc{};

inline constexpr detail::inner_operator<2, 1, 1> inn{};
inline constexpr detail::inner_operator<2, 1, 0> inn_x{};
inline constexpr detail::inner_operator<2, 0, 1> inn_y{};

}  // namespace teff::inline TEFF_MODE::fd2

// SPDX-License-Identifier: MIT
#pragma once

#include <teff/expr/fd.hpp>

/// Finite-difference operators of expressions of three dims: see fd.hpp for their names.
namespace teff::inline TEFF_MODE::fd3 {

template <class Fn, class Shrink, class... At>
using op = detail::fd_operator<3, Fn, Shrink, At...>;

inline constexpr op<ops::difference, shrink<1, 0, 0>, offset<1, 0, 0>, offset<0, 0, 0>> d_xa{};
inline constexpr op<ops::difference, shrink<0, 1, 0>, offset<0, 1, 0>, offset<0, 0, 0>> d_ya{};
inline constexpr op<ops::difference, shrink<0, 0, 1>, offset<0, 0, 1>, offset<0, 0, 0>> d_za{};
inline constexpr op<ops::difference, shrink<1, 2, 2>, offset<1, 1, 1>, offset<0, 1, 1>> d_xi{};
inline constexpr op<ops::difference, shrink<2, 1, 2>, offset<1, 1, 1>, offset<1, 0, 1>> d_yi{};
inline constexpr op<ops::difference, shrink<2, 2, 1>, offset<1, 1, 1>, offset<1, 1, 0>> d_zi{};

inline constexpr op<ops::second_difference, shrink<2, 2, 2>, offset<2, 1, 1>, offset<1, 1, 1>,
                    offset<0, 1, 1>>
    d2_xi{};
inline constexpr op<ops::second_difference, shrink<2, 2, 2>, offset<1, 2, 1>, offset<1, 1, 1>,
                    offset<1, 0, 1>>
    d2_yi{};
inline constexpr op<ops::second_difference, shrink<2, 2, 2>, offset<1, 1, 2>, offset<1, 1, 1>,
                    offset<1, 1, 0>>
    d2_zi{};

inline constexpr op<ops::mean, shrink<1, 1, 1>, offset<0, 0, 0>, offset<1, 0, 0>, offset<0, 1, 0>,
                    offset<1, 1, 0>, offset<0, 0, 1>, offset<1, 0, 1>, offset<0, 1, 1>,
                    offset<1, 1, 1>>
    av{};
inline constexpr op<ops::mean, shrink<1, 0, 0>, offset<0, 0, 0>, offset<1, 0, 0>> av_xa{};
inline constexpr op<ops::mean, shrink<0, 1, 0>, offset<0, 0, 0>, offset<0, 1, 0>> av_ya{};
inline constexpr op<ops::mean, shrink<0, 0, 1>, offset<0, 0, 0>, offset<0, 0, 1>> av_za{};
inline constexpr op<ops::mean, shrink<1, 2, 2>, offset<0, 1, 1>, offset<1, 1, 1>> av_xi{};
inline constexpr op<ops::mean, shrink<2, 1, 2>, offset<1, 0, 1>, offset<1, 1, 1>> av_yi{};
inline constexpr op<ops::mean, shrink<2, 2, 1>, offset<1, 1, 0>, offset<1, 1, 1>> av_zi{};
inline constexpr op<ops::mean, shrink<1, 1, 0>, offset<0, 0, 0>, offset<1, 0, 0>, offset<0, 1, 0>,
                    offset<1, 1, 0>>
    av_xya{};
inline constexpr op<ops::mean, shrink<1, 0, 1>, offset<0, 0, 0>, offset<1, 0, 0>, offset<0, 0, 1>,
                    offset<1, 0, 1>>
    av_xza{};
inline constexpr op<ops::mean, shrink<0, 1, 1>, offset<0, 0, 0>, offset<0, 1, 0>, offset<0, 0, 1>,
                    offset<0, 1, 1>>
    av_yza{};
inline constexpr op<ops::mean, shrink<1, 1, 2>, offset<0, 0, 1>, offset<1, 0, 1>, offset<0, 1, 1>,
                    offset<1, 1, 1>>
    av_xyi{};
inline constexpr op<ops::mean, shrink<1, 2, 1>, offset<0, 1, 0>, offset<1, 1, 0>, offset<0, 1, 1>,
                    offset<1, 1, 1>>
    av_xzi{};
inline constexpr op<ops::mean, shrink<2, 1, 1>, offset<1, 0, 0>, offset<1, 1, 0>, offset<1, 0, 1>,
                    offset<1, 1, 1>>
    av_yzi{};

inline constexpr op<ops::harmonic_mean, shrink<1, 1, 1>, offset<0, 0, 0>, offset<1, 0, 0>,
                    offset<0, 1, 0>, offset<1, 1, 0>, offset<0, 0, 1>, offset<1, 0, 1>,
                    offset<0, 1, 1>, offset<1, 1, 1>>
    harm{};
inline constexpr op<ops::harmonic_mean, shrink<1, 0, 0>, offset<0, 0, 0>, offset<1, 0, 0>>
    harm_xa{};
inline constexpr op<ops::harmonic_mean, shrink<0, 1, 0>, offset<0, 0, 0>, offset<0, 1, 0>>
    harm_ya{};
inline constexpr op<ops::harmonic_mean, shrink<0, 0, 1>, offset<0, 0, 0>, offset<0, 0, 1>>
    harm_za{};
inline constexpr op<ops::harmonic_mean, shrink<1, 2, 2>, offset<0, 1, 1>, offset<1, 1, 1>>
    harm_xi{};
inline constexpr op<ops::harmonic_mean, shrink<2, 1, 2>, offset<1, 0, 1>, offset<1, 1, 1>>
    harm_yi{};
inline constexpr op<ops::harmonic_mean, shrink<2, 2, 1>, offset<1, 1, 0>, offset<1, 1, 1>>
    harm_zi{};
inline constexpr op<ops::harmonic_mean, shrink<1, 1, 0>, offset<0, 0, 0>, offset<1, 0, 0>,
                    offset<0, 1, 0>, offset<1, 1, 0>>
    harm_xya{};
inline constexpr op<ops::harmonic_mean, shrink<1, 0, 1>, offset<0, 0, 0>, offset<1, 0, 0>,
                    offset<0, 0, 1>, offset<1, 0, 1>>
    harm_xza{};
inline constexpr op<ops::harmonic_mean, shrink<0, 1, 1>, offset<0, 0, 0>, offset<0, 1, 0>,
                    offset<0, 0, 1>, offset<0, 1, 1>>
    harm_yza{};
inline constexpr op<ops::harmonic_mean, shrink<1, 1, 2>, offset<0, 0, 1>, offset<1, 0, 1>,
                    offset<0, 1, 1>, offset<1, 1, 1>>
    harm_xyi{};
inline constexpr op<ops::harmonic_mean, shrink<1, 2, 1>, offset<0, 1, 0>, offset<1, 1, 0>,
                    offset<0, 1, 1>, offset<1, 1, 1>>
    harm_xzi{};
inline constexpr op<ops::harmonic_mean, shrink<2, 1, 1>, offset<1, 0, 0>, offset<1, 1, 0>,
                    offset<1, 0, 1>, offset<1, 1, 1>>
    harm_yzi{};

inline constexpr op<ops::largest, shrink<2, 2, 2>, offset<1, 1, 1>, offset<0, 1, 1>,
                    offset<2, 1, 1>, offset<1, 0, 1>, offset<1, 2, 1>, offset<1, 1, 0>,
                    offset<1, 1, 2>>
    maxloc{};
inline constexpr op<ops::smallest, shrink<2, 2, 2>, offset<1, 1, 1>, offset<0, 1, 1>,
                    offset<2, 1, 1>, offset<1, 0, 1>, offset<1, 2, 1>, offset<1, 1, 0>,
                    offset<1, 1, 2>>
    minloc{};

inline constexpr detail::inner_operator<3, 1, 1, 1> inn{};
inline constexpr detail::inner_operator<3, 1, 0, 0> inn_x{};
inline constexpr detail::inner_operator<3, 0, 1, 0> inn_y{};
inline constexpr detail::inner_operator<3, 0, 0, 1> inn_z{};
inline constexpr detail::inner_operator<3, 1, 1, 0> inn_xy{};
inline constexpr detail::inner_operator<3, 1, 0, 1> inn_xz{};
inline constexpr detail::inner_operator<3, 0, 1, 1> inn_yz{};

}  // namespace teff::inline TEFF_MODE::fd3

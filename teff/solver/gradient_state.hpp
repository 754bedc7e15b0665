// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include <teff/base/conversion.hpp>
#include <teff/base/rounding.hpp>

/// The numbers of an iteration of conjugate gradients, which stay on the device from one kernel to
/// the next, and what the kernels' last thread makes of their sums.
namespace teff {

namespace runtime {

/// What an iteration leaves behind on the device for the host to read, in f64.
struct gradient_numbers {
  static constexpr int rr = 0, made = 1, pAp = 2, has_failed = 3, count = 4;
};

}  // namespace runtime

inline namespace TEFF_MODE {

namespace detail {

/// Numbers that are on the device from one kernel of an iteration to the next.
/// @tparam Numbers, Factors where they are: in memory, or what a block shares
template <class R, class Numbers = double*, class Factors = R*>
struct gradient_state {
  using numbers_of = runtime::gradient_numbers;
  /// Whether iterations go on; whether the next one begins with p = r + beta p; whether p is still
  /// without it
  static constexpr int alpha = 0, beta = 1, goes_on = 2, folds = 3, has_to_fold = 4, count = 5;

  Numbers numbers;
  Factors factors;
};

/// Once p.Ap is known: alpha = r.r / p.Ap.
template <class R, class Numbers = double*, class Factors = R*>
struct after_product : gradient_state<R, Numbers, Factors> {
  using state = gradient_state<R>;
  using numbers_of = runtime::gradient_numbers;

  TEFF_INLINE void store(index_t, double total) const {
    if (this->factors[state::goes_on] == 0) return;
    const auto pAp = convert<R>(total);
    this->numbers[numbers_of::pAp] = static_cast<double>(pAp);
    this->factors[state::folds] = 0;  // it is done
    this->factors[state::has_to_fold] = 0;
    if (!(pAp > 0)) {
      this->numbers[numbers_of::has_failed] = 1;
      this->factors[state::goes_on] = 0;
      return;
    }
    const double rr = this->numbers[numbers_of::rr];
    this->factors[state::alpha] = rounded::divide(convert<R>(rr), pAp);
  }
};

/// Once r.r is known: beta, and whether the iteration goes on.
template <class R, class Numbers = double*, class Factors = R*>
struct after_residual : gradient_state<R, Numbers, Factors> {
  using state = gradient_state<R>;
  using numbers_of = runtime::gradient_numbers;

  double norm_of_zero, tolerance;

  TEFF_INLINE void store(index_t, double total) const {
    if (this->factors[state::goes_on] == 0) return;
    const double before = this->numbers[numbers_of::rr];
    const auto rr = static_cast<double>(convert<R>(total));
    this->factors[state::beta] = convert<R>(rounded::divide(rr, before));
    this->numbers[numbers_of::rr] = rr;
    this->numbers[numbers_of::made] += 1;
    const double left = rounded::divide(rounded::square_root(rr), norm_of_zero);
    constexpr double epsilon = std::numeric_limits<R>::epsilon();
    const bool goes_on =
        left > tolerance && left >= epsilon * epsilon && left <= std::numeric_limits<double>::max();
    this->factors[state::goes_on] = goes_on ? 1 : 0;
    this->factors[state::folds] = goes_on ? 1 : 0;
    this->factors[state::has_to_fold] = 1;
  }
};

struct product_of_both {
  template <class T>
  TEFF_INLINE double operator()(T a, T b) const {
    return rounded::multiply(static_cast<double>(a), static_cast<double>(b));
  }
};
struct square_of_first {
  template <class T>
  TEFF_INLINE double operator()(T a, T) const {
    return rounded::multiply(static_cast<double>(a), static_cast<double>(a));
  }
};

}  // namespace detail

}  // namespace TEFF_MODE
}  // namespace teff

// SPDX-License-Identifier: MIT
#pragma once

#include <sstream>
#include <utility>

#include <teff/capi/handles.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/solver/chebyshev.hpp>
#include <teff/solver/conjugate_gradients.hpp>

/// What an equation A x = b that is compiled at run time includes: its text defines the formula A,
/// and one function `teff_equation_solve` (teff_c.h), which returns
/// solve_equation<by_chebyshev, f64, 2, ...>(...).
namespace teff::inline TEFF_MODE {

struct by_conjugate_gradients {
  static constexpr const char* name = "conjugate_gradients";
  template <class X, class Formula>
  static auto solve(const X& x, const X& b, const Formula& A, const teff_equation_options& given) {
    return conjugate_gradients(x, b, A, {given.tolerance, given.iterations, given.check_every});
  }
  static teff_equation_facts facts_of(const conjugate_gradients_report& r) {
    return {r.iterations, r.residual, 0, 0, r.has_converged(), r.is_stuck};
  }
};

struct by_chebyshev {
  static constexpr const char* name = "chebyshev";
  template <class X, class Formula>
  static auto solve(const X& x, const X& b, const Formula& A, const teff_equation_options& given) {
    return chebyshev(
        x, b, A, {given.tolerance, given.iterations, given.check_every, given.least, given.most});
  }
  static teff_equation_facts facts_of(const chebyshev_report& r) {
    return {r.iterations, r.residual, r.least, r.most, r.has_converged(), r.is_stuck};
  }
};

/// @param formula A of x and of the known arrays, whose cells are of the types Known
/// @throws nothing: its status says what went wrong, also where x shares memory with a known array
template <class Method, class R, int N, class... Known, class Formula>
teff_status solve_equation(const Formula& formula, const teff_array* const* arrays,
                           const teff_equation_options* options, teff_equation_facts* facts,
                           char** text) noexcept {
  return capi::guarded([&] {
    const auto x = detail::as_ref<R, N>(arrays[0], "x"), b = detail::as_ref<R, N>(arrays[1], "b");
    const auto solve = [&](const array_ref<Known, N>&... known) {
      const auto refuse = [&](const auto& a) {
        if (may_overlap(region_of(x), region_of(a)))
          throw error(failure::usage, std::string(Method::name) + ": x, " + described(x) +
                                          ", shares memory with " + described(a) +
                                          ", which A reads; give x memory of its own");
      };
      (refuse(known), ...);
      const auto A = [&](const auto& v) { return formula(v, known...); };
      const auto report = Method::solve(x, b, A, *options);
      *facts = Method::facts_of(report);
      std::ostringstream out;
      out << report;
      *text = capi::text_for_caller(out.str());
    };
    [&]<int... S>(std::integer_sequence<int, S...>) {
      solve(detail::as_ref<Known, N>(arrays[2 + S], "a coefficient")...);
    }
    (std::make_integer_sequence<int, sizeof...(Known)>{});
  });
}

}  // namespace teff::inline TEFF_MODE

// SPDX-License-Identifier: MIT
#pragma once

#include <teff/expr/statement.hpp>

/// Arrays that a formula captures, besides the fields that iterate() is given.
namespace teff::inline TEFF_MODE::detail {

/// A visitor of formulas: f(array, region) for what they read of captured arrays.
template <class F>
struct captured_visit {
  const F& f;

  template <int S, int X, int Y, int Z>
  void reads_field(const window&) const {}
  template <class S, int M>
  void reads(const array_ref<S, M>& source, const region& read) const {
    f(source, read);
  }
  template <class S>
  void reads_along(const array_ref<S, 1>& source, const region& read) const {
    f(source, read);
  }
};

/// @param e a formula over the cells of `target`
template <class E, class T, int N, class F>
void visit_captured(const E& e, const array_ref<T, N>& target, const F& f) {
  const captured_visit<F> visitor{f};
  e.template visit<0, 0, 0>(window_of(target), visitor);
}

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/algo/random.hpp>
#include <teff/array/array.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/stencil/iterate.hpp>

/// Steps of which an update takes another field's old values as they are: no copy in single steps,
/// where fields hand on their arrays. As a copy it is written as that value times one, which has
/// the same bits; of such a step all is copied.
namespace teff::inline TEFF_MODE::test {

struct as_they_are {
  template <class E>
  auto operator()(const E& e) const {
    return e;
  }
};
struct times_one {
  template <class E>
  auto operator()(const E& e) const {
    return e * typename E::value_type(1);
  }
};

/// The wave equation by two time levels, with a known speed.
struct membrane {
  static constexpr int rank = 2, fields = 3;
  static constexpr bool has_residual = false;
  template <class Old>
  static auto step(const Old& old) {
    return timestep([=](auto U, auto W, auto C) {
      using namespace fd2;
      return together(update(inn(U), 2 * inn(U) - inn(W) + inn(C) * (d2_xi(U) + d2_yi(U)) * 0.1f),
                      update(inn(W), old(inn(U))));
    });
  }
};

template <class T, int N>
array<T, N> random_array(const device& dev, const extents<N>& n, int seed) {
  array<T, N> a(dev, n, "field " + std::to_string(seed));
  a = random<T>(dev, n, seed);
  return a;
}

}  // namespace teff::inline TEFF_MODE::test

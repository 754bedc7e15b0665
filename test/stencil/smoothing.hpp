// SPDX-License-Identifier: MIT
#pragma once

#include <sstream>
#include <string>

#include <teff/expr/fd2.hpp>
#include <teff/stencil/iterate.hpp>

/// What tests of iterate run, and read.
namespace teff::inline TEFF_MODE::test {

/// A step that every way can make, of one field.
inline auto smoothing() {
  return timestep([](auto T) {
    return update(fd2::inn(T), fd2::inn(T) + 0.1 * (fd2::d2_xi(T) + fd2::d2_yi(T)));
  });
}

inline std::string text_of(const iterate_report& r) {
  std::ostringstream out;
  out << r;
  return out.str();
}

inline iterate_options by(schedule s, index_t steps, int depth = 0) {
  return {.steps = steps, .schedule = s, .depth = depth};
}

}  // namespace teff::inline TEFF_MODE::test

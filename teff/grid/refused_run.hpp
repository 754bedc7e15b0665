// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/base/error.hpp>

namespace teff::runtime {

inline constexpr const char* axis_of[3] = {"x", "y", "z"};

[[noreturn]] inline void refuse_run(const std::string& why, const std::string& before = "") {
  throw error(failure::usage, before + "iterate: " + why);
}

}  // namespace teff::runtime

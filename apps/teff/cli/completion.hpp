// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <teff/lab/case.hpp>

#include <apps/teff/cli/option_tree.hpp>

/// Scripts with which a shell completes `teff ...`.
namespace teff::app {

/// What may stand for the value of an option.
struct completed_value {
  enum class kind { free, words, list, file, folder } what = kind::free;
  std::vector<std::string> words = {};  ///< `list`: some of them, with commas between
};

/// The names that values may have.
struct completion_names {
  std::vector<std::string> cases, variants, types, solvers, devices;

  /// By what the option tree calls a value: CASE, VARIANTS, TYPES, SOLVER, DEVICE, FILE, FOLDER, or
  /// the choices themselves, "warm|cold". Anything else is free.
  completed_value of(const std::string& value) const;
};

/// The names in `cases`, the solvers, and the devices of this machine.
completion_names names_of(std::span<const lab::bench_case> cases);

/// The script for one of `completion_shells`. @throws error (usage) for another one
std::string completion_script(const std::string& shell, std::span<const command_entry> commands,
                              std::span<const lab::bench_case> cases);

inline constexpr const char* completion_shells = "bash|zsh|fish";

}  // namespace teff::app

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

/// The commands and options as data, read from the tree that the command line is parsed with. What
/// is written from it can not forget an option: completion, the manual, the tables of docs/cli.md.
namespace teff::app {

struct option_entry {
  std::string name;   ///< "--json", or without dashes what a command takes by its place, "case"
  std::string value;  ///< what it takes: "FILE", "warm|cold"; "" for a flag
  std::string about;
  std::string brief = {};  ///< "-o", or ""

  bool is_positional() const { return name.front() != '-'; }
};

struct command_entry {
  std::string name;
  std::string about;  ///< a line
  std::string text;   ///< what --help says above the options
  std::vector<option_entry> options;

  /// "teff bench [CASE...]"
  std::string usage() const;
};

/// All commands, in the order of `teff --help`; those that it does not show are left out.
std::vector<command_entry> option_tree();

}  // namespace teff::app

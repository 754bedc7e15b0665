// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/base/index.hpp>
#include <teff/base/words.hpp>
#include <teff/solve/option_values.hpp>

namespace teff::solve {

namespace {

/// A value that must be a number: CLI11 would not say what was expected. Of a whole one the digits,
/// so that 1e6 is one, too.
std::string checked_number(const std::string& option, const std::string& text, bool is_whole) {
  constexpr double most = 4e18;  // fits in an index_t; no option takes as many
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool is_number = !text.empty() && *end == '\0';
  if (is_number && !is_whole) return text;
  if (is_number && std::trunc(value) == value)
    return std::to_string(static_cast<index_t>(std::clamp(value, -most, most)));
  throw error(failure::usage, option + ": expected a " + (is_whole ? "whole number" : "number") +
                                  ", got '" + text + "'");
}

/// Of options that --help shows.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

}  // namespace

void check_numbers(CLI::App& app) {
  const auto is_in = [](const std::string& name, std::initializer_list<const char*> names) {
    return std::ranges::find(names, name) != names.end();
  };
  for (CLI::Option* option : app.get_options()) {
    const std::string value = option->get_type_name();
    const bool is_whole = is_in(value, {"N", "K", "N,..."});
    if (is_whole || is_in(value, {"X", "SECONDS", "PERCENT", "LO,HI"}))
      option->transform([name = option->get_name(), is_whole](const std::string& text) {
        return checked_number(name, text, is_whole);
      });
  }
}

void refuse_word(const CLI::App& app, const std::string& word, const std::string& command) {
  const std::string help = command + " --help";
  if (word.size() < 2 || word.front() != '-')
    throw error(failure::usage, command + " does not take '" + word + "' (" + help + ")");
  const error unknown =
      runtime::unknown_name("option", word.substr(0, word.find('=')), option_names(app));
  throw error(unknown.kind(), std::string(unknown.what()) + " (" + help + ")");
}

}  // namespace teff::solve

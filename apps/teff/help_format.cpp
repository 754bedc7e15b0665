// SPDX-License-Identifier: MIT
#include <sstream>

#include <apps/teff/help_format.hpp>

namespace teff::app {

namespace {

constexpr std::size_t widest_line = 100;

std::string wrapped(const std::string& text, std::size_t width) {
  std::istringstream words(text);
  std::string lines;
  std::size_t column = 0;
  for (std::string word; words >> word; column += word.size()) {
    if (column > 0) {
      const bool fits = column + 1 + word.size() <= width;
      lines += fits ? ' ' : '\n';
      column = fits ? column + 1 : 0;
    }
    lines += word;
  }
  return lines;
}

}  // namespace

std::string help_format::make_usage(const CLI::App* app, std::string name) const {
  std::string line = "Usage: " + name;
  if (app->get_parent() == nullptr) line += " COMMAND";
  for (const CLI::Option* option : app->get_options())
    if (option->get_positional()) line += " " + option->get_type_name();
  return line + " [OPTION]...\n";
}

std::string help_format::make_option_name(const CLI::Option* option, bool is_positional) const {
  return is_positional ? option->get_type_name() : option->get_name(false, true);
}

std::string help_format::make_option_opts(const CLI::Option* option) const {
  const bool has_value = option->get_items_expected_max() > 0 && !option->get_positional();
  return has_value ? " " + option->get_type_name() : "";
}

std::string help_format::make_option_desc(const CLI::Option* option) const {
  return wrapped(option->get_description(), widest_line - get_column_width());
}

}  // namespace teff::app

// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/lab/table.hpp>

#include <apps/teff/cli/help_format.hpp>

namespace teff::app {

namespace {

constexpr std::size_t widest_line = 80;

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
  return lab::wrapped(option->get_description(), widest_line - get_column_width());
}

std::string help_format::make_subcommand(const CLI::App* app) const {
  const std::size_t indent = get_column_width();
  std::string line = "  " + app->get_name();
  line.resize(std::max(line.size() + 1, indent), ' ');
  return line + lab::wrapped(app->get_description(), widest_line, indent).substr(indent) + "\n";
}

}  // namespace teff::app

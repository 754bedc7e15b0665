// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <utility>

#include <teff/base/readable.hpp>
#include <teff/solve/help_format.hpp>

namespace teff::solve {

namespace {

constexpr std::size_t widest_line = 80;

class help_format : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* app) const override;
};

std::string help_format::make_usage(const CLI::App* app, std::string name) const {
  std::string line = "Usage: " + name;
  const bool has_commands = !app->get_subcommands([](const CLI::App*) { return true; }).empty();
  if (has_commands) line += " COMMAND";
  for (const CLI::Option* option : app->get_options())
    if (option->get_positional()) line += " " + option->get_type_name();
  return line + " [OPTION]...\n";
}

std::string help_format::make_help(const CLI::App* app, std::string name,
                                   CLI::AppFormatMode mode) const {
  // A group of options that are not shown leaves a second empty line.
  return CLI::detail::find_and_replace(CLI::Formatter::make_help(app, std::move(name), mode),
                                       "\n\n\n", "\n\n");
}

std::string help_format::make_option_name(const CLI::Option* option, bool is_positional) const {
  return is_positional ? option->get_type_name() : option->get_name(false, true);
}

std::string help_format::make_option_opts(const CLI::Option* option) const {
  const bool has_value = option->get_items_expected_max() > 0 && !option->get_positional();
  return has_value ? " " + option->get_type_name() : "";
}

std::string help_format::make_option_desc(const CLI::Option* option) const {
  return runtime::wrapped(option->get_description(), widest_line - get_column_width());
}

std::string help_format::make_subcommand(const CLI::App* app) const {
  const std::size_t indent = get_column_width();
  std::string line = "  " + app->get_name();
  line.resize(std::max(line.size() + 1, indent), ' ');
  return line + runtime::wrapped(app->get_description(), widest_line, indent).substr(indent) + "\n";
}

}  // namespace

void lay_out_help(CLI::App& app) {
  app.formatter(std::make_shared<help_format>());
}

}  // namespace teff::solve

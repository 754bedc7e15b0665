// SPDX-License-Identifier: MIT
#include <sstream>
#include <vector>

#include <apps/teff/cli/reference.hpp>

namespace teff::app {

namespace {

/// In a cell of a Markdown table `|` ends the cell, even in code.
std::string in_cell(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '|' ? std::string("\\|") : std::string(1, c);
  return safe;
}

std::string with_value(const option_entry& option) {
  if (!option.brief.empty()) return option.brief + ", " + option.name + " " + option.value;
  return option.value.empty() ? option.name : option.name + " " + option.value;
}

/// A row of the table of options: the commands in which it is the same.
struct option_row {
  option_entry option;
  std::string commands;
};

std::vector<option_row> option_rows(std::span<const command_entry> commands) {
  std::vector<option_row> rows;
  for (const command_entry& command : commands)
    for (const option_entry& option : command.options) {
      if (option.is_positional()) continue;
      option_row* same = nullptr;
      for (option_row& row : rows)
        if (row.option.name == option.name && row.option.value == option.value &&
            row.option.about == option.about)
          same = &row;
      if (same == nullptr)
        rows.push_back({option, command.name});
      else
        same->commands += ", " + command.name;
    }
  return rows;
}

/// A backslash and a hyphen mean something to troff, as do a dot and a quote that begin a line.
std::string in_troff(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    const bool begins_line = safe.empty() || safe.back() == '\n';
    if (begins_line && (c == '.' || c == '\'')) safe += "\\&";
    if (c == '\\')
      safe += "\\e";
    else if (c == '-')
      safe += "\\-";
    else
      safe += c;
  }
  return safe;
}

/// "-o, --output"
std::string names_of(const option_entry& option) {
  return in_troff((option.brief.empty() ? "" : option.brief + ", ") + option.name);
}

/// Prose as it flows; lines after "Examples:" as they stand.
void add_prose(std::ostringstream& out, const std::string& text) {
  std::istringstream lines(text);
  bool are_examples = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (line == "Examples:") {
      out << ".PP\nExamples:\n.PP\n.nf\n";
      are_examples = true;
    } else {
      out << in_troff(line) << "\n";
    }
  }
  if (are_examples) out << ".fi\n";
}

}  // namespace

std::string markdown_tables(std::span<const command_entry> commands) {
  std::ostringstream out;
  out << "| command | does |\n|---|---|\n";
  for (const command_entry& command : commands)
    out << "| `" << in_cell(command.usage()) << "` | " << in_cell(command.about) << " |\n";
  out << "\n| option | of | meaning |\n|---|---|---|\n";
  for (const option_row& row : option_rows(commands))
    out << "| `" << in_cell(with_value(row.option)) << "` | " << row.commands << " | "
        << in_cell(row.option.about) << " |\n";
  return out.str();
}

std::string man_page(std::span<const command_entry> commands, const std::string& version,
                     const std::string& overview, const std::string& exit_statuses) {
  std::ostringstream out;
  out << ".TH TEFF 1 \"\" \"teff " << version << "\" \"User Commands\"\n.SH NAME\n"
      << "teff \\- measure how close a computation comes to what memory can do\n.SH SYNOPSIS\n";
  for (const command_entry& command : commands)
    out << "\\fB" << in_troff(command.usage()) << "\\fR [\\fIoption\\fR]...\n.br\n";
  out << ".SH DESCRIPTION\n";
  add_prose(out, overview);
  out << ".SH COMMANDS\n";
  for (const command_entry& command : commands) {
    out << ".SS " << in_troff(command.usage()) << "\n";
    add_prose(out, command.text);
    for (const option_entry& option : command.options) {
      const std::string name = option.is_positional() ? "" : "\\fB" + names_of(option) + "\\fR",
                        value =
                            option.value.empty() ? "" : "\\fI" + in_troff(option.value) + "\\fR";
      out << ".TP\n"
          << name << (name.empty() || value.empty() ? "" : " ") << value << "\n"
          << in_troff(option.about) << "\n";
    }
  }
  out << ".SH ENVIRONMENT\n"
         ".TP\n.B TEFF_DEVICE\nThe device: cpu, cuda or cuda:N.\n"
         ".TP\n.B TEFF_PROFILE\nWith 1, a table of all statements is printed when a program ends.\n"
         ".TP\n.B TEFF_SCHEDULES\nThe file that remembers which schedules were fastest; empty: "
         "none.\n.SH EXIT STATUS\n"
      << in_troff(exit_statuses.substr(exit_statuses.find("0 ok"))) << "\n";
  return out.str();
}

}  // namespace teff::app

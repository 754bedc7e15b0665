// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <vector>

#include <teff/base/words.hpp>
#include <teff/solve/completion.hpp>

namespace teff::solve {

std::string quoted(const std::string& text) {
  std::string safe = "'";
  for (const char c : text) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return safe + "'";
}

std::string zsh_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

namespace {

/// An option, and what may stand for its value.
struct completed_option {
  std::string name, about;
  bool has_value = false, is_file = false;
  std::string choices = {};  ///< words with blanks between, or ""
};

std::vector<completed_option> options_of(const CLI::App& app) {
  std::vector<completed_option> all;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() || option->get_group().empty()) continue;
    completed_option one{"--" + option->get_lnames().front(), option->get_description()};
    one.has_value = option->get_items_expected_max() > 0;
    const std::string value = option->get_type_name();
    one.is_file = one.has_value && (value.starts_with("FILE") || value == "PREFIX");
    if (one.has_value && value.find('|') != std::string::npos) {
      one.choices = value;
      std::ranges::replace(one.choices, '|', ' ');
    }
    all.push_back(std::move(one));
  }
  return all;
}

std::string bash_script(const std::vector<completed_option>& options, const std::string& program) {
  std::ostringstream out;
  std::string names;
  out << "_complete_" << program
      << "() {\n  local word=${COMP_WORDS[COMP_CWORD]}\n  COMPREPLY=()\n"
         "  case ${COMP_WORDS[COMP_CWORD - 1]} in\n";
  for (const completed_option& o : options) {
    names += (names.empty() ? "" : " ") + o.name;
    if (!o.has_value) continue;
    out << "    " << o.name << ") ";
    if (o.is_file)
      out << "compopt -o filenames 2>/dev/null\n      mapfile -t COMPREPLY < <(compgen -f -- "
             "\"$word\") ";
    else if (!o.choices.empty())
      out << "mapfile -t COMPREPLY < <(compgen -W " << quoted(o.choices) << " -- \"$word\") ";
    out << ";;\n";
  }
  out << "    *) mapfile -t COMPREPLY < <(compgen -W " << quoted(names)
      << " -- \"$word\") ;;\n  esac\n}\ncomplete -F _complete_" << program << " " << program
      << "\n";
  return out.str();
}

std::string zsh_script(const std::vector<completed_option>& options, const std::string& program) {
  std::ostringstream out;
  out << "_" << program << "() {\n  _arguments";
  for (const completed_option& o : options) {
    const std::string values =
        o.is_file ? "_files" : (o.choices.empty() ? " " : "(" + o.choices + ")");
    const std::string spec = o.name + (o.has_value ? "=" : "") + "[" + zsh_text(o.about) + "]" +
                             (o.has_value ? ":value:" + values : "");
    out << " \\\n    " << quoted(spec);
  }
  out << "\n}\nif [[ $funcstack[1] == _" << program << " ]]; then _" << program
      << " \"$@\"; else compdef _" << program << " " << program << "; fi\n";
  return out.str();
}

std::string fish_script(const std::vector<completed_option>& options, const std::string& program) {
  std::ostringstream out;
  out << "complete -c " << program << " -f\n";
  for (const completed_option& o : options) {
    out << "complete -c " << program << " -l " << o.name.substr(2);
    if (o.has_value) out << " -r";
    if (o.is_file) out << " -F";
    if (!o.choices.empty()) out << " -f -a " << quoted(o.choices);
    out << " -d " << quoted(o.about) << "\n";
  }
  return out.str();
}

}  // namespace

std::string completion_of(const CLI::App& app, const std::string& program,
                          const std::string& shell) {
  const std::vector<completed_option> options = options_of(app);
  const std::string what = shell + " completion of " + program + ", written by `" + program +
                           " --completion " + shell + "`.\n\n";
  if (shell == "bash") return "# " + what + bash_script(options, program);
  if (shell == "zsh") return "#compdef " + program + "\n# " + what + zsh_script(options, program);
  if (shell == "fish") return "# " + what + fish_script(options, program);
  throw runtime::unknown_name("shell", shell, {"bash", "zsh", "fish"});
}

}  // namespace teff::solve

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <sstream>

#include <teff/base/device.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/selection.hpp>
#include <teff/solve/completion.hpp>

#include <apps/teff/cli/completion.hpp>
#include <apps/teff/solve/solvers.hpp>

namespace teff::app {

using solve::quoted;
using solve::zsh_text;

namespace {

using kind = completed_value::kind;

std::string joined(const std::vector<std::string>& words) {
  return lab::joined(words, " ");
}

void add_once(std::vector<std::string>& words, const std::string& word) {
  if (std::ranges::find(words, word) == words.end()) words.push_back(word);
}

std::vector<std::string> option_names(const command_entry& command) {
  std::vector<std::string> names;
  for (const option_entry& option : command.options)
    if (!option.is_positional()) names.push_back(option.name);
  names.emplace_back("--help");
  return names;
}

std::vector<std::string> command_names(std::span<const command_entry> commands) {
  std::vector<std::string> names;
  for (const command_entry& command : commands) names.push_back(command.name);
  return names;
}

/// What bash's function `_teff_offer` is told: "words a b", "list a b", "file", "folder" or "".
std::string bash_offer(const completed_value& value) {
  switch (value.what) {
    case kind::words:
      return "words " + joined(value.words);
    case kind::list:
      return "list " + joined(value.words);
    case kind::file:
      return "file";
    case kind::folder:
      return "folder";
    case kind::free:
      break;
  }
  return "none";
}

constexpr const char* bash_functions = R"bash(
# The variants of the cases on the line; of all cases if none is there.
_teff_variants() {
  local word of_case found=''
  for word in "${words[@]}"; do
    of_case=$(_teff_variants_of "$word") && found+=" $of_case"
  done
  echo "${found:-$(_teff_variants_of every_case)}"
}

# COMPREPLY: what of "$2 $3 ..." begins with $word; $1 says what it is.
_teff_offer() {
  local kind=$1 kept='' choices
  shift
  choices=${*/VARIANTS/all best $(_teff_variants)}
  case $kind in
    file)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      return ;;
    folder)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$word")
      return ;;
    list) [[ $word == *,* ]] && kept=${word%,*}, ;;
    none) return ;;
  esac
  mapfile -t COMPREPLY < <(compgen -P "$kept" -W "$choices" -- "${word#"$kept"}")
  # bash replaces only what comes after a colon.
  [[ $word == *:* ]] && COMPREPLY=("${COMPREPLY[@]#"${word%:*}:"}")
}

_teff() {
  local words word before offer
  # Not COMP_WORDS: bash splits these at = and :
  read -ra words <<<"${COMP_LINE:0:COMP_POINT}"
  [[ ${COMP_LINE:0:COMP_POINT} == *[[:space:]] ]] && words+=('')
  word=${words[-1]}
  COMPREPLY=()
  if ((${#words[@]} == 2)); then
    _teff_offer words "$_teff_commands --help --version"
    return
  fi
  before=${words[-2]}
  if [[ $word == --*=* ]]; then
    before=${word%%=*}
    word=${word#*=}
  fi
  offer=$(_teff_values "${words[1]}" "$before")
  if [[ -z $offer && $word != -* ]]; then
    offer=$(_teff_values "${words[1]}" '')
  fi
  # shellcheck disable=SC2086  # these are words
  _teff_offer ${offer:-words $(_teff_options "${words[1]}")}
}

complete -F _teff teff
)bash";

std::string bash_script(std::span<const command_entry> commands, const completion_names& names,
                        std::span<const lab::bench_case> cases) {
  std::ostringstream out;
  out << "# bash completion of teff, written by `teff completion bash`.\n\n_teff_commands="
      << quoted(joined(command_names(commands))) << "\n\n_teff_options() {\n  case $1 in\n";
  for (const command_entry& command : commands)
    out << "    " << command.name << ") echo " << quoted(joined(option_names(command))) << " ;;\n";
  out << "  esac\n}\n\n"
         "# What the option $2 of the command $1 takes; '' is what the command itself takes.\n"
         "_teff_values() {\n  case $1,$2 in\n";
  for (const command_entry& command : commands) {
    bool has_positional = false;
    for (const option_entry& option : command.options) {
      if (option.value.empty() || (option.is_positional() && has_positional)) continue;
      has_positional = has_positional || option.is_positional();
      const std::string key = command.name + "," + (option.is_positional() ? "" : option.name);
      completed_value value = names.of(option.value);
      if (option.value == "VARIANTS") value.words = {"VARIANTS"};
      const std::string short_key =
          option.brief.empty() ? "" : " | " + command.name + "," + option.brief;
      out << "    " << key << short_key << ") echo " << quoted(bash_offer(value)) << " ;;\n";
    }
  }
  out << "  esac\n}\n\n_teff_variants_of() {\n  case $1 in\n";
  for (const lab::bench_case& one : cases) {
    std::vector<std::string> variants;
    for (const lab::variant& v : one.variants) add_once(variants, v.name);
    out << "    " << one.name << ") echo " << quoted(joined(variants)) << " ;;\n";
  }
  out << "    every_case) echo " << quoted(joined(names.variants))
      << " ;;\n    *) return 1 ;;\n  esac\n}\n"
      << bash_functions;
  return out.str();
}

std::string zsh_action(const completed_value& value) {
  switch (value.what) {
    case kind::words: {
      std::vector<std::string> safe;
      for (const std::string& word : value.words) safe.push_back(zsh_text(word));
      return "(" + joined(safe) + ")";
    }
    case kind::list:
      return "_sequence compadd - " + joined(value.words);
    case kind::file:
      return "_files";
    case kind::folder:
      return "_files -/";
    case kind::free:
      break;
  }
  return " ";
}

std::string zsh_script(std::span<const command_entry> commands, const completion_names& names) {
  std::ostringstream out;
  out << "#compdef teff\n# zsh completion of teff, written by `teff completion zsh`.\n\n"
         "_teff() {\n  local state\n  local -a commands\n  commands=(\n";
  for (const command_entry& command : commands)
    out << "    " << quoted(command.name + ":" + zsh_text(command.about)) << "\n";
  out << "  )\n  _arguments -C '--help[what teff does]' '--version[the version]' "
         "'1: :->command' '*:: :->rest'\n"
         "  case $state in\n    command) _describe command commands ;;\n"
         "    rest)\n      case $words[1] in\n";
  for (const command_entry& command : commands) {
    out << "        " << command.name << ")\n          _arguments '--help[what it does]'";
    for (const option_entry& option : command.options) {
      const std::string action = option.value.empty() ? ""
                                                      : ":" + zsh_text(option.value) + ":" +
                                                            zsh_action(names.of(option.value));
      const bool is_repeated = option.value.find("...") != std::string::npos;
      const std::string spec = option.is_positional()
                                   ? (is_repeated ? "*" : "") + action
                                   : option.name + (option.value.empty() ? "" : "=") + "[" +
                                         zsh_text(option.about) + "]" + action;
      if (!option.brief.empty())
        out << " \\\n            "
            << quoted(option.brief + "[" + zsh_text(option.about) + "]" + action);
      out << " \\\n            " << quoted(spec);
    }
    out << " ;;\n";
  }
  out << "      esac ;;\n  esac\n}\n\n"
         "if [[ $funcstack[1] == _teff ]]; then _teff \"$@\"; else compdef _teff teff; fi\n";
  return out.str();
}

std::string fish_script(std::span<const command_entry> commands, const completion_names& names) {
  std::ostringstream out;
  out << "# fish completion of teff, written by `teff completion fish`.\n\ncomplete -c teff -f\n"
         "complete -c teff -l help -d 'What it does'\n"
         "complete -c teff -n __fish_use_subcommand -l version -d 'The version'\n";
  for (const command_entry& command : commands) {
    out << "complete -c teff -n __fish_use_subcommand -a " << command.name << " -d "
        << quoted(command.about) << "\n";
    for (const option_entry& option : command.options) {
      const completed_value value = names.of(option.value);
      out << "complete -c teff -n '__fish_seen_subcommand_from " << command.name << "'";
      if (!option.is_positional()) out << " -l " << option.name.substr(2);
      if (!option.brief.empty()) out << " -s " << option.brief.substr(1);
      if (!option.is_positional() && !option.value.empty()) out << " -r";
      if (value.what == kind::words) out << " -f -a " << quoted(joined(value.words));
      if (value.what == kind::list)
        out << " -f -a " << quoted("(__fish_append , " + joined(value.words) + ")");
      if (value.what == kind::file) out << " -F";
      if (value.what == kind::folder) out << " -f -a '(__fish_complete_directories)'";
      out << " -d " << quoted(option.about) << "\n";
    }
  }
  return out.str();
}

}  // namespace

completed_value completion_names::of(const std::string& value) const {
  const auto has = [&](const char* part) { return value.find(part) != std::string::npos; };
  if (has("CASE")) return {kind::words, cases};
  if (has("SOLVER")) return {kind::words, solvers};
  if (has("DEVICE")) return {kind::words, devices};
  if (has("VARIANTS")) {
    completed_value all{kind::list, {"all", "best"}};
    all.words.insert(all.words.end(), variants.begin(), variants.end());
    return all;
  }
  if (has("TYPES")) return {kind::list, types};
  if (has("FOLDER")) return {kind::folder};
  if (has("FILE") || has(".json")) return {kind::file};
  completed_value choices{kind::words};
  std::istringstream left(value);
  for (std::string word; std::getline(left, word, '|');) choices.words.push_back(word);
  return choices.words.size() > 1 ? choices : completed_value{};
}

completion_names names_of(std::span<const lab::bench_case> cases) {
  completion_names names;
  for (const lab::bench_case& one : cases) {
    names.cases.push_back(one.name);
    for (const lab::variant& v : one.variants) add_once(names.variants, v.name);
    for (const std::string& type : one.types) add_once(names.types, type);
  }
  for (const solve::spec& one : solvers()) names.solvers.push_back(one.name);
  names.devices = {"cpu", "cuda"};
  for (int n = 0; n < cuda_device_count(); ++n)
    names.devices.push_back("cuda:" + std::to_string(n));
  return names;
}

std::string completion_script(const std::string& shell, std::span<const command_entry> commands,
                              std::span<const lab::bench_case> cases) {
  const completion_names names = names_of(cases);
  if (shell == "bash") return bash_script(commands, names, cases);
  if (shell == "zsh") return zsh_script(commands, names);
  if (shell == "fish") return fish_script(commands, names);
  throw lab::unknown_name("shell", shell, {"bash", "zsh", "fish"});
}

}  // namespace teff::app

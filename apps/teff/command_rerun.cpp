// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include <teff/base/error.hpp>
#include <teff/base/visible.hpp>
#include <teff/lab/machine.hpp>
#include <teff/lab/report_json.hpp>

#include <apps/teff/cli/output.hpp>
#include <apps/teff/commands.hpp>

namespace teff::app {

namespace {

/// Where results of a command go: options with a value, which is the next word or follows a "=".
constexpr std::array outputs{"--json", "--chart", "-o", "--output"};
constexpr std::array forms{"--csv", "--markdown"};

/// Where results go, in one word: "--json=a.json", "-ofolder".
bool is_output_in_one(const std::string& word) {
  return (word.starts_with("-o") && word.size() > 2) ||
         std::ranges::any_of(
             outputs, [&](const std::string& option) { return word.starts_with(option + "="); });
}

/// A folder that older files have without its -o: `teff lab` takes no word besides options.
bool is_stray(const std::vector<std::string>& words, const std::string& word) {
  return words.size() > 1 && words[1] == "lab" && !word.starts_with("-") &&
         (words.size() == 2 || (words.back() != "--device" && words.back() != "--budget"));
}

/// The words of a command but those that say where its results go.
std::vector<std::string> without_outputs(const std::string& command) {
  std::vector<std::string> kept;
  bool is_value = false;
  for (const std::string& word : lab::words_of(command)) {
    if (std::exchange(is_value, false)) continue;
    is_value = std::ranges::find(outputs, word) != outputs.end();
    const bool is_form = std::ranges::find(forms, word) != forms.end();
    if (!is_value && !is_form && !is_output_in_one(word) && !is_stray(kept, word))
      kept.push_back(word);
  }
  return kept;
}

/// The arguments of `words`, whose results go to the file `again`.
arguments arguments_to(const std::string& again, std::vector<std::string> words) {
  const bool is_lab = words[1] == "lab";
  words.insert(words.end(), {is_lab ? "--output" : "--json", again});
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return read_arguments(static_cast<int>(argv.size()), argv.data());
}

}  // namespace

int run_rerun(const arguments& all) {
  const std::string command = lab::read_report(all.a).where.command;
  const std::vector<std::string> words = without_outputs(command);
  constexpr std::array measuring{"peak", "bench", "ladder", "scale", "lab"};
  if (words.size() < 2 || words[0] != "teff" ||
      std::ranges::find(measuring, words[1]) == measuring.end() ||
      std::ranges::find(words, "--from") != words.end())
    throw error(failure::usage, "rerun: '" + all.a + "' was not measured by teff peak, bench, " +
                                    "ladder, scale or lab, but by '" + runtime::visible(command) +
                                    "'");
  const bool is_lab = words[1] == "lab";
  const std::filesystem::path again = all.again;
  if (std::error_code none; std::filesystem::equivalent(all.a, again, none))
    throw error(failure::usage, "--output: '" + all.again + "' would replace what is read");

  remark(runtime::visible(lab::without_folders(words)), all.output);
  const std::filesystem::path folder = again.parent_path() / again.stem();
  const int status = run(arguments_to(is_lab ? folder.string() : again.string(), words));

  arguments compared = all;
  compared.b = is_lab ? (folder / "results.json").string() : again.string();
  const int verdict = run_compare(compared);
  return status != 0 ? status : verdict;
}

}  // namespace teff::app

// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <map>

#include <teff/base/error.hpp>
#include <teff/solve/help_format.hpp>
#include <teff/solve/option_values.hpp>

#include <apps/teff/cli/arguments.hpp>
#include <apps/teff/cli/completion.hpp>
#include <apps/teff/cli/help.hpp>
#include <apps/teff/cli/option_tree.hpp>
#include <apps/teff/cli/output.hpp>

namespace teff::app {

namespace {

void add_output(CLI::App& app, output_options& output) {
  app.add_option("--json", output.json,
                 "Also write JSON to this file; - for stdout, then only that")
      ->type_name("FILE");
  app.add_flag("--csv", output.csv, "CSV instead of the table, every number in full");
  app.add_flag("--markdown", output.markdown, "The table in Markdown");
}

void add_device(CLI::App& app, arguments& all) {
  solve::add_device(app, all.device);
}

void add_budget(CLI::App& app, arguments& all, const std::string& what) {
  app.add_option("--budget", all.budget_s, what)->type_name("SECONDS");
}

template <class T>
void add_list(CLI::App& app, const char* name, std::vector<T>& values, const std::string& what,
              const char* type = "LIST") {
  // Without this `--type f64 copy` would take the case for a second type.
  app.add_option(name, values, what)->delimiter(',')->type_name(type)->allow_extra_args(false);
}

/// What the commands that measure cases have in common.
void add_measuring(CLI::App& app, arguments& all, std::string& cache) {
  add_list(app, "--type", all.wanted.types,
           "Element types: f64,f32,i64,i32,u8 (default: the case's first)", "TYPES");
  add_list(app, "--shape", all.wanted.shapes,
           "Shapes such as 512x512x512,1000x1x1; x, the first extent, is contiguous");
  add_list(app, "--dim", all.wanted.dims, "Only variants along these dims: 0,2", "N,...");
  add_list(app, "--ranks", all.wanted.ranks,
           "Of cases on a grid (grid2d, ...): ranks that share it (default: one a core)", "N,...");
  add_device(app, all);
  app.add_option("--cache", cache, "warm, or cold: emptied before each sample")
      ->type_name("warm|cold");
  add_budget(app, all, "Fit the run into about so many seconds");
  add_output(app, all.output);
}

void add_choices(CLI::App& app, arguments& all) {
  add_list(app, "--variant", all.wanted.variants,
           "all, best (what a user of the library would write), or names", "VARIANTS");
  add_list(app, "--threads", all.wanted.threads,
           "Threads of a block, of kernels that can choose: 32x8,64x4");
  add_list(app, "--depth", all.wanted.depths, "Steps per pass of the temporal variant: 2,4,8",
           "N,...");
  add_list(app, "--exchange-every", all.wanted.exchanges,
           "Of cases on ranks: steps between exchanges of halos: 1,8,16", "N,...");
}

void add_bench(CLI::App& bench, arguments& all, std::string& cache) {
  bench.add_option("case", all.wanted.cases, "Cases to time (default: all); teff list shows them")
      ->type_name("[CASE...]");
  add_choices(bench, all);
  add_measuring(bench, all, cache);
  bench.add_flag("--no-ceilings", all.has_no_ceilings,
                 "Do not measure what memory can do: no fractions, but seconds sooner");
  bench.add_flag("--counters", all.has_counters,
                 "Have ncu count what DRAM moves, and name the unit that limits; on a GPU");
  bench.add_flag("--counted-run", all.is_counted)->group("");  // what --counters runs under ncu
}

void add_ladder(CLI::App& ladder, arguments& all, std::string& cache) {
  ladder.add_option("case", all.wanted.cases, "The case to climb; teff list shows them")
      ->type_name("CASE");
  add_measuring(ladder, all, cache);
}

void add_scale(CLI::App& scale, arguments& all, std::string& cache) {
  scale.add_option("case", all.wanted.cases, "The case to measure; teff list shows them")
      ->type_name("CASE");
  scale
      .add_option("--chart", all.chart,
                  "Also draw T_eff over sizes: a .svg or .png file (needs gnuplot)")
      ->type_name("FILE");
  scale
      .add_option("--from", all.earlier,
                  "Measure nothing: the table and chart of the JSON file of an earlier run")
      ->type_name("FILE");
  scale.add_flag("--strong", all.is_strong,
                 "Over ranks: the whole grid stays the same (what --ranks does by itself)");
  scale.add_flag("--weak", all.is_weak,
                 "Over ranks: each rank's part stays the same; --shape is that of one");
  add_choices(scale, all);
  add_measuring(scale, all, cache);
}

void add_threshold(CLI::App& app, double& percent) {
  app.add_option("--threshold", percent, "Percent that count as the same (default 2)")
      ->type_name("PERCENT");
}

void add_ab(CLI::App& ab, arguments& all, std::string& cache, double& threshold_percent) {
  ab.add_option("case", all.wanted.cases, "The case to judge; teff list shows them")
      ->type_name("CASE");
  ab.add_option("--against", all.against, "Another build of teff, as A; this one is B")
      ->type_name("FILE");
  ab.add_option("--rounds", all.rounds, "With --against: runs of each (default 12)")
      ->type_name("N");
  add_threshold(ab, threshold_percent);
  add_choices(ab, all);
  add_measuring(ab, all, cache);
}

/// The subcommand of `app` that was used, or null.
CLI::App* used_subcommand(CLI::App& app) {
  const auto used = app.get_subcommands();
  return used.empty() ? nullptr : used.front();
}

/// The words that no option or subcommand took.
void refuse_leftovers(const CLI::App& root, const CLI::App* used) {
  const CLI::App& app = used == nullptr ? root : *used;
  const std::vector<std::string> left = root.remaining(true);
  if (left.empty()) return;
  const std::string& word = left.front();
  const bool is_option = word.size() > 1 && word.front() == '-';
  if (used != nullptr || is_option)
    solve::refuse_word(app, word, used == nullptr ? "teff" : "teff " + used->get_name());
  std::vector<std::string> names;
  for (const CLI::App* sub : root.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  throw lab::unknown_name("command", word, names);
}

void check_solve_command(const CLI::App& solve, const solve::solve_arguments& all) {
  check_solve(solve, all);
  const bool has_options = std::ranges::any_of(
      solve.get_options(), [](const CLI::Option* option) { return option->count() > 0; });
  if (all.name.empty() && all.resume.empty() && has_options)
    throw error(failure::usage,
                "solve: expected a solver: teff solve NAME (teff solve lists them)");
}

/// What is not measured takes no options of measuring.
void check_earlier(const CLI::App& scale) {
  const std::vector<std::string> taken{"from", "chart", "json", "csv", "markdown", "case"};
  for (const CLI::Option* option : scale.get_options())
    if (option->count() > 0 && std::ranges::find(taken, option->get_single_name()) == taken.end())
      throw error(failure::usage, "scale --from measures nothing, so it takes no --" +
                                      option->get_single_name() +
                                      "; expected only --chart, --json, --csv or --markdown");
}

/// Outputs that are no file.
void check_files(const arguments& all, const CLI::App* used) {
  const CLI::Option* json = used == nullptr ? nullptr : used->get_option_no_throw("--json");
  if (json != nullptr && json->count() > 0 && all.output.json.empty())
    throw error(failure::usage, "--json: expected a file, or - for stdout, got ''");
  if (all.what == command::report && (all.page == "-" || all.page.empty()))
    throw error(failure::usage, "--output: expected a file for the page, got '" + all.page + "'");
}

void check_values(const arguments& all, const CLI::App* used, const std::string& cache) {
  if (cache != "warm" && cache != "cold")
    throw lab::unknown_name("cache state", cache, {"warm", "cold"});
  const bool has_budget = used != nullptr && used->get_option_no_throw("--budget") != nullptr &&
                          used->count("--budget") > 0;
  if (has_budget && !(all.budget_s > 0 && std::isfinite(all.budget_s)))
    throw error(failure::usage, "--budget: expected a number of seconds above 0");
  if (!(all.threshold >= 0 && all.threshold < 1))
    throw error(failure::usage, "--threshold: expected 0 percent or more, and less than 100");
  if (all.what == command::compare && all.b.empty())
    throw error(failure::usage, "compare: expected two files: teff compare A.json B.json");
  if (all.what == command::rerun && all.a.empty())
    throw error(failure::usage, "rerun: expected a file: teff rerun results.json");
  if (all.what == command::report && all.files.empty())
    throw error(failure::usage, "report: expected files: teff report results.json");
  if (all.what == command::solve) check_solve_command(*used, all.solve);
  if (all.what == command::scale && !all.earlier.empty()) check_earlier(*used);
  check_files(all, used);
  if (!(all.rounds >= 8 && all.rounds <= 1000))
    throw error(failure::usage, "--rounds: expected 8 to 1000, got " + std::to_string(all.rounds) +
                                    "; with fewer than 8 nothing can be concluded");
  if (all.is_weak && all.is_strong)
    throw error(failure::usage, "--weak and --strong: only one of them can stay the same");
  const output_options& out = all.output;
  if ((out.json == "-") + out.csv + out.markdown > 1)
    throw error(failure::usage, "--json -, --csv and --markdown: only one of them can have stdout");
}

/// What is checked or converted after parsing.
struct raw_values {
  std::string cache = "warm";
  double threshold_percent = 2;
  std::map<const CLI::App*, command> commands = {};  ///< by their place in the tree

  /// @throws for a subcommand that add_commands() did not note
  command what(const CLI::App* used) const {
    return used == nullptr ? command::none : commands.at(used);
  }
};

/// The option tree: every command and option, bound to what it sets.
void add_commands(CLI::App& app, arguments& all, raw_values& raw) {
  std::string& cache = raw.cache;
  double& threshold_percent = raw.threshold_percent;
  app.set_version_flag("--version", version_text());
  app.require_subcommand(0, 1);
  app.allow_extras();
  const auto add = [&](command what, const char* name, const char* about) -> CLI::App& {
    CLI::App& sub = *app.add_subcommand(name, about);
    raw.commands[&sub] = what;
    return sub;
  };

  CLI::App& info = add(command::info, "info", "The devices here, their memory, and how fast it is");
  info.add_flag("--quick", all.is_quick, "Do not measure");
  CLI::App& peak = add(command::peak, "peak", "T_peak: what memory and arithmetic can do here");
  add_device(peak, all);
  add_budget(peak, all, "Fit the run into about so many seconds");
  add_output(peak, all.output);
  CLI::App& list = add(command::list, "list", "What can be measured");
  list.add_option("case", all.case_name, "The case to describe")->type_name("[CASE]");
  CLI::App& bench = add(command::bench, "bench", "Check and time the variants of cases");
  add_bench(bench, all, cache);
  CLI::App& ladder = add(command::ladder, "ladder", "From the naive way to the best, step by step");
  add_ladder(ladder, all, cache);
  CLI::App& scale = add(command::scale, "scale", "One case over sizes, with T_peak as a line");
  add_scale(scale, all, cache);
  CLI::App& solve = add(command::solve, "solve", "Run a solver: pictures, files, checkpoints");
  add_solve(solve, all.solve);
  add_device(solve, all);
  solve::add_json(solve, all.output.json);
  CLI::App& compare =
      add(command::compare, "compare", "Same, faster, slower or unclear: two JSON files");
  compare.add_option("a", all.a, "The earlier results")->type_name("A.json");
  compare.add_option("b", all.b, "The later results")->type_name("B.json");
  add_threshold(compare, threshold_percent);
  compare.add_flag("--csv", all.output.csv, "CSV instead of the table");
  compare.add_flag("--markdown", all.output.markdown, "The table in Markdown");
  CLI::App& rerun =
      add(command::rerun, "rerun", "The command of a JSON file once more, compared with it");
  rerun.add_option("a", all.a, "The earlier results")->type_name("A.json");
  rerun.add_option("-o,--output", all.again, "The new results (default again.json)")
      ->type_name("FILE.json");
  add_threshold(rerun, threshold_percent);
  CLI::App& ab = add(command::ab, "ab", "Two variants, or two builds, measured in turns");
  add_ab(ab, all, cache, threshold_percent);
  CLI::App& report =
      add(command::report, "report", "JSON files as one page of HTML: findings, tables, charts");
  report.add_option("file", all.files, "Results of one machine, as --json wrote them")
      ->type_name("FILE.json");
  report.add_option("-o,--output", all.page, "The page (default report.html)")->type_name("FILE");
  add_list(report, "--picture", all.pictures, "PNG files to show, captioned by their names");
  add_list(report, "--against", all.before, "Earlier results: what changed since is shown");
  CLI::App& lab =
      add(command::lab, "lab", "All of it at default sizes, with a table and a picture");
  add_device(lab, all);
  add_budget(lab, all, "Fit the run into about so many seconds (default 180)");
  lab.add_option("-o,--output", all.folder,
                 "Folder for report.html, results.json and temperature.png (default teff-lab)")
      ->type_name("FOLDER");
  lab.add_flag("--markdown", all.output.markdown, "The table in Markdown");
  CLI::App& completion = add(command::completion, "completion",
                             "A script that makes a shell complete commands, options and names");
  completion.add_option("shell", all.form, "The shell")->type_name(completion_shells);
  CLI::App& document =
      add(command::document, "document", "The manual page, or the tables of the docs");
  document.add_option("form", all.form, "The form")->type_name("man|markdown");
  document.group("");  // not shown by --help
  for (CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; })) {
    sub->allow_extras();
    if (sub != &document) sub->group("Commands");
    solve::check_numbers(*sub);
  }
}

/// What CLI11 says of a number that its type can not hold, "Could not convert: --depth = 1e18".
std::string in_our_words(const std::string& said) {
  const std::string start = "Could not convert: ", between = " = ";
  const std::size_t at = said.find(between);
  if (!said.starts_with(start) || at == std::string::npos) return said;
  return said.substr(start.size(), at - start.size()) + ": expected a smaller number, got '" +
         said.substr(at + between.size()) + "'";
}

}  // namespace

arguments read_arguments(int argc, char** argv) {
  arguments all;
  all.words.assign(argv, argv + argc);
  if (!all.words.empty()) all.words.front() = "teff";
  raw_values raw;
  CLI::App app{help_of(command::none), "teff"};
  app.footer(exit_statuses);
  solve::lay_out_help(app);
  add_commands(app, all, raw);

  std::vector<std::string> words(all.words.rbegin(), all.words.rend());  // as CLI11 takes them
  if (!words.empty()) words.pop_back();
  if (!words.empty() && words.back() == "help") words.back() = "--help";
  try {
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    CLI::App* used = used_subcommand(app);
    if (used == nullptr)
      refuse_leftovers(app, used);
    else
      used->description(help_of(raw.what(used)));
    to_stdout(used == nullptr ? app.help() : used->help("teff"));
    all.is_done = true;
    return all;
  } catch (const CLI::CallForVersion&) {
    to_stdout(version_text() + "\n");
    all.is_done = true;
    return all;
  } catch (const CLI::ParseError& problem) {
    throw error(failure::usage, in_our_words(problem.what()));
  }
  const CLI::App* used = used_subcommand(app);
  refuse_leftovers(app, used);
  if (used == nullptr) {
    to_stdout(app.help());
    all.is_done = true;
    return all;
  }
  all.what = raw.what(used);
  all.is_cold = raw.cache == "cold";
  all.threshold = raw.threshold_percent / 100;
  check_values(all, used, raw.cache);
  return all;
}

std::string command_entry::usage() const {
  std::string line = "teff " + name;
  for (const option_entry& option : options)
    if (option.is_positional()) line += " " + option.value;
  return line;
}

std::vector<command_entry> option_tree() {
  arguments unused;
  raw_values raw;
  CLI::App app;
  add_commands(app, unused, raw);
  std::vector<command_entry> commands;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (sub->get_group().empty()) continue;
    command_entry entry{sub->get_name(), sub->get_description(), help_of(raw.what(sub)), {}};
    for (const CLI::Option* option : sub->get_options()) {
      if (option == sub->get_help_ptr() || option->get_group().empty()) continue;
      const bool is_flag = option->get_items_expected_max() == 0;
      const std::vector<std::string>& brief = option->get_snames();
      entry.options.push_back({option->get_name(), is_flag ? "" : option->get_type_name(),
                               option->get_description(),
                               brief.empty() ? "" : "-" + brief.front()});
    }
    commands.push_back(std::move(entry));
  }
  return commands;
}

}  // namespace teff::app

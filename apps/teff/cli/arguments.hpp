// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/lab/selection.hpp>
#include <teff/solve/arguments.hpp>

namespace teff::app {

enum class command {
  none,
  info,
  peak,
  list,
  bench,
  ladder,
  scale,
  solve,
  compare,
  rerun,
  ab,
  report,
  lab,
  completion,
  document
};

/// Where results go. With a machine's format on stdout nothing else is written there.
struct output_options {
  std::string json;  ///< a file, "-" for stdout, or ""
  bool csv = false;
  bool markdown = false;
};

/// The command line, read and checked as far as it can be without the device.
struct arguments {
  command what = command::none;
  std::vector<std::string> words;  ///< as typed, the program's name first
  output_options output;
  std::string device;   ///< "" for the default one
  lab::request wanted;  ///< cases, types, variants, dims, shapes, threads, depths
  bool is_cold = false;
  bool has_no_ceilings = false;             ///< bench --no-ceilings
  bool has_counters = false;                ///< bench --counters
  bool is_counted = false;                  ///< bench --counted-run, which --counters runs
  double budget_s = 0;                      ///< 0: none given
  std::string case_name;                    ///< list CASE
  std::string chart;                        ///< scale --chart; "" for none
  std::string earlier;                      ///< scale --from; "" for none
  bool is_weak = false, is_strong = false;  ///< scale --weak, --strong
  solve::solve_arguments solve;
  std::string a, b;                  ///< compare A B; rerun A
  std::string again = "again.json";  ///< rerun --output
  double threshold = 0.02;
  std::string against;                ///< ab --against; "" for two variants
  int rounds = 12;                    ///< ab --rounds
  std::string folder = "teff-lab";    ///< lab --output
  std::vector<std::string> files;     ///< report FILE...
  std::string page = "report.html";   ///< report --output
  std::vector<std::string> pictures;  ///< report --picture
  std::vector<std::string> before;    ///< report --against
  bool is_quick = false;              ///< info --quick
  std::string form;                   ///< completion bash|zsh|fish, document man|markdown
  /// What --help or --version printed; then there is nothing else to do.
  bool is_done = false;
};

/// Reads the command line. Help and version go to stdout.
/// @throws error (usage) with one sentence and the nearest name
arguments read_arguments(int argc, char** argv);

}  // namespace teff::app

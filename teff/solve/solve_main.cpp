// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/solve/command.hpp>
#include <teff/solve/completion.hpp>
#include <teff/solve/console.hpp>
#include <teff/solve/help_format.hpp>
#include <teff/solve/option_values.hpp>
#include <teff/solve/solve_main.hpp>

namespace teff::solve {

namespace {

constexpr const char* exit_statuses =
    R"(Exit status: 0 ok, 1 failed while running, 2 wrong usage, 5 out of memory, 6 a
field is not finite, 7 no such device, 130 interrupted.)";

/// A number that a user could set, other than its default where that can be.
std::string example_of(const solver_number& n) {
  const double other = n.value != 0 ? n.value / 2 : 1;
  return n.name + "=" + number_text(n.takes(other) ? other : n.value);
}

std::string help_of(const spec& what) {
  std::string text = what.about.empty() ? "A solver." : what.about;
  text += "\n";
  if (!what.numbers.empty()) text += "\nNumbers, as --set NAME=X:\n";
  std::size_t width = 0;
  for (const solver_number& n : what.numbers)
    width = std::max(width, (n.name + "=" + number_text(n.value)).size());
  for (const solver_number& n : what.numbers) {
    std::string word = n.name + "=" + number_text(n.value);
    word.resize(width + 2, ' ');
    text += "  " + word + n.about + (n.about.empty() ? "" : "; ") + n.expected() + "\n";
  }
  const std::string& name = what.name;
  text +=
      "\nExamples:\n  " + name + " --steps " + std::to_string(what.steps) + " --show\n  " + name;
  if (!what.numbers.empty()) text += " --set " + example_of(what.numbers.front());
  text += " --picture " + name + ".png --save " + name + ".npy\n  " + name + " --checkpoint " +
          name + ".ckpt\n  " + name + " --resume " + name + ".ckpt --steps " +
          std::to_string(2 * what.steps) + "\n";
  return text;
}

/// The word by which a shell knows the program.
std::string program_of(const std::string& path, const spec& what) {
  const std::string file = path.substr(path.rfind('/') + 1);
  return file.empty() ? what.name : file;
}

int run(const std::vector<std::string>& words, const spec& what, bool has_kernels) {
  check_spec(what);
  run_request request{.words = words};
  std::string device_name, shell;
  CLI::App app{help_of(what), what.name};
  app.footer(exit_statuses);
  lay_out_help(app);
  add_solve(app, request.asked, &what);
  add_device(app, device_name);
  add_json(app, request.json);
  app.add_option("--completion", shell, "A script that makes this shell complete the options")
      ->type_name("bash|zsh|fish");
  check_numbers(app);
  app.allow_extras();
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend() - 1));  // as CLI11 takes them
  } catch (const CLI::CallForHelp&) {
    to_stdout(app.help());
    return 0;
  } catch (const CLI::ParseError& problem) {
    throw error(failure::usage, problem.what());
  }
  if (const std::vector<std::string> left = app.remaining(); !left.empty())
    refuse_word(app, left.front(), what.name);
  if (app.count("--completion") > 0) {
    to_stdout(completion_of(app, program_of(words.front(), what), shell));
    return 0;
  }
  check_solve(app, request.asked);
  request.dev = device_name.empty() ? choose_device(has_kernels) : parse_device(device_name);
  if (request.dev.is_cuda() && !has_kernels)
    throw error(failure::usage, "--device " + device_name + ": " + what.name +
                                    " was compiled for the CPU only (teff_enable_cuda in its CMake "
                                    "file compiles it for both)");
  return run_solver(request, [&](const std::string& name) -> const spec& {
    if (!name.empty() && name != what.name)
      throw error(failure::usage, "checkpoint '" + request.asked.resume + "' is of " + name +
                                      ", and this is " + what.name);
    return what;
  });
}

}  // namespace

int run_command(int argc, char** argv, const spec& what, bool has_kernels) {
  speak_as(what.name.empty() ? "solve_main" : what.name);
  const std::vector<std::string> words =
      argc > 0 ? std::vector<std::string>(argv, argv + argc) : std::vector<std::string>{what.name};
  return exit_status_of([&] { return run(words, what, has_kernels); });
}

}  // namespace teff::solve

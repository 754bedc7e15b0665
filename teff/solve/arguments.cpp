// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <teff/base/error.hpp>
#include <teff/base/readable.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/solve/arguments.hpp>
#include <teff/stencil/options.hpp>

namespace teff::solve {

namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw error(failure::usage, why);
}

/// "automatic|stepwise|...".
std::string schedule_choices() {
  std::string choices;
  for (const schedule s : schedules())
    choices += (choices.empty() ? "" : "|") + std::string(schedule_name(s));
  return choices;
}

/// What a command can say of its only solver.
std::string default_of(const spec* own, const std::string& text) {
  return own == nullptr ? "" : " (default: " + text + ")";
}

void add_physics(CLI::App& solve, solve_arguments& all, const spec* own) {
  const bool is_any = own == nullptr;
  if (is_any)
    solve.add_option("name", all.name, "The solver; without one they are listed")
        ->type_name("[SOLVER]");
  if (is_any || own->rank() > 0)
    solve
        .add_option("--shape", all.shape,
                    is_any ? "Points or cells along x, y, z: 511x511"
                           : "How many " + own->places + default_of(own, shape_text(own->shape)))
        ->type_name("SHAPE");
  solve
      .add_option("--steps", all.steps,
                  "Steps in all, those before a checkpoint included" +
                      default_of(own, is_any ? "" : std::to_string(own->steps)))
      ->type_name("N");
  const std::vector<std::string> types = is_any ? spec{}.types : own->types;
  CLI::Option* const type =
      solve.add_option("--type", all.type, "The element type" + default_of(own, types.front()))
          ->type_name(runtime::joined(types, "|"));
  if (types.size() == 1) type->group("");  // not shown: there is no choice
  if (is_any || !own->numbers.empty())
    solve
        .add_option("--set", all.numbers,
                    is_any ? "The solver's numbers: lam=1,lx=10"
                           : "The solver's numbers: " + own->numbers.front().name + "=" +
                                 number_text(own->numbers.front().value))
        ->delimiter(',')
        ->type_name("NAME=X,...")
        ->allow_extra_args(false);
}

void add_numerics(CLI::App& solve, solve_arguments& all, const spec* own) {
  const bool is_any = own == nullptr;
  CLI::Option* const dt =
      solve
          .add_option("--dt", all.dt,
                      is_any ? "Time step (default: just below the stability limit)"
                             : "Time step (default: the solver's own)")
          ->type_name("X");
  if (!is_any && !own->has_dt) dt->group("");  // not shown, and refused with the reason
  if (is_any || own->dt_limit)
    solve.add_flag("--force-dt", all.force_dt, "Take --dt even above the stability limit");
  if (is_any)
    solve.add_flag("--force-cfl", all.force_cfl, "Take --set cfl=X even above the stability limit");
  if (is_any || own->tolerance > 0)
    solve.add_option("--tolerance", all.tolerance, "End where the residual is no more; 0: never")
        ->type_name("X");
  solve
      .add_option("--check-every", all.check_every,
                  "Steps between checks for values that are not finite; 0: none")
      ->type_name("N");
  solve.add_option("--schedule", all.schedule, "How steps pass through memory")
      ->type_name(schedule_choices());
  solve.add_option("--depth", all.depth, "Steps per pass of the temporal schedule")->type_name("K");
  if (is_any || own->is_for_ranks)
    solve.add_option("--ranks", all.ranks, "Share the grid between so many ranks of threads")
        ->type_name("N");
}

void add_files(CLI::App& solve, solve_arguments& all) {
  solve
      .add_option("--picture", all.picture,
                  "The leading field at the end: a .png heat map (3-D: the middle plane; 1-D: a "
                  "line chart, .png or .svg)")
      ->type_name("FILE");
  solve.add_option("--limits", all.limits, "Values of the first and the last colour: LO,HI")
      ->delimiter(',')
      ->type_name("LO,HI")
      ->allow_extra_args(false);
  solve.add_flag("--axes", all.has_axes, "Pictures with axes and a bar of colours (needs gnuplot)");
  solve.add_flag("--show", all.show, "A small picture in the terminal");
  solve.add_option("--frames", all.frames, "Pictures on the way: PREFIX_000100.png and so on")
      ->type_name("PREFIX");
  solve
      .add_option("--animation", all.animation,
                  "The same as one .gif (needs gnuplot) or .mp4 (needs ffmpeg)")
      ->type_name("FILE");
  solve.add_option("--every", all.every, "Steps between frames (default: a fiftieth of all)")
      ->type_name("N");
  solve
      .add_option("--save", all.save,
                  "Fields at the end: .npy the leading one, .vti all of them (ParaView)")
      ->delimiter(',')
      ->type_name("FILE,...")
      ->allow_extra_args(false);
  solve
      .add_option("--checkpoint", all.checkpoint,
                  "Keep the state in this file, on Ctrl-C, SIGTERM and SIGHUP too")
      ->type_name("FILE");
  solve
      .add_option("--checkpoint-every", all.checkpoint_every_s,
                  "Seconds between checkpoints (default 60)")
      ->type_name("SECONDS");
  solve.add_option("--resume", all.resume, "Go on from a checkpoint, to the same bits")
      ->type_name("FILE");
}

/// The file that a name leads to; "" for one that many may write, such as /dev/stdout.
std::filesystem::path file_behind(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code none;
  if (name == "-" || (fs::exists(name, none) && !fs::is_regular_file(name, none))) return {};
  // Absolute first: a relative path whose first part is not there would stay relative.
  fs::path file = fs::weakly_canonical(fs::absolute(io::behind_links(name), none), none);
  return none ? fs::path(name) : file;
}

[[noreturn]] void refuse_same(const std::string& a, const std::string& b, const std::string& file) {
  refuse(a + " and " + b + " name the same file, '" + file + "'");
}

/// The names that frames get, whatever their steps.
class frame_names {
 public:
  explicit frame_names(const std::string& prefix) : prefix_(prefix) {
    std::error_code none;
    const std::filesystem::path start = std::filesystem::absolute(frame_beginning(prefix), none);
    begin_ = start.filename().string();
    // Joined and taken apart, since that of "nowhere/.." ends in a slash.
    folder_ = (std::filesystem::weakly_canonical(start.parent_path(), none) / begin_).parent_path();
  }
  bool has(const std::filesystem::path& file) const {
    constexpr std::size_t least_digits = 6;
    const std::string name = file.filename().string(), end = ".png";
    if (file.parent_path() != folder_ || !name.starts_with(begin_) || !name.ends_with(end) ||
        name.size() < begin_.size() + least_digits + end.size())
      return false;
    return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(begin_.size()),
                       name.end() - static_cast<std::ptrdiff_t>(end.size()),
                       [](char c) { return c >= '0' && c <= '9'; });
  }
  [[noreturn]] void refuse_other(const std::string& option, const std::string& name) const {
    refuse("--frames and " + option + " name the same file: frames are " +
           frame_beginning(prefix_) + "000000.png and so on, got " + option + " '" + name +
           "'; give one of them another name");
  }

 private:
  std::string prefix_, begin_;
  std::filesystem::path folder_;
};

/// A checkpoint may be written where it was read; all others need a file of their own.
void check_files(const CLI::App& solve) {
  struct named_file {
    std::string option;
    std::filesystem::path file;
    std::string name;
  };
  std::vector<named_file> files;
  for (const std::string& option :
       std::vector<std::string>{"--resume", "--checkpoint", "--picture", "--frames", "--animation",
                                "--save", "--json"}) {
    const std::vector<std::string> names = solve.get_option(option)->results();
    if (solve.count(option) > 0 && (names.empty() || std::ranges::count(names, "") > 0))
      refuse(option + ": expected a name, got an empty one");
    if (option == "--frames") continue;  // their names are made, and compared below
    for (const std::string& name : names) {
      const std::filesystem::path file = file_behind(name);
      if (file.empty()) continue;
      const auto same = std::ranges::find(files, file, &named_file::file);
      if (same != files.end() && !(same->option == "--resume" && option == "--checkpoint"))
        refuse_same(same->option, option, name);
      files.push_back({option, file, name});
    }
  }
  if (solve.count("--frames") == 0) return;
  const frame_names frames(solve.get_option("--frames")->results().front());
  for (const named_file& other : files)
    if (frames.has(other.file)) frames.refuse_other(other.option, other.name);
}

}  // namespace

std::string frame_beginning(const std::string& prefix) {
  return prefix.ends_with('_') || prefix.ends_with('/') ? prefix : prefix + "_";
}

void add_solve(CLI::App& solve, solve_arguments& all, const spec* own) {
  add_physics(solve, all, own);
  add_numerics(solve, all, own);
  add_files(solve, all);
}

void add_device(CLI::App& app, std::string& device) {
  app.add_option("--device", device,
                 "cpu, cuda or cuda:N (default: TEFF_DEVICE, else the first GPU, else cpu)")
      ->type_name("DEVICE");
}

void add_json(CLI::App& app, std::string& json) {
  app.add_option("--json", json, "What the run did as JSON; - for stdout")->type_name("FILE");
}

void check_solve(const CLI::App& solve, const solve_arguments& all) {
  // Checkpoints hold them as f64, which has all whole numbers up to here.
  constexpr index_t most_steps = index_t{1} << 53;
  if (all.steps && (*all.steps < 0 || *all.steps > most_steps))
    refuse("--steps: expected 0 to 2^53");
  if (all.check_every && (*all.check_every < 0 || *all.check_every > most_steps))
    refuse("--check-every: expected 0 to 2^53");
  if (all.every && *all.every < 1) refuse("--every: expected 1 or more");
  if (all.dt && !(*all.dt > 0 && std::isfinite(*all.dt)))
    refuse("--dt: expected a time step above 0");
  if (all.force_dt && !all.dt) refuse("--force-dt: needs --dt");
  if (all.force_cfl && std::ranges::none_of(all.numbers, [](const std::string& word) {
        return word.starts_with("cfl=");
      }))
    refuse("--force-cfl: needs --set cfl=X");
  if (all.ranks && (*all.ranks < 1 || *all.ranks > 1024))
    refuse("--ranks: expected 1 to 1024, got " + std::to_string(*all.ranks));
  if (all.tolerance && !(*all.tolerance >= 0 && std::isfinite(*all.tolerance)))
    refuse("--tolerance: expected a finite number, 0 or more");
  if (!(all.checkpoint_every_s > 0)) refuse("--checkpoint-every: expected seconds above 0");
  if (solve.count("--checkpoint-every") > 0 && all.checkpoint.empty())
    refuse("--checkpoint-every: needs --checkpoint FILE");
  if (all.every && all.frames.empty() && all.animation.empty())
    refuse("--every: needs --frames PREFIX or --animation FILE");
  if (!all.limits.empty() && !(all.limits.size() == 2 && all.limits[0] < all.limits[1] &&
                               std::isfinite(all.limits[1] - all.limits[0])))
    refuse("--limits: expected two finite numbers, the lower one first: --limits 0,10");
  for (const schedule s : schedules())
    if (all.depth && !takes_depth(s) && all.schedule == schedule_name(s))
      refuse("--depth: is for --schedule temporal, got " + all.schedule);
  check_files(solve);
  for (const std::string& file : all.save)
    if (!file.ends_with(".npy") && !file.ends_with(".vti"))
      refuse("--save: a file must end in .npy or .vti, got '" + file + "'");
}

}  // namespace teff::solve

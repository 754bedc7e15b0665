// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>

#include <teff/kernel/launch_shape.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/selection.hpp>

namespace teff::lab {

using runtime::numbers_between_x;

namespace {

constexpr int most_depth = 64;
constexpr int most_ranks = 1024;

template <class T>
bool contains(const std::vector<T>& all, const T& wanted) {
  return std::ranges::find(all, wanted) != all.end();
}

std::vector<std::string> names_of(const bench_case& c, device dev, const std::string& type) {
  std::vector<std::string> names;
  for (const variant& v : c.variants)
    if (v.runs_on(dev) && v.takes_type(type)) names.push_back(v.name);
  return names;
}

const variant* find_variant(const bench_case& c, const std::string& name) {
  const auto found = std::ranges::find(c.variants, name, &variant::name);
  return found == c.variants.end() ? nullptr : &*found;
}

rung with_threads(const std::string& base, const std::string& threads) {
  return {base + "-" + threads, base, {parse_threads(threads), 0}};
}

rung with_exchanges(const std::string& base, int every) {
  if (every < 1 || every > most_depth)
    throw error(failure::usage, "exchange-every: expected 1 to " + std::to_string(most_depth) +
                                    " steps, got " + std::to_string(every));
  return {base + "-" + std::to_string(every), base, {{}, 0, every}};
}

rung with_depth(const std::string& base, int depth) {
  if (depth < 1 || depth > most_depth)
    throw error(failure::usage, "depth: expected 1 to " + std::to_string(most_depth) + ", got " +
                                    std::to_string(depth));
  return {base + "-" + std::to_string(depth), base, {{}, depth}};
}

/// A name such as "kernel-32x8" or "temporal-4": a variant and what is chosen for it.
std::optional<rung> tuned_variant(const bench_case& c, const std::string& name) {
  const auto dash = name.rfind('-');
  if (dash == std::string::npos) return std::nullopt;
  const std::string base = name.substr(0, dash), suffix = name.substr(dash + 1);
  const variant* v = find_variant(c, base);
  if (v == nullptr || numbers_between_x(suffix).empty()) return std::nullopt;
  if (v->takes == knob::threads) return with_threads(base, suffix);
  if (numbers_between_x(suffix).size() != 1) return std::nullopt;
  const auto steps =
      static_cast<int>(std::min<index_t>(numbers_between_x(suffix)[0], most_depth + 1));
  if (v->takes == knob::depth) return with_depth(base, steps);
  if (v->takes == knob::exchange) return with_exchanges(base, steps);
  return std::nullopt;
}

/// True if threads of a block mean something: on a GPU, and where the emulator runs a block kernel.
bool has_blocks_on(const variant& v, device dev) {
  return dev.is_cuda() || v.is_emulated_on(dev);
}

/// The variants whose blocks a user can choose on this device.
std::vector<std::string> names_with_threads(const bench_case& c, device dev) {
  std::vector<std::string> names;
  for (const variant& v : c.variants)
    if (v.takes == knob::threads && v.runs_on(dev) && has_blocks_on(v, dev))
      names.push_back(v.name);
  return names;
}

rung resolve(const bench_case& c, const std::string& name, device dev, const std::string& type) {
  const std::vector<std::string> names = names_of(c, dev, type);
  if (const variant* v = find_variant(c, name); v != nullptr && !contains(names, name))
    throw error(failure::usage, "variant '" + name + "' of " + c.name + " does not " +
                                    (v->runs_on(dev) ? "take " + type : "run on " + dev.name()) +
                                    "; here are " + joined(names));
  if (auto tuned = tuned_variant(c, name)) {
    if (!tuned->how.threads.empty() && !has_blocks_on(*find_variant(c, tuned->variant), dev))
      throw error(failure::usage, "variant '" + name + "' of " + c.name +
                                      " does not run on cpu: only GPUs have launch shapes");
    return *tuned;
  }
  if (find_variant(c, name) != nullptr) return {name, name, {}};
  throw unknown_name("variant of " + c.name, name, names);
}

/// The variant with every launch shape or depth that the user listed.
void add_with_choices(const bench_case& c, const rung& r, const request& wanted,
                      std::vector<rung>& rungs) {
  const variant* v = find_variant(c, r.name);
  const knob takes = v == nullptr ? knob::none : v->takes;
  if (takes == knob::threads && !wanted.threads.empty() && has_blocks_on(*v, wanted.dev))
    for (const std::string& threads : wanted.threads)
      rungs.push_back(with_threads(r.name, threads));
  else if (takes == knob::depth && !wanted.depths.empty())
    for (const int depth : wanted.depths) rungs.push_back(with_depth(r.name, depth));
  else if (takes == knob::exchange && !wanted.exchanges.empty())
    for (const int every : wanted.exchanges) rungs.push_back(with_exchanges(r.name, every));
  else
    rungs.push_back(r);
}

bool has_knob(const bench_case& c, knob wanted) {
  return std::ranges::any_of(c.variants, [&](const variant& v) { return v.takes == wanted; });
}

/// A variant that is asked for by name must have blocks to choose.
void refuse_useless_threads(const bench_case& c, const request& wanted) {
  if (!has_knob(c, knob::threads))
    throw error(failure::usage, "--threads: no variant of " + c.name + " takes a launch shape");
  const std::vector<std::string> names = names_with_threads(c, wanted.dev);
  if (names.empty())
    throw error(failure::usage, "--threads: only GPUs have launch shapes, and the device is cpu");
  for (const std::string& name : wanted.variants) {
    const variant* v = find_variant(c, name);
    if (v == nullptr || contains(names, name) || !v->runs_on(wanted.dev)) continue;
    throw error(failure::usage, "--threads: variant '" + name + "' of " + c.name +
                                    " has no block size to choose" +
                                    (v->takes == knob::threads ? " on a CPU" : "") +
                                    "; here those have one: " + joined(names));
  }
}

void refuse_useless_choices(const bench_case& c, const request& wanted) {
  if (!wanted.threads.empty()) refuse_useless_threads(c, wanted);
  if (!wanted.depths.empty() && !has_knob(c, knob::depth))
    throw error(failure::usage, "--depth: no variant of " + c.name + " takes a depth");
  if (!wanted.exchanges.empty() && !has_knob(c, knob::exchange))
    throw error(failure::usage, "--exchange-every: " + c.name + " exchanges nothing");
}

void keep_dims(const bench_case& c, const request& wanted, std::vector<rung>& rungs) {
  for (rung& r : rungs) r.dim = find_variant(c, r.variant)->dim;
  if (wanted.dims.empty()) return;
  std::erase_if(rungs, [&](const rung& r) { return !r.dim || !contains(wanted.dims, *r.dim); });
  if (!rungs.empty()) return;
  std::string dims;
  for (const int dim : wanted.dims) dims += (dims.empty() ? "" : ", ") + std::to_string(dim);
  if (std::ranges::none_of(c.variants, [](const variant& v) { return v.dim.has_value(); }))
    throw error(failure::usage,
                "--dim: " + c.name + " has no variants along a dim; leave --dim out");
  const std::vector<std::string> there = timed_variants(
      c, wanted.dev, wanted.types.empty() ? c.types.front() : wanted.types.front(), wanted.dims);
  throw error(failure::usage, "--dim: no such variant of " + c.name + " goes along dim " + dims +
                                  (there.empty() ? "; teff list " + c.name + " shows its dims"
                                                 : "; along it go " + joined(there)));
}

/// What `--variant best` means: the best, or those of the dims that are wanted.
std::vector<std::string> best_names(const bench_case& c, const request& wanted) {
  std::vector<std::string> names;
  for (const std::string& name : c.best_along)
    if (contains(wanted.dims, find_variant(c, name)->dim.value_or(-1))) names.push_back(name);
  return names.empty() ? std::vector<std::string>{c.best} : names;
}

std::vector<rung> rungs_of(const bench_case& c, const request& wanted, const std::string& type) {
  refuse_useless_choices(c, wanted);
  const bool all = wanted.variants.empty() || contains<std::string>(wanted.variants, "all");
  std::vector<std::string> names = all ? names_of(c, wanted.dev, type) : wanted.variants;
  if (wanted.variants.empty() &&
      !(wanted.threads.empty() && wanted.depths.empty() && wanted.exchanges.empty())) {
    // Launch shapes without a variant: those that take them are meant.
    std::erase_if(names, [&](const std::string& name) {
      const variant& v = *find_variant(c, name);
      const knob takes = v.takes;
      return !(
          (takes == knob::threads && !wanted.threads.empty() && has_blocks_on(v, wanted.dev)) ||
          (takes == knob::depth && !wanted.depths.empty()) ||
          (takes == knob::exchange && !wanted.exchanges.empty()));
    });
  }
  std::vector<rung> rungs;
  for (const std::string& name : names)
    for (const std::string& one :
         name == "best" ? best_names(c, wanted) : std::vector<std::string>{name})
      add_with_choices(c, resolve(c, one, wanted.dev, type), wanted, rungs);
  keep_dims(c, wanted, rungs);
  return rungs;
}

std::vector<std::string> types_of(const bench_case& c, const request& wanted) {
  if (wanted.types.empty()) return {c.types.front()};
  for (const std::string& type : wanted.types)
    if (!contains(c.types, type)) throw unknown_name("type of " + c.name, type, c.types);
  return wanted.types;
}

std::vector<std::vector<index_t>> shapes_of(const bench_case& c, const request& wanted) {
  if (wanted.shapes.empty()) return {c.default_shape(wanted.dev)};
  std::vector<std::vector<index_t>> shapes;
  for (const std::string& text : wanted.shapes) {
    shapes.push_back(parse_shape(text));
    const auto rank = static_cast<int>(shapes.back().size());
    if (rank < c.least_rank || rank > c.most_rank)
      throw error(failure::usage, "shape '" + text + "': " + c.name + " takes " + c.axes);
  }
  return shapes;
}

/// Moves the rungs for which `applies` out of `all`, to a job on `shape` if that has fewer cells.
void set_apart(job& all, const std::vector<index_t>& shape, const char* why,
               const std::function<bool(const variant&)>& applies, std::vector<job>& jobs) {
  job apart{all.what, all.where, {}};
  if (cells_of(shape) < cells_of(all.where.shape)) apart.where.shape = shape;
  std::erase_if(all.rungs, [&](const rung& r) {
    if (!applies(*find_variant(*all.what, r.variant))) return false;
    apart.rungs.push_back(r);
    apart.rungs.back().flag = why;
    return true;
  });
  if (!apart.rungs.empty()) jobs.push_back(std::move(apart));
}

/// On how many ranks it is measured; 0: it runs on none.
std::vector<int> ranks_of(const bench_case& c, const request& wanted,
                          std::span<const bench_case> all) {
  if (!c.is_on_ranks && !wanted.ranks.empty()) {
    std::vector<std::string> others;
    for (const bench_case& one : all)
      if (one.is_on_ranks) others.push_back(one.name);
    throw error(failure::usage, "--ranks: " + c.name + " does not run on ranks" +
                                    (others.empty() ? "" : "; of the cases do " + joined(others)));
  }
  if (!c.is_on_ranks) return {0};
  for (const int ranks : wanted.ranks)
    if (ranks < 1 || ranks > most_ranks)
      throw error(failure::usage, "--ranks: expected 1 to " + std::to_string(most_ranks) +
                                      ", got " + std::to_string(ranks));
  return wanted.ranks.empty() ? std::vector{default_ranks(wanted.dev)} : wanted.ranks;
}

void add_jobs(const bench_case& c, const request& wanted, std::span<const bench_case> cases,
              std::vector<job>& jobs) {
  if (!c.runs_on(wanted.dev) && wanted.dev.is_cuda())
    throw error(failure::usage, c.name + " runs on the CPU only, and the device is " +
                                    wanted.dev.name() + "; choose it with --device cpu");
  if (!c.runs_on(wanted.dev))
    throw error(failure::usage, c.name + " needs a GPU, and the device is " + wanted.dev.name() +
                                    "; choose one with --device cuda:0 (teff info lists them)");
  const std::vector<int> ranks = ranks_of(c, wanted, cases);
  for (const std::string& type : types_of(c, wanted))
    for (const auto& shape : shapes_of(c, wanted))
      for (const int count : ranks) {
        job all{&c,
                {wanted.dev, type, shape, count, wanted.threads_of_rank},
                rungs_of(c, wanted, type)};
        set_apart(
            all, c.emulated_shape, flag::emulated,
            [&](const variant& v) { return v.is_emulated_on(wanted.dev); }, jobs);
        if (cells_of(c.small_shape) < cells_of(shape))
          set_apart(
              all, c.small_shape, flag::smaller, [](const variant& v) { return v.takes_small; },
              jobs);
        if (!all.rungs.empty()) jobs.push_back(std::move(all));
      }
}

}  // namespace

std::vector<std::string> timed_variants(const bench_case& c, device dev, const std::string& type,
                                        const std::vector<int>& dims) {
  std::vector<std::string> names;
  for (const variant& v : c.variants)
    if (v.runs_on(dev) && v.takes_type(type) && !v.is_emulated_on(dev) &&
        (dims.empty() || (v.dim && contains(dims, *v.dim))))
      names.push_back(v.name);
  return names;
}

std::vector<int> parse_threads(const std::string& text) {
  const std::vector<index_t> numbers = numbers_between_x(text);
  const bool fits = !numbers.empty() && numbers.size() <= 3 &&
                    std::ranges::all_of(numbers, [](index_t n) { return n >= 1 && n <= 1024; });
  if (!fits)
    throw error(failure::usage, "threads '" + text +
                                    "': expected one to three numbers from 1 to 1024 such as 32x8");
  launch_shape shape(1, 1, 1);
  std::copy(numbers.begin(), numbers.end(), shape.n);
  try {
    (void)legal_shape(device::cpu(), shape, nullptr, static_cast<int>(numbers.size()));
  } catch (const error& problem) {
    throw error(failure::usage, problem.what());
  }
  return {numbers.begin(), numbers.end()};
}

const bench_case& find_case(std::span<const bench_case> cases, const std::string& name) {
  const auto found = std::ranges::find(cases, name, &bench_case::name);
  if (found != cases.end()) return *found;
  std::vector<std::string> names;
  for (const bench_case& c : cases) names.push_back(c.name);
  throw unknown_name("case", name, names);
}

std::vector<job> plan(std::span<const bench_case> cases, const request& wanted) {
  std::vector<job> jobs;
  if (!wanted.cases.empty()) {
    for (const std::string& name : wanted.cases)
      add_jobs(find_case(cases, name), wanted, cases, jobs);
    return jobs;
  }
  // Without a name those cases are meant that the choices fit.
  std::optional<error> misfit;
  for (const bench_case& c : cases) {
    try {
      std::vector<job> of_case;
      add_jobs(c, wanted, cases, of_case);
      std::ranges::move(of_case, std::back_inserter(jobs));
    } catch (const error& problem) {
      if (problem.kind() != failure::usage) throw;
      if (!misfit) misfit = problem;
    }
  }
  if (jobs.empty() && misfit) throw error(*misfit);
  return jobs;
}

std::vector<job> plan_lab(std::span<const bench_case> cases, device dev, const std::string& type) {
  std::vector<job> jobs = plan(cases, {.types = {type}, .dev = dev});
  std::erase_if(jobs, [](const job& j) { return !j.what->is_in_lab; });
  for (job& j : jobs) {
    j.may_shrink = j.rungs.front().flag.empty();  // else it is on a small shape as it is
    std::erase_if(j.rungs, [&](const rung& r) {
      const bool is_launch_shape = !r.how.threads.empty() && j.what->name != "copy";
      return is_launch_shape || find_variant(*j.what, r.variant)->is_for_ladder_only;
    });
  }
  std::erase_if(jobs, [](const job& j) { return j.rungs.empty(); });
  return jobs;
}

}  // namespace teff::lab

// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/lab/shape_budget.hpp>

#include <apps/teff/ceilings.hpp>
#include <bench/cases.hpp>

namespace teff::app {

namespace {

constexpr index_t smallest_probe = index_t{1} << 16;
constexpr index_t largest_cpu_probe = index_t{1} << 26;
constexpr index_t largest_cuda_probe = index_t{1} << 28;
constexpr double budget_of_full_probes_s = 20;

lab::request every_probe(device dev) {
  lab::request wanted;
  wanted.dev = dev;
  return wanted;
}

/// The same jobs for f32 too, where a probe has it.
void add_f32(std::vector<lab::job>& jobs) {
  const std::size_t count = jobs.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (std::ranges::find(jobs[i].what->types, "f32") == jobs[i].what->types.end()) continue;
    jobs.push_back(jobs[i]);
    jobs.back().where.type = "f32";
  }
}

/// The rungs that take a launch shape, once for each of the usual ones.
std::vector<lab::rung> with_launch_shapes(const lab::job& j, const std::vector<lab::rung>& rungs) {
  std::vector<lab::rung> shaped;
  for (const lab::rung& r : rungs) {
    const auto v = std::ranges::find(j.what->variants, r.variant, &lab::variant::name);
    if (v->takes != lab::knob::threads) continue;
    for (const int threads : {128, 512, 1024})
      shaped.push_back({r.variant + "-" + std::to_string(threads), r.variant, {{threads}, 0}});
  }
  return shaped;
}

/// Besides 256 threads a block, which a probe takes by itself, other launch shapes for its first
/// rungs.
void add_launch_shapes(lab::job& j, std::size_t most_rungs) {
  std::vector<lab::rung> first;
  for (const lab::rung& r : j.rungs) {
    const auto v = std::ranges::find(j.what->variants, r.variant, &lab::variant::name);
    if (v->takes == lab::knob::threads && first.size() < most_rungs) first.push_back(r);
  }
  const std::vector<lab::rung> shaped = with_launch_shapes(j, first);
  j.rungs.insert(j.rungs.end(), shaped.begin(), shaped.end());
}

/// The largest size at which the arrays of every probe take at most bytes_for_arrays().
index_t largest_probe(device dev, const std::vector<lab::job>& probes) {
  const double most = bytes_for_arrays(dev);
  index_t cells = dev.is_cpu() ? largest_cpu_probe : largest_cuda_probe;
  for (const lab::job& j : probes)
    while (cells > smallest_probe && 8.0 * j.what->arrays * static_cast<double>(cells) > most)
      cells /= 4;
  return cells;
}

}  // namespace

device device_of(const arguments& all) {
  // The kernels are in this program whatever this file was compiled as.
  return all.device.empty() ? choose_device(true) : parse_device(all.device);
}

double bytes_for_arrays(device dev) {
  // On a CPU as much again may be kept for the next arrays, and what is expected lies there too.
  return static_cast<double>(describe(dev).free_bytes) / (dev.is_cpu() ? 4 : 2);
}

std::vector<lab::job> ceiling_probes(device dev, double budget_s) {
  std::vector<lab::job> jobs = plan(bench::probes(), every_probe(dev));
  // Its mix is that of the triad.
  std::erase_if(jobs, [](const lab::job& j) { return j.what->name == "peak-add"; });
  for (lab::job& j : jobs) add_launch_shapes(j, 1);
  add_f32(jobs);
  fit_to_device(jobs, budget_s > 0 ? std::min(1.0, budget_s / budget_of_full_probes_s) : 1);
  return jobs;
}

std::vector<lab::job> peak_probes(device dev) {
  const std::vector<lab::job> probes = plan(bench::probes(), every_probe(dev));
  const index_t largest = largest_probe(dev, probes);
  std::vector<lab::job> jobs;
  // Large sizes first: should time run out, the ceilings are there.
  for (index_t cells = largest; cells >= smallest_probe; cells /= 4)
    for (lab::job j : probes) {
      const bool is_arithmetic = j.what->types.size() > 1;  // which does not depend on a size
      if (is_arithmetic && cells < largest) continue;
      if (!is_arithmetic) j.where.shape = {cells};
      if (cells == largest) add_launch_shapes(j, j.rungs.size());
      jobs.push_back(std::move(j));
    }
  add_f32(jobs);
  return jobs;
}

void fit_to_device(std::vector<lab::job>& jobs, double scale) {
  constexpr double least_bytes = 1e6;
  for (lab::job& j : jobs) {
    const int cell_bytes = lab::bytes_of_type(j.where.type);
    const double scaled = scale * lab::cells_of(j.where.shape) * cell_bytes * j.what->arrays;
    j.where.shape = lab::shape_that_fits(
        j.where.shape, j.what->arrays, cell_bytes,
        std::min(std::max(scaled, least_bytes), bytes_for_arrays(j.where.dev)));
  }
}

}  // namespace teff::app

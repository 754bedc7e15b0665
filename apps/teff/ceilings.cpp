// SPDX-License-Identifier: MIT
#include <algorithm>

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

/// Every rung that takes a launch shape, once for each of the usual ones.
std::vector<lab::rung> with_launch_shapes(const lab::job& j) {
  std::vector<lab::rung> rungs;
  for (const lab::rung& r : j.rungs) {
    const auto v = std::ranges::find(j.what->variants, r.variant, &lab::variant::name);
    if (v->takes != lab::knob::threads) {
      rungs.push_back(r);
      continue;
    }
    for (const int threads : {128, 256, 512, 1024})
      rungs.push_back({r.variant + "-" + std::to_string(threads), r.variant, {{threads}, 0}});
  }
  return rungs;
}

}  // namespace

device device_of(const arguments& all) {
  // The kernels are in this program whatever this file was compiled as.
  return all.device.empty() ? choose_device(true) : parse_device(all.device);
}

std::vector<lab::job> ceiling_probes(device dev, double budget_s) {
  std::vector<lab::job> jobs = plan(bench::probes(), every_probe(dev));
  // Its mix is that of the triad.
  std::erase_if(jobs, [](const lab::job& j) { return j.what->name == "peak-add"; });
  add_f32(jobs);
  fit_to_device(jobs, budget_s > 0 ? std::min(1.0, budget_s / budget_of_full_probes_s) : 1);
  return jobs;
}

std::vector<lab::job> peak_probes(device dev) {
  std::vector<lab::job> jobs;
  const index_t largest = dev.is_cpu() ? largest_cpu_probe : largest_cuda_probe;
  for (lab::job& j : plan(bench::probes(), every_probe(dev))) {
    j.rungs = with_launch_shapes(j);
    if (j.what->types.size() > 1) {  // the arithmetic does not depend on a size
      jobs.push_back(j);
      continue;
    }
    for (index_t cells = smallest_probe; cells <= largest; cells *= 4) {
      jobs.push_back(j);
      jobs.back().where.shape = {cells};
    }
  }
  add_f32(jobs);
  const double most_bytes = static_cast<double>(describe(dev).free_bytes) / 2;
  std::erase_if(jobs, [&](const lab::job& j) {
    return static_cast<double>(j.what->arrays) * 8 * static_cast<double>(j.where.shape[0]) >
           most_bytes;
  });
  return jobs;
}

void fit_to_device(std::vector<lab::job>& jobs, double scale) {
  for (lab::job& j : jobs) {
    const int cell_bytes = lab::bytes_of_type(j.where.type);
    double cells = 1;
    for (const index_t n : j.where.shape) cells *= static_cast<double>(n);
    const double scaled = scale * cells * cell_bytes * j.what->arrays;
    const double half = static_cast<double>(describe(j.where.dev).free_bytes) / 2;
    j.where.shape = lab::shape_that_fits(j.where.shape, j.what->arrays, cell_bytes,
                                         std::min(std::max(scaled, 1e6), half));
  }
}

}  // namespace teff::app

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>

#include <teff/base/memory.hpp>
#include <teff/lab/disturbance.hpp>
#include <teff/lab/interrupt.hpp>
#include <teff/lab/measure.hpp>
#include <teff/lab/statistics.hpp>

namespace teff::lab {

namespace {

constexpr double noisy_spread = 0.05;
constexpr double times_the_cache = 4;
constexpr double most_fraction = 1.02;

std::uint64_t whole(double bytes) {
  return static_cast<std::uint64_t>(std::llround(bytes));
}

/// Empties the caches by copying far more than they hold.
class cache_flusher {
 public:
  explicit cache_flusher(const stream& on)
      : on_(on),
        bytes_(2 * std::max<std::size_t>(describe(on.dev()).cache_bytes, 32 << 20)),
        from_(on, on.dev(), bytes_, "cache flush"),
        to_(on, on.dev(), bytes_, "cache flush") {}
  void flush() { copy_bytes(on_, to_.data(), from_.data(), bytes_); }

 private:
  stream on_;
  std::size_t bytes_;
  memory_block from_, to_;
};

check_result check_one_run(experiment& e, const stream& on) {
  throw_if_interrupted();
  e.reset();
  e.run();
  on.synchronize();
  return e.check();
}

samples take_samples(experiment& e, const stream& on, const measure_options& options) {
  sampling_options sampling = options.sampling;
  std::unique_ptr<cache_flusher> flusher;
  if (options.cold_cache) {
    flusher = std::make_unique<cache_flusher>(on);
    sampling.flush = [&] { flusher->flush(); };
  }
  stream_stopwatch watch(on);
  return sample(
      watch, [&] { e.run(); }, sampling);
}

void flag_if(bool applies, const char* name, result& r) {
  if (applies) r.flags.emplace_back(name);
}

}  // namespace

result measure(const job& what, const rung& which, prepared_case& arrays,
               const measure_options& options) {
  const setting& where = what.where;
  const auto running = arrays.make(which.variant, which.how);
  const stream on = arrays.on();
  result r;
  r.case_name = what.what->name;
  r.variant = which.name;
  r.device = where.dev.name();
  r.type = where.type;
  r.shape = where.shape;
  r.dim = which.dim;
  if (!which.flag.empty()) r.flags.push_back(which.flag);
  r.check = check_one_run(*running, on);

  const workload work = running->work();
  r.threads = running->threads();
  r.steps_per_pass = work.steps_per_pass;
  r.a_eff_bytes = whole(work.ideal.a_eff_bytes());
  r.t_tot_bytes = whole(work.t_tot_bytes);
  r.flop = whole(work.ideal.flop);
  r.cells = whole(work.ideal.cells);
  r.ceiling = mix_of(work.ideal);
  if (!r.check.ok) {
    r.reason = "not timed: its result is wrong";
    r.flags.emplace_back(flag::unverified);
    return r;
  }
  if (which.flag == flag::emulated) {
    r.reason = "not timed: the emulator ran it, which is for checking";
    return r;
  }

  disturbance_watch watch(where.dev);
  watch.begin();
  samples taken = take_samples(*running, on, options);
  for (std::string& disturbed : watch.end()) r.flags.push_back(std::move(disturbed));
  for (double& time_s : taken.time_s) time_s /= work.steps_per_run;
  r.time = timing_of(std::move(taken.time_s));

  on.synchronize();
  r.check = running->is_repeatable() ? running->check() : check_one_run(*running, on);
  flag_if(!r.check.ok, flag::unverified, r);
  flag_if(summarize(r.time->samples_s).spread() > noisy_spread, flag::noisy, r);
  const double cache_bytes = static_cast<double>(describe(where.dev).cache_bytes);
  flag_if(r.a_eff_bytes > 0 && work.ideal.a_eff_bytes() < times_the_cache * cache_bytes,
          flag::fits_in_cache, r);
  flag_if(options.cold_cache, flag::cold_cache, r);
  return r;
}

void rate(result& r, const limits& ceilings) {
  const std::optional<double> ceiling = ceilings.of(r.ceiling);
  const std::optional<double> reached = r.t_eff_gb_per_s();
  if (!ceiling || !reached || *ceiling <= 0) return;
  r.fraction_of_ceiling = *reached / *ceiling;
  flag_if(*r.fraction_of_ceiling > most_fraction && r.steps_per_pass == 1 &&
              !r.has_flag(flag::fits_in_cache) && !r.has_flag(flag::above_ceiling),
          flag::above_ceiling, r);
}

std::vector<const result*> best_of(const std::vector<result>& results) {
  std::map<std::string, const result*> best;
  for (const result& r : results) {
    if (!r.is_verified() || r.has_flag(flag::above_ceiling) || r.has_flag(flag::smaller)) continue;
    const std::string dim = r.dim ? std::to_string(*r.dim) : "";
    const result*& champion =
        best[r.case_name + " " + r.device + " " + r.type + " " + shape_text(r.shape) + " " + dim];
    if (champion == nullptr || r.time->median_s < champion->time->median_s) champion = &r;
  }
  std::vector<const result*> all;
  for (const auto& [where, champion] : best) all.push_back(champion);
  return all;
}

}  // namespace teff::lab

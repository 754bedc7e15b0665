// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <teff/base/memory.hpp>
#include <teff/lab/disturbance.hpp>
#include <teff/lab/measure.hpp>
#include <teff/lab/statistics.hpp>
#include <teff/solve/interrupt.hpp>

namespace teff::lab {

namespace {

constexpr double noisy_spread = 0.05;
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
  solve::throw_if_interrupted();
  e.reset();
  e.run();
  on.synchronize();
  return e.check();
}

/// The options of the sampler; with a cold cache it empties the caches before each sample.
class sampling {
 public:
  sampling(const stream& on, const measure_options& options) : options_(options.sampling) {
    if (!options.cold_cache) return;
    flusher_ = std::make_unique<cache_flusher>(on);
    options_.flush = [flusher = flusher_.get()] { flusher->flush(); };
  }
  const sampling_options& options() const { return options_; }

 private:
  sampling_options options_;
  std::unique_ptr<cache_flusher> flusher_;
};

void flag_if(bool applies, const char* name, result& r) {
  if (applies) r.flags.emplace_back(name);
}

/// A variant as it is measured: ready to run, and what is known of it so far.
struct trial {
  std::unique_ptr<experiment> running;
  workload work = {};
  result found = {};

  bool may_be_timed() const { return found.check.ok && !found.has_flag(flag::emulated); }
};

/// Runs a variant once and checks it.
trial checked_trial(const job& what, const rung& which, prepared_case& arrays) {
  const setting& where = what.where;
  trial t{arrays.make(which.variant, which.how)};
  result& r = t.found;
  r.case_name = what.what->name;
  r.variant = which.name;
  r.device = where.dev.name();
  r.type = where.type;
  r.shape = where.shape;
  r.dim = which.dim;
  if (!which.flag.empty()) r.flags.push_back(which.flag);
  r.check = check_one_run(*t.running, arrays.on());

  t.work = t.running->work();
  r.threads = t.running->threads();
  if (const std::optional<kernel_facts> k = t.running->kernel())
    r.kernel = {k->registers, k->local_bytes, k->occupancy(where.dev), k->fills_registers,
                k->bytes_in_flight};
  r.ranks = t.running->ranks();
  r.steps_per_pass = t.work.steps_per_pass;
  r.a_eff_bytes = whole(t.work.ideal.a_eff_bytes());
  r.t_tot_bytes = whole(t.work.t_tot_bytes);
  r.flop = whole(t.work.ideal.flop);
  r.cells = whole(t.work.ideal.cells);
  r.ceiling = mix_of(t.work.ideal);
  if (!r.check.ok) {
    r.reason = "not timed: its result is wrong";
    r.flags.emplace_back(flag::unverified);
  } else if (which.flag == flag::emulated) {
    r.reason = "not timed: the emulator ran it, which is for checking";
  } else if (!what.what->no_ceiling.empty()) {
    r.reason = "no fraction of a ceiling: " + what.what->no_ceiling;
  }
  return t;
}

/// Keeps the samples and says what spoils them. `check` is that after timing.
void conclude(trial& t, samples taken, const std::vector<std::string>& disturbances,
              const check_result& check, const setting& where, bool is_cold) {
  result& r = t.found;
  r.flags.insert(r.flags.end(), disturbances.begin(), disturbances.end());
  for (double& time_s : taken.time_s) time_s /= t.work.steps_per_run;
  r.time = timing_of(std::move(taken.time_s));
  r.check = check;
  if (const auto ranks = t.running->ranks()) r.ranks = ranks;  // of the runs that were timed
  flag_if(!r.check.ok, flag::unverified, r);
  flag_if(summarize(r.time->samples_s).spread() > noisy_spread, flag::noisy, r);
  const double cache_bytes = static_cast<double>(describe(where.dev).cache_bytes) * devices_of(r);
  const bool is_of_memory = r.a_eff_bytes > 0 && r.reason.empty();  // else another limit is named
  flag_if(is_of_memory && t.work.ideal.a_eff_bytes() < times_the_cache * cache_bytes,
          flag::fits_in_cache, r);
  flag_if(is_cold, flag::cold_cache, r);
}

}  // namespace

result measure(const job& what, const rung& which, prepared_case& arrays,
               const measure_options& options) {
  trial t = checked_trial(what, which, arrays);
  if (!t.may_be_timed()) return t.found;
  const stream on = arrays.on();
  const sampling how(on, options);
  stream_stopwatch clock(on);
  disturbance_watch watch(what.where.dev);
  watch.begin();
  samples taken = sample(
      clock, [&] { t.running->run(); }, how.options());
  const std::vector<std::string> disturbances = watch.end();
  on.synchronize();
  if (options.joules) {
    const std::optional<double> joules = joules_of_run(
        options.joules, [&] { t.running->run(); }, [&] { on.synchronize(); },
        summarize(taken.time_s).median, options.energy_s);
    if (joules) t.found.energy_j = *joules / t.work.steps_per_run;
  }
  const check_result check =
      t.running->is_repeatable() ? t.running->check() : check_one_run(*t.running, on);
  conclude(t, std::move(taken), disturbances, check, what.where, options.cold_cache);
  return t.found;
}

result_pair measure_in_turns(const job& what, const rung& a, const rung& b, prepared_case& arrays,
                             const measure_options& options, const enough& is_enough) {
  trial of_a = checked_trial(what, a, arrays), of_b = checked_trial(what, b, arrays);
  if (of_a.may_be_timed() && of_b.may_be_timed()) {
    const stream on = arrays.on();
    const sampling how(on, options);
    stream_stopwatch clock(on);
    disturbance_watch watch(what.where.dev);
    watch.begin();
    paired_samples taken = sample_in_turns(
        clock, [&] { of_a.running->run(); }, [&] { of_b.running->run(); }, how.options(),
        is_enough);
    const std::vector<std::string> disturbances = watch.end();
    on.synchronize();
    // They share the case's arrays, so what is in them is not A's result alone, nor B's.
    for (auto [t, of_t] : {std::pair(&of_a, &taken.a), std::pair(&of_b, &taken.b)})
      conclude(*t, std::move(*of_t), disturbances, check_one_run(*t->running, on), what.where,
               options.cold_cache);
  } else {
    for (trial* t : {&of_a, &of_b})
      if (t->may_be_timed()) t->found.reason = "not timed: the other is not";
  }
  return {std::move(of_a.found), std::move(of_b.found)};
}

void rate(result& r, const limits& ceilings) {
  std::optional<double> ceiling = ceilings.of(r.ceiling);
  if (ceiling) *ceiling *= devices_of(r);
  const std::optional<double> reached = r.t_eff_gb_per_s();
  if (!ceiling || !reached || *ceiling <= 0 || !r.reason.empty()) return;
  r.fraction_of_ceiling = *reached / *ceiling;
  std::erase(r.flags, flag::above_ceiling);
  flag_if(*r.fraction_of_ceiling > most_fraction && r.steps_per_pass == 1 &&
              !r.has_flag(flag::fits_in_cache),
          flag::above_ceiling, r);
}

std::vector<const result*> best_of(const std::vector<result>& results) {
  std::map<std::string, const result*> best;
  for (const result& r : results) {
    if (!r.is_verified() || r.has_flag(flag::smaller)) continue;
    const std::string dim = r.dim ? std::to_string(*r.dim) : "";
    const result*& champion = best[r.case_name + " " + r.device + " " + r.type + " " +
                                   shape_text(r.shape) + " " + dim + ranks_text(r)];
    if (champion == nullptr || r.time->median_s < champion->time->median_s) champion = &r;
  }
  std::vector<const result*> all;
  for (const auto& [where, champion] : best) all.push_back(champion);
  return all;
}

}  // namespace teff::lab

// SPDX-License-Identifier: MIT
#include <chrono>
#include <doctest/doctest.h>
#include <thread>

#include <teff/lab/measure.hpp>
#include <teff/lab/session.hpp>

using namespace teff::lab;

namespace {

/// How a variant of the fake case misbehaves.
enum class fault {
  none,
  leaves_cell_out,
  wrong_value,
  wrong_later,
  does_nothing,
  takes_its_time_or_not,
  moves_little
};

/// A copy of a few numbers, right or wrong.
class fake_experiment : public experiment {
 public:
  fake_experiment(fault f, int& runs) : fault_(f), runs_(runs) {}
  void reset() override {
    target_.assign(source_.size(), -1.0);
    since_reset_ = 0;
  }
  void run() override {
    ++runs_;
    ++since_reset_;
    // Long beside what a busy machine adds.
    const bool is_slow = fault_ == fault::takes_its_time_or_not && since_reset_ % 2 == 0;
    if (is_slow) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (fault_ == fault::does_nothing) return;
    target_ = source_;
    if (fault_ == fault::leaves_cell_out) target_[2] = -1;
    if (fault_ == fault::wrong_value) target_[0] += 1e-15;
    if (fault_ == fault::wrong_later && since_reset_ > 2) target_[1] = 7;
  }
  check_result check() override {
    check_result result;
    result.ok = target_ == source_;
    result.reference = "the source";
    if (!result.ok) result.reason = "it differs";
    return result;
  }
  workload work() const override {
    teff::traffic moved;
    moved.read_bytes = moved.write_bytes = fault_ == fault::moves_little ? 4e3 : 4e9;
    moved.cells = 4;
    return {moved, 16e9, 2, 3};
  }
  std::vector<int> threads() const override { return {32, 8}; }

 private:
  fault fault_;
  int& runs_;
  int since_reset_ = 0;
  std::vector<double> source_{1, 2, 3, 4}, target_;
};

class fake_case : public prepared_case {
 public:
  int runs = 0;
  teff::stream on() const override { return teff::device::cpu(); }
  std::unique_ptr<experiment> make(const std::string& variant, const tuning&) override {
    const fault f = variant == "gap"        ? fault::leaves_cell_out
                    : variant == "ulp"      ? fault::wrong_value
                    : variant == "later"    ? fault::wrong_later
                    : variant == "nothing"  ? fault::does_nothing
                    : variant == "unsteady" ? fault::takes_its_time_or_not
                    : variant == "small"    ? fault::moves_little
                                            : fault::none;
    return std::make_unique<fake_experiment>(f, runs);
  }
};

bench_case fake_table_entry() {
  bench_case c;
  c.name = "fake";
  c.types = {"f64"};
  c.prepare = [](const setting&) { return std::make_unique<fake_case>(); };
  for (const char* name : {"good", "gap", "ulp", "later", "nothing"})
    c.variants.push_back({name, ""});
  return c;
}

result measured(const std::string& variant, int* runs = nullptr) {
  const bench_case c = fake_table_entry();
  fake_case arrays;
  measure_options options;
  options.sampling = {.budget_s = 0, .min_samples = 3, .max_samples = 3, .warm_up_s = 0};
  const result r =
      measure({&c, {teff::device::cpu(), "f64", {4}}, {}}, {variant, variant, {}}, arrays, options);
  if (runs != nullptr) *runs = arrays.runs;
  return r;
}

}  // namespace

TEST_CASE("measure: a right variant is timed, with the numbers of one step") {
  const result r = measured("good");
  CHECK(r.check.ok);
  CHECK(r.is_verified());
  REQUIRE(r.time);
  CHECK(r.time->samples_s.size() == 3);
  CHECK(r.a_eff_bytes == 8'000'000'000);
  CHECK(r.t_tot_bytes == 16'000'000'000);
  CHECK(r.steps_per_pass == 3);
  CHECK(r.cells == 4);
  CHECK(r.threads == std::vector<int>{32, 8});
  CHECK(r.ceiling == mix::copy);
  CHECK(r.reason.empty());
}

TEST_CASE("measure: a wrong variant is not timed, however small the mistake") {
  for (const char* variant : {"gap", "ulp", "nothing"}) {
    CAPTURE(variant);
    int runs = 0;
    const result r = measured(variant, &runs);
    CHECK(!r.check.ok);
    CHECK(!r.time);
    CHECK(!r.is_verified());
    CHECK(r.has_flag(flag::unverified));
    CHECK(!r.reason.empty());
    CHECK(runs == 1);
  }
}

TEST_CASE("measure: what the emulator runs is checked, not timed, and says so") {
  const bench_case c = fake_table_entry();
  fake_case arrays;
  rung emulated{"good", "good", {}};
  emulated.flag = flag::emulated;
  emulated.dim = 1;
  const job work{&c, {teff::device::cpu(), "f64", {4}}, {}};
  result r = measure(work, emulated, arrays, {});
  CHECK(r.check.ok);
  CHECK(!r.time);
  CHECK(r.dim == 1);
  CHECK(r.flags == std::vector<std::string>{"emulated"});
  CHECK(r.reason == "not timed: the emulator ran it, which is for checking");
  CHECK(best_of({r}).empty());
  CHECK(arrays.runs == 1);
  emulated.variant = "gap";
  CHECK(!measure(work, emulated, arrays, {}).check.ok);
}

TEST_CASE("measure: a variant that goes wrong while it is timed is unverified") {
  const result r = measured("later");
  CHECK(r.time);
  CHECK(!r.check.ok);
  CHECK(!r.is_verified());
  CHECK(r.has_flag(flag::unverified));
  CHECK(best_of({r}).empty());
}

namespace {

result_pair in_turns(const std::string& a, const std::string& b, int* runs = nullptr) {
  const bench_case c = fake_table_entry();
  fake_case arrays;
  measure_options options;
  options.sampling = {.budget_s = 0, .min_samples = 3, .max_samples = 3, .warm_up_s = 0};
  const result_pair found = measure_in_turns({&c, {teff::device::cpu(), "f64", {4}}, {}},
                                             {a, a, {}}, {b, b, {}}, arrays, options);
  if (runs != nullptr) *runs = arrays.runs;
  return found;
}

}  // namespace

TEST_CASE("measure in turns: both are checked before and after, and have as many samples") {
  const result_pair found = in_turns("good", "good");
  for (const result& r : {found.a, found.b}) {
    CHECK(r.is_verified());
    REQUIRE(r.time);
    CHECK(r.time->samples_s.size() == 3);
    CHECK(r.a_eff_bytes == 8'000'000'000);
  }
  const result_pair later = in_turns("good", "later");
  CHECK(later.a.is_verified());
  CHECK(later.b.is_verified());  // one run after reset() is right, and so is the check after it
}

TEST_CASE("measure in turns: if one is wrong, neither is timed") {
  int runs = 0;
  const result_pair found = in_turns("good", "ulp", &runs);
  CHECK(runs == 2);
  CHECK(!found.a.time);
  CHECK(found.a.reason == "not timed: the other is not");
  CHECK(!found.b.time);
  CHECK(found.b.has_flag(flag::unverified));
}

TEST_CASE("measure: each flag appears where it must, and only there") {
  const bench_case c = fake_table_entry();
  const job work{&c, {teff::device::cpu(), "f64", {4}}, {}};
  const auto flags_of = [&](const char* variant, bool is_cold) {
    fake_case arrays;
    measure_options options;
    options.cold_cache = is_cold;
    options.sampling = {
        .budget_s = 0, .min_samples = 8, .max_samples = 8, .min_sample_s = 0, .warm_up_s = 0};
    result r = measure(work, {variant, variant, {}}, arrays, options);
    // What others do meanwhile is not this test's; it may make any time noisy.
    std::erase(r.flags, flag::shared_device);
    if (std::string(variant) != "unsteady") std::erase(r.flags, flag::noisy);
    return r.flags;
  };
  using flags = std::vector<std::string>;
  CHECK(flags_of("unsteady", false) == flags{flag::noisy});
  CHECK(flags_of("good", true) == flags{flag::cold_cache});
  CHECK(flags_of("small", false) == flags{flag::fits_in_cache});
  CHECK(flags_of("gap", false) == flags{flag::unverified});
  CHECK(flags_of("good", false).empty());
}

TEST_CASE("rate: the fraction of the ceiling of the same mix") {
  result r = measured("good");
  r.time = timing_of({1.0});  // 8 GB/s
  limits ceilings;
  ceilings.copy_gb_per_s = 10;
  ceilings.triad_gb_per_s = 20;
  rate(r, ceilings);
  CHECK(r.fraction_of_ceiling == doctest::Approx(0.8));
  r.ceiling = mix::triad;
  rate(r, ceilings);
  CHECK(r.fraction_of_ceiling == doctest::Approx(0.4));
  r.ceiling = mix::read;
  result unrated = measured("good");
  unrated.ceiling = mix::read;
  rate(unrated, ceilings);
  CHECK(!unrated.fraction_of_ceiling);
}

TEST_CASE("rate: none where memory is not the limit, and the reason is said") {
  bench_case c = fake_table_entry();
  c.no_ceiling = "the link is the limit";
  const job work{&c, {teff::device::cpu(), "f64", {4}}, {{"good", "good", {}}, {"gap", "gap", {}}}};
  fake_case arrays;
  measure_options options;
  options.sampling = {.budget_s = 0, .min_samples = 1, .max_samples = 1, .warm_up_s = 0};
  result r = measure(work, work.rungs[0], arrays, options);
  CHECK(r.is_verified());
  CHECK(r.reason == "no fraction of a ceiling: the link is the limit");
  limits ceilings;
  ceilings.copy_gb_per_s = 10;
  rate(r, ceilings);
  CHECK(!r.fraction_of_ceiling);
  CHECK(measure(work, work.rungs[1], arrays, options).reason == "not timed: its result is wrong");
}

TEST_CASE("rate: above the ceiling is suspect with one step per pass only") {
  limits ceilings;
  ceilings.copy_gb_per_s = 7.9;
  result r = measured("good");
  r.flags.clear();
  r.time = timing_of({1.0});
  r.steps_per_pass = 1;
  rate(r, ceilings);
  CHECK(!r.has_flag(flag::above_ceiling));  // 1.013
  ceilings.copy_gb_per_s = 7.8;
  rate(r, ceilings);
  CHECK(r.has_flag(flag::above_ceiling));
  CHECK(best_of({r}).empty());
  result several = r;
  several.flags.clear();
  several.steps_per_pass = 4;
  rate(several, ceilings);
  CHECK(!several.has_flag(flag::above_ceiling));
  result cached = r;
  cached.flags = {flag::fits_in_cache};
  rate(cached, ceilings);
  CHECK(!cached.has_flag(flag::above_ceiling));
}

TEST_CASE("best: the shortest median of each case, type and shape") {
  result a = measured("good"), b = a, other = a;
  a.time = timing_of({2.0});
  b.time = timing_of({1.0});
  other.time = timing_of({9.0});
  other.type = "f32";
  result slow = b;
  slow.shape = {2};
  slow.flags = {flag::smaller};
  const std::vector<result> all{a, b, other, slow};
  const auto best = best_of(all);
  REQUIRE(best.size() == 2);
  CHECK((best[0] == &all[1] || best[1] == &all[1]));
  CHECK((best[0] == &all[2] || best[1] == &all[2]));
}

TEST_CASE("mixes") {
  teff::traffic moved;
  moved.read_bytes = 100;
  CHECK(mix_of(moved) == mix::read);
  moved.write_bytes = 100;
  CHECK(mix_of(moved) == mix::copy);
  moved.write_bytes = 98;  // a boundary that is read only
  CHECK(mix_of(moved) == mix::copy);
  moved.write_bytes = 50;
  CHECK(mix_of(moved) == mix::triad);
  moved.write_bytes = 3;
  CHECK(mix_of(moved) == mix::triad);
  moved.write_bytes = 2;  // a product of a matrix with a vector
  CHECK(mix_of(moved) == mix::read);
  moved.read_bytes = 0;
  CHECK(mix_of(moved) == mix::write);
}

TEST_CASE("session: ceilings come from verified probes beyond the cache") {
  result copy = measured("good");
  copy.flags.clear();
  copy.time = timing_of({1.0});
  result faster = copy, wrong = copy, cached = copy, arithmetic = copy;
  faster.time = timing_of({0.5});
  wrong.time = cached.time = timing_of({0.1});
  wrong.check.ok = false;
  cached.flags = {flag::fits_in_cache};
  arithmetic.a_eff_bytes = 0;
  arithmetic.flop = 3'000'000'000;
  arithmetic.type = "f32";
  const limits found = ceilings_from({copy, faster, wrong, cached, arithmetic});
  CHECK(found.copy_gb_per_s == doctest::Approx(16));
  CHECK(!found.triad_gb_per_s);
  CHECK(found.f32_gflop_per_s == doctest::Approx(3));
  CHECK(!found.f64_gflop_per_s);
  CHECK(found.t_peak_gb_per_s() == doctest::Approx(16));
}

TEST_CASE("session: a spent budget leaves rungs out and says so") {
  const bench_case c = fake_table_entry();
  const job work{&c, {teff::device::cpu(), "f64", {4}}, {{"good", "good", {}}}};
  session_options options;
  options.measure.sampling = {.budget_s = 0, .min_samples = 1, .max_samples = 1, .warm_up_s = 0};
  CHECK(run_session({work}, {}, options).results.size() == 1);
  options.budget_s = 1e-9;
  const session_results found = run_session({work}, {}, options);
  CHECK(found.results.empty());
  REQUIRE(found.notes.size() == 1);
  CHECK(found.notes[0] == "left out: fake f64 4 good: the time budget is spent");
}

TEST_CASE("session: a ceiling from disturbed samples is doubted, by name") {
  result copy = measured("good");
  copy.flags.clear();
  copy.time = timing_of({1.0});
  result faster = copy, arithmetic = copy;
  faster.time = timing_of({0.5});
  arithmetic.a_eff_bytes = 0;
  arithmetic.flop = 3'000'000'000;
  CHECK(doubts_about_ceilings({copy, faster, arithmetic}) == "");
  copy.flags = {flag::noisy};  // it sets no ceiling
  CHECK(doubts_about_ceilings({copy, faster, arithmetic}) == "");
  faster.flags = {flag::shared_device, flag::noisy};
  arithmetic.flags = {flag::noisy};
  CHECK(doubts_about_ceilings({copy, faster, arithmetic}) ==
        "ceilings that may be higher on a quiet machine: copy (shared device, noisy); f64 (noisy)");
}

TEST_CASE(
    "session: jobs that would take longer than the budget get smaller shapes, and it says so") {
  bench_case c = fake_table_entry();
  const auto prepare = c.prepare;
  constexpr teff::index_t cells = teff::index_t{1} << 34;  // what no cache holds
  c.prepare = [&](const setting& where) {
    std::this_thread::sleep_for(std::chrono::duration<double>(0.2 * cells_of(where.shape) / cells));
    return prepare({where.dev, where.type, {4}});
  };
  const std::vector<job> jobs(
      3, job{&c, {teff::device::cpu(), "f64", {cells}}, {{"good", "good", {}}}, true});
  session_options options;
  options.measure.sampling = {.budget_s = 0, .min_samples = 1, .max_samples = 1, .warm_up_s = 0};
  options.budget_s = 0.4;
  const session_results found = run_session(jobs, {}, options);
  REQUIRE(!found.notes.empty());
  CHECK(found.notes.back().starts_with(
      "smaller shapes, for the time budget: fake f64 17179869184 to "));
  options.budget_s = 1000;
  CHECK(run_session(jobs, {}, options).notes.empty());
}

TEST_CASE("session: what does not fit in memory is left out only where asked") {
  bench_case c = fake_table_entry();
  c.prepare = [](const setting&) -> std::unique_ptr<prepared_case> {
    throw teff::error(teff::failure::out_of_memory, "asked 1 TB");
  };
  const job work{&c, {teff::device::cpu(), "f64", {4}}, {{"good", "good", {}}}};
  session_options options;
  CHECK_THROWS_AS((void)run_session({work}, {}, options), teff::error);
  options.skip_what_does_not_fit = true;
  const session_results found = run_session({work}, {}, options);
  REQUIRE(found.notes.size() == 1);
  CHECK(found.notes[0] == "left out: fake f64 4 good: asked 1 TB");
}

TEST_CASE("session: shapes shrink to fit, the longest extent first") {
  using shape = std::vector<teff::index_t>;
  CHECK(shape_that_fits({8, 8}, 1, 1, 64) == shape{8, 8});
  CHECK(shape_that_fits({8, 8}, 1, 1, 63) == shape{8, 4});
  CHECK(shape_that_fits({8, 8}, 2, 8, 256) == shape{4, 4});
  CHECK(shape_that_fits({512, 512, 512}, 3, 8, 3.0 * 8 * 256 * 256 * 256) == shape{256, 256, 256});
  CHECK(shape_that_fits({5}, 1, 1, 0) == shape{1});
}

// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <teff/lab/measure.hpp>

#include "fake_case.hpp"

using namespace teff::lab;
using namespace teff::test;

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

TEST_CASE("rate: above the ceiling is flagged with one step per pass only") {
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
  ceilings.copy_gb_per_s = 31;  // measured again
  rate(r, ceilings);
  CHECK(!r.has_flag(flag::above_ceiling));
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
  b.flags = {flag::above_ceiling};  // the ceiling is wrong, not the result
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

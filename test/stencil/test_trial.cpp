// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/stencil/explain.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

namespace {

/// A file of schedules of its own, while it lives.
class own_schedules {
 public:
  explicit own_schedules(const std::string& content = "") {
    std::string name = (std::filesystem::temp_directory_path() / "teff-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder_ = name;
    file_ = folder_ / "made" / "s.tsv";
    if (!content.empty()) {
      std::filesystem::create_directories(file_.parent_path());
      std::ofstream(file_) << content;
    }
    setenv("TEFF_SCHEDULES", file_.c_str(), 1);
  }
  ~own_schedules() {
    setenv("TEFF_SCHEDULES", "", 1);
    std::filesystem::remove_all(folder_);
  }
  own_schedules(const own_schedules&) = delete;
  own_schedules& operator=(const own_schedules&) = delete;

  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    std::ifstream in(file_);
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }

 private:
  std::filesystem::path folder_, file_;
};

auto heat() {
  return timestep(
      [](auto T, auto C) { return update(inn(T), inn(T) + 0.1 * inn(C) * (d2_xi(T) + d2_yi(T))); });
}

template <class Step, class... A>
std::string key_of(const Step& step, const A&... a) {
  return detail::make_time_loop(step.formula(a...), static_cast<const array_ref<f64, 2>&>(a)...)
      .key();
}

/// "" where nothing is remembered.
std::string remembered_text(const std::string& key) {
  const auto plan = remembered_plan(key);
  return plan ? short_text(*plan) : "";
}

/// The trial's view of a run, whose passes of eight steps are refused or do not fit in memory.
struct made_up_loop {
  const char* name;
  bool fits = true;
  index_t fails_at = -1;  ///< steps after which no pass of eight steps finds memory
  int not_launched = 0;   ///< passes of so many steps are not launched
  array<f64, 2> field{device::cpu(), {1, 1}};
  index_t steps = 0;

  step_facts facts() const {
    step_facts f;
    f.depths = {{1, 1}, {4, 1}, {8, 1}};
    f.stages = 2;
    return f;
  }
  const array<f64, 2>& leading_field() const { return field; }
  std::string key() const { return name; }
  double scratch_bytes(const step_plan& plan) const { return plan.depth; }
  void resume(const step_plan& plan) const {
    if (plan.depth == 8 && !fits) throw error(failure::out_of_memory, "no room");
  }
  index_t advance(index_t count, const step_plan& plan) {
    for (index_t made = 0; made < count; made += plan.depth) {
      if (plan.depth == 8 && fails_at >= 0 && steps >= fails_at)
        throw error(failure::out_of_memory, "no room");
      if (plan.depth == not_launched && steps > 0) throw launch_error("99 KB are the limit");
      steps += plan.depth;
    }
    return count / plan.depth;
  }
  // What make_steps() needs besides.
  void start(const step_plan& plan, index_t) {
    starts.push_back(plan_text(plan));
    if (plan.schedule != schedule::stepwise && !fits)
      throw error(failure::out_of_memory, "no room");
  }
  void finish() const {}
  void keep_state() const {}
  void go_back() const {}
  void take_over() const {}
  bool is_finite() const { return true; }
  bool is_empty() const { return false; }
  std::string non_finite_text(bool = false) const { return ""; }
  index_t step() const { return steps; }
  std::vector<std::string> starts{};
};

}  // namespace

TEST_CASE("trial: passes of several steps are compared with single ones, bit for bit") {
  for (const device dev : test_devices()) {
    array<f64, 2> T = random<f64>(dev, {450, 90}, 1), C = random<f64>(dev, {450, 90}, 2);
    const auto agree = [&](index_t steps, index_t single_steps) {
      return detail::has_bits_of_single_steps<>(
          heat().formula(T, C), {schedule::temporal, 3, ""}, steps, single_steps,
          detail::cells_left_out<2>({{450, 90, 1}}, 1), static_cast<const array_ref<f64, 2>&>(T),
          static_cast<const array_ref<f64, 2>&>(C));
    };
    CHECK(agree(7, 7));
    CHECK_FALSE(agree(7, 6));
    // Also where a field begins without anything to see.
    for (const f64 everywhere : {0.0, 300.0}) {
      fill(T, everywhere);
      CHECK(agree(7, 7));
      CHECK_FALSE(agree(7, 6));
      CHECK(max(T) == everywhere);
    }
  }
}

TEST_CASE("trial: the part that is compared has even and odd rows; faces keep their extra cells") {
  const array<f64, 2> q = random<f64>(device::cpu(), {501, 90}, 1);
  const shape3 n{{500, 90, 1}};
  const auto part = [&](index_t fewer) {
    return detail::copy_of_part<f64, 2>(q, detail::cells_left_out<2>(n, fewer));
  };
  CHECK(part(0).extent(0) == 401);
  CHECK(part(1).extent(0) == 400);
  CHECK(part(0).extent(1) == 70);
  CHECK(to_host(part(0))[402] == to_host(q)[502]);
  CHECK(detail::cells_left_out<2>({{30, 9, 1}}, 1).n[0] == 0);
}

TEST_CASE("trial: a long run tries its schedules, remembers the fastest, and keeps its bits") {
  const own_schedules file;
  for (const device dev : test_devices()) {
    const array<f64, 2> C = random<f64>(dev, {40, 30}, 2);
    array<f64, 2> T = random<f64>(dev, {40, 30}, 1), S = T;
    const std::size_t lines = file.lines().size();
    const auto first = iterate(heat(), 2000, T, C);
    CHECK(contains(first.reason(), "tried: 1: "));
    CHECK(first.steps() == 2000);
    REQUIRE(file.lines().size() == lines + 1);
    const std::string line = file.lines().back();
    const step_plan taken{first.schedule(), first.depth()};
    CHECK(contains(line, short_text(taken) + "\t" + known_device(dev).name + ", "));
    CHECK(contains(line, "\t40x30:f64 40x30:f64\t0 = "));
    const auto second = iterate(heat(), 100, T, C);
    CHECK(contains(second.reason(), "the fastest when it was tried: "));
    CHECK(second.depth() == first.depth());
    CHECK(file.lines().size() == lines + 1);
    iterate(heat(), {.steps = 2100, .schedule = schedule::stepwise}, S, C);
    CHECK(difference(to_host(T), to_host(S)) == "");

    std::ostringstream text;
    text << explain(heat(), T, C);
    CHECK(contains(text.str(), "the fastest when it was tried"));
  }
}

TEST_CASE("trial: short runs, and runs that are interrupted too often, take the model's word") {
  const array<f64, 2> C = random<f64>(device::cpu(), {50, 30}, 2);
  array<f64, 2> T = random<f64>(device::cpu(), {50, 30}, 1);
  CHECK(contains(iterate(heat(), 100, T, C).reason(), "model"));
  CHECK(contains(iterate(heat(), {.steps = 2000, .check_every = 10}, T, C).reason(), "model"));
  CHECK(iterate(heat(), {.steps = 2000, .schedule = schedule::stepwise}, T, C).reason() ==
        "asked for");
}

TEST_CASE("trial: what is to be done after as many steps as a trial takes is done") {
  const array<f64, 2> C = random<f64>(device::cpu(), {20, 10}, 2);
  const array<f64, 2> start = random<f64>(device::cpu(), {20, 10}, 1);
  array<f64, 2> T = start;
  const index_t trial = detail::steps_of_trial(
      detail::make_time_loop(heat().formula(T, C), static_cast<const array_ref<f64, 2>&>(T),
                             static_cast<const array_ref<f64, 2>&>(C))
          .facts());
  for (const index_t every : {trial - 1, trial, trial + 1}) {
    const own_schedules file;
    std::vector<index_t> calls;
    const auto run = iterate(
        heat(), {.steps = 10 * trial, .on_step = {every, [&](index_t n) { calls.push_back(n); }}},
        T, C);
    CHECK(contains(run.reason(), every > trial ? "tried: " : "model"));
    CHECK(calls.front() == every);
    CHECK(calls.size() == static_cast<std::size_t>(10 * trial / every));
  }
}

TEST_CASE("trial: a candidate that is refused or does not fit is left out, said, not remembered") {
  const own_schedules file;
  const auto never = [](const step_plan&) { return std::string(); };
  const auto not_8 = [](const step_plan& p) {
    return std::string(p.depth == 8 ? "wrong bits" : "");
  };
  run_facts made;
  made_up_loop all{"all"}, refused{"refused"}, large{"large", false};
  CHECK(detail::tried_plan(all, never, made).reason.find("not tried") == std::string::npos);
  CHECK(made.steps == all.steps);
  CHECK(made.steps == detail::steps_of_trial(all.facts()));
  CHECK(made.scratch_bytes == 8);
  CHECK(remembered_plan("all"));

  const step_plan without = detail::tried_plan(refused, not_8, made);
  CHECK(without.depth != 8);
  CHECK(contains(without.reason, "; not tried: wrong bits"));
  const step_plan smaller = detail::tried_plan(large, never, made);
  CHECK(smaller.depth != 8);
  CHECK(contains(smaller.reason, "not enough memory for 8 steps per pass"));
  CHECK(file.lines().size() == 1);
}

TEST_CASE("trial: steps count that a candidate made before it ran out of memory") {
  const auto never = [](const step_plan&) { return std::string(); };
  const own_schedules file;
  made_up_loop whole{"whole"};
  run_facts made;
  detail::tried_plan(whole, never, made);
  for (index_t fails_at = 0; fails_at + 8 <= whole.steps; fails_at += 8) {
    made_up_loop loop{"cut", true, fails_at};
    made = {};
    detail::tried_plan(loop, never, made);
    CHECK(loop.steps < whole.steps);
    CHECK(made.steps == loop.steps);
  }
}

TEST_CASE("a run whose second arrays do not fit goes on stage by stage, if it may choose") {
  const auto run = [](const iterate_options& options) {
    made_up_loop loop{"large", false};
    step_plan plan{schedule::temporal, 1};
    run_facts facts;
    second_choice others;
    detail::make_steps(
        loop, options, plan, detail::no_residual{}, [](const step_plan&) { return ""; }, others,
        facts);
    CHECK(loop.starts.size() == 2);
    CHECK(facts.steps == options.steps);
    return plan;
  };
  const step_plan plan = run({.steps = 3});
  CHECK(plan.schedule == schedule::stepwise);
  CHECK(plan.reason == "there was not enough memory for 1 step per pass with all stages at once");
  CHECK_THROWS_WITH_AS(run({.steps = 3, .schedule = schedule::temporal}), "no room", error);
}

TEST_CASE("a plan that is refused is followed by the next best, and all reasons are told") {
  const auto run = [](made_up_loop& loop, const iterate_options& options, int wrong_depth) {
    step_plan plan{schedule::temporal, 8, "asked for"};
    run_facts facts;
    second_choice others;
    const auto why_not = [&](const step_plan& p) {
      return std::string(p.depth == wrong_depth ? "wrong bits" : "");
    };
    plan = detail::first_trusted(loop, options, plan, why_not, others);
    detail::make_steps(loop, options, plan, detail::no_residual{}, why_not, others, facts);
    CHECK(facts.steps == options.steps);
    CHECK(loop.steps == options.steps);
    return plan;
  };
  std::vector<index_t> told;
  const iterate_options options{.steps = 48,
                                .on_step = {16, [&](index_t done) { told.push_back(done); }}};
  made_up_loop wrong{"wrong"}, late{"late"}, both{"both"};
  const step_plan second = run(wrong, options, 8);
  CHECK(second.depth == 4);
  CHECK(second.is_second_choice);
  CHECK(second.reason == "wrong bits");
  late.not_launched = 8;  // after its first pass
  const step_plan third = run(late, options, 4);
  CHECK(plan_text(third) == "1 step per pass with all stages at once");
  CHECK(third.reason == "8 steps per pass could not be launched: 99 KB are the limit; wrong bits");
  CHECK(told == std::vector<index_t>{16, 32, 48, 16, 32, 48});
  both.not_launched = 1;
  both.fits = false;
  CHECK(message_of([&] { run(both, {.steps = 48, .schedule = schedule::temporal}, 0); }) ==
        "no room");
}

TEST_CASE("a run that ends for want of memory says at which step the fields are") {
  made_up_loop loop{"late", true, 16};
  step_plan plan{schedule::temporal, 8, "asked for"};
  second_choice others;
  CHECK(message_of([&] {
          detail::drive(
              loop, {.steps = 48, .schedule = schedule::temporal}, plan, detail::no_residual{},
              [](const step_plan&) { return ""; }, others);
        }) == "no room; the fields hold the state after step 16");
}

TEST_CASE("trial: what is remembered is not taken where a run is interrupted more often") {
  const array<f64, 2> C = random<f64>(device::cpu(), {70, 30}, 2);
  array<f64, 2> T = random<f64>(device::cpu(), {70, 30}, 1);
  const own_schedules file("8\t" + key_of(heat(), T, C) + "\n");
  CHECK(iterate(heat(), 100, T, C).depth() == 8);
  CHECK(contains(iterate(heat(), {.steps = 100, .check_every = 7}, T, C).reason(), "model"));
  CHECK(contains(iterate(heat(), {.steps = 100, .on_step = {4, [](index_t) {}}}, T, C).reason(),
                 "model"));
  CHECK(contains(iterate(heat(), 7, T, C).reason(), "model"));
}

TEST_CASE("trial: runs share what they remember if their cost is the same, whatever the numbers") {
  const array<f64, 2> T(device::cpu(), {30, 20}), C(device::cpu(), {30, 20});
  const auto scaled = [](double factor, const boundary& sides = {}) {
    return timestep([=](auto T_, auto C_) {
      return update(inn(T_), inn(T_) + factor * inn(C_) * d2_xi(T_), sides);
    });
  };
  const auto both = timestep([](auto T_, auto C_) {
    return update(inn(T_), inn(T_) + inn(C_) * (d2_xi(T_) + d2_yi(T_)));
  });
  const std::string key = key_of(scaled(1e-7), T, C);
  CHECK(key == key_of(scaled(2e-7), T, C));
  CHECK(key != key_of(both, T, C));
  CHECK(key != key_of(scaled(1e-7, {.x = periodic}), T, C));
  const array<f64, 2> wide(device::cpu(), {31, 20}), wide_C = wide;
  CHECK(key != key_of(scaled(1e-7), wide, wide_C));
  CHECK(contains(key, std::to_string(known_device(device::cpu()).processors) + " processors"));
}

TEST_CASE("schedule file: what is not a line of its kind is passed over; the last one counts") {
  const own_schedules file(
      "nonsense\n\n7\n-2\tkey\n0\tkey\n4\tkey\n8\tkey\n3 other\n"
      "resident\tsmall\nresidents\tother\n5x\tother\nfused\tstages\n");
  CHECK(remembered_text("key") == "8");
  CHECK(remembered_text("small") == "resident");
  CHECK(remembered_text("stages") == "fused");
  CHECK_FALSE(remembered_plan("other"));
  remember_plan("key", {schedule::temporal, 2});
  CHECK(remembered_text("key") == "2");
  CHECK(file.lines().back() == "2\tkey");
  remember_plan("key", {schedule::resident, 8});
  CHECK(file.lines().back() == "resident\tkey");
}

TEST_CASE("schedule file: a last line without an end stays whole") {
  const own_schedules file("4\tone");
  remember_plan("two", {schedule::temporal, 8});
  CHECK(file.lines() == std::vector<std::string>{"4\tone", "8\ttwo"});
}

TEST_CASE("schedule file: a depth that the run can not have is not taken") {
  const array<f64, 2> C = random<f64>(device::cpu(), {60, 30}, 2);
  array<f64, 2> T = random<f64>(device::cpu(), {60, 30}, 1);
  const std::string key = key_of(heat(), T, C);
  const own_schedules file("1000\t" + key + "\n");
  CHECK(remembered_text(key) == "1000");
  CHECK(contains(iterate(heat(), 100, T, C).reason(), "model"));
}

TEST_CASE("schedule file: a place that can not be written is no error") {
  setenv("TEFF_SCHEDULES", "/proc/nobody/writes/here.tsv", 1);
  remember_plan("unwritable", {schedule::temporal, 4});
  CHECK(remembered_text("unwritable") == "4");
  setenv("TEFF_SCHEDULES", "", 1);
  CHECK(schedule_file().empty());
}

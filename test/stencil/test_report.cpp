// SPDX-License-Identifier: MIT
#include <sstream>

#include <teff/algo/random.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/kernel/ceiling.hpp>
#include <teff/stencil/explain.hpp>
#include <teff/stencil/iterate.hpp>
#include <teff/stencil/report.hpp>

#include "../comma_locale.hpp"
#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;
using namespace fd2;

namespace {

/// Of a run of a second on a device that copies 100 GB/s and computes 50 GFLOP/s.
runtime::run_rates rates(f64 t_eff, f64 gflop, f64 passes_per_step) {
  runtime::run_rates all;
  all.time_s = 1;
  all.t_eff_gb_per_s = t_eff;
  all.gflop_per_s = gflop;
  all.ceiling_gb_per_s = 100;
  all.peak_gflop_per_s = 50;
  all.passes_per_step = passes_per_step;
  all.type = "f64";
  return all;
}

}  // namespace

TEST_CASE("report: it says what limits") {
  CHECK(rates(80, 20, 1).text() == "T_eff 80 GB/s = 0.80 x ceiling");
  CHECK(rates(6, 35.5, 1).text() ==
        "T_eff 6 GB/s = 0.06 x ceiling, 35.5 GFLOP/s = 0.71 of peak f64");
  // Eight steps per pass: memory is at 0.3 of what it can do, not at 2.4.
  CHECK(rates(240, 20, 0.125).text() ==
        "T_eff 240 GB/s = 2.40 x ceiling, 20 GFLOP/s = 0.40 of peak f64");
  CHECK(rates(240, 14, 0.125).text() == "T_eff 240 GB/s = 2.40 x ceiling");
  // Neither is near: the steps wait for something else.
  CHECK(rates(0.5, 4, 1).text() == "T_eff 0.5 GB/s = 0.01 x ceiling");
  CHECK(rates(0.12, 4, 1).text() == "T_eff 0.12 GB/s = 0.0012 x ceiling");
}

TEST_CASE("report: what is too short to measure, and what is not known") {
  runtime::run_rates one = rates(0.12, 4, 1);
  one.fits_in_cache = true;
  CHECK(one.text() == "too short to measure T_eff");
  one.step_s = 0.1;  // it is slow, not short
  CHECK(one.text() == "T_eff 0.12 GB/s = 0.0012 x ceiling");
  one = rates(80, 20, 1);
  one.time_s = 5e-5;
  CHECK(one.text() == "too short to measure T_eff");
  one = rates(80, 45, 1);
  one.ceiling_gb_per_s.reset();
  CHECK(one.text() == "T_eff 80 GB/s");
  one = rates(6, 35.5, 1);
  for (const f64 unknown : {0.0, 35.0}) {
    one.peak_gflop_per_s = unknown;
    CHECK(one.text() == "T_eff 6 GB/s = 0.06 x ceiling");
  }
}

TEST_CASE("report: the peak of arithmetic") {
  for (const device dev : test_devices()) {
    const f64 of_f64 = peak_gflop_per_s(dev, "f64"), of_f32 = peak_gflop_per_s(dev, "f32");
    CHECK(of_f64 > 0.1);
    CHECK(of_f32 > 0.1 * of_f64);  // by an optimizer twice as much; others may use the machine
    CHECK(of_f32 < 100 * of_f64);  // a GPU may have 64 times as many units for f32
    CHECK(peak_gflop_per_s(dev, "i32") == 0);
  }
}

TEST_CASE("report: operations of a run") {
  for (const device dev : test_devices()) {
    const auto T = random<f64>(dev, {100, 50}, 1);
    const auto halve = timestep([](auto T) { return update(T, 0.5 * T); });
    const auto run = iterate(halve, 10, T);
    CHECK(run.gflop_per_s() * run.time_s() == doctest::Approx(10 * 100 * 50 * 1e-9));
  }
}

TEST_CASE("explain: captured arrays and their bytes") {
  for (const device dev : test_devices()) {
    const auto T = random<f64>(dev, {10, 10}, 1), K = random<f64>(dev, {10, 8}, 2);
    array<f64, 2> S(dev, {8, 8}, "S"), other(dev, {8, 8}, "other");
    S = 0.0;
    other = 1.0;
    const auto row = random<f64>(dev, {8}, 3);
    const auto step = timestep([=](auto T) {
      return update(inn(T), inn(T) + S + inn_x(K) + d_xa(av_xa(K)) + along<0>(row) + other - S);
    });
    const std::string text = explain(step, T).text;
    CHECK(contains(text, "  captured: array 'S' of 8x8 f64: 512 B read\n"));
    CHECK(contains(text, "  captured: array 'other' of 8x8 f64: 512 B read\n"));
    CHECK(contains(text, "  captured: an array of 10x8 f64: 640 B read\n"));
    CHECK(contains(text, "  captured: an array of 8 f64: 64 B read\n"));
    CHECK(text.find("'S'") == text.rfind("'S'"));
    CHECK(text.find("an array of 8x8") == std::string::npos);  // a part of K
  }
}

TEST_CASE("report: counts of steps have no commas, whatever locale the program has set") {
  const comma_locale set;
  run_facts made;
  made.steps = 45678;
  made.steps_before = 12345;
  made.why_before = "of old";
  const auto time = std::make_shared<timer>(device::cpu());
  time->start();
  time->stop();
  std::ostringstream text;
  text << iterate_report(made, single_steps(), "10x8", "f64", {}, time, device::cpu());
  CHECK(text.str().starts_with("45678 steps of 10x8 f64"));
  CHECK(text.str().find("; before, 12345 single steps: of old") != std::string::npos);
}

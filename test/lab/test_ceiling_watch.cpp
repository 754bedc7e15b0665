// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <string>
#include <utility>
#include <vector>

#include <teff/lab/ceiling_watch.hpp>

using namespace teff::lab;

namespace {

/// What copied so many GB in a second.
result copied(const std::string& case_name, const std::string& variant, double gb_per_s) {
  result r;
  r.case_name = case_name;
  r.variant = variant;
  r.type = "f64";
  r.a_eff_bytes = 1'000'000'000;
  r.time = timing_of({1 / gb_per_s});
  r.check.ok = true;
  return r;
}

/// A machine whose two probes reach what is set, and that keeps what was asked of it.
struct probed_machine {
  bench_case probe = {.name = "peak-copy"};
  std::vector<job> probes{{&probe,
                           {teff::device::cpu(), "f64", {4}},
                           {{"memcpy", "memcpy", {}}, {"stream", "stream", {}}}}};
  double memcpy_gb_per_s = 10, stream_gb_per_s = 8;
  std::vector<std::string> asked = {};

  std::vector<result> measure(const std::vector<job>& jobs) {
    std::vector<result> found;
    for (const job& j : jobs)
      for (const rung& r : j.rungs) {
        asked.push_back(r.name);
        found.push_back(
            copied(j.what->name, r.name, r.name == "memcpy" ? memcpy_gb_per_s : stream_gb_per_s));
      }
    return found;
  }
};

}  // namespace

TEST_CASE("ceilings: between the cases the fastest probe is measured, if there is time") {
  probed_machine m;
  ceiling_watch watch(m.probes, [&](const std::vector<job>& jobs) { return m.measure(jobs); });
  watch.take(m.measure(m.probes));
  m.asked.clear();
  m.memcpy_gb_per_s = 20;
  watch.follow(std::vector{copied("copy", "array", 9)}, 0.5);
  CHECK(m.asked.empty());
  watch.follow(std::vector{copied("copy", "array", 9)}, 0.05);
  CHECK(m.asked == std::vector<std::string>{"memcpy"});
  CHECK(*watch.ceilings().copy_gb_per_s == doctest::Approx(20));
  REQUIRE(watch.notes().size() == 1);
  CHECK(watch.notes()[0] ==
        "the machine changed its speed: copy ceiling 10.0 to 20.0 GB/s; fractions refer to the "
        "highest");
  result of_cache = copied("copy", "array", 9), slow = of_cache;
  of_cache.flags = {flag::fits_in_cache};
  slow.reason = "no fraction of a ceiling";
  watch.follow(std::vector{of_cache, slow}, 0);
  CHECK(m.asked.size() == 1);
}

TEST_CASE("ceilings: where a result passes one, all its probes are measured again") {
  probed_machine m;
  ceiling_watch watch(m.probes, [&](const std::vector<job>& jobs) { return m.measure(jobs); });
  watch.take(m.measure(m.probes));
  m.asked.clear();
  m.stream_gb_per_s = 31;  // the machine has become faster
  const std::vector<result> fast{copied("copy", "array", 30)};
  watch.follow(fast, 0.5);
  CHECK(m.asked == std::vector<std::string>{"memcpy", "stream"});
  CHECK(*watch.ceilings().copy_gb_per_s == doctest::Approx(31));
  REQUIRE(!watch.notes().empty());
  CHECK(watch.notes()[0] ==
        "copy array f64 passed the copy ceiling, 10.0 GB/s; measured again it is 31.0 GB/s, which "
        "counts");
  m.asked.clear();
  watch.follow_passing(fast);
  CHECK(m.asked.empty());
}

TEST_CASE("ceilings: one that is not higher when it is measured again is said") {
  probed_machine m;
  ceiling_watch watch(m.probes, [&](const std::vector<job>& jobs) { return m.measure(jobs); });
  watch.take(m.measure(m.probes));
  result wrong = copied("copy", "array", 30);
  wrong.check.ok = false;
  watch.follow_passing(std::vector{wrong});
  CHECK(watch.notes().empty());
  watch.follow_passing(std::vector{copied("copy", "array", 30)});
  CHECK(watch.notes() ==
        std::vector<std::string>{"copy array f64 passed the copy ceiling, 10.0 GB/s, which was not "
                                 "higher when it was measured again"});
}

TEST_CASE("ceilings: no time to measure them again changes nothing") {
  probed_machine m;
  ceiling_watch watch(m.probes, [](const std::vector<job>&) { return std::vector<result>(); });
  watch.take(m.measure(m.probes));
  watch.follow(std::vector{copied("copy", "array", 30)}, 0);
  CHECK(*watch.ceilings().copy_gb_per_s == doctest::Approx(10));
  CHECK(watch.notes().empty());
}

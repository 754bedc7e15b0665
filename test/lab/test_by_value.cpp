// SPDX-License-Identifier: MIT
#include <algorithm>
#include <doctest/doctest.h>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <teff/lab/by_value.hpp>
#include <teff/lab/report_table.hpp>

#include <bench/cases.hpp>

using namespace teff::lab;

namespace {

job job_of(const bench_case& c, const char* type, const std::vector<const char*>& rungs) {
  job j{&c, {teff::device::cpu(), type, {8}}, {}, true};
  for (const char* name : rungs) j.rungs.push_back({name, name, {}});
  return j;
}

/// "heat f64 temporal+ | ...": a + where the shape may shrink.
std::string order_of(const std::vector<job>& jobs) {
  std::string text;
  for (const job& j : jobs) {
    text += (text.empty() ? "" : " | ") + j.what->name + " " + j.where.type;
    for (const rung& r : j.rungs) text += " " + r.name;
    if (j.may_shrink) text += "+";
  }
  return text;
}

std::string name_of(const job& j) {
  return j.what->name + " " + j.where.type;
}

/// As `teff lab` plans them: both types of a case follow each other.
std::vector<job> jobs_of_lab() {
  std::vector<job> jobs = plan_lab(teff::bench::cases(), teff::device::cpu(), "f64");
  std::ranges::move(plan_lab(teff::bench::cases(), teff::device::cpu(), "f32"),
                    std::back_inserter(jobs));
  std::ranges::stable_sort(jobs, {}, &job::what);
  return jobs;
}

}  // namespace

TEST_CASE("by value: what a user would write, then single steps, charts, and all others") {
  bench_case heat, sums;
  heat.name = "heat";
  heat.best = "temporal";
  sums.name = "sums";
  sums.best = "full";
  sums.best_along = {"dim-0", "dim-1"};
  const std::vector<const char*> steps{"stored", "stepwise", "temporal"},
      dims{"kernel", "full", "dim-0", "dim-1"};
  std::vector<job> chart{job_of(heat, "f64", {"stepwise", "temporal"})};
  chart[0].may_shrink = false;
  CHECK(order_of(by_value({job_of(heat, "f64", steps), job_of(heat, "f32", steps),
                           job_of(sums, "f64", dims), job_of(sums, "f32", dims)},
                          chart)) ==
        "heat f64 temporal+ | heat f32 temporal+ | sums f64 full dim-0 dim-1+ | "
        "sums f32 full dim-0 dim-1+ | heat f64 stepwise | heat f32 stepwise | "
        "heat f64 stepwise temporal | heat f64 stored | heat f32 stored | sums f64 kernel | "
        "sums f32 kernel");
}

TEST_CASE("by value: a job without a best rung begins with its first, unless it was set apart") {
  bench_case c;
  c.name = "c";
  c.best = "best";
  job apart = job_of(c, "f64", {"emulated"});
  apart.rungs[0].flag = flag::emulated;
  apart.may_shrink = false;
  CHECK(order_of(by_value({apart, job_of(c, "f32", {"a", "b"})}, {})) ==
        "c f32 a+ | c f64 emulated | c f32 b");
}

TEST_CASE("by value: the lab begins with every case in both types, and leaves no rung out") {
  const std::vector<job> jobs = jobs_of_lab(), ordered = by_value(jobs, {});
  std::set<std::string> cases, first;
  std::multiset<std::string> planned, found;
  for (const job& j : jobs) {
    cases.insert(name_of(j));
    for (const rung& r : j.rungs) planned.insert(name_of(j) + " " + r.name);
  }
  bool is_first = true;
  for (const job& j : ordered) {
    is_first = is_first && j.may_shrink;
    CHECK(j.may_shrink == is_first);
    if (is_first) CHECK(first.insert(name_of(j)).second);
    for (const rung& r : j.rungs) found.insert(name_of(j) + " " + r.name);
  }
  CHECK(first == cases);
  CHECK(found == planned);
}

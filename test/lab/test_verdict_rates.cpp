// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <teff/lab/compare.hpp>
#include <teff/lab/report_json.hpp>

using namespace teff::lab;

/// How often verdicts are wrong on times that machines really took. A and B are the same program
/// throughout, so that every difference is a false one, and 3 % put on B must be found. The pairs
/// from an H200 are parts of the samples of one process: what differs from one process to the next
/// is not in them. Needs TEFF_RESULTS, the path of results/.
namespace {

using times = std::vector<double>;

struct pair_of_runs {
  times a, b;
};

using judge_function = std::function<judgement(const times&, const times&)>;

/// What is wrong, and found, per pair.
struct rates {
  std::size_t pairs = 0;
  double wrong = 0;  ///< called faster or slower though nothing changed
  double same = 0;   ///< called the same where nothing changed; the rest is unclear
  double found = 0;  ///< called slower where 3 % were put on B, and faster where on A
};

bool is_alarm(const judgement& j) {
  return j.what == verdict::faster || j.what == verdict::slower;
}

times slowed(times t) {
  for (double& x : t) x *= 1.03;
  return t;
}

rates rates_of(const std::vector<pair_of_runs>& runs, const judge_function& judge_runs) {
  rates all{runs.size()};
  const double share = 1 / static_cast<double>(std::max<std::size_t>(1, runs.size()));
  for (const auto& [a, b] : runs) {
    const judgement of_same = judge_runs(a, b);
    if (is_alarm(of_same)) all.wrong += share;
    if (of_same.what == verdict::same) all.same += share;
    if (judge_runs(a, slowed(b)).what == verdict::slower) all.found += share / 2;
    if (judge_runs(slowed(a), b).what == verdict::faster) all.found += share / 2;
  }
  return all;
}

judgement by_samples(const times& a, const times& b) {
  return judge(a, b);
}
judgement by_pairs(const times& a, const times& b) {
  return judge_pairs(a, b);
}

/// A judge that trusts medians, as if nothing scattered.
judgement by_medians_alone(const times& a, const times& b) {
  judgement j;
  j.ratio = median(b) / median(a);
  if (std::abs(j.ratio - 1) > 0.02) j.what = j.ratio > 1 ? verdict::slower : verdict::faster;
  return j;
}

/// A judge that never commits itself.
judgement never(const times&, const times&) {
  return {};
}

std::filesystem::path results_folder() {
  const char* folder = std::getenv("TEFF_RESULTS");
  if (folder == nullptr) MESSAGE("skipped: TEFF_RESULTS does not name the folder of results");
  return folder == nullptr ? "" : folder;
}

/// All runs with at least 20 samples that were taken on an H200.
std::vector<times> runs_on_h200(const std::filesystem::path& folder) {
  std::vector<times> runs;
  for (const auto& file : std::filesystem::directory_iterator(folder / "h200")) {
    if (file.path().extension() != ".json" || file.path().stem() == "enqueue") continue;
    for (const result& r : read_report(file.path().string()).results)
      if (r.time && r.time->samples_s.size() >= 20) runs.push_back(r.time->samples_s);
  }
  return runs;
}

pair_of_runs halves(const times& t) {
  const auto middle = t.begin() + static_cast<std::ptrdiff_t>(t.size() / 2);
  return {{t.begin(), middle}, {middle, t.end()}};
}

pair_of_runs taken_in_turns(const times& t) {
  pair_of_runs p;
  for (std::size_t i = 0; i + 1 < t.size(); i += 2) {
    const bool a_first = i / 2 % 2 == 0;
    p.a.push_back(t[a_first ? i : i + 1]);
    p.b.push_back(t[a_first ? i + 1 : i]);
  }
  return p;
}

/// What `teff ab` recorded on a busy CPU: one record a run.
std::vector<pair_of_runs> records_of_cpu(const std::filesystem::path& folder) {
  std::ifstream file(folder / "pairs" / "cpu-2core-busy.csv");
  std::vector<pair_of_runs> records;
  std::string line;
  std::getline(file, line);  // the headers
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string cell, side;
    for (int column = 0; column < 5; ++column) std::getline(cells, side, ',');
    if (side == "A") records.emplace_back();
    times& t = side == "A" ? records.back().a : records.back().b;
    while (std::getline(cells, cell, ',')) t.push_back(std::strtod(cell.c_str(), nullptr));
  }
  return records;
}

/// Neighbouring stretches of so many pairs each.
std::vector<pair_of_runs> stretches(const std::vector<pair_of_runs>& records,
                                    std::ptrdiff_t pairs) {
  std::vector<pair_of_runs> all;
  for (const auto& [a, b] : records)
    for (std::ptrdiff_t at = 0; at + pairs <= std::ssize(a); at += pairs)
      all.push_back(
          {{a.begin() + at, a.begin() + at + pairs}, {b.begin() + at, b.begin() + at + pairs}});
  return all;
}

/// The pairs after which `teff ab` would have ended; none where the record ends before.
times::size_type pairs_until_narrow(const times& a, const times& b) {
  for (std::size_t n = 20; n <= a.size(); n += 10)
    if (is_narrow(ratio_of_pairs(std::span(a).first(n), std::span(b).first(n)), 0.02)) return n;
  return 0;
}

/// As `teff ab` does it. A record that ends before gives no verdict: it holds 201 pairs at most.
judgement until_narrow(const times& a, const times& b) {
  const std::size_t n = pairs_until_narrow(a, b);
  return judge_pairs(std::span(a).first(n), std::span(b).first(n));
}

}  // namespace

TEST_CASE("verdicts: runs one after the other on a GPU") {
  const auto folder = results_folder();
  if (folder.empty()) return;
  std::vector<pair_of_runs> all, neighbours, quiet;
  for (const times& run : runs_on_h200(folder)) {
    neighbours.push_back(halves(run));
    all.push_back(neighbours.back());
    all.push_back(taken_in_turns(run));
    if (summarize(run).spread() < 0.02) quiet.push_back(neighbours.back());
  }
  const rates of_all = rates_of(all, by_samples), of_neighbours = rates_of(neighbours, by_samples),
              of_quiet = rates_of(quiet, by_samples);
  MESSAGE("H200: all pairs " << of_all.pairs << ", wrong " << of_all.wrong << "; halves "
                             << of_neighbours.pairs << ", wrong " << of_neighbours.wrong
                             << ", same " << of_neighbours.same << ", found " << of_neighbours.found
                             << "; of little scatter " << of_quiet.pairs << ", wrong "
                             << of_quiet.wrong << ", same " << of_quiet.same << ", found "
                             << of_quiet.found);
  CHECK(of_all.pairs >= 1000);
  CHECK(of_all.wrong <= 0.01);
  CHECK(of_neighbours.wrong <= 0.01);
  CHECK(of_quiet.pairs >= 500);
  CHECK(of_quiet.wrong <= 0.001);
  CHECK(of_quiet.found >= 0.95);

  // These checks can fail.
  CHECK(rates_of(neighbours, by_medians_alone).wrong > 0.01);
  CHECK(rates_of(quiet, never).found < 0.95);
}

TEST_CASE("verdicts: pairs taken in turns on a busy CPU") {
  const auto folder = results_folder();
  if (folder.empty()) return;
  const std::vector<pair_of_runs> records = records_of_cpu(folder), few = stretches(records, 12);
  const rates of_few = rates_of(few, by_pairs), of_all = rates_of(records, until_narrow);
  std::vector<pair_of_runs> ended;
  for (const auto& record : records)
    if (pairs_until_narrow(record.a, record.b) > 0) ended.push_back(record);
  const rates of_ended = rates_of(ended, until_narrow);
  MESSAGE("busy CPU: stretches of 12 pairs "
          << of_few.pairs << ", wrong " << of_few.wrong << ", same " << of_few.same << ", found "
          << of_few.found << "; records " << of_all.pairs << ", wrong " << of_all.wrong << ", same "
          << of_all.same << ", found " << of_all.found << "; of these ended " << of_ended.pairs
          << ", wrong " << of_ended.wrong << ", same " << of_ended.same << ", found "
          << of_ended.found);
  CHECK(of_few.pairs >= 1000);
  CHECK(of_few.wrong <= 0.01);
  CHECK(of_all.pairs >= 150);
  CHECK(of_all.wrong <= 0.01);
  CHECK(of_all.found >= 0.6);
  CHECK(of_ended.pairs >= 50);
  CHECK(of_ended.wrong <= 0.01);
  CHECK(of_ended.found >= 0.95);

  // These checks can fail; and the same times, not judged as pairs, would be misjudged.
  CHECK(rates_of(few, by_medians_alone).wrong > 0.1);
  CHECK(rates_of(ended, never).found < 0.95);
}

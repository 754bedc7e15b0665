// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include <teff/base/error.hpp>
#include <teff/lab/compare.hpp>
#include <teff/lab/merge.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

/// Two numbers that are meant to be the same limit.
bool agree(double a, double b) {
  return std::min(a, b) > 0.95 * std::max(a, b);
}

/// The higher one of what both measured; nothing where they do not agree.
void take_agreed(std::optional<double>& limit, bool& is_disputed,
                 const std::optional<double>& another) {
  if (!another || is_disputed) return;
  is_disputed = limit && !agree(*limit, *another);
  limit = is_disputed ? std::nullopt : std::max(limit, another);
}

limits agreed_limits(const std::vector<report>& all) {
  limits found;
  bool disputed[6] = {};
  for (const report& r : all) {
    int i = 0;
    for (const mix m : all_mixes) take_agreed(found.of(m), disputed[i++], r.ceilings.of(m));
    take_agreed(found.f64_gflop_per_s, disputed[4], r.ceilings.f64_gflop_per_s);
    take_agreed(found.f32_gflop_per_s, disputed[5], r.ceilings.f32_gflop_per_s);
  }
  return found;
}

/// The same file given twice is one run.
void drop_copies(std::vector<report>& all) {
  std::vector<report> kept;
  for (report& r : all) {
    const auto is_copy = [&](const report& other) {
      return other.where.device_name == r.where.device_name && other.where.date == r.where.date &&
             other.where.command == r.where.command && other.results.size() == r.results.size();
    };
    if (std::ranges::none_of(kept, is_copy)) kept.push_back(std::move(r));
  }
  all = std::move(kept);
}

}  // namespace

report merge(std::vector<report> all) {
  if (all.empty()) throw error(failure::usage, "no results to put together");
  drop_copies(all);
  if (all.size() == 1) return std::move(all.front());
  std::map<std::string, const report*> latest;  // by identity of a result
  for (const report& r : all) {
    const machine& first = all.front().where;
    if (r.where.device_name != first.device_name || r.where.device != first.device)
      throw error(failure::usage, "results of different devices make no common report: '" +
                                      first.device_name + "' and '" + r.where.device_name + "'");
    for (const result& one : r.results) {
      const report*& run = latest[identity_of(one)];
      if (run == nullptr || run->where.date <= r.where.date) run = &r;
    }
  }
  report whole;
  whole.runs = static_cast<int>(all.size());
  whole.ceilings = agreed_limits(all);
  for (const report& r : all) {
    if (whole.where.date <= r.where.date) whole.where = r.where;
    for (const result& one : r.results)
      if (latest.at(identity_of(one)) == &r) whole.results.push_back(one);
  }
  whole.where.command =
      counted(all.size(), "run") + ", each with its own ceilings; last " + whole.where.command;
  return whole;
}

}  // namespace teff::lab

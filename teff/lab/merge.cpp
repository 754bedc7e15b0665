// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include <teff/base/error.hpp>
#include <teff/lab/all_limits.hpp>
#include <teff/lab/compare.hpp>
#include <teff/lab/merge.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

/// The highest of each, since a busy machine can only lower them; noted where the runs differ.
limits highest_limits(const std::vector<report>& all, std::vector<std::string>& notes) {
  constexpr double most_difference = 0.05;
  limits found;
  for (const limit& l : all_limits) {
    std::optional<double>& highest = found.*l.value;
    std::optional<double> lowest;
    for (const report& r : all) {
      const std::optional<double>& one = r.ceilings.*l.value;
      if (!one) continue;
      highest = std::max(highest, one);
      lowest = lowest ? std::min(lowest, one) : one;
    }
    if (lowest && *lowest < (1 - most_difference) * *highest)
      notes.push_back(std::string("the runs' machine changed its speed: ") + l.name + " ceiling " +
                      significant(*lowest, 3) + " to " + significant(*highest, 3) + " " + l.unit +
                      "; the highest is shown, and each result was compared with that of its run");
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
  whole.ceilings = highest_limits(all, whole.notes);
  for (const report& r : all) {
    whole.runs.push_back(r.where);
    for (const std::string& note : r.notes)
      whole.notes.push_back(note + " (" + r.where.date + ", " + r.where.command + ")");
    for (const result& one : r.results)
      if (latest.at(identity_of(one)) == &r) whole.results.push_back(one);
  }
  std::ranges::stable_sort(whole.runs, {}, &machine::date);
  whole.where = whole.runs.back();
  whole.where.command =
      counted(all.size(), "run") + ", each with its own ceilings; last " + whole.where.command;
  return whole;
}

}  // namespace teff::lab

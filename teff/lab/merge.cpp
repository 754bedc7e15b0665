// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <teff/base/error.hpp>
#include <teff/lab/all_limits.hpp>
#include <teff/lab/compare.hpp>
#include <teff/lab/merge.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

constexpr const char* changed_speed = "the runs' machine changed its speed: ";

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
      notes.push_back(std::string(changed_speed) + l.name + " ceiling " + significant(*lowest, 3) +
                      " to " + significant(*highest, 3) + " " + l.unit +
                      "; the highest is shown, and each result was compared with that of its run");
  }
  return found;
}

bool are_equal(const result& a, const result& b) {
  return identity_of(a) == identity_of(b) && a.time.has_value() == b.time.has_value() &&
         (!a.time || a.time->samples_s == b.time->samples_s);
}

/// The same file given twice is one run.
void drop_copies(std::vector<report>& all) {
  std::vector<report> kept;
  for (report& r : all) {
    const auto is_copy = [&](const report& other) {
      return other.where.device_name == r.where.device_name && other.where.date == r.where.date &&
             other.where.command == r.where.command &&
             std::ranges::equal(other.results, r.results, are_equal);
    };
    if (std::ranges::none_of(kept, is_copy)) kept.push_back(std::move(r));
  }
  all = std::move(kept);
}

/// " (2026-01-01, teff lab)"
std::string run_text(const machine& m) {
  return " (" + m.date + ", " + m.command + ")";
}

/// A note and the run that made it, unless it says so already.
std::string with_run(const std::string& note, const machine& m, const std::vector<report>& all) {
  const bool is_told =
      std::ranges::any_of(all, [&](const report& r) { return note.ends_with(run_text(r.where)); });
  return is_told ? note : note + run_text(m);
}

/// What several runs of a report found, each as a report; what was noted or left out goes to the
/// first.
std::vector<report> runs_of(report r) {
  if (r.runs.empty()) return {std::move(r)};
  std::vector<report> all(r.runs.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {.where = r.runs[i].where, .ceilings = r.runs[i].ceilings};
  std::erase_if(r.notes, [](const std::string& note) { return note.starts_with(changed_speed); });
  all.front().notes = std::move(r.notes);
  all.front().planned = r.planned;
  all.front().left_out = std::move(r.left_out);
  for (result& one : r.results) {
    const std::size_t run = std::exchange(one.run, 0);
    all[run].results.push_back(std::move(one));
  }
  return all;
}

std::vector<report> single_runs(std::vector<report> all) {
  std::vector<report> single;
  for (report& r : all) std::ranges::move(runs_of(std::move(r)), std::back_inserter(single));
  drop_copies(single);
  return single;
}

/// What was left out, once, and is none of the results.
std::vector<omission> missing_in_all(const std::vector<report>& all,
                                     const std::vector<result>& found) {
  std::set<omission> measured, missing;
  for (const result& r : found)
    measured.insert({r.case_name, r.type, r.shape, r.ranks ? r.ranks->count : 0, r.variant});
  for (const report& r : all)
    std::ranges::set_difference(std::set(r.left_out.begin(), r.left_out.end()), measured,
                                std::inserter(missing, missing.end()));
  return {missing.begin(), missing.end()};
}

}  // namespace

report merge(std::vector<report> several) {
  if (several.empty()) throw error(failure::usage, "no results to put together");
  if (several.size() == 1) return std::move(several.front());
  std::vector<report> all = single_runs(std::move(several));
  if (all.size() == 1) return std::move(all.front());
  std::ranges::stable_sort(all, {}, [](const report& r) { return r.where.date; });
  std::map<std::string, const report*> latest;  // by identity of a result
  for (const report& r : all) {
    const machine& first = all.front().where;
    if (r.where.device_name != first.device_name || r.where.device != first.device)
      throw error(failure::usage, "results of different devices make no common report: '" +
                                      first.device_name + "'" + run_text(first) + " and '" +
                                      r.where.device_name + "'" + run_text(r.where) +
                                      "; give the files of one machine");
    for (const result& one : r.results) latest[identity_of(one)] = &r;
  }
  report whole;
  whole.ceilings = highest_limits(all, whole.notes);
  for (const report& r : all) {
    for (const std::string& note : r.notes) whole.notes.push_back(with_run(note, r.where, all));
    for (const result& one : r.results)
      if (latest.at(identity_of(one)) == &r) {
        whole.results.push_back(one);
        whole.results.back().run = whole.runs.size();
      }
    whole.runs.push_back({r.where, r.ceilings});
  }
  whole.left_out = missing_in_all(all, whole.results);
  if (std::ranges::any_of(all, [](const report& r) { return r.planned > 0; }))
    whole.planned = whole.results.size() + whole.left_out.size();
  whole.where = all.back().where;
  whole.where.command =
      counted(all.size(), "run") + ", each with its own ceilings; last " + whole.where.command;
  return whole;
}

}  // namespace teff::lab

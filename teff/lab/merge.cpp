// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include <teff/base/error.hpp>
#include <teff/lab/compare.hpp>
#include <teff/lab/merge.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

report merge(std::vector<report> all) {
  if (all.empty()) throw error(failure::usage, "no results to put together");
  std::map<std::string, const report*> latest;  // by identity of a result
  for (const report& r : all) {
    const machine& first = all.front().where;
    if (r.where.device_name != first.device_name || r.where.device != first.device)
      throw error(failure::usage, "results of different devices make no common report: '" +
                                      first.device_name + "' and '" + r.where.device_name + "'");
    for (const result& one : r.results) {
      const report*& run = latest[identity_of(one)];
      if (run == nullptr || run->where.date < r.where.date) run = &r;
    }
  }
  report whole;
  whole.runs = static_cast<int>(all.size());
  for (const report& r : all) {
    whole.ceilings.raise_to(r.ceilings);
    if (whole.where.date <= r.where.date) whole.where = r.where;
    for (const result& one : r.results)
      if (latest.at(identity_of(one)) == &r) whole.results.push_back(one);
  }
  if (all.size() > 1)
    whole.where.command =
        counted(all.size(), "run") + ", each with its own ceilings; last " + whole.where.command;
  return whole;
}

}  // namespace teff::lab

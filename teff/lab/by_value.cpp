// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <utility>

#include <teff/lab/by_value.hpp>

namespace teff::lab {

namespace {

enum class value : std::uint8_t { best, single_steps, other };
constexpr std::size_t values = 3;

bool is_best(const job& j, const rung& r) {
  const bench_case& c = *j.what;
  return r.variant == c.best || std::ranges::find(c.best_along, r.variant) != c.best_along.end();
}

/// Of a job without a best rung the first is, unless it was set apart as slow or emulated.
value value_of(const job& j, const rung& r) {
  const bool has_best = std::ranges::any_of(j.rungs, [&](const rung& o) { return is_best(j, o); });
  if (has_best ? is_best(j, r) : &r == j.rungs.data() && r.flag.empty()) return value::best;
  return r.variant == "stepwise" ? value::single_steps : value::other;
}

}  // namespace

std::vector<job> by_value(const std::vector<job>& jobs, const std::vector<job>& charts) {
  std::array<std::vector<job>, values> parts;
  for (const job& j : jobs)
    for (std::size_t v = 0; v < values; ++v) {
      job part = j;
      part.rungs.clear();
      for (const rung& r : j.rungs)
        if (value_of(j, r) == static_cast<value>(v)) part.rungs.push_back(r);
      part.may_shrink = j.may_shrink && v == 0;
      if (!part.rungs.empty()) parts[v].push_back(std::move(part));
    }
  std::vector<job> all;
  for (const auto& some : {parts[0], parts[1], charts, parts[2]})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace teff::lab

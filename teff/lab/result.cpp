// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <teff/lab/result.hpp>
#include <teff/lab/statistics.hpp>

namespace teff::lab {

const char* name_of(mix m) {
  switch (m) {
    case mix::copy:
      return "copy";
    case mix::triad:
      return "triad";
    case mix::read:
      return "read";
    case mix::write:
      return "write";
  }
  return "";
}

const std::optional<double>& limits::of(mix m) const {
  switch (m) {
    case mix::triad:
      return triad_gb_per_s;
    case mix::read:
      return read_gb_per_s;
    case mix::write:
      return write_gb_per_s;
    case mix::copy:
      break;
  }
  return copy_gb_per_s;
}

std::optional<double>& limits::of(mix m) {
  return const_cast<std::optional<double>&>(std::as_const(*this).of(m));
}

std::optional<double> limits::t_peak_gb_per_s() const {
  // An absent value compares below every number.
  return std::max({copy_gb_per_s, triad_gb_per_s, read_gb_per_s, write_gb_per_s});
}

timing timing_of(std::vector<double> samples_s) {
  const summary numbers = summarize(samples_s);
  return {numbers.min, numbers.median, numbers.iqr(), std::move(samples_s)};
}

bool result::has_flag(const std::string& wanted) const {
  return std::ranges::find(flags, wanted) != flags.end();
}

std::string shape_text(const std::vector<index_t>& shape) {
  std::string text;
  for (const index_t n : shape) text += (text.empty() ? "" : "x") + std::to_string(n);
  return text;
}

std::string ranks_text(const result& r) {
  if (!r.ranks) return "";
  return " on " + std::to_string(r.ranks->count) + (r.ranks->count == 1 ? " rank" : " ranks");
}

int devices_of(const result& r) {
  return r.ranks ? r.ranks->devices : 1;
}

const limits& ceilings_of(const report& all, const result& r) {
  return r.run < all.runs.size() ? all.runs[r.run].ceilings : all.ceilings;
}

double cells_of(const std::vector<index_t>& shape) {
  double cells = 1;
  for (const index_t n : shape) cells *= static_cast<double>(n);
  return cells;
}

}  // namespace teff::lab

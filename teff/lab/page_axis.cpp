// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <teff/base/decimal.hpp>
#include <teff/lab/page_axis.hpp>

namespace teff::lab {

namespace {

constexpr int most_ticks = 10;

std::string number_text(double value) {
  return decimal(value, 6);
}

/// 1, 2 or 5 times a power of ten, of which about five fill a length.
double round_step(double length) {
  const double least = length / 5;
  const double ten = std::pow(10, std::floor(std::log10(least)));
  for (const double times : {1, 2, 5})
    if (times * ten >= least * (1 - 1e-9)) return times * ten;
  return 10 * ten;
}

/// Small powers are as short in digits.
std::string power_of_two(int power, int last) {
  constexpr int most_digits = 6;
  if (last <= most_digits && power >= 0) return std::to_string(1 << power);
  return "2<tspan class=\"power\" dy=\"-4\">" + std::to_string(power) + "</tspan>";
}

/// Every so many from first to last that no more than most_ticks remain.
std::vector<int> thinned(int first, int last) {
  const int step = std::max(1, (last - first + most_ticks) / most_ticks);
  std::vector<int> kept;
  for (int k = first; k <= last; k += step) kept.push_back(k);
  return kept;
}

}  // namespace

page_axis page_axis::linear(double least, double most, bool begins_at_least) {
  page_axis made;
  if (!begins_at_least) least = std::min(0.0, least);
  if (!(most > least)) most = least + std::max(1e-3 * std::abs(least), 1e-300);
  const double step = round_step(most - least);
  if (!(step > 0) || !std::isfinite(most - least)) return made;
  made.lower_ = begins_at_least ? least : step * std::floor(least / step);
  made.upper_ = begins_at_least ? most : step * std::ceil(most / step - 1e-9);
  const double first = std::ceil(made.lower_ / step - 1e-9);
  for (int k = 0; k <= most_ticks && (first + k) * step <= made.upper_ + 1e-9 * step; ++k)
    made.ticks_.push_back({(first + k) * step, number_text((first + k) * step)});
  return made;
}

page_axis page_axis::logarithmic(double least, double most, bool has_powers_of_two) {
  constexpr double margin = 0.04;  // of the length
  page_axis made;
  made.is_log_ = true;
  const double from = std::log10(least), to = std::log10(most);
  const double room = std::max(margin * (to - from), 0.05);
  made.lower_ = from - room;
  made.upper_ = to + room;
  const double unit = has_powers_of_two ? std::log10(2) : 1;
  const int first = static_cast<int>(std::ceil(made.lower_ / unit));
  const int last = static_cast<int>(std::floor(made.upper_ / unit));
  for (const int k : thinned(first, last))
    if (has_powers_of_two)
      made.ticks_.push_back({std::exp2(k), power_of_two(k, last)});
    else
      made.ticks_.push_back({std::pow(10, k), number_text(std::pow(10, k))});
  if (has_powers_of_two || last - first >= 3) return made;
  for (int k = first - 1; k <= last; ++k)
    for (const double times : {2, 5})
      if (const double log = k + std::log10(times); log >= made.lower_ && log <= made.upper_)
        made.ticks_.push_back({times * std::pow(10, k), number_text(times * std::pow(10, k))});
  return made;
}

double page_axis::place_of(double value) const {
  const double at = is_log_ ? std::log10(value) : value;
  return std::clamp((at - lower_) / (upper_ - lower_), 0.0, 1.0);
}

}  // namespace teff::lab

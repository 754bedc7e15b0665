// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/expr/read_count.hpp>

namespace teff::runtime {

void read_count::add(const region& read) {
  if (read.is_empty()) return;
  if (std::any_of(regions_.begin(), regions_.end(),
                  [&](const region& known) { return is_same(known, read); }))
    return;
  regions_.push_back(read);
  const auto [low, high] = span_of(read);
  one_array merged{low, high, read.bytes()};
  std::erase_if(arrays_, [&merged](const one_array& a) {
    if (a.high <= merged.low || merged.high <= a.low) return false;
    merged = {std::min(a.low, merged.low), std::max(a.high, merged.high), a.sum + merged.sum};
    return true;
  });
  arrays_.push_back(merged);
}

double read_count::bytes() const {
  double total = 0;
  for (const auto& a : arrays_) total += static_cast<double>(std::min(a.sum, a.high - a.low));
  return total;
}

}  // namespace teff::runtime

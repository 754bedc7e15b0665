// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <utility>

#include <teff/kernel/detail/sector_counter.hpp>

namespace teff::runtime {

void sector_counter::count(const group& g, emulator_report& report) {
  std::pair<std::uint64_t, std::uint64_t> parts[32];  // of memory, from and up to
  for (int n = 0; n < g.count; ++n) parts[n] = {g.begin[n], g.begin[n] + g.bytes[n]};
  std::sort(parts, parts + g.count);
  std::uint64_t covered = 0;      // bytes, each once
  std::uint64_t end = 0;          // of what is covered
  std::uint64_t next_sector = 0;  // the first that was not asked for yet
  for (int n = 0; n < g.count; ++n) {
    const auto [from, to] = parts[n];
    const std::uint64_t first = std::max(from / sector_bytes, next_sector);
    const std::uint64_t behind = (to + sector_bytes - 1) / sector_bytes;
    if (behind > first) report.sectors.asked += static_cast<index_t>(behind - first);
    next_sector = std::max(next_sector, behind);
    if (to > end) covered += to - std::max(from, end);
    end = std::max(end, to);
  }
  report.sectors.needed += static_cast<index_t>((covered + sector_bytes - 1) / sector_bytes);
}

void sector_counter::close(emulator_report& report) {
  for (int n = 0; n < used_; ++n) count(groups_[static_cast<std::size_t>(n)], report);
  report.sectors.accesses += used_;
  used_ = 0;
  std::fill(std::begin(made_), std::end(made_), 0);
}

}  // namespace teff::runtime

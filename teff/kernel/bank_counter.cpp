// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>

#include <teff/kernel/detail/bank_counter.hpp>

namespace teff::runtime {

int bank_counter::extra_passes(const group& g) {
  const std::uint32_t words = std::max<std::uint32_t>(1, (g.bytes + 3) / 4);
  const int together = words >= 4 ? 8 : words >= 2 ? 16 : 32;  // lanes that go at once
  int extra = 0;
  for (int first = 0; first < 32; first += together) {
    std::uint32_t seen[32][32];  // words of each bank
    int count[32] = {};
    int passes = 0;
    for (int lane = first; lane < first + together; ++lane) {
      if ((g.lanes >> lane & 1U) == 0) continue;
      for (std::uint32_t w = 0; w < std::min(words, 4U); ++w) {
        const std::uint32_t word = g.offset[lane] / 4 + w, bank = word % 32;
        std::uint32_t* const end = seen[bank] + count[bank];
        if (std::find(seen[bank], end, word) != end) continue;
        *end = word;
        passes = std::max(passes, ++count[bank]);
      }
    }
    extra += std::max(0, passes - 1);
  }
  return extra;
}

void bank_counter::close(emulator_report& report) {
  auto& conflicts = report.bank_conflicts;
  for (int n = 0; n < used_; ++n) {
    const int extra = extra_passes(groups_[static_cast<std::size_t>(n)]);
    conflicts.worst = std::max<index_t>(conflicts.worst, extra);
    conflicts.total += extra;
  }
  conflicts.accesses += used_;
  used_ = 0;
  std::fill(std::begin(made_), std::end(made_), 0);
}

}  // namespace teff::runtime

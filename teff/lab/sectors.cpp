// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include <teff/kernel/emulator.hpp>
#include <teff/kernel/has_emulator.hpp>
#include <teff/lab/sectors.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

/// Of the last kernel of one run.
sector_use counted(prepared_case& arrays, const rung& which, const std::vector<index_t>& shape) {
  const auto running = arrays.make(which.variant, which.how);
  running->reset();
  const emulation by;
  running->run();
  const emulator_report& found = by.report();
  return {static_cast<std::uint64_t>(found.sectors.asked),
          static_cast<std::uint64_t>(found.sectors.needed), shape};
}

}  // namespace

void count_sectors(const std::vector<job>& jobs, std::vector<result>& results) {
  for (const job& j : jobs) {
    const bench_case& c = *j.what;
    std::unique_ptr<prepared_case> arrays;
    for (const rung& which : j.rungs) {
      const auto v = std::ranges::find(c.variants, which.variant, &variant::name);
      if (v == c.variants.end() || !v->counts_sectors) continue;
      if (v->is_block_kernel && !why_no_emulator().empty()) continue;
      const auto of_rung = [&](const result& r) {
        return r.case_name == c.name && r.variant == which.name && r.type == j.where.type;
      };
      if (std::ranges::none_of(results, of_rung)) continue;
      if (!arrays)
        arrays = c.prepare({.dev = device::cpu(), .type = j.where.type, .shape = c.counted_shape});
      const sector_use found = counted(*arrays, which, c.counted_shape);
      if (found.needed == 0) continue;
      for (result& r : results)
        if (of_rung(r)) r.sectors = found;
    }
  }
}

std::string sectors_text(const result& r) {
  if (!r.sectors || r.sectors->needed == 0) return "";
  return significant(static_cast<double>(r.sectors->asked) / static_cast<double>(r.sectors->needed),
                     3);
}

}  // namespace teff::lab

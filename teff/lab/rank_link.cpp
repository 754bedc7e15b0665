// SPDX-License-Identifier: MIT
#include <teff/base/error.hpp>
#include <teff/grid/exchange_probe.hpp>
#include <teff/grid/transport/mpi_library.hpp>
#include <teff/lab/rank_link.hpp>

namespace teff::lab {

std::string rank_link_text() {
  std::string text;
  run_on(cpu_ranks(2), [&](const ranks& mine) {
    const runtime::exchange_speed speed = runtime::measured_exchange(mine, device::cpu());
    if (mine.is_root()) text = speed.text();
  });
  return text;
}

std::string reach_text(int gpu, const std::vector<bool>& reaches) {
  std::string in_place, by_host;
  for (int other = 0; other < static_cast<int>(reaches.size()); ++other) {
    if (other == gpu) continue;
    std::string& list = reaches[static_cast<std::size_t>(other)] ? in_place : by_host;
    list += std::string(list.empty() ? "" : ", ") + "cuda:" + std::to_string(other);
  }
  if (by_host.empty()) return in_place;
  return (in_place.empty() ? "" : in_place + "; ") + by_host + " by the host";
}

void refuse_processes() {
  const runtime::launcher by = runtime::this_launcher();
  if (by.processes > 1)
    throw error(failure::usage,
                "this job has " + std::to_string(by.processes) + " processes, as " + by.variable +
                    " says, and measuring is for one; start it without a launcher: ranks of grid2d "
                    "and the like are threads (--ranks 2). Processes share what `teff solve` "
                    "solves (docs/grid.md)");
}

}  // namespace teff::lab

// SPDX-License-Identifier: MIT
#include <teff/grid/exchange_probe.hpp>
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

}  // namespace teff::lab

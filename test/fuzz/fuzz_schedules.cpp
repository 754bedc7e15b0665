// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <teff/stencil/schedule_file.hpp>

/// A file of schedules with anything in it: what is found in it is found again when it is written
/// as remember_plan() writes it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  const auto plans = teff::runtime::plans_in(file);
  std::string written;
  for (const auto& [key, plan] : plans) {
    if (plan.depth < 1) std::abort();
    written += short_text(plan) + "\t" + key + "\n";
  }
  const auto again = teff::runtime::plans_in(written);
  if (again.size() != plans.size()) std::abort();
  for (const auto& [key, plan] : plans)
    if (short_text(again.at(key)) != short_text(plan)) std::abort();
  return 0;
}

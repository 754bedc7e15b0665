// SPDX-License-Identifier: MIT
#include <teff/expr/stage_time.hpp>

namespace teff::runtime {

void throw_no_stage_time() {
  throw error(failure::usage,
              "stage_time is known within euler, rk2, ssp_rk3 and rk4 only; elsewhere write "
              "step_index * dt");
}

shared_function shared(std::function<double()> f) {
  return std::make_shared<const std::function<double()>>(std::move(f));
}
shared_function function_of(double value) {
  return shared([value] { return value; });
}

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#include "../step_check.hpp"
#include "steps_1.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("time steps: generated steps of several stages 8 to 15, temporal is stepwise to the bit") {
  check_step<step_08, f64>("step 08, f64");
  check_step<step_09, f32>("step 09, f32");
  check_step<step_10, f64>("step 10, f64");
  check_step<step_11, f32>("step 11, f32");
  check_step<step_12, f64>("step 12, f64");
  check_step<step_13, f32>("step 13, f32");
  check_step<step_14, f64>("step 14, f64");
  check_step<step_15, f32>("step 15, f32");
}

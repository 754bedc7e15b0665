// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#include "../step_check.hpp"
#include "steps_0.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("time steps: generated steps of several stages 0 to 7, temporal is stepwise to the bit") {
  check_step<step_00, f64>("step 00, f64");
  check_step<step_01, f32>("step 01, f32");
  check_step<step_02, f64>("step 02, f64");
  check_step<step_03, f32>("step 03, f32");
  check_step<step_04, f64>("step 04, f64");
  check_step<step_05, f32>("step 05, f32");
  check_step<step_06, f64>("step 06, f64");
  check_step<step_07, f32>("step 07, f32");
}

// SPDX-License-Identifier: MIT
// Written by write_once_formulas.py; change that.
// clang-format off
#include "../once_formula_check.hpp"
#include "once_0.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("time steps: generated steps with once 0 to 2, passes are single steps to the bit") {
  int levels = 0;
  levels += check_once<once_00, f64>("once 00, f64");
  levels += check_once<once_01, f32>("once 01, f32");
  levels += check_once<once_02, f64>("once 02, f64");
  CHECK(levels > 0);
}

// SPDX-License-Identifier: MIT
// Written by write_once_formulas.py; change that.
// clang-format off
#include "../once_formula_check.hpp"
#include "once_1.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("time steps: generated steps with once 3 to 4, passes are single steps to the bit") {
  int levels = 0;
  levels += check_once<once_03, f32>("once 03, f32");
  levels += check_once<once_04, f64>("once 04, f64");
  CHECK(levels > 0);
}

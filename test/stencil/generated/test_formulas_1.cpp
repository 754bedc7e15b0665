// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#include "../formula_check.hpp"
#include "formulas_1.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("time steps: generated formulas 8 to 15, temporal is stepwise to the bit") {
  check_formula<formula_08, f64>("formula 08, f64");
  check_formula<formula_09, f32>("formula 09, f32");
  check_formula<formula_10, f64>("formula 10, f64");
  check_formula<formula_11, f32>("formula 11, f32");
  check_formula<formula_12, f64>("formula 12, f64");
  check_formula<formula_13, f32>("formula 13, f32");
  check_formula<formula_14, f64>("formula 14, f64");
  check_formula<formula_15, f32>("formula 15, f32");
}

// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#include "../formula_check.hpp"
#include "formulas_0.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("time steps: generated formulas 0 to 7, temporal is stepwise to the bit") {
  check_formula<formula_00, f64>("formula 00, f64");
  check_formula<formula_01, f32>("formula 01, f32");
  check_formula<formula_02, f64>("formula 02, f64");
  check_formula<formula_03, f32>("formula 03, f32");
  check_formula<formula_04, f64>("formula 04, f64");
  check_formula<formula_05, f32>("formula 05, f32");
  check_formula<formula_06, f64>("formula 06, f64");
  check_formula<formula_07, f32>("formula 07, f32");
}

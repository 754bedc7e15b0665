// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#include "../formula_check.hpp"
#include "formulas_2.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("time steps: generated formulas 16 to 23, temporal is stepwise to the bit") {
  check_formula<formula_16, f64>("formula 16, f64");
  check_formula<formula_17, f32>("formula 17, f32");
  check_formula<formula_18, f64>("formula 18, f64");
  check_formula<formula_19, f32>("formula 19, f32");
  check_formula<formula_20, f64>("formula 20, f64");
  check_formula<formula_21, f32>("formula 21, f32");
  check_formula<formula_22, f64>("formula 22, f64");
  check_formula<formula_23, f32>("formula 23, f32");
}

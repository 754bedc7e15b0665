// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#include "../formula_check.hpp"
#include "formulas_4.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("time steps: generated formulas 32 to 39, temporal is stepwise to the bit") {
  check_formula<formula_32, f64>("formula 32, f64");
  check_formula<formula_33, f32>("formula 33, f32");
  check_formula<formula_34, f64>("formula 34, f64");
  check_formula<formula_35, f32>("formula 35, f32");
  check_formula<formula_36, f64>("formula 36, f64");
  check_formula<formula_37, f32>("formula 37, f32");
  check_formula<formula_38, f64>("formula 38, f64");
  check_formula<formula_39, f32>("formula 39, f32");
}

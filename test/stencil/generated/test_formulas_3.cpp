// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#include "../formula_check.hpp"
#include "formulas_3.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("time steps: generated formulas 24 to 31, temporal is stepwise to the bit") {
  check_formula<formula_24, f64>("formula 24, f64");
  check_formula<formula_25, f32>("formula 25, f32");
  check_formula<formula_26, f64>("formula 26, f64");
  check_formula<formula_27, f32>("formula 27, f32");
  check_formula<formula_28, f64>("formula 28, f64");
  check_formula<formula_29, f32>("formula 29, f32");
  check_formula<formula_30, f64>("formula 30, f64");
  check_formula<formula_31, f32>("formula 31, f32");
}

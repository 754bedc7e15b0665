// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#include "../formula_check.hpp"
#include "formulas_7.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("time steps: generated formulas 56 to 63, temporal is stepwise to the bit") {
  check_formula<formula_56, f64>("formula 56, f64");
  check_formula<formula_57, f32>("formula 57, f32");
  check_formula<formula_58, f64>("formula 58, f64");
  check_formula<formula_59, f32>("formula 59, f32");
  check_formula<formula_60, f64>("formula 60, f64");
  check_formula<formula_61, f32>("formula 61, f32");
  check_formula<formula_62, f64>("formula 62, f64");
  check_formula<formula_63, f32>("formula 63, f32");
}

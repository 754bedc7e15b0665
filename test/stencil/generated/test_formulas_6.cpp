// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#include "../formula_check.hpp"
#include "formulas_6.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("time steps: generated formulas 48 to 55, temporal is stepwise to the bit") {
  check_formula<formula_48, f64>("formula 48, f64");
  check_formula<formula_49, f32>("formula 49, f32");
  check_formula<formula_50, f64>("formula 50, f64");
  check_formula<formula_51, f32>("formula 51, f32");
  check_formula<formula_52, f64>("formula 52, f64");
  check_formula<formula_53, f32>("formula 53, f32");
  check_formula<formula_54, f64>("formula 54, f64");
  check_formula<formula_55, f32>("formula 55, f32");
}

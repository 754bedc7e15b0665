// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#include "../formula_check.hpp"
#include "formulas_5.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("time steps: generated formulas 40 to 47, temporal is stepwise to the bit") {
  check_formula<formula_40, f64>("formula 40, f64");
  check_formula<formula_41, f32>("formula 41, f32");
  check_formula<formula_42, f64>("formula 42, f64");
  check_formula<formula_43, f32>("formula 43, f32");
  check_formula<formula_44, f64>("formula 44, f64");
  check_formula<formula_45, f32>("formula 45, f32");
  check_formula<formula_46, f64>("formula 46, f64");
  check_formula<formula_47, f32>("formula 47, f32");
}

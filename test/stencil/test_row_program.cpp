// SPDX-License-Identifier: MIT
#include <cmath>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/stencil/rows/row_program.hpp>

using namespace teff;
using namespace teff::runtime;

namespace {

using kind = row_program::kind;
using place = row_program::place;
constexpr cell_type f64_cells = cell_type::f64, i64_cells = cell_type::i64;

std::string refused(const std::vector<place>& places,
                    const std::vector<row_program::instruction>& code) {
  try {
    const row_program made(places, code, nullptr, nullptr);
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("row programs: neighbours, numbers and indices, over more cells than a loop takes") {
  // x[0] (T[+1] - T[-1]) + (ix + 2), rounded as written; of lengths about the 512 cells at once
  const double reals[] = {0.1};
  const std::vector<place> places{
      {kind::cell, f64_cells, 0, 1},      {kind::cell, f64_cells, 0, -1},
      {kind::temporary, f64_cells, 0, 0}, {kind::real, f64_cells, 0, 0},
      {kind::temporary, i64_cells, 1, 0}, {kind::temporary, f64_cells, 1, 0},
      {kind::target, f64_cells, 0, 0}};
  const row_program program(places,
                            {{row_operation::subtract, 2, {0, 1, 1}},
                             {row_operation::index, 4, {0, 2, 0}},
                             {row_operation::convert, 5, {4, 4, 4}},
                             {row_operation::add_product, 6, {3, 2, 5}}},
                            reals, nullptr);
  for (const index_t cells : {1, 511, 512, 513, 1300}) {
    std::vector<double> T(static_cast<std::size_t>(cells) + 2), to(T.size(), -1);
    for (std::size_t i = 0; i < T.size(); ++i) T[i] = 1 / (1 + static_cast<double>(i));
    const void* const from[] = {&T[1]};
    const index_t at[] = {7, 0, 0, 0};
    program.compute(to.data(), from, cells, at);
    for (index_t i = 0; i < cells; ++i) {
      const auto n = static_cast<std::size_t>(i);
      REQUIRE(to[n] == std::fma(0.1, T[n + 2] - T[n], static_cast<double>(i + 9)));
    }
    CHECK(to[static_cast<std::size_t>(cells)] == -1);  // nothing beyond
  }
}

TEST_CASE("row programs: what is no operation, and no place, is refused") {
  const std::vector<place> whole{{kind::cell, i64_cells, 0, 0}, {kind::target, i64_cells, 0, 0}};
  CHECK(refused(whole, {{row_operation::add, 1, {0, 0, 0}}}) == "");
  CHECK(refused(whole, {{row_operation::divide, 1, {0, 0, 0}}}).find("which is none") !=
        std::string::npos);
  CHECK(refused(whole, {{row_operation::add, 2, {0, 0, 0}}}) == "a row's program has place 2 of 2");
  CHECK(refused(whole, {{row_operation::add, 1, {0, -1, 0}}}) ==
        "a row's program has place -1 of 2");
}

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>

#include "shared_rows.hpp"

using namespace teff;
using namespace teff::test;

namespace {

const device cpu = device::cpu();

/// Time steps in 2-D. (nvcc finds a using-directive in generic lambdas at namespace scope only.)
namespace flat {
using namespace fd2;

const auto open = timestep([](auto u, auto k) {
  auto D = costly(u, k) * (1.0 + sq(u)) + 1e-3 * step_index + 1e-3 * iy;
  auto qx = -av_ya(av_xa(D)) * av_ya(d_xa(u));
  auto qy = -av_xa(av_ya(D)) * av_xa(d_ya(u));
  return update(inn(u), inn(u) - 1e-2 * (av_ya(d_xa(qx)) + av_xa(d_ya(qy))));
});

/// The operand reads rows above its own, of fields of which the formula reads only one row.
const auto high = timestep([](auto u, auto k) {
  auto E = d_xa(harm_ya(harm_ya(sqrt(k))) + inn_y(u));
  return update(inn(u), inn(u) + 1e-2 * av_xa(E));
});

auto around_edges(auto conditions) {
  return timestep([=](auto u, auto k) {
    auto D = costly(u, k) + 1e-3 * ix + exp(-0.1 * iy);
    return update(inn(u), inn(u) + 1e-2 * (d2_xi(D) + d2_yi(D)), conditions);
  });
}
}  // namespace flat

}  // namespace

TEST_CASE("a costly operand has rows of its own, a cheap one has not") {
  using namespace fd2;
  array<double, 2> A(cpu, {8, 8});
  const auto parts = [](const auto& e) {
    using lowered = decltype(e.lower(lowering{}));
    return detail::sharing<lowered>::parts;
  };
  const auto D = costly(A, A);
  CHECK(parts(d_xa(A)) == 0);
  CHECK(parts(d_xa(2.0 * d_xa(A))) == 0);
  CHECK(parts(D) == 0);
  CHECK(parts(inn(D)) == 0);  // read at one place
  CHECK(parts(d_xa(D)) == 1);
  CHECK(parts(d_xa(av_ya(D) * d_xi(A)) + d_ya(av_xa(D) * d_yi(A))) == 2);
  CHECK(parts(d_xa(costly(d_xa(D), A(range(1, 8), whole)))) == 3);  // in another one
  const auto own = map([](double a) { return a; }, D);
  CHECK(parts(d_xa(own)) == 0);  // a user's function may throw
  CHECK(parts(av(av(av(av(av(av(own))))))) == 0);
}

TEST_CASE("statements whose cells share values have the values of a loop") {
  using namespace fd2;
  for (const index_t nx : {index_t{3}, index_t{40}, index_t{3001}})
    for (const index_t ny : {index_t{3}, index_t{70}, index_t{150}}) {
      array<double, 2> A(cpu, {nx, ny}), B(cpu, {nx, ny}), R(cpu, {nx - 2, ny - 2});
      A = 1.0 + 0.5 * sin(0.1 * ix + 0.7 * iy);
      B = 0.5 + 0.25 * cos(0.2 * ix - 0.1 * iy);
      const auto a = to_host(A), b = to_host(B);
      // Three values: of two types, and two of one type with other numbers in them.
      R = d2_xi(costly(A, B)) + d2_yi(costly(A, B)) * d2_xi(costly(A, 2.0 * B)) -
          d2_yi(costly(A, 3.0 * B));
      std::vector<double> expected;
      for (index_t j = 1; j < ny - 1; ++j)
        for (index_t i = 1; i < nx - 1; ++i) {
          const auto second = [&](index_t by, double factor) {
            const auto at = [&](index_t m) {
              const auto cell = static_cast<std::size_t>(m);
              return costly_value(a[cell], factor * b[cell]);
            };
            const index_t m = i + j * nx;
            return (at(m + by) - at(m)) - (at(m) - at(m - by));
          };
          const double sum = std::fma(second(nx, 1), second(1, 2), second(1, 1));
          expected.push_back(sum - second(nx, 3));
        }
      // (2 + 2 b is one rounding where the factor is written out, as in the formula.)
      double off = 0;
      const auto got = to_host(R);
      for (std::size_t m = 0; m < got.size(); ++m)
        off = std::max(off, std::abs(got[m] - expected[m]));
      CHECK(off < 1e-14);
    }
}

TEST_CASE("a statement over rows with and without gaps between cells has the same bits") {
  using namespace fd2;
  const index_t nx = 150, ny = 90;
  array<double, 2> A(cpu, {nx, ny}), wide(cpu, {2 * nx, ny}), R(cpu, {nx - 1, ny - 1}),
      S(cpu, {nx - 1, ny - 1});
  A = 1.0 + 0.5 * sin(0.1 * ix + 0.7 * iy);
  const auto apart = wide(range(0, 2 * nx, 2), whole);
  apart = A;
  R = av(costly(A, A) + 0.01 * iy);
  S = av(costly(apart, apart) + 0.01 * iy);
  CHECK(difference(to_host(R), to_host(S)) == "");
}

TEST_CASE("a statement that reads too far for shared rows has the same bits") {
  using namespace fd3;
  array<double, 3> A(cpu, {24, 24, 24}), D(cpu, {23, 24, 24}), R(cpu, {5, 6, 6}), S(cpu, {5, 6, 6});
  A = 1.0 + 0.3 * sin(0.1 * ix + 0.7 * iy + 0.3 * iz);
  const auto ends = [](const auto& u) {
    return at<0, -9, -9>(u) + at<0, 9, 9>(u) + at<9, 0, 0>(u) + at<-9, 0, 0>(u);
  };
  D = d_xa(costly(A, A));
  R = ends(around<9>(d_xa(costly(A, A))));
  S = ends(around<9>(D));
  CHECK(difference(to_host(R), to_host(S)) == "");
}

TEST_CASE("steps whose cells share values have the same bits at every depth") {
  for (const index_t nx : {index_t{5}, index_t{33}, index_t{2300}})
    for (const index_t ny : {index_t{5}, index_t{47}}) {
      const extents n{nx, ny};
      check_steps<double, 2>(flat::open, n);
      check_steps<float, 2>(flat::open, n);
      check_steps<double, 2>(flat::high, n);
      check_steps<double, 2>(flat::around_edges(boundary{.x = periodic, .y = periodic}), n);
      check_steps<double, 2>(flat::around_edges(boundary{.x = {fixed(1.5), gradient(0.1)},
                                                         .y = {gradient(-0.1), fixed(0.5)}}),
                             n);
    }
}

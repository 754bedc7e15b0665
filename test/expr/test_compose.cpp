// SPDX-License-Identifier: MIT
#include <cmath>

#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>

#include "../layout.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// Generated cases of `target = statement's expression of A and B`, where the target has `shrink`
/// fewer cells along each dim; `value(a, b, i, j, k)` gets functions that read A and B.
template <int N, class Statement, class Value>
void check_composed(generator& g, device dev, const std::string& what, const extents<N>& shrink,
                    const Statement& statement, const Value& value) {
  for (int round = 0; round < generator::rounds(100); ++round) {
    const extents<N> result = random_extents<N>(g);
    extents<N> operand = result;
    for (int d = 0; d < N; ++d) operand[d] += shrink[d];
    const auto A = random_placed<f64, N>(g, dev, operand, role::source);
    const auto B = random_placed<f64, N>(g, dev, operand, role::source);
    const auto to = random_placed<f64, N>(g, dev, result, role::target);
    statement(to.cells, A.cells, B.cells);
    std::vector<f64> expected = to.host;
    const auto a = [&](index_t i, index_t j, index_t k = 0) { return A.at(i, j, k); };
    const auto b = [&](index_t i, index_t j, index_t k = 0) { return B.at(i, j, k); };
    to.where.each([&](index_t i, index_t j, index_t k) {
      expected[to.where.at(i, j, k)] = value(a, b, i, j, k);
    });
    const std::string bad = to.differs(expected);
    if (!bad.empty())
      FAIL_CHECK(what << " of " << extents_text(operand) << " on " << dev.name() << ": " << bad);
    g.count();
  }
}

#define CHECK_2D(shrink_x, shrink_y, expression, oracle)                \
  check_composed<2>(                                                    \
      g, dev, #expression, {shrink_x, shrink_y},                        \
      [](const auto& to, const auto& A, const auto& B) {                \
        to = expression;                                                \
        (void)B;                                                        \
      },                                                                \
      [](const auto& a, const auto& b, index_t i, index_t j, index_t) { \
        (void)b;                                                        \
        return oracle;                                                  \
      })
#define CHECK_3D(shrink_x, shrink_y, shrink_z, expression, oracle)        \
  check_composed<3>(                                                      \
      g, dev, #expression, {shrink_x, shrink_y, shrink_z},                \
      [](const auto& to, const auto& A, const auto& B) {                  \
        to = expression;                                                  \
        (void)B;                                                          \
      },                                                                  \
      [](const auto& a, const auto& b, index_t i, index_t j, index_t k) { \
        (void)b;                                                          \
        return oracle;                                                    \
      })

}  // namespace

TEST_CASE("operators compose with each other and with any expression (generated)") {
  generator g("composed operators");
  using namespace teff::fd2;
  for (const device dev : test_devices()) {
    CHECK_2D(2, 0, d_xa(d_xa(A)), (a(i + 2, j) - a(i + 1, j)) - (a(i + 1, j) - a(i, j)));
    CHECK_2D(1, 1, av_xa(av_ya(A)),
             0.5 * (0.5 * (a(i, j) + a(i, j + 1)) + 0.5 * (a(i + 1, j) + a(i + 1, j + 1))));
    CHECK_2D(1, 0, d_xa(A * B), a(i + 1, j) * b(i + 1, j) - a(i, j) * b(i, j));
    CHECK_2D(2, 2, inn(A * B) + inn(A), a(i + 1, j + 1) * b(i + 1, j + 1) + a(i + 1, j + 1));
    CHECK_2D(2, 2, d_xa(2.0 * d_xi(A)) + d_ya(d_yi(B)),
             (2 * (a(i + 2, j + 1) - a(i + 1, j + 1)) - 2 * (a(i + 1, j + 1) - a(i, j + 1))) +
                 ((b(i + 1, j + 2) - b(i + 1, j + 1)) - (b(i + 1, j + 1) - b(i + 1, j))));
    CHECK_2D(1, 2, where(d_xi(A) > 0, av_xi(B), -1.0),
             a(i + 1, j + 1) - a(i, j + 1) > 0 ? 0.5 * (b(i, j + 1) + b(i + 1, j + 1)) : -1.0);
    CHECK_2D(
        2, 2, sqrt(sq(inn(A)) + maxloc(abs(B))),
        std::sqrt(a(i + 1, j + 1) * a(i + 1, j + 1) +
                  std::fmax(std::fmax(std::fmax(std::abs(b(i + 1, j + 1)), std::abs(b(i, j + 1))),
                                      std::fmax(std::abs(b(i + 2, j + 1)), std::abs(b(i + 1, j)))),
                            std::abs(b(i + 1, j + 2)))));
    CHECK_2D(0, 1, d_ya(A - (ix + 100 * iy)),
             (a(i, j + 1) - static_cast<f64>(i + 100 * (j + 1))) -
                 (a(i, j) - static_cast<f64>(i + 100 * j)));
  }
}

TEST_CASE("around<R> and at<...>: neighbours of any expression (generated)") {
  generator g("around");
  for (const device dev : test_devices()) {
    CHECK_2D(2, 2, (at<1, 0>(around<1>(A)) - at<-1, 0>(around<1>(A))),
             a(i + 2, j + 1) - a(i, j + 1));
    CHECK_2D(2, 2, (at<-1, 1>(around<1>(A * B)) - around<1>(A)()),
             a(i, j + 2) * b(i, j + 2) - a(i + 1, j + 1));
    CHECK_2D(4, 4, (at<2, -2>(around<2>(A)) - at<0, 1>(around<2>(B))),
             a(i + 4, j) - b(i + 2, j + 3));
    CHECK_3D(2, 2, 2, (at<0, 0, -1>(around<1>(A)) + at<1, -1, 1>(around<1>(B))),
             a(i + 1, j + 1, k) + b(i + 2, j, k + 2));
  }
}

TEST_CASE("around<1>(T)() is inn(T), and d2 the difference of differences, to the bit") {
  using namespace teff::fd2;
  generator g("identities");
  for (const device dev : test_devices())
    for (int round = 0; round < generator::rounds(100); ++round) {
      const extents<2> n(g.between(2, 40), g.between(2, 40)), inner(n[0] - 2, n[1] - 2);
      const auto T = random_placed<f64, 2>(g, dev, n, role::source);
      array<f64, 2> a(dev, inner), b(dev, inner), c(dev, inner), d(dev, inner);
      a = around<1>(T.cells)();
      b = inn(T.cells);
      c = d2_xi(T.cells);
      d = d_xa(d_xi(T.cells));
      CHECK(difference(to_host(a), to_host(b)) == "");
      CHECK(difference(to_host(c), to_host(d)) == "");
      g.count();
    }
}

TEST_CASE("the heat step, fused in one statement, is the four statements with stored fluxes") {
  using namespace teff::fd2;
  generator g("fused heat step");
  for (const device dev : test_devices())
    for (int round = 0; round < generator::rounds(60); ++round) {
      const index_t nx = g.between(3, 70), ny = g.between(3, 40);
      auto T = random_placed<f64, 2>(g, dev, {nx, ny}, role::source);
      const auto Ci = random_placed<f64, 2>(g, dev, {nx, ny}, role::source);
      const f64 lam = 1.3, _dx = 7.1, _dy = 5.3, dt = 1e-3;
      array<f64, 2> qx(dev, {nx - 1, ny - 2}), qy(dev, {nx - 2, ny - 1});
      array<f64, 2> dTdt(dev, {nx - 2, ny - 2}), stored(dev, {nx, ny}), fused(dev, {nx, ny});
      qx = -lam * d_xi(T.cells) * _dx;
      qy = -lam * d_yi(T.cells) * _dy;
      dTdt = inn(Ci.cells) * (-d_xa(qx) * _dx - d_ya(qy) * _dy);
      stored = T.cells;
      inn(stored) = inn(T.cells) + dt * dTdt;

      const auto lazy_qx = -lam * d_xi(T.cells) * _dx;
      const auto lazy_qy = -lam * d_yi(T.cells) * _dy;
      const auto lazy_dTdt = inn(Ci.cells) * (-d_xa(lazy_qx) * _dx - d_ya(lazy_qy) * _dy);
      fused = T.cells;
      inn(fused) = inn(T.cells) + dt * lazy_dTdt;
      CHECK(difference(to_host(fused), to_host(stored)) == "");
      g.count();
    }
}

TEST_CASE("3-D: the seven-point heat step against loops (generated)") {
  using namespace teff::fd3;
  generator g("3-D heat step");
  for (const device dev : test_devices()) {
    CHECK_3D(2, 2, 2, inn(B) + 0.1 * (d2_xi(A) + d2_yi(A) + d2_zi(A)),
             std::fma(0.1,
                      ((a(i + 2, j + 1, k + 1) - a(i + 1, j + 1, k + 1)) -
                       (a(i + 1, j + 1, k + 1) - a(i, j + 1, k + 1))) +
                          ((a(i + 1, j + 2, k + 1) - a(i + 1, j + 1, k + 1)) -
                           (a(i + 1, j + 1, k + 1) - a(i + 1, j, k + 1))) +
                          ((a(i + 1, j + 1, k + 2) - a(i + 1, j + 1, k + 1)) -
                           (a(i + 1, j + 1, k + 1) - a(i + 1, j + 1, k))),
                      b(i + 1, j + 1, k + 1)));
  }
}

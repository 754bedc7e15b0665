// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/solver/chebyshev.hpp>

#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// c v - laplacian v on n x n points inside a border, with its eigenvalues.
struct shifted_laplacian {
  double shift;
  auto operator()(const auto& v) const {
    using namespace fd2;
    return shift * inn(v) - (d2_xi(v) + d2_yi(v));
  }
  double least(index_t n) const { return shift + 8 * sq(std::sin(angle(n) / 2)); }
  double most(index_t n) const { return shift + 8 * sq(std::cos(angle(n) / 2)); }
  static double angle(index_t n) { return std::numbers::pi / static_cast<double>(n + 1); }
  static double sq(double v) { return v * v; }
};
struct times {
  double factor;
  auto operator()(const auto& v) const { return factor * v; }
};

/// 1 / T_n((most + least) / (most - least)) by its recurrence.
double bound_of(double least, double most, int n) {
  const double s = (most + least) / (most - least);
  double before = 1, now = s;
  for (int i = 1; i < n; ++i) before = std::exchange(now, 2 * s * now - before);
  return 1 / now;
}

std::string text_of(const chebyshev_report& r) {
  std::ostringstream out;
  out << r;
  return out.str();
}

}  // namespace

TEST_CASE("chebyshev: one eigenvalue takes one iteration, cells beyond stay and count") {
  for (const device dev : test_devices()) {
    array<f64, 2> x = zeros<f64>(dev, {20, 7}), large = random<f64>(dev, {7, 40}, 4);
    const auto b = transposed(large)(range(0, 40, 2), whole);  // of any strides
    const chebyshev_report run =
        chebyshev(x, b, times{4}, {.check_every = 1, .least = 4, .most = 4});
    CHECK(run.iterations == 1);
    CHECK(all(x == b / 4));
    CHECK(text_of(run) ==
          "1 iterations of Chebyshev's on 20x7 f64; relative residual 0, within the tolerance "
          "1e-10; eigenvalues from 4 to 4, as given");
    CHECK(chebyshev(x, b, times{4}).iterations == 0);  // from the solution
    fill(large, 0);
    CHECK(chebyshev(x, b, times{4}).residual == 0);
    CHECK(static_cast<f64>(max_abs(x)) == 0);

    array<f64, 1> line = full(dev, {6}, 7.0), nothing = zeros<f64>(dev, {4});
    line(5) = -3.0;  // 7 and -3 at the ends, -u'' = 0 between
    CHECK(chebyshev(line, nothing, [](const auto& v) { return -fd1::d2(v); }).has_converged());
    for (index_t i = 0; i < 6; ++i)
      CHECK(f64(line(i)) == doctest::Approx(7 - 2 * static_cast<double>(i)));
  }
}

TEST_CASE("chebyshev: the residual falls as the polynomial says") {
  constexpr index_t n = 24;
  const shifted_laplacian A{0.1};
  const double least = A.least(n), most = A.most(n);
  for (const device dev : test_devices()) {
    array<f64, 2> lowest(dev, {n, n}), middle(dev, {n, n});
    lowest = sin((ix + 1) * A.angle(n)) * sin((iy + 1) * A.angle(n));
    middle = sin((ix + 1) * (9 * A.angle(n))) * sin((iy + 1) * (4 * A.angle(n)));
    const array<f64, 2> any = random<f64>(dev, {n, n}, 2);
    for (const int made : {1, 2, 5, 16, 40}) {
      CAPTURE(made);
      const auto residual = [&](const array<f64, 2>& b) {
        array<f64, 2> x = zeros<f64>(dev, {n + 2, n + 2});
        const chebyshev_report run =
            chebyshev(x, b, A, {.tolerance = 0, .iterations = made, .least = least, .most = most});
        CHECK(run.iterations == made);
        CHECK(run.seen_below == 0);
        return run.residual;
      };
      const double bound = bound_of(least, most, made);
      // of the eigenvector of the lower bound it is just that; of another one the polynomial's
      // value
      CHECK(residual(lowest) == doctest::Approx(bound).epsilon(1e-9));
      CHECK(residual(any) < bound);
      const double eigenvalue =
          0.1 + 4 * A.sq(std::sin(4.5 * A.angle(n))) + 4 * A.sq(std::sin(2 * A.angle(n)));
      const double at = (most + least - 2 * eigenvalue) / (most - least);
      CHECK(residual(middle) ==
            doctest::Approx(std::abs(std::cos(made * std::acos(at))) * bound).epsilon(1e-6));
    }
  }
}

TEST_CASE("chebyshev: bounds that are not given are estimated, the lower one corrected") {
  for (const device dev : test_devices())
    for (const index_t n : {3, 15, 60}) {
      CAPTURE(n);
      const shifted_laplacian A{0};
      const array<f64, 2> b = random<f64>(dev, {n, n}, 2);
      const auto solve = [&](double least, double most) {
        array<f64, 2> x = zeros<f64>(dev, {n + 2, n + 2});
        const chebyshev_report run =
            chebyshev(x, b, A, {.tolerance = 1e-9, .least = least, .most = most});
        CHECK(run.has_converged());
        CHECK(norm2(b - A(x)) < 2e-9 * norm2(b));
        CHECK(run.is_estimated == (least == 0 || most == 0));
        return run;
      };
      const double least = A.least(n), most = A.most(n);
      const index_t given = solve(least, most).iterations;
      const chebyshev_report run = solve(0, 0);
      CHECK(run.most > most * (1 - 1e-9));
      CHECK(run.most < 1.3 * most);
      CHECK(run.least > 0.99 * least);
      CHECK(run.least < 1.5 * least);
      CHECK(run.iterations <= 2 * given);
      CHECK(solve(0, most).most == most);
      CHECK(solve(least, 0).least == least);
      CHECK(contains(text_of(run), ", estimated"));
    }
}

TEST_CASE("chebyshev: how often the host looks, and waits, does not change the iterations") {
  for (const device dev : test_devices()) {
    const array<f64, 2> b = random<f64>(dev, {40, 33}, 2);
    const shifted_laplacian A{0.1};
    std::vector<f64> first;
    for (const index_t every : {0, 1, 7, 45, 1000}) {
      CAPTURE(every);
      array<f64, 2> x = random<f64>(dev, {42, 35}, 1);
      const auto before = runtime::host_waits();
      const chebyshev_report run = chebyshev(
          x, b, A,
          {.tolerance = 0, .iterations = 45, .check_every = every, .least = 0.1, .most = 8.1});
      CHECK(runtime::host_waits() - before <= (every == 0 ? 5 : 45 / every + 3));
      CHECK(run.iterations == 45);
      if (first.empty()) first = to_host(x);
      CHECK(to_host(x) == first);
    }
  }
}

TEST_CASE("chebyshev: a tolerance below rounding ends, in other types and dims too") {
  for (const device dev : test_devices()) {
    const auto laplacian = [](const auto& v) {
      using namespace fd3;
      return 0.5F * inn(v) - (d2_xi(v) + d2_yi(v) + d2_zi(v));
    };
    array<f32, 3> x = zeros<f32>(dev, {11, 33, 19});
    const array<f32, 3> b = random<f32>(dev, {9, 31, 17}, 2);
    for (const bool is_given : {false, true}) {
      CAPTURE(is_given);
      x = 0.F;
      const chebyshev_report run =
          chebyshev(x, b, laplacian,
                    {.tolerance = 0, .least = is_given ? 0.5 : 0., .most = is_given ? 12.5 : 0.});
      CHECK(run.is_stuck);
      CHECK(run.iterations < 400);
      CHECK(run.residual < 1e-6);
      CHECK(run.seen_below == 0);
      CHECK(contains(text_of(run), "9x31x17 f32; relative residual "));
      CHECK(contains(text_of(run), "rounding lets it get no smaller"));
    }
    array<f64, 1> y = random<f64>(dev, {52}, 1);
    const chebyshev_report run =
        chebyshev(y, zeros<f64>(dev, {50}), [](const auto& v) { return fd1::inn(v) - fd1::d2(v); },
                  {.tolerance = 1e-20});
    CHECK(run.is_stuck);
    CHECK(run.residual < 1e-15);
  }
}

TEST_CASE("chebyshev: wrong bounds are told of") {
  for (const device dev : test_devices()) {
    const shifted_laplacian A{0};
    const array<f64, 2> b = random<f64>(dev, {20, 20}, 2);
    array<f64, 2> x = zeros<f64>(dev, {22, 22});
    const auto solve = [&](const chebyshev_options& options) {
      x = 0.0;
      return chebyshev(x, b, A, options);
    };
    for (const index_t every : {1, 16, 1000}) {
      const auto low = [&] { solve({.check_every = every, .least = 0.04, .most = 5}); };
      CHECK(contains(message_of(low), "chebyshev: the residual was multiplied by "));
      CHECK(contains(message_of(low),
                     ": A has an eigenvalue outside of 0.04 to 5, or is not "
                     "symmetric and positive definite"));
      CHECK(kind_of(low) == failure::usage);
    }
    // One that is too high makes it slow, which the report says; one that is too low, too.
    const chebyshev_report slow = solve({.iterations = 600, .least = 1, .most = 8});
    CHECK(!slow.has_converged());
    CHECK(slow.seen_below == doctest::Approx(A.least(20)).epsilon(0.05));
    CHECK(contains(text_of(slow), "the residual falls as if one were 0.04"));
    CHECK(solve({.least = 1e-4, .most = 8}).has_converged());
    CHECK(contains(message_of([&] { solve({.least = 100}); }), "eigenvalues were estimated from "));
    CHECK(message_of([&] { solve({.least = 5, .most = 4}); }) ==
          "chebyshev: eigenvalues from 5 to 4; bounds must be positive and in this order, or 0: "
          "then they are estimated");
    CHECK(kind_of([&] { solve({.least = -1, .most = 4}); }) == failure::usage);
    CHECK(kind_of([&] { solve({.most = std::nan("")}); }) == failure::usage);
    CHECK(contains(message_of([&] { solve({.tolerance = -1}); }), "chebyshev: the tolerance"));
  }
}

TEST_CASE("chebyshev: what is not positive definite, singular or not finite is told of") {
  for (const device dev : test_devices()) {
    array<f64, 1> x = zeros<f64>(dev, {50}), b = random<f64>(dev, {50}, 2);
    CHECK(contains(message_of([&] { chebyshev(x, b, times{-1}); }), "chebyshev: p.Ap is -"));
    CHECK(contains(message_of([&] { chebyshev(x, b, times{-1}, {.least = 1, .most = 2}); }),
                   "not symmetric and positive definite"));
    x = 0.0;
    array<f64, 1> weights = full(dev, {50}, 2.0);
    weights(9) = 1.0;
    weights(3) = 0.0;
    const auto scaled = [&](const auto& v) { return weights * v; };
    CHECK(contains(message_of([&] { chebyshev(x, b, scaled, {.most = 2}); }), ": A is singular; "));
    CHECK(chebyshev(x, b, scaled, {.least = 1, .most = 2}).seen_below < 0.1);
    b(3) = 0.0;  // then it may be
    x = 0.0;
    CHECK(chebyshev(x, b, scaled, {.least = 1, .most = 2}).has_converged());
    b(7) = std::numeric_limits<f64>::infinity();
    CHECK(message_of([&] { chebyshev(x, b, times{1}); }) ==
          "chebyshev: the residual is not finite after iteration 0; x or b holds values that are "
          "not finite");
    b = 1e160;
    CHECK(contains(
        message_of([&] { chebyshev(x, b, times{1}); }),
        "chebyshev: the right-hand side is at most 1e+160, and its squares are too large"));
    CHECK(contains(message_of([&] { chebyshev(x, x, times{1}); }), "shares memory with b"));
    CHECK(contains(message_of([&] { chebyshev(x, zeros<f64>(dev, {49}), times{1}); }),
                   "chebyshev: x has 50 cells and b 49"));
  }
}

// SPDX-License-Identifier: MIT
#include <cmath>
#include <functional>

#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../generator.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

namespace {

/// What f(i, j) gives inside of nx x ny cells, 0 on their border.
std::vector<f64> inside(index_t nx, index_t ny, const std::function<f64(index_t, index_t)>& f) {
  std::vector<f64> cells(static_cast<std::size_t>(nx * ny), 0.0);
  for (index_t j = 1; j < ny - 1; ++j)
    for (index_t i = 1; i < nx - 1; ++i) cells[static_cast<std::size_t>(i + j * nx)] = f(i, j);
  return cells;
}

struct numbered {
  TEFF_INLINE f64 operator()(index_t i, index_t j) const {
    return static_cast<f64>(i) + 10 * static_cast<f64>(j);
  }
};

}  // namespace

TEST_CASE("ix in a time step is the index of the computed cell in the field that is written") {
  const auto expected = inside(6, 4, [](index_t i, index_t j) { return f64(i) + 10 * f64(j); });
  const auto position = 1.0 * ix + 10.0 * iy;
  for (const device dev : test_devices()) {
    const auto after = [&](const auto& rhs) {
      auto T = full(dev, {6, 4}, 0.0);
      iterate(timestep([&](auto T) { return update(inn(T), 0.0 * inn(T) + rhs(T)); }), 1, T);
      return to_host(T);
    };
    CHECK(after([&](auto) { return position; }) == expected);
    CHECK(after([&](auto T) { return inn(position + 0.0 * T); }) == expected);
    CHECK(after([&](auto T) { return inn_x(inn_y(position + 0.0 * T)); }) == expected);
    CHECK(after([&](auto T) { return inn_x(position + 0.0 * inn_y(T)); }) == expected);
    CHECK(after([&](auto T) { return around<1>(position + 0.0 * T)(); }) == expected);
    CHECK(after([&](auto) { return map(numbered{}, ix, iy); }) == expected);
    // A difference of positions is the same everywhere; a mean lies between its cells.
    CHECK(after([&](auto T) { return d2_xi(0.5 * sq(1.0 * ix) + 0.0 * T); }) ==
          inside(6, 4, [](index_t, index_t) { return 1.0; }));
    CHECK(after([&](auto T) { return at<1, -1>(around<1>(position + 0.0 * T)); }) ==
          inside(6, 4, [](index_t i, index_t j) { return f64(i + 1) + 10 * f64(j - 1); }));
    // A plain statement counts in its own extents.
    auto A = full(dev, {6, 4}, 0.0);
    A(range(1, 5), range(1, 3)) = position;
    CHECK(to_host(A) ==
          inside(6, 4, [](index_t i, index_t j) { return f64(i - 1) + 10 * f64(j - 1); }));
  }
}

TEST_CASE("ix in a time step over faces and staggered fields counts their own cells") {
  for (const device dev : test_devices()) {
    // Face m lies between cells m and m + 1.
    array<f64, 1> T(dev, {5});
    T = sq(ix);  // d_xi: 1 3 5 7
    iterate(timestep([](auto T) { return update(fd1::inn(T), fd1::d((1.0 + ix) * fd1::d(T))); }), 1,
            T);
    CHECK(to_host(T) == std::vector<f64>{0, 6 - 1, 15 - 6, 28 - 15, 16});

    // Face i of V lies between cells i - 1 and i of P.
    array<f64, 1> P(dev, {4}), V(dev, {5});
    P = 1.0, V = 0.0;
    const auto faces = timestep([](auto P, auto V) {
      return stages(update(fd1::inn(V), fd1::d(P * (1.0 * sq(ix))) + 100.0 * ix),
                    update(P, 0.0 * P + fd1::d(V + 1.0 * sq(ix))));
    });
    iterate(faces, 1, P, V);
    CHECK(to_host(V) == std::vector<f64>{0, 101, 203, 305, 0});
    CHECK(to_host(P) == std::vector<f64>{102, 105, 107, -305 + 7});
  }
}

TEST_CASE("ix in a residual counts in the first field that evolves") {
  for (const device dev : test_devices()) {
    array<f64, 1> T(dev, {6}), V(dev, {7});
    T = 0.0, V = 0.0;
    const auto residual_of = [&](const auto& e) {
      return iterate(timestep([&](auto T, auto V) {
                       return stages(update(T, 1.0 * T), update(V, 1.0 * V),
                                     residual(max_abs(e(T, V))));
                     }),
                     {.steps = 1, .check_every = 1}, T, V)
          .residual();
    };
    CHECK(residual_of([](auto T, auto) { return T + ix; }) == 5);
    CHECK(residual_of([](auto T, auto) { return fd1::inn(T) + ix; }) == 4);
    CHECK(residual_of([](auto T, auto) { return fd1::inn(T + ix); }) == 4);
    CHECK(residual_of([](auto T, auto) { return fd1::d(T) + ix; }) == 4);
    CHECK(residual_of([](auto, auto V) { return V + ix; }) == 6);
  }
}

TEST_CASE("ix in a time step: every schedule has the bits of single steps") {
  const auto with = [](const boundary& b) {
    return timestep([b](auto T, auto q) {
      const auto bell = once(sq(0.001 * ix)) + 1e-5 * map(numbered{}, ix, iy);
      return stages(
          update(inn_x(q), 0.25 * inn_x(q) + d_xa(T * (0.01 * iy)) + 0.001 * ix),
          update(inn(T), inn(T) + 0.1 * (d2_xi(T) + d2_yi(T)) + inn(bell * d_xa(q) + 0.01 * iy),
                 b));
    });
  };
  for (const device dev : test_devices())
    for (const boundary& b : {boundary{}, boundary{.x = periodic, .y = periodic},
                              boundary{.x = fixed(0.01 * iy), .y = gradient(0.01 * ix)}}) {
      const auto after = [&](schedule way, int depth) {
        auto T = random<f64>(dev, {300, 90}, 1), q = random<f64>(dev, {301, 90}, 2);
        iterate(with(b), {.steps = 11, .schedule = way, .depth = depth}, T, q);
        return to_host(T);
      };
      const auto expected = after(schedule::stepwise, 0);
      CHECK(difference(after(schedule::temporal, 4), expected) == "");
      CHECK(difference(after(schedule::temporal, 1), expected) == "");
      CHECK(difference(after(schedule::automatic, 0), expected) == "");
    }
}

TEST_CASE("ix in a time step: a source term keeps the second order") {
  const f64 pi = std::acos(-1.0);
  for (const device dev : test_devices()) {
    const auto error_of = [&](index_t n) {
      const f64 dx = 1.0 / static_cast<f64>(n - 1), dt = 0.4 * dx * dx;
      const auto x = dx * ix;
      auto T = full(dev, {n}, 0.0);
      iterate(timestep([&](auto T) {
                const auto source = pi * pi * sin(pi * x) + 4 * pi * pi * sin(2 * pi * x);
                return update(fd1::inn(T), fd1::inn(T) + dt * (fd1::d2(T) / (dx * dx) + source));
              }),
              2 * n * n, T);
      return static_cast<f64>(max_abs(T - sin(pi * x) - sin(2 * pi * x)));
    };
    const f64 coarse = error_of(17), fine = error_of(33);
    CHECK(coarse < 0.02);
    CHECK(coarse / fine > 3.9);
    CHECK(coarse / fine < 4.3);
  }
}

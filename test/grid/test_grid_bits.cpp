// SPDX-License-Identifier: MIT
#include <teff/expr/fd2.hpp>
#include <teff/formula/residual.hpp>
#include <teff/grid/exchange_timers.hpp>

#include "grid_check.hpp"

/// Runs on ranks have the bits of one run over whole arrays, however the grid is cut and however
/// seldom halos are exchanged.
namespace teff::inline TEFF_MODE::test {
namespace {

template <int N>
using staggered = std::array<int, N>;

TEST_CASE("heat on a grid") {
  using namespace fd2;
  const auto heat = timestep([](auto T, auto Ci) {
    const auto qx = -1.0 * d_xi(T);
    const auto qy = -1.0 * d_yi(T);
    return stages(update(inn(T), inn(T) + 0.1 * (inn(Ci) * (-d_xa(qx) - d_ya(qy)))),
                  residual(max_abs(d_xa(qx))));
  });
  check_on_grid<f64, 2, 2>("grids: heat", heat, {staggered<2>{0, 0}, {0, 0}}, 3, 20);
}

TEST_CASE("pressure in three staggered stages, with a norm, on a grid") {
  using namespace fd2;
  const auto pressure = timestep([](auto P, auto qx, auto qy) {
    const auto div = d_xa(qx) + d_ya(qy);
    return stages(update(inn_x(qx), 0.7 * inn_x(qx) - 0.2 * d_xa(P)),
                  update(inn_y(qy), 0.7 * inn_y(qy) - 0.2 * d_ya(P)), update(P, P - 0.3 * div),
                  residual(norm2(div)));
  });
  check_on_grid<f64, 2, 3>("grids: pressure", pressure, {staggered<2>{0, 0}, {1, 0}, {0, 1}}, 3,
                           20);
}

/// Border cells of a field that no step changes repeat themselves.
template <class V>
void repeat(std::vector<V>& cells, index_t nx, index_t ny) {
  const auto at = [&](index_t i, index_t j) -> V& {
    return cells[static_cast<std::size_t>(i + j * nx)];
  };
  for (index_t j = 0; j < ny; ++j) at(0, j) = at(nx - 2, j), at(nx - 1, j) = at(1, j);
  for (index_t i = 0; i < nx; ++i) at(i, 0) = at(i, ny - 2), at(i, ny - 1) = at(i, 1);
}

TEST_CASE("fields that repeat themselves, on a grid") {
  using namespace fd2;
  const auto flow = timestep([](auto u, auto c) {
    const auto n = around<1>(u);
    const auto m = around<1>(c);
    return stages(update(inn(u), n() + 0.1 * (at<1, 1>(n) - at<-1, 0>(n)) * at<1, 0>(m),
                         boundary{.x = periodic, .y = periodic}),
                  residual(max_abs(d2_xi(u))));
  });
  check_on_grid<f64, 2, 2>("grids: periodic", flow, {staggered<2>{0, 0}, {0, 0}}, 4, 20,
                           [](auto& given, const auto& n) { repeat(given[1], n[0], n[1]); });
}

TEST_CASE("fields that repeat themselves beside a known one that does not, on a grid") {
  using namespace fd2;
  const auto heat = timestep([](auto T, auto Ci) {
    return update(inn(T), inn(T) + 0.1 * inn(Ci) * (d2_xi(T) + d2_yi(T)),
                  boundary{.x = periodic, .y = {fixed, gradient(0.1)}});
  });
  check_on_grid<f64, 2, 2>("grids: periodic heat", heat, {staggered<2>{0, 0}, {0, 0}}, 4, 20);
}

TEST_CASE("exchanges between GPUs are timed: what of them steps do not wait for") {
  using namespace fd2;
  const auto heat =
      timestep([](auto T) { return update(inn(T), inn(T) + 0.1 * (d2_xi(T) + d2_yi(T))); });
  for (const bool are_gpus : {false, true})
    for (const index_t steps : {3, 200}) {
      std::vector<std::optional<double>> shares(2);
      const rank_devices places = places_of_ranks(2, are_gpus);
      run_on(places, [&](const ranks& mine) {
        const grid<2> g({300, 400}, {.on = mine});
        const auto T = g.template array<f64>("T");
        T = 0.01 * ix;
        const auto report = iterate(heat, {.steps = steps, .exchange_every = 3}, T);
        shares[static_cast<std::size_t>(mine.rank())] = report.hidden_share();
      });
      INFO(places.front().name() << ", " << steps << " steps");
      CHECK(shares[0] == shares[1]);
      CHECK(shares[0].has_value() == (places.front().is_cuda() && steps > 3));
      if (shares[0]) CHECK((*shares[0] >= 0 && *shares[0] <= 1));
    }
}

TEST_CASE("the hidden share of exchanges") {
  using runtime::hidden_share;
  CHECK(hidden_share({4, 1}) == 0.75);
  CHECK(hidden_share({4, 4.5}) == 0);  // timers have a resolution
  CHECK(!hidden_share({0, 0}));
}

}  // namespace
}  // namespace teff::inline TEFF_MODE::test

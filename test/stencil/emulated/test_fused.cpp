// SPDX-License-Identifier: MIT
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>

#include "../generated/steps_0.hpp"
#include "warps_check.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// Fields of these extents and, by field and dim, so many cells longer.
template <class V, int N, class Fn>
void check_fused(const timestep<Fn>& step, generator& g, const std::string& name,
                 const int (&longer)[3][N]) {
  for (int round = 0; round < generator::rounds(8); ++round) {
    extents<N> n[3];
    for (int d = 0; d < N; ++d) {
      const index_t cells = g.between(2, round % 2 == 0 ? 20 : N == 3 ? 70 : N == 2 ? 150 : 2500);
      for (int f = 0; f < 3; ++f) n[f].n[d] = cells + longer[f][d];
    }
    check_pass<stages_at_once, V, N>(step, g, name, n);
  }
}
template <class F, class V>
void check_generated(const std::string& name) {
  generator g(name.c_str());
  check_fused<V, 2>(F::step(), g, name,
                    {{F::longer[0][0], F::longer[0][1]},
                     {F::longer[1][0], F::longer[1][1]},
                     {F::longer[2][0], F::longer[2][1]}});
}

auto flow() {
  using namespace teff::fd2;
  return timestep([](auto P, auto qx, auto qy) {
    return stages(update(inn_x(qx), inn_x(qx) - 0.3 * (inn_x(qx) + d_xa(P))),
                  update(inn_y(qy), inn_y(qy) - 0.3 * (inn_y(qy) + d_ya(P))),
                  update(P, P - 0.2 * (d_xa(qx) + d_ya(qy))));
  });
}

}  // namespace

TEST_CASE(
    "stages of a step at once on a GPU, emulated: faces, leapfrog, index and step, 1-D and 3-D; as "
    "stepwise") {
  generator g("stages at once");
  check_fused<f32, 2>(flow(), g, "pressure", {{0, 0}, {1, 0}, {0, 1}});
  const auto leapfrog = timestep([](auto u, auto u_prev, auto c) {
    using namespace teff::fd2;
    return stages(update(inn(u_prev), 2 * inn(u) - inn(u_prev) +
                                          0.1 * inn(c) * (d2_xi(u) + d2_yi(u)) * (0.01 * ix)),
                  update(inn(u), 1.0 * inn(u_prev) + 0.01 * step_index));
  });
  check_fused<f64, 2>(leapfrog, g, "leapfrog", {{0, 0}, {0, 0}, {0, 0}});
  const auto line = timestep([](auto P, auto q, auto c) {
    return stages(update(fd1::inn(q), fd1::inn(q) - 0.3 * (fd1::inn(q) + fd1::d(P))),
                  update(P, P - c * fd1::d(q)));
  });
  check_fused<f32, 1>(line, g, "1-D", {{0}, {1}, {0}});
  const auto sound = timestep([](auto P, auto vx, auto vz) {
    return stages(update(fd3::inn_x(vx), fd3::inn_x(vx) - 0.1 * fd3::d_xa(P)),
                  update(fd3::inn_z(vz), fd3::inn_z(vz) - 0.1 * fd3::d_za(P)),
                  update(P, P - 0.2 * (fd3::d_xa(vx) + fd3::d_za(vz))));
  });
  check_fused<f32, 3>(sound, g, "3-D", {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}});
}

TEST_CASE("stages of a step at once on a GPU, emulated: generated steps, bit for bit as stepwise") {
  check_generated<step_01, f64>("fused step 01");  // two stages write one field
  check_generated<step_02, f32>("fused step 02");
}

TEST_CASE("stages of a step at once on a GPU: which steps, and what they cost") {
  using namespace teff::detail;
  using cells = array<f64, 2>;
  const auto traits_of = [](const auto& step) {
    const auto formula = step.template formula<cells, cells, cells>();
    return typename step_of<std::remove_const_t<decltype(formula)>>::traits{};
  };
  using flows = decltype(traits_of(flow()));
  CHECK(fused_cost<flows, 3>::evaluations() == 1 + 1 + 1 + 2 + 2);
  CHECK(fused_cost<flows, 3>::overlap() > 1);
  CHECK(fused_cost<flows, 3>::overlap() < 3);
  CHECK(fuses_stages<flows, 3>());
  // A stage that reads 9 cells of one that reads 9: more would be computed than memory waits for.
  const auto boxes = timestep([](auto A, auto B, auto C) {
    (void)C;
    using namespace teff::fd2;
    const auto mean = [](const auto& f) { return av_xa(av_xa(av_ya(av_ya(f)))); };
    return stages(update(inn(B), mean(A) + 0.1 * inn(B)), update(inn(A), mean(B) + 0.1 * inn(A)),
                  update(inn(B), mean(A)));
  });
  CHECK(!fuses_stages<decltype(traits_of(boxes)), 3>());
  const auto one = timestep([](auto A, auto, auto) { return update(A, 0.5 * A); });
  CHECK(!fuses_stages<decltype(traits_of(one)), 3>());
}

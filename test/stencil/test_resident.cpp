// SPDX-License-Identifier: MIT
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/solver/pressure.hpp>
#include <teff/stencil/iterate.hpp>
#include <teff/stencil/resident_blocks.hpp>

#include "../compare.hpp"
#include "../generator.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

namespace {

/// So many steps by blocks that stay resident, in the emulator, from `now` to one of two arrays.
template <int Threads, class Fn, class V, class... A>
std::vector<array<V, 2>> resident_steps(const timestep<Fn>& step, int steps, int most_blocks,
                                        int tile_bytes, std::uint64_t seed,
                                        const array<V, 2>& first, const A&... rest) {
  using namespace teff::detail;
  const auto formula = step.formula(first, rest...);
  using step_type = step_of<std::remove_cvref_t<decltype(formula)>>;
  using traits = typename unconditional<typename step_type::traits>::type;
  constexpr int fields = 1 + sizeof...(A);
  const auto stages = step_type::list(formula);
  std::vector<array<V, 2>> now{first, rest...}, next = now;
  for (int f = 0; f < fields; ++f)
    next[static_cast<std::size_t>(f)] = std::numeric_limits<V>::quiet_NaN();
  const auto target = [](const array<V, 2>& a) {
    return device_target<V>{a.data(), {1, a.stride(1), 0}};
  };
  return [&]<int... S, int... K>(std::integer_sequence<int, S...>,
                                 std::integer_sequence<int, K...>) {
    const auto formulas = list_of(entry<K>(stages).rhs.lower(lowering{})...);
    const auto from =
        list_of(array_leaf(static_cast<const array_ref<V, 2>&>(now[S])).lower(lowering{})...);
    using targets = operand_list<std::remove_cvref_t<decltype((void)S, target(now[0]))>...>;
    const targets rooms[2] = {list_of(target(next[S])...), list_of(target(now[S])...)};
    const shape3 extents[] = {shape3{{now[S].extent(0), now[S].extent(1), 1}}...};
    int n[2] = {0, 0};
    for (const shape3& e : extents)
      for (int d = 0; d < 2; ++d) n[d] = std::max(n[d], static_cast<int>(e.n[d]));
    const resident_cut cut =
        cut_resident(n, resident_support<traits, fields>::reach,
                     resident_cell_bytes<traits, std::remove_cvref_t<decltype((void)S, V())>...>(),
                     tile_bytes, most_blocks);
    REQUIRE(cut.blocks[0] > 0);
    const emulation seeded({.seed = seed});
    const int room =
        launch_resident<traits, Threads>(first.on(), formulas, from, rooms, extents, cut, steps);
    std::vector<array<V, 2>> result = now;
    if (room == 0) ((result[S] = traits::template evolves<S>() ? next[S] : now[S]), ...);
    return result;
  }
  (std::make_integer_sequence<int, fields>{}, std::make_integer_sequence<int, traits::stages>{});
}

template <class Fn, class V, class... A>
void check(const timestep<Fn>& step, generator& g, const char* name, const array<V, 2>& first,
           const A&... rest) {
  const int steps = static_cast<int>(g.between(1, 20)),
            most_blocks = static_cast<int>(g.between(1, 12));
  const int tile_bytes = static_cast<int>(g.between(4, 60)) * 1024;
  std::vector<array<V, 2>> expected{first, rest...};
  [&]<int... S>(std::integer_sequence<int, S...>) {
    iterate(step, {.steps = steps, .schedule = schedule::stepwise}, expected[S]...);
  }
  (std::make_integer_sequence<int, 1 + sizeof...(A)>{});
  const auto result =
      resident_steps<64>(step, steps, most_blocks, 200 * 1024, g.next(), first, rest...);
  (void)tile_bytes;
  for (std::size_t f = 0; f < expected.size(); ++f) {
    const std::string bad = difference(to_host(result[f]), to_host(expected[f]));
    if (!bad.empty())
      FAIL_CHECK(name << ", field " << f << " of " << extents_text(first.shape()) << ", " << steps
                      << " steps, at most " << most_blocks << " blocks: " << bad);
  }
  g.count();
}

}  // namespace

TEST_CASE("resident: many steps of a small grid in one launch have the bits of single steps") {
  generator g("resident steps");
  const auto heat = timestep(
      [](auto T, auto C) { return update(inn(T), inn(T) + 0.1 * inn(C) * (d2_xi(T) + d2_yi(T))); });
  const auto star2 = timestep([](auto T, auto C) {
    const auto u = around<2>(T);
    const auto c = around<2>(C);
    return update(u(), 0.25 * c() * (at<2, 0>(u) + at<-2, 0>(u) + at<0, 2>(u) + at<0, -2>(u)) -
                           0.1 * at<1, 1>(u) + 0.001 * ix);
  });
  for (int round = 0; round < generator::rounds(12); ++round) {
    const index_t nx = g.between(5, 90), ny = g.between(5, 60);
    const auto made = [&](index_t more_x, index_t more_y) {
      return random<f64>(device::cpu(), {nx + more_x, ny + more_y}, g.next());
    };
    check(heat, g, "heat", made(0, 0), made(0, 0));
    check(star2, g, "radius 2", made(0, 0), made(0, 0));
    check(pressure::step2d(1.0, 2.0, 8.0, 1.0, 1.1), g, "pressure", made(0, 0), made(1, 0),
          made(0, 1));
  }
}

// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/formula/integrators.hpp>
#include <teff/formula/once_levels.hpp>
#include <teff/solver/pressure.hpp>
#include <teff/stencil/conditions/given_state.hpp>
#include <teff/stencil/resident/launch.hpp>

#include "../../compare.hpp"
#include "../../generator.hpp"
#include "../shared_cells.hpp"
#include "any_side.hpp"
#include "late_number.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

namespace {

/// So many steps by blocks that stay resident, in the emulator: in two launches, in place.
/// @returns the blocks' cut; no blocks: the fields do not fit, and nothing was done
template <class Fn, class... V>
detail::resident_cut take_resident_steps(const timestep<Fn>& step, const int (&steps)[2],
                                         int most_blocks, int tile_bytes, std::uint64_t seed,
                                         const array_ref<V, 2>&... fields) {
  using namespace teff::detail;
  constexpr int threads = 64;
  const auto formula = step.template formula<array_ref<V, 2>...>();
  using step_type = step_of<std::remove_cvref_t<decltype(formula)>>;
  using traits = typename step_type::traits;
  const auto stages = step_type::list(formula);
  const stream on = tuple_of(fields.on()...).first;
  const auto from =
      tuple_of(array_leaf(static_cast<const array_ref<V, 2>&>(fields)).lower(lowering{})...);
  const auto to = tuple_of(device_target<V>{fields.data(), {1, fields.stride(1), 0}}...);
  const shape3 extents[] = {shape3{{fields.extent(0), fields.extent(1), 1}}...};
  const pass_cells cells = cells_of_pass<traits>(extents);
  const int n[2] = {static_cast<int>(cells.n[0]), static_cast<int>(cells.n[1])},
            border[2] = {static_cast<int>(cells.border[0]), static_cast<int>(cells.border[1])};
  return [&]<int... K>(std::integer_sequence<int, K...>) {
    const auto formulas = [&] {
      const lowered_for_kernels here;
      return tuple_of(entry<K>(stages).rhs.lower(traits::template stage<K>::lowered_in(0))...);
    }();
    const auto given = tuple_of(static_cast<const array_ref<V, 2>&>(fields)...);
    auto edges = tuple_of([&]<int One>(std::integral_constant<int, One>) {
      using stage = typename traits::template stage<One>;
      return stage_edges<typename stage::value_type>(
          entry<One>(stages).sides, tables<traits, sizeof...(V)>::of_stages[One],
          {bound_field_of(static_cast<const array_ref<V, 2>&>(fields))...});
    }(std::integral_constant<int, K>{})...);
    hold_conditions<traits>(
        edges, 0, [&]<int Slot>() -> const auto& { return entry<Slot>(given); });
    const resident_cut cut =
        cut_resident(n, border, resident_support<traits, sizeof...(V)>::reach, traits::stages,
                     resident_cell_bytes<traits, V...>(), tile_bytes, most_blocks);
    if (cut.blocks[0] == 0) return cut;
    const emulation seeded({.seed = seed});
    resident_messages<traits, V...> messages(on, cut);
    for (const int part : steps)
      launch_resident<traits, threads>(on, formulas, edges, from, to, messages, extents, cut, part);
    return cut;
  }
  (std::make_integer_sequence<int, traits::stages>{});
}

/// @returns whether the fields fit
template <class Fn, class... A>
bool check(const timestep<Fn>& step, generator& g, const char* name, const A&... fields) {
  const int steps[] = {static_cast<int>(g.between(1, 20)), static_cast<int>(g.between(1, 9))};
  const int most_blocks = static_cast<int>(g.between(1, 12)),
            tile_bytes = static_cast<int>(g.between(8, 200)) * 1024;
  using traits = typename detail::step_of<
      std::remove_cvref_t<decltype(step.template formula<A...>())>>::traits;
  using array_type = std::common_type_t<A...>;
  std::vector<array_type> expected{fields...}, result = expected;
  std::vector<decltype(with_shared_cells(expected[0], g))> known;  // their cells may share memory
  const bool shares = g.chance(30);
  for (const array_type& a : expected)
    known.push_back(shares ? with_shared_cells(a, g) : a(whole, whole));
  const auto cut = [&]<int... S>(std::integer_sequence<int, S...>) {
    const auto given = [&]<int Slot>(const std::vector<array_type>& of,
                                     std::integral_constant<int, Slot>) {
      return traits::template evolves<Slot>() ? of[Slot](whole, whole) : known[Slot];
    };
    iterate(step, {.steps = steps[0] + steps[1], .schedule = schedule::stepwise},
            given(expected, std::integral_constant<int, S>{})...);
    return take_resident_steps(step, steps, most_blocks, tile_bytes, g.next(),
                               given(result, std::integral_constant<int, S>{})...);
  }
  (std::make_integer_sequence<int, sizeof...(A)>{});
  if (cut.blocks[0] == 0) return false;
  for (std::size_t f = 0; f < expected.size(); ++f) {
    const std::string bad = difference(to_host(result[f]), to_host(expected[f]));
    if (!bad.empty())
      FAIL_CHECK(name << ", field " << f << " of " << extents_text(result[0].shape()) << ", "
                      << steps[0] << " and " << steps[1] << " steps, " << cut.blocks[0] << " by "
                      << cut.blocks[1] << " blocks: " << bad);
  }
  g.count();
  return true;
}

}  // namespace

TEST_CASE("resident: a launch fetches a parameter that only the device knows") {
  generator g("resident late numbers");
  const f64 cell = 0.1;
  const late_number<f64> dt(&cell);
  const auto heat = timestep([=](auto T, auto C) {
    return update(inn(T), inn(T) + dt * (inn(C) * (d2_xi(T) + d2_yi(T))));
  });
  for (int round = 0; round < generator::rounds(6); ++round) {
    const extents<2> n{g.between(3, 60), g.between(3, 60)};
    check(heat, g, "heat", random<f64>(device::cpu(), n, g.next()),
          random<f64>(device::cpu(), n, g.next()));
  }
}

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
  int fitted = 0;
  for (int round = 0; round < generator::rounds(12); ++round) {
    const index_t nx = g.between(5, 90), ny = g.between(5, 60);
    const auto made = [&](index_t more_x, index_t more_y) {
      return random<f64>(device::cpu(), {nx + more_x, ny + more_y}, g.next());
    };
    const array<f32, 2> single[] = {random<f32>(device::cpu(), {nx, ny}, g.next()),
                                    random<f32>(device::cpu(), {nx, ny}, g.next())};
    fitted += check(heat, g, "heat", made(0, 0), made(0, 0));
    fitted += check(heat, g, "heat f32", single[0], single[1]);
    fitted += check(star2, g, "radius 2", made(0, 0), made(0, 0));
    fitted += check(pressure::step2d(1.0, 2.0, 8.0, 1.0, 1.1), g, "pressure", made(0, 0),
                    made(1, 0), made(0, 1));
  }
  CHECK(fitted > 2 * generator::rounds(12));
}

TEST_CASE("resident: of a time integrator, whose own fields' arrays nobody touches") {
  generator g("resident time integrators");
  for (int round = 0; round < generator::rounds(6); ++round) {
    const boundary b{.x = any_sides(g), .y = any_sides(g)};
    const auto f = [b](auto T) {
      return rate(inn(T), 0.5 * (d2_xi(T) + d2_yi(T)) - 0.25 * inn(T), b);
    };
    const detail::integrator<detail::ssp_rk3_method, decltype(f), double> made(f, 0.1);
    const index_t nx = g.between(5, 60), ny = g.between(5, 40);
    array<f64, 2> u = random<f64>(device::cpu(), {nx, ny}, g.next()), expected = u;
    const array<f64, 2> none = full(device::cpu(), {nx, ny}, std::nan("")), s1 = none, s2 = none;
    const int steps[] = {static_cast<int>(g.between(1, 20)), static_cast<int>(g.between(1, 9))};
    const auto cut =
        take_resident_steps(timestep([made](auto u, auto...) { return made(u); }), steps,
                            static_cast<int>(g.between(1, 12)), 200 * 1024, g.next(), u, s1, s2);
    CHECK(cut.blocks[0] > 0);
    iterate(timestep(made), {.steps = steps[0] + steps[1], .schedule = schedule::stepwise},
            expected);
    CHECK(difference(to_host(u), to_host(expected)) == "");
    for (const auto& own : {s1, s2})
      for (const f64 cell : to_host(own)) CHECK(std::isnan(cell));
    g.count();
  }
}

TEST_CASE("resident: a field that a step makes anew is sent to nobody") {
  generator g("resident fields made anew");
  // A stress follows from velocities alone; a velocity's change is read beside the cell.
  const auto flow = timestep([](auto P, auto V, auto stress, auto change, auto eta) {
    return stages(
        update(P, P - 0.1 * eta * d_xa(V)), update(stress, 0.5 * eta * d_xa(V)),
        update(change, 0.9 * change + d_xi(stress) - d_xi(P) + 0.01 * av_xa(d2_ya(P))),
        update(inn(V), inn(V) + 0.1 * inn_y(av_xa(eta)) * change, boundary{.y = gradient(0.0)}));
  });
  // Blocks that read neighbours of what is known alone
  const auto fed = timestep(
      [](auto T, auto C) { return update(inn(T), 0.5 * inn(T) + 0.1 * (d2_xi(C) + d2_yi(C))); });
  const auto made_anew = timestep([](auto T, auto C) { return update(inn(T), d2_xi(C)); });
  int fitted = 0;
  for (int round = 0; round < generator::rounds(8); ++round) {
    const index_t nx = g.between(5, 90), ny = g.between(5, 60);
    const auto made = [&](index_t more_x, index_t more_y) {
      return random<f64>(device::cpu(), {nx + more_x, ny + more_y}, g.next());
    };
    fitted += check(flow, g, "flow", made(0, 0), made(1, 0), made(0, 0), made(-1, -2), made(0, 0));
    fitted += check(fed, g, "fed", made(0, 0), made(0, 0));
    fitted += check(made_anew, g, "made anew", made(0, 0), made(0, 0));
  }
  CHECK(fitted > 2 * generator::rounds(8));
  using traits = typename detail::step_of<
      std::remove_cvref_t<decltype(flow.formula<array<f64, 2>, array<f64, 2>, array<f64, 2>,
                                                array<f64, 2>, array<f64, 2>>())>>::traits;
  constexpr auto found = detail::resident_support<traits, 5>::found_reaches();
  CHECK(std::vector<int>(found.margin, found.margin + 4) == std::vector<int>{3, 2, 1, 0});
  CHECK(std::vector<int>(found.halo, found.halo + 5) == std::vector<int>{3, 4, -1, 1, 3});
  CHECK(found.most == 4);
}

TEST_CASE("resident: fields of two types share the memory of a block") {
  generator g("resident types");
  const auto step = timestep([](auto T, auto C, auto D) {
    return update(inn(T), inn(T) + 0.1f * inn(C) * (d2_xi(T) + d2_yi(T)) + 0.001f * inn(D));
  });
  const auto made = [&](auto example) {
    return random<decltype(example)>(device::cpu(), {31, 22}, g.next());
  };
  array<f32, 2> T = made(f32()), D = made(f32()), S = T;
  const array<f64, 2> C = made(f64());
  const auto cut = take_resident_steps(step, {11, 2}, 9, 200 * 1024, 1, T, C, D);
  CHECK(cut.width(0) * (cut.width(1) + cut.rows - 1) % 2 == 1);  // an odd number of cells
  iterate(step, {.steps = 13, .schedule = schedule::stepwise}, S, C, D);
  CHECK(difference(to_host(T), to_host(S)) == "");
}

TEST_CASE("resident: boundary conditions have the bits of single steps") {
  generator g("resident conditions");
  const auto any_boundary = [&] { return boundary{.x = any_sides(g), .y = any_sides(g)}; };
  int fitted = 0;
  for (int round = 0; round < generator::rounds(16); ++round) {
    const boundary b = any_boundary(), c = any_boundary();
    const auto corners = timestep([b](auto T, auto C) {
      return update(inn(T),
                    0.5 * inn(T) + 0.25 * inn(C) * av_xa(av_xa(av_ya(av_ya(T)))) + 0.01 * iy, b);
    });
    const auto two_layers = timestep([b](auto T, auto C) {
      const auto u = around<2>(T);
      const auto k = around<2>(C);
      return update(u(), 0.25 * k() * (at<2, 0>(u) + at<-2, 0>(u) + at<0, 2>(u) + at<1, -1>(u)), b);
    });
    // One stage in place, one not; each reads borders that conditions have set.
    const auto two_fields = timestep([b, c](auto u, auto v) {
      return stages(update(inn(v), 0.5 * inn(v) + 0.1 * (d2_xi(u) + d2_yi(u)), c),
                    update(inn_x(u), 0.5 * inn_x(u) + 0.25 * av_xa(av_xa(u)) - 0.1 * inn_x(v),
                           boundary{.x = b.x}),
                    update(v, 0.9 * v));
    });
    const auto faces = timestep([b](auto P, auto q) {
      return stages(update(inn_x(q), 0.5 * inn_x(q) - 0.1 * d_xa(P), boundary{.x = b.x}),
                    update(P, P - 0.1 * d_xa(q)));
    });
    // Each sees the other's old values.
    const auto reaction = timestep([b, c](auto u, auto v) {
      auto r = inn(u) * inn(v);
      return together(update(inn(v), 0.9 * inn(v) + 0.02 * (d2_xi(v) + d2_yi(v)) + r, c),
                      update(inn(u), 0.9 * inn(u) + 0.02 * d2_xi(v) - r, b));
    });
    const bool is_tiny = g.chance(25);  // one or two inner cells
    const index_t nx = g.between(5, is_tiny ? 6 : 90), ny = g.between(5, is_tiny ? 6 : 60);
    const auto made = [&](index_t more_x) {
      return random<f64>(device::cpu(), {nx + more_x, ny}, g.next());
    };
    fitted += check(corners, g, "corners", made(0), made(0));
    const auto tiny = [&] { return random<f64>(device::cpu(), {3, g.between(3, 5)}, g.next()); };
    const array<f64, 2> three = tiny();
    const array<f64, 2> known = random<f64>(device::cpu(), three.shape(), g.next());
    fitted += check(corners, g, "one inner column", three, known);
    fitted += check(two_layers, g, "two layers", made(0), made(0));
    fitted += check(two_fields, g, "two fields", made(0), made(0));
    fitted += check(faces, g, "faces", made(0), made(1));
    fitted += check(reaction, g, "reaction", made(0), made(0));
  }
  CHECK(fitted > 2 * generator::rounds(16));
}

TEST_CASE("resident: no block has border cells alone") {
  int cuts = 0;
  for (int nx = 20; nx < 200; nx += 7)
    for (const int border : {1, 3}) {
      const int n[] = {nx, 50}, borders[] = {border, border};
      const detail::resident_cut cut = detail::cut_resident(n, borders, 1, 1, 24, 32 * 1024, 12);
      for (int d = 0; d < 2 && cut.blocks[0] > 0; ++d) {
        CHECK(cut.core[d] > border);
        CHECK((cut.blocks[d] - 1) * cut.core[d] < n[d] - border);
        ++cuts;
      }
    }
  CHECK(cuts > 50);
}

TEST_CASE("resident: large grids do not fit, whatever their shape") {
  const int no_border[] = {0, 0};
  for (const auto& [nx, ny] :
       {std::pair{100000000, 5}, {60000000, 3}, {2000, 2000}, {3, 90000000}}) {
    const int n[] = {nx, ny};
    CHECK(detail::cut_resident(n, no_border, 1, 1, 24, 227 * 1024, 132).blocks[0] == 0);
  }
  const int n[] = {1023, 1023};
  const detail::resident_cut cut = detail::cut_resident(n, no_border, 1, 1, 24, 227 * 1024, 132);
  CHECK(cut.blocks[0] * cut.blocks[1] <= 132);
  CHECK(cut.cells() * 24 <= 227 * 1024);
  CHECK(cut.all(0) >= 1023);
  CHECK(cut.all(1) >= 1023);
}

TEST_CASE("resident: the last blocks may hold cells of one field only, or of none") {
  generator g("resident corners");
  const auto pressure_step = pressure::step2d(1.0, 2.0, 8.0, 1.0, 1.1);
  for (int round = 0; round < generator::rounds(4); ++round) {
    // Extents of which a last block gets the faces beyond the cells.
    const index_t nx = 16, ny = 16;
    const auto made = [&](index_t more_x, index_t more_y) {
      return random<f64>(device::cpu(), {nx + more_x, ny + more_y}, g.next());
    };
    const array<f64, 2> start[] = {made(0, 0), made(1, 0), made(0, 1)};
    array<f64, 2> P = start[0], qx = start[1], qy = start[2];
    array<f64, 2> P1 = P, qx1 = qx, qy1 = qy;
    const auto cut =
        take_resident_steps(pressure_step, {17, 3}, 25, 200 * 1024, g.next(), P, qx, qy);
    CHECK(cut.all(0) > nx);
    iterate(pressure_step, {.steps = 20, .schedule = schedule::stepwise}, P1, qx1, qy1);
    CHECK(difference(to_host(P), to_host(P1)) == "");
    CHECK(difference(to_host(qx), to_host(qx1)) == "");
    CHECK(difference(to_host(qy), to_host(qy1)) == "");
    g.count();
  }
}

TEST_CASE("resident: values of once that are fields within a step have the bits of single steps") {
  generator g("resident levels of once");
  const double no_number = std::numeric_limits<double>::quiet_NaN();
  for (int round = 0; round < generator::rounds(6); ++round) {
    const boundary b{.x = any_sides(g, false), .y = any_sides(g, false)};
    const auto made = [b](auto H, auto B) {
      auto D = once(sq(sq(av_xa(av_ya(H)))) * sq(av_ya(d_xa(H + B))));
      return update(inn(H), inn(H) + 0.01 * d_xa(av_ya(D) * d_xi(H + B)), b);
    };
    const auto with_levels = timestep(
        [made](auto H, auto B, auto) { return detail::with_levels<2>(made(H, B)).formula; });
    const extents<2> n{g.between(5, 60), g.between(5, 40)};
    const auto start = random<f64>(device::cpu(), n, g.next()),
               B = random<f64>(device::cpu(), n, g.next());
    array<f64, 2> H = start, expected = start;
    const auto D = full(device::cpu(), extents<2>{n[0] - 1, n[1] - 1}, no_number);
    const auto cut = take_resident_steps(with_levels, {7, 3}, static_cast<int>(g.between(1, 12)),
                                         100 * 1024, g.next(), H, B, D);
    REQUIRE(cut.blocks[0] > 0);
    iterate(timestep(made), {.steps = 10, .schedule = schedule::stepwise}, expected, B);
    CHECK(difference(to_host(H), to_host(expected)) == "");
    for (const double cell : to_host(D)) CHECK(std::isnan(cell));
    g.count();
  }
}

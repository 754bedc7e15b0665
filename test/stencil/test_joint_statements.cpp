// SPDX-License-Identifier: MIT
#include <string>
#include <tuple>
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/expr/statement_tuning.hpp>
#include <teff/kernel/profile.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

// Single steps take the updates of a together as one statement. Each alone, as a time step of its
// own from the same state, is another one.
namespace {

// On a GPU, f32: eight rows a thread where few of two fields are read; others lose 15 to 45 %.
template <int Loads, int Fields>
constexpr int rows = detail::statement_tuning<4, 2, Loads>::template joint<int, Fields>::rows;
static_assert(rows<10, 2> == 8 && rows<11, 2> == 4 && rows<7, 3> == 4 && rows<9, 5> == 4);

const iterate_options single{.steps = 1, .schedule = schedule::stepwise};

/// @tparam Slot which field each update writes
template <int... Slot, class... Update, class... A>
std::string differs(const std::tuple<Update...>& updates, const A&... given) {
  const auto step = std::apply(
      [](const auto&... update) {
        return timestep([=](auto... fields) { return together(update(fields...)...); });
      },
      updates);
  std::tuple<A...> jointly{given...}, apart{given...};
  for (int k = 0; k < 3; ++k) {
    std::apply([&](auto&... fields) { iterate(step, single, fields...); }, jointly);
    const std::tuple<A...> before = apart;
    const auto alone = [&]<int S>(const auto& update, std::integral_constant<int, S>) {
      std::tuple<A...> fields = before;
      std::apply(
          [&](auto&... all) {
            iterate(timestep([=](auto... placeholders) { return update(placeholders...); }), single,
                    all...);
          },
          fields);
      std::get<S>(apart) = std::get<S>(fields);
    };
    std::apply(
        [&](const auto&... update) { (alone(update, std::integral_constant<int, Slot>{}), ...); },
        updates);
  }
  std::string all;
  const auto compare = [&]<int S>(std::integral_constant<int, S>) {
    all += difference(to_host(std::get<S>(jointly)), to_host(std::get<S>(apart)));
  };
  (compare(std::integral_constant<int, Slot>{}), ...);
  return all;
}

template <class T, int N>
array<T, N> random_array(const device& dev, const extents<N>& n, int seed) {
  array<T, N> a(dev, n);
  a = random<T>(dev, n, seed);
  return a;
}

namespace flat {
using namespace fd2;

const std::tuple reaction{
    [](auto u, auto v) { return update(inn(u), inn(u) + 0.1 * d2_xi(u) - inn(u) * sq(inn(v))); },
    [](auto u, auto v) { return update(inn(v), inn(v) + 0.2 * d2_yi(v) + inn(u) * sq(inn(v))); }};

/// Velocities on faces and a pressure that keeps its history: extents differ by one.
const std::tuple velocities{
    [](auto vx, auto, auto p, auto) {
      return update(inn(vx), inn(vx) - 0.1 * d_xi(p) + 1e-3 * ix);
    },
    [](auto, auto vy, auto p, auto) {
      return update(inn(vy), inn(vy) - 0.1 * d_yi(p) + 1e-3 * iy);
    },
    [](auto vx, auto vy, auto, auto q) { return update(q, q + d_xa(vx) + 0.5 * d_ya(vy)); }};

/// The wave equation by two time levels: the older one becomes what the newer was, in place.
const std::tuple leapfrog{[](auto u, auto w) {
                            return update(inn(u),
                                          2 * inn(u) - inn(w) + 0.1 * (d2_xi(u) + d2_yi(u)));
                          },
                          [](auto u, auto w) { return update(inn(w), inn(u)); }};

/// One operand is costly, so that it has rows of its own on a CPU.
const std::tuple costly{[](auto u, auto v) {
                          auto D = exp(-0.1 * u) * sqrt(2.0 + v) / (3.0 + sq(u));
                          return update(inn(u), inn(u) + 1e-2 * (d2_xi(D) + d2_yi(D)));
                        },
                        [](auto u, auto v) { return update(inn(v), d2_xi(v) + inn(u)); }};
}  // namespace flat

namespace solid {
using namespace fd3;

const std::tuple forces{
    [](auto x, auto, auto, auto p) { return update(inn(x), inn(x) - d_xi(p)); },
    [](auto, auto y, auto, auto p) { return update(inn(y), inn(y) - d_yi(p)); },
    [](auto, auto, auto z, auto p) { return update(inn(z), inn(z) - d_zi(p)); }};

const std::tuple along_z{
    [](auto u, auto v) { return update(inn(u), inn(u) + 0.1 * d2_zi(u) + inn(v)); },
    [](auto u, auto v) { return update(inn(v), inn(v) - 0.1 * d2_zi(u)); }};
}  // namespace solid

namespace in_line {
using namespace fd1;

const std::tuple mixed{[](auto u, auto v) { return update(inn(u), inn(u) + 0.25 * d2(v)); },
                       [](auto u, auto v) { return update(v, 0.5f * v + convert<float>(u)); }};
}  // namespace in_line

}  // namespace

TEST_CASE(
    "updates of planes beyond the CPU's caches, in bands of rows, have the bits of each alone") {
  const device dev = device::cpu();
  const auto cache = static_cast<index_t>(describe(dev).cache_bytes);
  if (is_quick() || cache > index_t{1} << 27) return;
  constexpr index_t nx = 401, ny = 203;
  const index_t nz = cache / 2 / (nx * ny * index_t{sizeof(double)}) + 4;
  const auto u = random_array<double, 3>(dev, {nx, ny, nz}, 1),
             v = random_array<double, 3>(dev, {nx, ny, nz}, 2);
  CHECK(differs<0, 1>(solid::along_z, u, v) == "");
}

TEST_CASE("the updates of a together have the bits that each alone has") {
  for (const device dev : test_devices()) {
    for (const index_t nx : {2, 3, 4, 7, 66, 1500})
      for (const index_t ny : {2, 3, 5, 9, 131}) {
        const auto u = random_array<double, 2>(dev, {nx, ny}, 1),
                   v = random_array<double, 2>(dev, {nx, ny}, 2);
        CHECK(differs<0, 1>(flat::reaction, u, v) == "");
        CHECK(differs<0, 1>(flat::reaction, random_array<float, 2>(dev, {nx, ny}, 1),
                            random_array<float, 2>(dev, {nx, ny}, 2)) == "");
        CHECK(differs<0, 1>(flat::costly, u, v) == "");
        CHECK(differs<0, 1>(flat::leapfrog, u, v) == "");
        const auto vx = random_array<double, 2>(dev, {nx + 1, ny}, 3),
                   vy = random_array<double, 2>(dev, {nx, ny + 1}, 4);
        CHECK(differs<0, 1, 3>(flat::velocities, vx, vy, u, v) == "");
        CHECK(differs<0, 1, 3>(flat::velocities, random_array<float, 2>(dev, {nx + 1, ny}, 3),
                               random_array<float, 2>(dev, {nx, ny + 1}, 4),
                               random_array<float, 2>(dev, {nx, ny}, 1),
                               random_array<float, 2>(dev, {nx, ny}, 2)) == "");
      }
    for (const index_t n : {2, 3, 4, 35}) {
      const auto x = random_array<double, 3>(dev, {n + 1, n, 6}, 1),
                 y = random_array<double, 3>(dev, {n, n + 1, 6}, 2),
                 z = random_array<double, 3>(dev, {n, n, 7}, 3),
                 p = random_array<double, 3>(dev, {n, n, 6}, 4);
      CHECK(differs<0, 1, 2>(solid::forces, x, y, z, p) == "");
    }
  }
}

TEST_CASE("the updates of a together may have fields of two types, and any strides") {
  for (const device dev : test_devices())
    for (const index_t n : {3, 8, 3000}) {
      CHECK(differs<0, 1>(in_line::mixed, random_array<double, 1>(dev, {n}, 1),
                          random_array<float, 1>(dev, {n}, 2)) == "");
      const auto wide = random_array<double, 2>(dev, {2 * n, 12}, 3);
      array<double, 2> u = wide, v = wide;
      const auto every_second = [&](array<double, 2>& a) { return a(range(0, 2 * n, 2), whole); };
      const auto step = timestep([](auto u, auto v) {
        return together(std::get<0>(flat::reaction)(u, v), std::get<1>(flat::reaction)(u, v));
      });
      const auto strided_u = every_second(u), strided_v = every_second(v);
      array<double, 2> dense_u(dev, {n, 12}), dense_v(dev, {n, 12});
      dense_u = strided_u, dense_v = strided_v;
      iterate(step, {.steps = 3, .schedule = schedule::stepwise}, strided_u, strided_v);
      iterate(step, {.steps = 3, .schedule = schedule::stepwise}, dense_u, dense_v);
      CHECK(difference(to_host(strided_u), to_host(dense_u)) == "");
      CHECK(difference(to_host(strided_v), to_host(dense_v)) == "");
    }
}

TEST_CASE("a profile shows the updates of a together as one statement, of what it moves") {
  for (const device dev : test_devices()) {
    const auto u = random_array<double, 2>(dev, {100, 50}, 1),
               v = random_array<double, 2>(dev, {100, 50}, 2);
    array<double, 2> U(dev, {100, 50}, "U"), V(dev, {100, 50}, "V");
    U = u, V = v;
    const auto step = std::apply(
        [](const auto&... update) {
          return timestep([=](auto... fields) { return together(update(fields...)...); });
        },
        flat::reaction);
    const profile p("joint");
    iterate(step, {.steps = 2, .schedule = schedule::stepwise}, U, V);
    // Both read and written once: 154 kB; by a statement each it would be 232 kB, as each reads
    // both.
    const std::string table = p.table();
    CHECK(contains(table, "statement -> array 'U' of 98x48 f64 and 1"));
    CHECK(contains(table, " 154 kB "));
    CHECK_FALSE(contains(table, "statement -> array 'V'"));
  }
}

TEST_CASE("an update that writes where another one of a together has read it alone is joint") {
  const auto stages_in_turn = [](const auto& step) {
    const device cpu = device::cpu();
    array<double, 2> U(cpu, {9, 8}, "U"), W(cpu, {9, 8}, "W");
    U = 1, W = 2;
    const profile p("wave");
    iterate(step, single, U, W);
    return contains(p.table(), "statement -> array 'W'");
  };
  CHECK_FALSE(stages_in_turn(timestep([](auto u, auto w) {
    return together(update(fd2::inn(u), fd2::d2_xi(u) - fd2::inn(w)),
                    update(fd2::inn(w), fd2::inn(u)));
  })));
  CHECK(stages_in_turn(timestep([](auto u, auto w) {  // reads a neighbour
    return together(update(fd2::inn(u), fd2::d2_xi(u) - fd2::d2_xi(w)),
                    update(fd2::inn(w), fd2::inn(u)));
  })));
  CHECK(stages_in_turn(timestep([](auto u, auto w) {  // reads border cells
    return together(update(u, u - w), update(fd2::inn(w), fd2::inn(u)));
  })));
  CHECK(stages_in_turn(timestep([](auto u, auto w) {  // writes border cells
    return together(update(fd2::inn(u), fd2::inn(u) - fd2::inn(w)),
                    update(fd2::inn(w), fd2::inn(u), boundary{.x = periodic}));
  })));
}

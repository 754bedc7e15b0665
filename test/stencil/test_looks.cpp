// SPDX-License-Identifier: MIT
#include <teff/expr/fd1.hpp>

#include "generated/steps_0.hpp"
#include "generated/steps_1.hpp"
#include "step_check.hpp"

using namespace teff;
using namespace teff::test;

// A run that is looked at, checked, or cut in two and resumed has the bits of one that nobody
// disturbed.

namespace {

/// Of a condition: what follows from positive cells is positive, and finite.
side any_positive_side(generator& g) {
  switch (g.between(0, 6)) {
    case 0:
      return fixed(0.75);
    case 1:
      return fixed(0.5 + 0.03125 * step_index);
    case 2:
      return gradient(0);
    case 3:
      return gradient(0.0625);
    case 4:
      return robin(4, 1, 3);
    case 5:
      return fixed(0.5 + 0.125 * ix);
    default:
      return fixed;
  }
}

/// Where a stage leaves cells out, some condition.
template <class F>
std::array<boundary, F::count> any_conditions(generator& g) {
  std::array<boundary, F::count> all;
  for (std::size_t k = 0; k < all.size(); ++k)
    for (int d = 0; d < 2; ++d) {
      if (F::frame[k][d] == 0 || g.chance(10)) continue;
      sides& both = d == 0 ? all[k].x : all[k].y;
      both = g.chance(20) ? sides(periodic) : sides{any_positive_side(g), any_positive_side(g)};
    }
  return all;
}

/// Two stages over one field, the first of which leaves two layers out, the second one; then one
/// that writes over the corners of their borders.
struct layered_step {
  static constexpr int count = 3, slot[] = {0, 0, 0};
  static constexpr int frame[][2] = {{2, 2}, {1, 1}, {0, 1}},
                       longer[][2] = {{0, 0}, {0, 0}, {0, 0}};
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto P, auto Q, auto R) {
      (void)R;
      const auto u = around<2>(P);
      return stages(
          update(u(), 0.5 * u() + 0.25 * (at<1, 0>(u) + at<0, -2>(u)), sides[0]),
          update(inn(P), 0.5 * inn(P) + 0.125 * inn(Q) * av_xa(av_xa(inn_y(P))), sides[1]),
          update(inn_y(P), 0.75 * inn_y(P) + 0.125 * inn_y(Q), sides[2]));
    });
  }
};

using run_fields = std::array<array<f64, 2>, 3>;

/// Steps from `begin` to `end`, in pieces; some are looked at, some checked, some resumed in fresh
/// arrays, as from a file.
template <class Step>
run_fields disturbed(generator& g, const Step& step, run_fields at, index_t begin, index_t end,
                     schedule way) {
  while (begin < end) {
    const index_t steps = g.between(1, end - begin);
    iterate_options options{.steps = steps, .schedule = way, .first_step = begin};
    if (way == schedule::temporal) options.depth = static_cast<int>(g.between(1, 4));
    double seen = 0;
    if (g.chance(60))
      options.on_step = {g.between(1, 3), [&](index_t) { seen += to_host(at[0]).front(); }};
    if (g.chance(40)) options.check_every = g.between(1, 3);
    iterate(step, options, at[0], at[1], at[2]);
    if (g.chance(50))
      for (array<f64, 2>& a : at) {
        array<f64, 2> fresh(a.dev(), a.shape());
        fresh = from_host(to_host(a));
        a = std::move(fresh);
      }
    begin += steps;
  }
  return at;
}

template <class F>
void check_looks(const std::string& name) {
  generator g(name.c_str());
  for (int round = 0; round < generator::rounds(40); ++round) {
    const step_fields<F, f64> f(g, g.between(6, 20), g.between(6, 12), 0);
    const auto step = F::step(any_conditions<F>(g));
    const index_t begin = g.between(0, 5), steps = g.between(1, 9);
    for (const device dev : test_devices()) {
      const auto start = [&] {
        const auto made = [&](int s) {
          array<f64, 2> a(dev, {f.columns_of(s), f.rows_of(s)});
          a = from_host(f.whole[static_cast<std::size_t>(s)]);
          return a;
        };
        return run_fields{made(0), made(1), made(2)};
      };
      const auto one = start();
      iterate(step, {.steps = steps, .schedule = schedule::stepwise, .first_step = begin}, one[0],
              one[1], one[2]);
      for (const schedule way : {schedule::stepwise, schedule::temporal, schedule::resident}) {
        if (way == schedule::resident && dev.is_cpu()) continue;
        const auto other = disturbed(g, step, start(), begin, begin + steps, way);
        for (std::size_t s = 0; s < 3; ++s) {
          const std::string bad = difference(to_host(other[s]), to_host(one[s]));
          if (!bad.empty())
            FAIL_CHECK(name << ", field " << s << ", " << schedule_name(way) << " on " << dev.name()
                            << ", " << steps << " steps from " << begin << ": " << bad);
        }
      }
    }
    g.count();
  }
}

}  // namespace

TEST_CASE("a run that is looked at, checked, cut and resumed has the bits of one that is not") {
  check_looks<step_01>("looks at step 1");
  check_looks<step_03>("looks at step 3");
  check_looks<layered_step>("looks at a step of layers");
}

TEST_CASE("conditions in a given state: those that hold after every step, cell by cell") {
  using cells = std::vector<f64>;
  for (const device dev : test_devices())
    for (const index_t given : {0, 1}) {  // before the first step; by on_step, after it
      const auto taken_over = [&](const boundary& a, const boundary& b) {
        array<f64, 1> T(dev, {6}), seen(dev, {6});
        T = 10.0 + ix;
        const auto step = timestep([=](auto T, auto S) {
          return stages(update(S, T), update(fd1::inn(T), 0.5 * fd1::inn(T), a),
                        update(fd1::inn(T), 2 * fd1::inn(T), b));
        });
        const auto give = [&](index_t done) {
          if (done == given) T = 10.0 + ix;
        };
        iterate(step, {.steps = given + 1, .schedule = schedule::stepwise, .on_step = {1, give}}, T,
                seen);
        return to_host(seen);
      };
      const boundary values{.x = {fixed(1.0), fixed(2.0)}}, slopes{.x = {gradient(0), gradient(0)}};
      CHECK(taken_over(values, {}) == cells{1, 11, 12, 13, 14, 2});
      CHECK(taken_over(slopes, {}) == cells{10, 11, 12, 13, 14, 15});  // inner cells change later
      CHECK(taken_over({}, slopes) == cells{11, 11, 12, 13, 14, 14});
      CHECK(taken_over(values, slopes) == cells{11, 11, 12, 13, 14, 14});
    }
}

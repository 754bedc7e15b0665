// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <doctest/doctest.h>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <teff/expr/fd2.hpp>
#include <teff/formula/residual.hpp>
#include <teff/grid/explain.hpp>
#include <teff/grid/grid.hpp>
#include <teff/grid/grid_reduce.hpp>
#include <teff/grid/iterate.hpp>

#include "../comma_locale.hpp"
#include "../message.hpp"

namespace teff::inline TEFF_MODE::test {
namespace {

using namespace fd2;

/// Heat whose border cells follow from inner ones; it comes to rest.
auto smoothing() {
  return timestep([](auto T) {
    return stages(update(inn(T), inn(T) + 0.2 * (d2_xi(T) + d2_yi(T)),
                         boundary{.x = {gradient(0.0), fixed(1.0)}, .y = {fixed, gradient(0.0)}}),
                  residual(max_abs(d2_xi(T) + d2_yi(T))));
  });
}
constexpr extents<2> of_test{17, 23};

std::vector<double> whole_after(const iterate_options& options, int* steps = nullptr) {
  array<double, 2> T(device::cpu(), of_test);
  T = 0.1 * ix + 0.01 * iy;
  const auto report = iterate(smoothing(), options, T);
  if (steps != nullptr) *steps = static_cast<int>(report.steps());
  return to_host(T);
}

/// f(T, ranks) on so many; texts of what it threw, by rank.
template <class F>
std::vector<std::string> texts_of(int count, const F& f) {
  std::vector<std::string> texts(static_cast<std::size_t>(count));
  try {
    run_on(cpu_ranks(count), [&](const ranks& r) {
      texts[static_cast<std::size_t>(r.rank())] = message_of([&] {
        const grid<2> g(of_test, {.on = r});
        const auto T = g.array<double>("T");
        T = 0.1 * ix + 0.01 * iy;
        f(T, r);
      });
    });
  } catch (const std::exception&) {
  }
  return texts;
}

TEST_CASE("a run on a grid ends at the tolerance, as on one rank") {
  int steps = 0;
  const iterate_options options{.steps = 5000, .check_every = 20, .tolerance = 1e-3};
  const std::vector<double> expected = whole_after(options, &steps);
  REQUIRE(steps < 5000);
  std::atomic<int> right = 0;
  const auto texts = texts_of(3, [&](const auto& T, const ranks& r) {
    const auto report = iterate(smoothing(), options, T);
    const array<double, 2> all = gather(T);
    if (report.has_converged() && report.steps() == steps &&
        (!r.is_root() || to_host(all) == expected))
      ++right;
  });
  CHECK(right == 3);
  for (const std::string& text : texts) CHECK(text == "");
}

TEST_CASE("only the root's report prints, counts without commas whatever the locale") {
  const comma_locale set;
  std::vector<std::string> printed(3);
  texts_of(3, [&](const auto& T, const ranks& r) {
    std::ostringstream text;
    text << iterate(smoothing(), {.steps = 1200, .exchange_every = 3}, T);
    printed[static_cast<std::size_t>(r.rank())] = text.str();
  });
  CHECK(printed[0].starts_with("1200 steps of 17x23 f64, "));
  CHECK(printed[0].find("3 ranks, 1x3 threads, an exchange every 3 steps)") != std::string::npos);
  CHECK(printed[1] == "");
  CHECK(printed[2] == "");
}

TEST_CASE("explain says how a grid is cut, and how seldom halos are exchanged") {
  std::vector<std::string> said(3);
  texts_of(3, [&](const auto& T, const ranks& r) {
    said[static_cast<std::size_t>(r.rank())] =
        explain(smoothing(), {.steps = 50, .exchange_every = 5}, T).text;
  });
  for (const std::string& text : said) {
    CHECK(text.find("field 0, array 'T' of 17x23 f64: evolves, star x -1..1 y -1..1") !=
          std::string::npos);
    CHECK(text.find("  grid: 17x23 cells on 3 ranks, cut 1x3; an exchange every 5 steps, a halo "
                    "along y of 5 cells below and 5 above\n") != std::string::npos);
  }
}

TEST_CASE("on_step sees and changes the own cells of every rank") {
  array<double, 2> A(device::cpu(), of_test);
  A = 0.1 * ix + 0.01 * iy;
  iterate_options options{.steps = 11};
  options.on_step = {4, [&](index_t done) { A += static_cast<double>(done) * ix; }};
  iterate(smoothing(), options, A);
  std::atomic<int> right = 0;
  texts_of(4, [&](const auto& T, const ranks& r) {
    iterate_options same{.steps = 11, .exchange_every = 3};
    same.on_step = {4, [&](index_t done) { T += static_cast<double>(done) * ix; }};
    iterate(smoothing(), same, T);
    const array<double, 2> all = gather(T);
    if (!r.is_root() || to_host(all) == to_host(A)) ++right;
  });
  CHECK(right == 4);
}

TEST_CASE("a run within on_step advances the same fields, but does not move them") {
  const auto within = [](const auto& T, index_t every) {
    iterate_options options{.steps = 9, .exchange_every = 2};
    options.on_step = {3, [&T, every](index_t) {
                         iterate(smoothing(), {.steps = 4, .exchange_every = every}, T);
                       }};
    iterate(smoothing(), options, T);
  };
  array<double, 2> A(device::cpu(), of_test);
  A = 0.1 * ix + 0.01 * iy;
  within(A, 1);
  std::atomic<int> right = 0;
  texts_of(3, [&](const auto& T, const ranks& r) {
    within(T, 2);
    const array<double, 2> all = gather(T);
    if (!r.is_root() || to_host(all) == to_host(A)) ++right;
  });
  CHECK(right == 3);
  for (const std::string& text : texts_of(3, [&](const auto&T, const ranks&) { within(T, 3); }))
    CHECK(
        text.starts_with("iterate: grid array 'T' of 17x23 f64 is a field of the run that calls "
                         "this one by on_step, and has no room for a wider halo meanwhile"));
}

TEST_CASE("a value that is not finite is reported with its cell of the whole, on all ranks") {
  const auto growing = timestep([](auto T) {
    return update(inn(T), inn(T) * where(ix == 9 && iy == 16 && step_index == 7, 1e300, 1.0) *
                                  where(ix == 9 && iy == 16 && step_index == 8, 1e300, 1.0) +
                              0.0 * d2_xi(T));
  });
  const iterate_options options{.steps = 30, .check_every = 10};
  array<double, 2> A(device::cpu(), of_test);
  A = 1.0;
  const std::string expected = message_of([&] { iterate(growing, options, A); });
  REQUIRE(expected.find("is inf at (9, 16) after step 9") != std::string::npos);
  std::atomic<int> usable = 0;
  const auto texts = texts_of(3, [&](const auto& T, const ranks& r) {
    T = 1.0;
    std::string text = message_of([&] { iterate(growing, options, T); });
    const array<double, 2> all = gather(T);  // the grid goes on, and holds the good state
    if (!r.is_root() || to_host(all) == to_host(A)) ++usable;
    throw error(text);
  });
  CHECK(usable == 3);
  for (const std::string& text : texts)
    CHECK(text.substr(text.find(" is inf")) == expected.substr(expected.find(" is inf")));
  CHECK(texts[1].starts_with("iterate: field 0, grid array 'T' of 17x23 f64, is inf at (9, 16)"));
}

TEST_CASE("a function that throws on one rank ends the run on all") {
  const auto texts = texts_of(3, [](const auto& T, const ranks& r) {
    iterate_options options{.steps = 11};
    options.on_step = {2, [&](index_t done) {
                         if (r.rank() == 1 && done == 4) throw error("no more");
                       }};
    iterate(smoothing(), options, T);
  });
  CHECK(texts[1] == "no more");
  CHECK(texts[0] == "grid: rank 1 failed, which ends the grid on rank 0, too: no more");
  CHECK(texts[2] == "grid: rank 1 failed, which ends the grid on rank 2, too: no more");
}

TEST_CASE("a function that throws on all ranks ends the run, and leaves the grid usable") {
  std::atomic<int> went_on = 0;
  const auto texts = texts_of(3, [&](const auto& T, const ranks&) {
    iterate_options options{.steps = 11};
    options.on_step = {2, [](index_t) { throw error("enough"); }};
    const std::string text = message_of([&] { iterate(smoothing(), options, T); });
    if (text == "enough" && max(T) > 0 && iterate(smoothing(), 3, T).steps() == 3) ++went_on;
  });
  CHECK(went_on == 3);
  for (const std::string& text : texts) CHECK(text == "");
}

/// Is stuck on one rank, until another one has said that it waits.
struct stuck {
  static constexpr const char* name = "stuck";
  static constexpr int flops = 0;
  const std::atomic<bool>* told;
  bool is_here;
  double operator()(double value) const {
    while (is_here && !*told) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return value;
  }
};

TEST_CASE("a rank that does not come is named, with field, side and period") {
  std::atomic<bool> told = false;
  std::string said;
  texts_of(2, [&](const auto& T, const ranks& r) {
    r.through().limit_waiting(r.is_root() ? 0.5 : 100);
    const stuck here{&told, r.rank() == 1};
    const auto step =
        timestep([=](auto t) { return update(inn(t), map(here, inn(t)) + d2_yi(t)); });
    const std::string text =
        message_of([&] { iterate(step, {.steps = 4, .exchange_every = 1}, T); });
    if (r.is_root()) said = text;
    told = true;
  });
  CHECK(said ==
        "grid: rank 0 has waited for 0.5 s: the halo of field 0, 'T', side +y has not come from "
        "rank 1, period 3, before step 1");
}

/// Of one rank, where the others go on.
struct throws_kind {
  static constexpr const char* name = "throws_kind";
  static constexpr int flops = 0;
  failure kind;
  bool is_here;
  double operator()(double value) const {
    if (is_here) throw error(kind, "no more");
    return value;
  }
};

TEST_CASE("what kind of error a function throws on one rank does not matter") {
  for (const failure kind : {failure::runtime, failure::usage, failure::non_finite}) {
    std::vector<std::string> texts(2);
    const std::string thrown = message_of([&] {
      run_on(cpu_ranks(2), [&](const ranks& r) {
        const grid<2> g({10, 20}, {.on = r, .timeout_s = 30});
        const auto T = g.array<double>("T");
        T = 1.0;
        const throws_kind here{kind, r.rank() == 1};
        const auto step =
            timestep([=](auto t) { return update(inn(t), map(here, inn(t)) + d2_yi(t)); });
        texts[static_cast<std::size_t>(r.rank())] =
            message_of([&] { iterate(step, {.steps = 4, .exchange_every = 1}, T); });
      });
    });
    const std::string expected = "a function threw at cell (0, 0): no more";
    CHECK(thrown == expected);
    CHECK(texts[0] == "grid: rank 1 failed, which ends the grid on rank 0, too: " + expected);
    CHECK(texts[1] == expected);
  }
}

TEST_CASE("too few cells along a periodic dim are refused by the extents of the whole") {
  struct few {
    extents<2> n;
    const char *described, *why;
  };
  const few cases[] = {{{5, 40}, "array 'T' of 5x40 f64", "only 1 inner cells along that dim"},
                       {{40, 5}, "array 'T' of 40x5 f64", "only 1 inner cells along that dim"},
                       {{40, 4}, "array 'T' of 40x4 f64", "only 0 inner cells along that dim"}};
  for (const few& one : cases) {
    const auto act = [&](const grid<2>& g) {
      const auto T = g.array<double>("T");
      T = 1.0;
      const boundary sides = one.n[0] == 5 ? boundary{.x = periodic} : boundary{.y = periodic};
      iterate(timestep([=](auto t) {
                const auto cells = around<2>(t);
                return update(cells(), cells() + 0.1 * at<-2, 2>(cells), sides);
              }),
              3, T);
    };
    std::vector<std::string> texts{message_of([&] { act(grid<2>(one.n)); }), "", ""};
    run_on(cpu_ranks(2), [&](const ranks& r) {
      texts[static_cast<std::size_t>(1 + r.rank())] = message_of([&] {
        act(grid<2>(one.n, {.on = r, .cuts = {1, 2}}));
      });
    });
    for (const std::string& text : texts) {
      INFO(text);
      CHECK(text.starts_with("too few cells: iterate: field 0, "));
      CHECK(text.find(one.described) != std::string::npos);
      CHECK(text.find(one.why) != std::string::npos);
    }
  }
}

TEST_CASE("runs that make no sense on a grid are refused on all ranks") {
  const auto refused = [](const std::string& expected, const auto& act) {
    for (const std::string& text : texts_of(3, act)) {
      INFO(text);
      CHECK(text.find(expected) != std::string::npos);
    }
  };
  refused(
      "iterate: the run must be the same on all ranks, but rank 0 has 5 steps from 0 on and rank 2 "
      "6 steps from 0 on",
      [](const auto& T, const ranks& r) { iterate(smoothing(), r.rank() == 2 ? 6 : 5, T); });
  refused("on all ranks, but rank 0 has the formula 0 = ", [](const auto& T, const ranks& r) {
    const auto sum =
        timestep([](auto t) { return update(inn(t), inn(t) + (d2_xi(t) + d2_yi(t))); });
    const auto product =  // as many operations, of the same cells
        timestep([](auto t) { return update(inn(t), inn(t) + d2_xi(t) * d2_yi(t)); });
    if (r.rank() == 1)
      iterate(product, 5, T);
    else
      iterate(sum, 5, T);
  });
  refused(
      "iterate: the run must be the same on all ranks, but rank 0 has not watched and rank 1 "
      "watched every -1 s",
      [](const auto& T, const ranks& r) {
        iterate_options options{.steps = 5};
        if (r.rank() == 1) options.watch = {-1, [](index_t) {}};
        iterate(smoothing(), options, T);
      });
  refused("rank 0 has on_step every 2 called and rank 2 on_step every 2",
          [](const auto& T, const ranks& r) {
            iterate_options options{.steps = 5, .on_step = {2, [](index_t) {}}};
            if (r.rank() == 2) options.on_step.call = {};
            iterate(smoothing(), options, T);
          });
  refused("exchange_every must be 1 or more (0: chosen), got -1", [](const auto& T, const ranks&) {
    iterate(smoothing(), {.steps = 5, .exchange_every = -1}, T);
  });
  refused("the number of steps must be 0 or more",
          [](const auto& T, const ranks&) { iterate(smoothing(), -5, T); });
  refused("are arrays of different grids", [](const auto& T, const ranks& r) {
    const grid<2> other(of_test, {.on = r});
    const auto U = other.array<double>("U");
    iterate(timestep([](auto t, auto u) { return update(t, t + u); }), 3, T, U);
  });
  refused("no captured arrays", [](const auto& T, const ranks&) {
    const array<double, 1> row(device::cpu(), extents<1>{of_test[0]});
    iterate(timestep([row](auto t) { return update(t, t + along<0>(row)); }), 3, T);
  });
  refused("reads ix, iy or iz and is periodic along y, which is cut into 3 parts",
          [](const auto& T, const ranks&) {
            iterate(timestep([](auto t) {
                      return update(inn(t), inn(t) + 0.1 * ix + d2_yi(t), boundary{.y = periodic});
                    }),
                    3, T);
          });
  refused(
      "field 0, grid array 'T' of 17x23 f64, is periodic along y, but its update writes all cells "
      "there; the target must leave some out, as update(inn(T), ...) does",
      [](const auto& T, const ranks&) {
        iterate(timestep([](auto t) { return update(t, 0.5 * t, boundary{.y = periodic}); }), 3, T);
      });
  refused(
      "field 0, grid array 'T' of 17x23 f64, is periodic at only one of its two sides along y; "
      "write .y = periodic",
      [](const auto& T, const ranks&) {
        iterate(timestep([](auto t) {
                  return update(inn(t), inn(t) + d2_yi(t), boundary{.y = {periodic, fixed}});
                }),
                3, T);
      });
  refused(
      "reads cells of grid array 'T' of 17x23 f64 that it leaves as they are and that do not "
      "repeat themselves: cell (0, 21) differs",
      [](const auto& T, const ranks&) {
        const auto C = T;  // a copy
        iterate(timestep([](auto t, auto c) {
                  return update(inn(t), inn(t) + 0.1 * d2_xi(c) * d2_yi(c),
                                boundary{.y = periodic});
                }),
                3, T, C);
      });
}

}  // namespace
}  // namespace teff::inline TEFF_MODE::test

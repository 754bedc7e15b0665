// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <teff/expr/fd2.hpp>
#include <teff/grid/exchange_model.hpp>
#include <teff/grid/exchange_probe.hpp>
#include <teff/grid/explain.hpp>
#include <teff/grid/gather.hpp>
#include <teff/grid/grid.hpp>
#include <teff/grid/iterate.hpp>

namespace teff::inline TEFF_MODE::test {
namespace {

using namespace fd2;
using runtime::exchange_speed;
using runtime::period_cost;

// Between two H200, by copies from one to the other and by NCCL; between hosts.
constexpr exchange_speed peer{3.8e-6, 389e9}, nccl{13e-6, 305e9}, network{20e-6, 45e9};

/// A part of n^dims cells in f64 with neighbours at both sides of the last dim, which reads one
/// cell around. @param step_s of the part by itself
period_cost slab(int dims, double n, double step_s, index_t steps) {
  const double face = dims == 2 ? n : n * n, halo = static_cast<double>(steps);
  return {.steps = steps,
          .cell_s = step_s / (face * n),
          .cells = face * (n + 2 * halo),
          .bytes = 8 * face * halo,  // both sides travel at once
          .cells_meanwhile = face * (n - 2 * halo)};
}
double efficiency(int dims, double n, double part_s, index_t steps, const exchange_speed& speed) {
  return part_s / step_s(slab(dims, n, part_s, steps), speed);
}
/// Of all numbers of steps from 1 to 64.
index_t best_of_all(int dims, double n, double part_s, const exchange_speed& speed) {
  index_t best = 1;
  for (index_t steps = 1; steps <= 64; ++steps)
    if (efficiency(dims, n, part_s, steps, speed) > efficiency(dims, n, part_s, best, speed))
      best = steps;
  return best;
}

}  // namespace

TEST_CASE("the model of exchanges: efficiencies and best steps between them, by hand") {
  const auto is = [](double value) { return doctest::Approx(value).epsilon(0.006); };
  CHECK(efficiency(2, 4096, 25e-6, 1, peer) == is(0.87));
  CHECK(efficiency(2, 4096, 25e-6, 1, nccl) == is(0.66));
  CHECK(efficiency(2, 4096, 25e-6, 1, network) == is(0.55));
  CHECK(efficiency(2, 4096, 25e-6, 8, peer) == is(0.97));
  CHECK(efficiency(2, 4096, 25e-6, 8, nccl) == is(0.93));
  CHECK(efficiency(2, 4096, 25e-6, 8, network) == is(0.88));
  CHECK(best_of_all(2, 4096, 25e-6, peer) == 18);
  CHECK(best_of_all(2, 4096, 25e-6, nccl) == 33);
  CHECK(best_of_all(2, 4096, 25e-6, network) == 40);
  period_cost cost{.cell_s = 1e-12, .cells = 4e6, .bytes = 4e5, .depth = 8};  // passes of 32 us
  CHECK(can_be_hidden(cost, peer));
  CHECK(!can_be_hidden(cost, {39e-6, 42e9}));
  cost.depth = 1;
  CHECK(!can_be_hidden(cost, peer));
  CHECK(runtime::step_s_in_period(1, 8, 16) == 1);
  CHECK(runtime::step_s_in_period(1, 3, 8) == is(9.0 / 8));  // passes of 3, 3 and 2
  CHECK(runtime::step_s_in_period(1, 4, 2) == 2);
  CHECK(efficiency(2, 1023, 2.9e-6, 1, nccl) == is(0.18));
  CHECK(best_of_all(2, 1023, 2.9e-6, nccl) == 48);
  CHECK(efficiency(3, 512, 500e-6, 1, peer) == is(0.98));
  CHECK(efficiency(3, 512, 500e-6, 1, nccl) == is(0.96));
  CHECK(best_of_all(3, 512, 500e-6, nccl) == 3);
  CHECK(best_of_all(3, 512, 500e-6, peer) == 1);
}

TEST_CASE("the model of exchanges: what is hidden costs no more than the halo's cells") {
  const period_cost cost = slab(2, 4096, 25e-6, 1);
  CHECK(hidden_step_s(cost, nccl) == doctest::Approx(cost.cell_s * cost.cells));
  const exchange_speed slow{1e-3, 1e9};
  CHECK(hidden_step_s(cost, slow) ==
        doctest::Approx(step_s(cost, slow) - cost.cell_s * cost.cells_meanwhile));
}

TEST_CASE("the model of exchanges: the fewest steps within a percent of the best") {
  CHECK(runtime::periods_to_weigh(0) == std::vector<index_t>{1});
  CHECK(runtime::periods_to_weigh(7) == std::vector<index_t>{1, 2, 3, 4, 5, 6});
  CHECK(runtime::periods_to_weigh(1000).back() == 64);
  for (const auto& [n, part_s] : {std::pair(16384.0, 390e-6), std::pair(4096.0, 25e-6),
                                  std::pair(1023.0, 2.9e-6), std::pair(255.0, 0.62e-6)})
    for (const exchange_speed& speed : {peer, nccl, network, exchange_speed{0, 1e12}}) {
      std::vector<period_cost> costs;
      for (const index_t steps : runtime::periods_to_weigh(64))
        costs.push_back(slab(2, n, part_s, steps));
      const index_t chosen = best_period(costs, speed).steps;
      CHECK(efficiency(2, n, part_s, chosen, speed) >=
            0.98 * efficiency(2, n, part_s, best_of_all(2, n, part_s, speed), speed));
    }
  CHECK(best_period({{1, 1, 100, 0}, {2, 1, 99.5, 0}}, peer).steps == 1);
  CHECK(best_period({{1, 1, 100, 0}, {2, 1, 98, 0}}, peer).steps == 2);
  CHECK(exchange_speed{13e-6, 305e9}.text() == "latency 13 us, 305 GB/s");
}

TEST_CASE("ranks measure the same speed of an exchange, and choose the same steps by it") {
  constexpr int count = 3;
  const auto heat =
      timestep([](auto T) { return update(inn(T), inn(T) + 0.2 * (d2_xi(T) + d2_yi(T))); });
  array<double, 2> whole(device::cpu(), {40, 120});
  whole = 0.1 * ix + 0.01 * iy * iy;
  iterate(heat, 130, whole);
  struct seen {
    index_t first = 0, then = 0, of_few = 0, with_on_step = 0;
    double latency_s = 0, bytes_per_s = 0;
    std::string before, after, reason, reason_of_asked;
  };
  std::vector<seen> all(count);
  std::vector<double> cells;
  run_on(cpu_ranks(count), [&](const ranks& r) {
    seen& mine = all[static_cast<std::size_t>(r.rank())];
    const grid<2> g({40, 120}, {.on = r});
    const auto T = g.array<double>("T");
    T = 0.1 * ix + 0.01 * iy * iy;
    mine.before = explain(heat, T).text;
    const auto run = iterate(heat, 100, T);
    mine.first = run.exchange_every();
    mine.latency_s = run.exchange_speed()->latency_s;
    mine.bytes_per_s = run.exchange_speed()->bytes_per_s;
    mine.after = explain(heat, T).text;
    mine.reason = run.reason();
    mine.then = iterate(heat, {.steps = 28, .first_step = 100}, T).exchange_every();
    mine.of_few = iterate(heat, 2, T).exchange_every();
    const auto now = gather(T);
    if (r.is_root()) cells = to_host(now);
    iterate_options told{.steps = 9};
    told.on_step = {3, [](index_t) {}};
    mine.with_on_step = iterate(heat, told, T).exchange_every();
    mine.reason_of_asked = iterate(heat, {.steps = 9, .schedule = schedule::stepwise}, T).reason();
  });
  for (const seen& one : all) {
    CHECK(one.first >= 1);
    CHECK(one.first <= 40);  // a halo comes from the next rank alone
    CHECK(one.first == all[0].first);
    CHECK(one.then == all[0].then);
    CHECK(one.of_few <= 2);
    CHECK(one.with_on_step <= 3);
    CHECK(one.reason.starts_with("timed: "));  // by copies: the fields were not touched
    CHECK(one.reason_of_asked == "asked for");
    CHECK(one.latency_s > 0);
    CHECK(one.bytes_per_s > 0);
    CHECK(one.latency_s == all[0].latency_s);
    CHECK(one.bytes_per_s == all[0].bytes_per_s);
    CHECK(one.before.find(" GB/s (assumed: a run measures it)") != std::string::npos);
    CHECK(one.after.find(" GB/s (measured)") != std::string::npos);
  }
  CHECK(cells == to_host(whole));
}

}  // namespace teff::inline TEFF_MODE::test

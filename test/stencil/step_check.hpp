// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <teff/array/host_copy.hpp>

#include "../compare.hpp"
#include "../generator.hpp"
#include "../message.hpp"
#include "formula_oracle.hpp"

/// Generated steps of several stages (generated/steps_0.hpp): by loops, stepwise and temporal.
namespace teff::inline TEFF_MODE::test {

/// Three fields, some a cell longer than others along a dim; rows of an odd pitch where `pad` is
/// not 0.
template <class F, class V>
struct step_fields {
  index_t nx, ny, pad;
  std::array<std::vector<V>, 3> whole;

  step_fields(generator& g, index_t columns, index_t rows, index_t gap)
      : nx(columns), ny(rows), pad(gap) {
    for (int f = 0; f < 3; ++f) {
      auto& cells = whole[static_cast<std::size_t>(f)];
      cells.assign(static_cast<std::size_t>(pitch(f) * rows_of(f)), poison<V>());
      for (index_t j = 0; j < rows_of(f); ++j)
        for (index_t i = 0; i < columns_of(f); ++i)
          cells[static_cast<std::size_t>(i + j * pitch(f))] = static_cast<V>(0.5 + g.uniform());
    }
  }
  index_t columns_of(int f) const { return nx + F::longer[f][0]; }
  index_t rows_of(int f) const { return ny + F::longer[f][1]; }
  index_t pitch(int f) const { return columns_of(f) + pad; }
  bool has_room() const {
    bool room = true;
    for (int k = 0; k < F::count; ++k)
      room = room && columns_of(F::slot[k]) >= 2 * F::frame[k][0] &&
             rows_of(F::slot[k]) >= 2 * F::frame[k][1];
    return room;
  }
};

/// Update K by plain loops: it sees the values from before its stage, of its own field too.
/// @param old those; set anew by the first update of a stage
template <class F, int K, class V>
void naive_update(step_fields<F, V>& f, std::array<std::vector<V>, 3>& old) {
  constexpr int slot = F::slot[K], x = F::frame[K][0], y = F::frame[K][1];
  if (F::sees[K] == K) old = f.whole;
  const auto read = [&](int s) {
    return reader<V>{old[static_cast<std::size_t>(s)].data(), f.pitch(s)};
  };
  for (index_t j = y; j < f.rows_of(slot) - y; ++j)
    for (index_t i = x; i < f.columns_of(slot) - x; ++i)
      f.whole[slot][static_cast<std::size_t>(i + j * f.pitch(slot))] =
          F::template cell<K, V>(read(0), read(1), read(2), i - x, j - y);
}

template <class F, class V, int... K>
void naive_step(step_fields<F, V>& f, std::integer_sequence<int, K...>) {
  std::array<std::vector<V>, 3> old;
  (naive_update<F, K>(f, old), ...);
}

/// All three fields after some steps by a schedule.
template <class F, class V>
std::array<std::vector<V>, 3> run_steps(device dev, const step_fields<F, V>& f,
                                        const iterate_options& options, const std::string& what) {
  const auto wide = [&](int s) { return array<V, 2>(dev, {f.pitch(s), f.rows_of(s)}); };
  array<V, 2> P = wide(0), Q = wide(1), R = wide(2);
  P = from_host(f.whole[0]);
  Q = from_host(f.whole[1]);
  R = from_host(f.whole[2]);
  const auto part = [&](const array<V, 2>& a, int s) {
    return a(range(0, f.columns_of(s)), whole);
  };
  const auto report = iterate(F::step(), options, part(P, 0), part(Q, 1), part(R, 2));
  if (dev.is_cpu() && report.schedule() != options.schedule)
    FAIL_CHECK(what << " ran by another schedule");
  return {to_host(P), to_host(Q), to_host(R)};
}

template <class V>
std::string difference_of_fields(const std::array<std::vector<V>, 3>& got,
                                 const std::array<std::vector<V>, 3>& expected) {
  for (std::size_t s = 0; s < 3; ++s) {
    const std::string bad = difference(got[s], expected[s]);
    if (!bad.empty()) return "field " + std::to_string(s) + ": " + bad;
  }
  return "";
}

template <class F, class V>
void check_step_case(generator& g, const std::string& name, index_t nx, index_t ny) {
  const int depth = static_cast<int>(g.between(1, g.chance(30) ? 12 : 6));
  const index_t steps = g.between(0, 2 * depth + 2);
  const step_fields<F, V> f(g, nx, ny, g.chance(40) ? g.between(1, 5) : 0);
  const std::string what = name + " on " + std::to_string(nx) + "x" + std::to_string(ny) + ", " +
                           std::to_string(steps) + " steps, depth " + std::to_string(depth);
  const iterate_options stepwise{.steps = steps, .schedule = schedule::stepwise};
  const iterate_options temporal{.steps = steps, .schedule = schedule::temporal, .depth = depth};
  g.count();
  if (!f.has_room()) {
    for (const device dev : test_devices())
      if (message_of([&] { run_steps<F>(dev, f, temporal, what); }).find("too few cells") ==
          std::string::npos)
        FAIL_CHECK(what << ": expected a refusal");
    return;
  }
  step_fields<F, V> expected = f;
  const bool by_loops = nx * ny * steps <= 20000;
  for (index_t step = 0; by_loops && step < steps; ++step)
    naive_step<F>(expected, std::make_integer_sequence<int, F::count>{});
  for (const device dev : test_devices()) {
    const std::string where = what + " on " + dev.name();
    const auto one = run_steps<F>(dev, f, stepwise, where);
    const std::string bad = difference_of_fields(run_steps<F>(dev, f, temporal, where), one);
    if (!bad.empty()) FAIL_CHECK("temporal differs: " << where << ": " << bad);
    if (!by_loops && dev.is_cpu()) expected.whole = one;
    const std::string wrong = difference_of_fields(one, expected.whole);
    if (!wrong.empty()) FAIL_CHECK("stepwise differs: " << where << ": " << wrong);
  }
}

/// Small sizes, some of up to 300, some long rows and columns.
template <class F, class V>
void check_step(const std::string& name) {
  generator g(name.c_str());
  for (index_t ny = 1; ny <= 9; ++ny)
    for (index_t nx = 1; nx <= 9; ++nx)
      if (!is_quick() || g.chance(6)) check_step_case<F, V>(g, name, nx, ny);
  for (int round = 0; round < generator::rounds(4); ++round)
    check_step_case<F, V>(g, name, g.between(1, 300), g.between(1, 300));
  if (is_quick()) return;
  check_step_case<F, V>(g, name, g.between(4093, 4099), g.between(3, 12));
  check_step_case<F, V>(g, name, g.between(3, 40), g.between(4093, 4099));
}

}  // namespace teff::inline TEFF_MODE::test

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

namespace teff::inline TEFF_MODE::test {

/// The fields of one case: parts of wider arrays where `pad` is not 0, so that rows have an odd
/// pitch and writing beyond a row's end is seen.
template <class V>
struct formula_fields {
  index_t nx, ny, pad;
  std::array<std::vector<V>, 3> whole;

  formula_fields(generator& g, index_t columns, index_t rows, index_t gap)
      : nx(columns), ny(rows), pad(gap) {
    for (auto& field : whole) {
      field.assign(static_cast<std::size_t>((nx + pad) * ny), poison<V>());
      for (index_t j = 0; j < ny; ++j)
        for (index_t i = 0; i < nx; ++i) field[at(i, j)] = static_cast<V>(0.5 + g.uniform());
    }
  }
  std::size_t at(index_t i, index_t j) const {
    return static_cast<std::size_t>(i + j * (nx + pad));
  }
};

/// The evolving field after some steps of F, with two arrays and plain loops.
template <class F, class V>
std::vector<V> naive_steps(const formula_fields<V>& f, index_t steps) {
  std::vector<V> old = f.whole[0], next = old;
  const index_t pitch = f.nx + f.pad;
  const reader<V> C{f.whole[1].data(), pitch}, D{f.whole[2].data(), pitch};
  for (index_t step = 0; step < steps; ++step) {
    const reader<V> T{old.data(), pitch};
    for (index_t j = F::frame_y; j < f.ny - F::frame_y; ++j)
      for (index_t i = F::frame_x; i < f.nx - F::frame_x; ++i) {
        const index_t x = i - F::frame_x, y = j - F::frame_y;
        if constexpr (F::fields == 1)
          next[f.at(i, j)] = F::template cell<V>(T, x, y);
        else if constexpr (F::fields == 2)
          next[f.at(i, j)] = F::template cell<V>(T, C, x, y);
        else
          next[f.at(i, j)] = F::template cell<V>(T, C, D, x, y);
      }
    old.swap(next);
  }
  return old;
}

/// The evolving field after some steps by a schedule; checks what a run leaves behind.
template <class F, class V>
std::vector<V> run_steps(device dev, const formula_fields<V>& f, const iterate_options& options,
                         const std::string& what) {
  const auto column_count = f.nx + f.pad;
  array<V, 2> T(dev, {column_count, f.ny}, "T"), C(dev, {column_count, f.ny}, "C"),
      D(dev, {column_count, f.ny}, "D");
  T = from_host(f.whole[0]);
  C = from_host(f.whole[1]);
  D = from_host(f.whole[2]);
  const auto part = [&](const array<V, 2>& a) { return a(range(0, f.nx), whole); };
  const array_ref<V, 2> t = part(T), c = part(C), d = part(D);
  const iterate_report report = [&] {
    if constexpr (F::fields == 1)
      return iterate(F::step(), options, t);
    else if constexpr (F::fields == 2)
      return iterate(F::step(), options, t, c);
    else
      return iterate(F::step(), options, t, c, d);
  }();
  // No deeper than there are steps; on a GPU no deeper than its kernels, if there are any.
  const index_t depth = std::max<index_t>(1, std::min<index_t>(options.depth, options.steps));
  if (dev.is_cpu() && report.schedule() != options.schedule)
    FAIL_CHECK(what << " ran by another schedule");
  if (options.schedule == schedule::temporal &&
      (dev.is_cpu() ? report.depth() != depth : report.depth() > depth))
    FAIL_CHECK(what << " ran at depth " << report.depth());
  if (!difference(to_host(C), f.whole[1]).empty() || !difference(to_host(D), f.whole[2]).empty())
    FAIL_CHECK(what << " changed a known field");
  return to_host(T);
}

/// One case: temporal against stepwise to the last bit, stepwise against loops, GPU against CPU.
template <class F, class V>
void check_case(generator& g, const std::string& name, index_t nx, index_t ny) {
  const int depth = static_cast<int>(g.between(1, 8));
  const index_t choices[] = {0, 1, depth - 1, depth, depth + 1, 2 * depth + 1, 2 * depth + 3};
  const index_t steps = choices[g.between(0, 6)];
  const formula_fields<V> f(g, nx, ny, g.chance(40) ? g.between(1, 5) : 0);
  const std::string what = name + " on " + std::to_string(nx) + "x" + std::to_string(ny) + ", " +
                           std::to_string(steps) + " steps, depth " + std::to_string(depth) +
                           ", pitch + " + std::to_string(f.pad);
  const iterate_options stepwise{.steps = steps, .schedule = schedule::stepwise};
  const iterate_options temporal{.steps = steps, .schedule = schedule::temporal, .depth = depth};
  g.count();
  if (nx < 2 * F::frame_x || ny < 2 * F::frame_y) {
    for (const device dev : test_devices())
      for (const auto& options : {stepwise, temporal})
        if (message_of([&] { run_steps<F>(dev, f, options, what); }).find("too few cells") ==
            std::string::npos)
          FAIL_CHECK(what << ": expected a refusal");
    return;
  }
  std::vector<V> expected;
  if (nx * ny * steps <= 20000) expected = naive_steps<F>(f, steps);
  for (const device dev : test_devices()) {
    const std::string where = what + " on " + dev.name();
    const std::vector<V> one = run_steps<F>(dev, f, stepwise, where);
    const std::vector<V> several = run_steps<F>(dev, f, temporal, where);
    const std::string bad = difference(several, one);
    if (!bad.empty()) FAIL_CHECK("temporal differs: " << where << ": " << bad);
    if (!dev.is_cpu()) {
      const iterate_options resident{.steps = steps, .schedule = schedule::resident};
      const std::string other = difference(run_steps<F>(dev, f, resident, where), one);
      if (!other.empty()) FAIL_CHECK("resident differs: " << where << ": " << other);
    }
    if (!dev.is_cpu() && !F::same_everywhere) continue;
    if (expected.empty()) expected = one;  // of the CPU, which comes first
    const std::string wrong = difference(one, expected);
    if (!wrong.empty()) FAIL_CHECK("stepwise differs: " << where << ": " << wrong);
  }
}

/// All small sizes, some of up to 300, some long rows and columns.
template <class F, class V>
void check_formula(const std::string& name) {
  generator g(name.c_str());
  for (index_t ny = 1; ny <= 12; ++ny)
    for (index_t nx = 1; nx <= 12; ++nx)
      if (!is_quick() || g.chance(4)) check_case<F, V>(g, name, nx, ny);
  for (int round = 0; round < generator::rounds(6); ++round)
    check_case<F, V>(g, name, g.between(1, 300), g.between(1, 300));
  if (is_quick()) return;
  check_case<F, V>(g, name, g.between(4093, 4099), g.between(3, 12));
  check_case<F, V>(g, name, g.between(3, 40), g.between(4093, 4099));
}

}  // namespace teff::inline TEFF_MODE::test

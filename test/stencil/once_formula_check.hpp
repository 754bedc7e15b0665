// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <teff/array/host_copy.hpp>

#include "../compare.hpp"
#include "../generator.hpp"
#include "emulated/any_side.hpp"
#include "formula_oracle.hpp"
#include "once_check.hpp"

/// Generated steps with once() (write_once_formulas.py): by loops, as single steps, in passes.
namespace teff::inline TEFF_MODE::test {

/// The fields of one case, all of the same extents.
template <class F, class V>
using once_fields = std::array<std::vector<V>, F::fields>;

/// The update number K of a step, by plain loops.
/// @param old what its stage sees; set anew by the first update of a stage
template <class F, int K, class V>
void naive_once_update(once_fields<F, V>& fields, once_fields<F, V>& old, const extents<2>& n) {
  if (F::sees[K] == K) old = fields;
  std::array<reader<V>, F::fields> all;
  for (std::size_t s = 0; s < all.size(); ++s) all[s] = {old[s].data(), n[0]};
  constexpr index_t frame = F::frame[K];
  for (index_t j = frame; j < n[1] - frame; ++j)
    for (index_t i = frame; i < n[0] - frame; ++i)
      fields[F::slot[K]][static_cast<std::size_t>(i + j * n[0])] =
          F::template cell<K, V>(all, i - frame, j - frame);
}

/// The fields after some steps, made in parts by options(steps).
template <class F, class V, class Step, class Options>
once_fields<F, V> run_once_steps(device dev, const Step& step, const once_fields<F, V>& start,
                                 const extents<2>& n, index_t steps, const Options& options) {
  return [&]<std::size_t... S>(std::index_sequence<S...>) {
    std::array<array<V, 2>, F::fields> fields{((void)S, array<V, 2>(dev, {n[0], n[1]}))...};
    ((fields[S] = from_host(start[S])), ...);
    for (index_t done = 0; done < steps;) {
      iterate_options part = options(steps - done);
      part.first_step = done;
      iterate(step, part, fields[S]...);
      done += part.steps;
    }
    return once_fields<F, V>{to_host(fields[S])...};
  }
  (std::make_index_sequence<F::fields>{});
}

template <class V, std::size_t N>
std::string difference_of(const std::array<std::vector<V>, N>& got,
                          const std::array<std::vector<V>, N>& expected) {
  for (std::size_t s = 0; s < N; ++s) {
    const std::string bad = difference(got[s], expected[s]);
    if (!bad.empty()) return "field " + std::to_string(s) + ": " + bad;
  }
  return "";
}

/// One case: passes and other ways against single steps, those against loops where borders keep
/// their values.
template <class F, class V>
void check_once_case(generator& g, const std::string& name) {
  const index_t frame = *std::max_element(F::frame, F::frame + F::count);
  const bool keeps_all = g.chance(50), is_small = g.chance(80);
  const index_t least = (keeps_all ? 2 : 3) * frame;  // a periodic field has as many inner cells
  const extents<2> n{least + g.between(0, is_small ? 24 : 200),
                     least + g.between(0, is_small ? 24 : 90)};
  std::array<boundary, F::count> sides{};
  if (!keeps_all)
    for (boundary& one : sides) one = {.x = any_kind(g), .y = any_kind(g)};
  const auto step = F::step(sides);
  once_fields<F, V> start;
  for (auto& field : start) {
    field.resize(static_cast<std::size_t>(n[0] * n[1]));
    for (V& cell : field) cell = static_cast<V>(0.5 + g.uniform());
  }
  const index_t steps = g.between(1, 9);
  once_fields<F, V> by_loops = start, old;
  const bool has_oracle = keeps_all && n[0] * n[1] * steps <= 20000;
  for (index_t t = 0; has_oracle && t < steps; ++t)
    [&]<int... K>(std::integer_sequence<int, K...>) {
      (naive_once_update<F, K>(by_loops, old, n), ...);
    }
  (std::make_integer_sequence<int, F::count>{});
  for (const device dev : test_devices()) {
    const auto single = [](index_t left) {
      return iterate_options{.steps = left, .schedule = schedule::stepwise};
    };
    const auto in_passes = [&](index_t left) { return any_pass(g, g.between(1, left)); };
    const auto expected = run_once_steps<F, V>(dev, step, start, n, steps, single);
    const auto got = run_once_steps<F, V>(dev, step, start, n, steps, in_passes);
    const std::string where =
        name + " of " + extents_text(n) + ", " + std::to_string(steps) + " steps on " + dev.name();
    if (const std::string bad = difference_of(got, expected); !bad.empty())
      FAIL_CHECK("passes differ: " << where << ": " << bad);
    if (!has_oracle) continue;
    if (const std::string bad = difference_of(expected, by_loops); !bad.empty())
      FAIL_CHECK("single steps differ: " << where << ": " << bad);
  }
  g.count();
}

/// Many shapes and runs of one step. Returns whether passes make it with levels.
template <class F, class V>
bool check_once(const std::string& name) {
  generator g(name.c_str());
  const int cases = is_long() ? 600 : generator::rounds(25);
  for (int c = 0; c < cases; ++c) check_once_case<F, V>(g, name);
  return [&]<std::size_t... S>(std::index_sequence<S...>) {
    return takes_levels(F::step({}), ((void)S, array<V, 2>(device::cpu(), {40, 30}))...);
  }
  (std::make_index_sequence<F::fields>{});
}

}  // namespace teff::inline TEFF_MODE::test

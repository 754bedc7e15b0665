// SPDX-License-Identifier: MIT
#include <vector>

#include <teff/array/host_copy.hpp>
#include <teff/stencil/conditions/edges.hpp>
#include <teff/stencil/step_over_fields.hpp>

#include "../compare.hpp"
#include "../generator.hpp"
#include "../message.hpp"
#include "emulated/any_side.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// Conditions in turn, side by side, and those of columns of border cells, in any order.
template <class T, int N>
void check_border(generator& g) {
  runtime::stage_table stage;
  sides all[3];
  extents<N> shape;
  for (int d = 0; d < N; ++d) {
    stage.low[d] = static_cast<int>(g.between(0, 3));
    stage.high[d] = static_cast<int>(g.between(0, 3));
    index_t inner = g.between(1, 6);
    if (g.chance(30)) {
      stage.high[d] = stage.low[d] = static_cast<int>(g.between(1, 3));
      inner = g.between(stage.low[d], 7);
      all[d] = periodic;
    } else {
      const side none;
      all[d] = {stage.low[d] > 0 ? any_side(g, true) : none,
                stage.high[d] > 0 ? any_side(g, true) : none};
    }
    shape.n[d] = inner + stage.low[d] + stage.high[d];
  }
  const device cpu = device::cpu();
  array<T, N> start(cpu, shape);
  std::vector<T> cells(static_cast<std::size_t>(start.size()));
  for (T& cell : cells) cell = g.value<T>();
  start = from_host(cells);
  array<T, N> expected = start, found = start;

  boundary given;
  given.x = all[0], given.y = all[1], given.z = all[2];
  detail::stage_edges<T> edges(given, stage, {detail::bound_field_of(expected)});
  edges.fill(g.between(0, 4), 1);
  detail::apply(edges, expected, 0);

  const auto rules = detail::border_rules_of(edges, static_cast<const array_ref<T, N>&>(found), 0);
  for (index_t column = rules.columns - 1; column >= 0; --column) rules(column);
  const std::string bad = difference(to_host(found), to_host(expected));
  if (!bad.empty()) FAIL_CHECK(edges.text() << " of " << extents_text(shape) << ": " << bad);
  g.count();
}

}  // namespace

TEST_CASE("conditions of all sides in one launch are those in turn (generated)") {
  generator g("conditions at once");
  for (int round = 0; round < generator::rounds(400); ++round) {
    check_border<f64, 1>(g);
    check_border<f64, 2>(g);
    check_border<f32, 3>(g);
    check_border<f64, 3>(g);
  }
}

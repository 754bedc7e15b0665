// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include <teff/formula/bound.hpp>
#include <teff/stencil/conditions/edges.hpp>

/// Boundary conditions as kernels of several steps take them, and which cells of a grid they make
/// border cells: for warps/edges.hpp and resident/edges.hpp.
namespace teff::inline TEFF_MODE::detail {

/// The conditions of one stage in the steps of a pass: by step, dim and side.
template <class T, int Rank, int Steps>
struct pass_edges {
  edge_rule<T> rule[Steps][Rank][2];
  bool sets[Rank][2];  // border cells at this side follow from inner ones
};
struct no_pass_edges {};
template <class Stage, int Steps>
using pass_edges_of =
    std::conditional_t<Stage::has_conditions,
                       pass_edges<typename Stage::value_type, Stage::rank, Steps>, no_pass_edges>;

/// The conditions of stage K for a kernel. @param edges of all stages, filled for the steps of the
/// pass
template <class Step, int K, int Steps, class Edges>
auto pass_edges_for(const Edges& edges, int depth) {
  using stage = typename Step::template stage<K>;
  pass_edges_of<stage, Steps> all{};
  if constexpr (stage::has_conditions) {
    const auto& conditions = entry<K>(edges);
    for (int d = 0; d < Step::rank; ++d)
      for (int side = 0; side < 2; ++side) {
        all.sets[d][side] = conditions.width(d, side == 1) > 0 && !conditions.is_periodic(d);
        for (int t = 0; all.sets[d][side] && t < std::min(depth, Steps); ++t)
          all.rule[t][d][side] = conditions.rule(d, side == 1, t);
      }
  }
  return all;
}

/// Those of all stages.
template <class Step, int Steps, class Edges>
auto edges_of_pass(const Edges& edges, int depth) {
  return [&]<int... K>(std::integer_sequence<int, K...>) {
    return tuple_of(pass_edges_for<Step, K, Steps>(edges, depth)...);
  }
  (std::make_integer_sequence<int, Step::stages>{});
}

/// The cells after which the fields of a run repeat themselves along a dim; 0: none is periodic
/// there. (A pass takes those that do so all alike.) @param extent f.operator()<S>(): of field S
template <class Step, class Edges, class Extent>
index_t period_of_pass(const Edges& edges, int dim, const Extent& extent) {
  index_t period = 0;
  each_number(
      [&]<int K>() {
        using stage = typename Step::template stage<K>;
        if (entry<K>(edges).is_periodic(dim))
          period = extent.template operator()<stage::slot>() - stage::written::low[dim] -
                   stage::written::high[dim];
      },
      std::make_integer_sequence<int, Step::stages>{});
  return period;
}

/// Some condition along a dim other than that of the slabs has a value or a slope that is a
/// formula.
template <class Step, class Edges>
bool has_side_formulas(const Edges& edges) {
  bool has = false;
  each_number([&]<int K>() { has = has || entry<K>(edges).has_formula(Step::rank - 1); },
              std::make_integer_sequence<int, Step::stages>{});
  return has;
}

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include <teff/formula/bound.hpp>
#include <teff/stencil/conditions/edge_rule.hpp>
#include <teff/stencil/levels/pass_extents.hpp>

/// Boundary conditions as kernels of several steps take them, and which cells of a grid they make
/// border cells: for warps/edges.hpp and resident/edges.hpp.
namespace teff::inline TEFF_MODE::detail {

/// The conditions of one stage in the steps of a pass, by dim and side. Steps differ in the values
/// of formulas alone; so what all share is there once: a kernel reads it from a cache of 2 KB.
template <class T, int Rank, int Steps>
struct pass_edges {
  edge_rule<T> rule[Rank][2];                // without a formula's values
  formula_values<T> values[Steps][Rank][2];  // in each step
  bool sets[Rank][2];                        // border cells at this side follow from inner ones

  template <int StepOfPass, int Dim, int Side>
  TEFF_INLINE edge_rule<T> rule_of() const {
    return rule[Dim][Side].with_values(values[StepOfPass][Dim][Side]);
  }
};
struct no_pass_edges {};
template <class Stage, int Steps>
using pass_edges_of =
    std::conditional_t<Stage::has_conditions,
                       pass_edges<typename Stage::value_type, Stage::rank, Steps>, no_pass_edges>;

/// Those of all stages.
template <class Step, int Steps, class Numbers = std::make_integer_sequence<int, Step::stages>>
struct all_pass_edges;
template <class Step, int Steps, int... K>
struct all_pass_edges<Step, Steps, std::integer_sequence<int, K...>> {
  using type = tuple<pass_edges_of<typename Step::template stage<K>, Steps>...>;
};

/// Sets a pass_edges. @param conditions filled for the steps of the pass
template <class Conditions, class T>
void set_pass_edges(const Conditions& conditions, int rank, int steps, int depth,
                    edge_rule<T>* rules, formula_values<T>* values, bool* sets) {
  for (int d = 0; d < rank; ++d)
    for (int side = 0; side < 2; ++side) {
      const int at = d * 2 + side;
      sets[at] = conditions.width(d, side == 1) > 0 && !conditions.is_periodic(d);
      for (int t = 0; sets[at] && t < depth && t < steps; ++t) {
        rules[at] = conditions.rule(d, side == 1, t);
        values[t * rank * 2 + at] = rules[at].values;
      }
    }
}

/// The conditions of stage K for a kernel. @param edges of all stages, filled for the steps of the
/// pass
template <class Step, int K, int Steps, class Edges>
auto pass_edges_for(const Edges& edges, int depth) {
  using stage = typename Step::template stage<K>;
  pass_edges_of<stage, Steps> all{};
  if constexpr (stage::has_conditions)
    set_pass_edges(entry<K>(edges), Step::rank, Steps, depth, &all.rule[0][0], &all.values[0][0][0],
                   &all.sets[0][0]);
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

/// The conditions of all stages in numbers. @param edges of all stages
template <class Edges, int... K>
std::vector<const runtime::field_conditions*> in_numbers(const Edges& edges,
                                                         std::integer_sequence<int, K...>) {
  return {&entry<K>(edges)...};
}

}  // namespace teff::inline TEFF_MODE::detail

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
/// @tparam Steps of which there are such values; 0: no condition has a formula
template <class T, int Rank, int Steps>
struct pass_edges {
  edge_rule<T> rule[Rank][2];                // without a formula's values
  formula_values<T> values[Steps][Rank][2];  // in each step
  bool sets[Rank][2];                        // border cells at this side follow from inner ones

  template <int StepOfPass, int Dim, int Side>
  TEFF_INLINE bool has_formula() const {
    return values[StepOfPass][Dim][Side].are_given();
  }
  template <int StepOfPass, int Dim, int Side>
  TEFF_INLINE edge_rule<T> rule_of() const {
    return rule[Dim][Side].with_values(values[StepOfPass][Dim][Side]);
  }
};
template <class T, int Rank>
struct pass_edges<T, Rank, 0> {
  edge_rule<T> rule[Rank][2];
  bool sets[Rank][2];

  template <int StepOfPass, int Dim, int Side>
  static constexpr bool has_formula() {
    return false;
  }
  template <int StepOfPass, int Dim, int Side>
  TEFF_INLINE const edge_rule<T>& rule_of() const {
    return rule[Dim][Side];
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

/// Sets a pass_edges. @param values null: no condition has a formula @param conditions filled for
/// the steps of the pass
template <class Conditions, class T>
void set_pass_edges(const Conditions& conditions, int rank, int depth, edge_rule<T>* rules,
                    formula_values<T>* values, bool* sets) {
  for (int d = 0; d < rank; ++d)
    for (const bool upper : {false, true}) {
      const int at = d * 2 + (upper ? 1 : 0);
      sets[at] = conditions.width(d, upper) > 0 && !conditions.is_periodic(d);
      if (!sets[at]) continue;
      rules[at] = conditions.rule(d, upper, 0);
      rules[at].values = {};
      for (int t = 0; values != nullptr && t < depth; ++t)
        values[t * rank * 2 + at] = conditions.rule(d, upper, t).values;
    }
}

/// The conditions of stage K for a kernel. @param edges of all stages, filled for the steps of the
/// pass
template <class Step, int K, int Steps, class Edges>
auto pass_edges_for(const Edges& edges, int depth) {
  using stage = typename Step::template stage<K>;
  pass_edges_of<stage, Steps> all{};
  if constexpr (stage::has_conditions) {
    formula_values<typename stage::value_type>* values = nullptr;
    if constexpr (Steps > 0) values = &all.values[0][0][0];
    set_pass_edges(entry<K>(edges), Step::rank, depth, &all.rule[0][0], values, &all.sets[0][0]);
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

/// The conditions of all stages in numbers. @param edges of all stages
template <class Edges, int... K>
std::vector<const runtime::field_conditions*> in_numbers(const Edges& edges,
                                                         std::integer_sequence<int, K...>) {
  return {&entry<K>(edges)...};
}

}  // namespace teff::inline TEFF_MODE::detail

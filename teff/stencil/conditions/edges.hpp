// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/array/array.hpp>
#include <teff/formula/boundary.hpp>
#include <teff/kernel/launch.hpp>
#include <teff/stencil/conditions/border_rules.hpp>
#include <teff/stencil/conditions/edge_rule.hpp>
#include <teff/stencil/conditions/field_conditions.hpp>

/// Boundary conditions at work: the cells at the sides of a field, after a stage has written the
/// inner ones.
namespace teff::inline TEFF_MODE::detail {

/// Sets one layer of border cells. (i, j, k) count from `start`.
template <class T, int N>
struct set_edge {
  view<T, N> cells;
  edge_rule<T> rule;
  index_t start[3];
  index_t to_source;  // cells from a border cell to the one that it follows from

  TEFF_FN void operator()(index_t i, index_t j, index_t k) const {
    const index_t at[3] = {start[0] + i, start[1] + j, start[2] + k};
    T* cell = cells.data;
    for (int d = 0; d < N; ++d) cell += at[d] * cells.strides[d];
    *cell = rule(cell[to_source], at[0], at[1], at[2]);
  }
};

/// The conditions of one stage over a field of T.
template <class T>
class stage_edges : public runtime::field_conditions {
 public:
  /// @throws error for conditions that do not fit the field that the stage writes
  using field_conditions::field_conditions;
  stage_edges(const boundary& given, const runtime::stage_table& stage,
              const std::vector<runtime::bound_field>& fields)
      : field_conditions(
            {{given.x.low, given.x.high}, {given.y.low, given.y.high}, {given.z.low, given.z.high}},
            stage, fields) {}

  /// @param state number of those filled
  edge_rule<T> rule(int dim, bool upper, int state) const {
    const runtime::side_condition& condition = at(dim, upper);
    if (condition.is_periodic())
      return {T(1), static_cast<T>(-T(0)), true, 0, {}, {0, 0}};  // keeps -0, too
    const auto [factor, scale] = condition.as_relation(upper);
    edge_rule<T> rule{static_cast<T>(factor),
                      constant(condition, scale),
                      static_cast<T>(factor) != T(0),
                      scale,
                      {},
                      {0, 0}};
    const runtime::side_values* const values = this->values(dim, upper);
    if (values == nullptr) return rule;
    for (int d = 1; d < 3; ++d) rule.stride[d - 1] = values->stride(d);
    const index_t before =
        upper ? (extent(dim) - width(dim, upper)) * values->stride(dim) : index_t{0};
    if (const double* real = values->real(state)) rule.values.real = real - before;
    if constexpr (std::integral<T>)
      if (const i64* whole = values->whole(state)) rule.values.whole = whole - before;
    return rule;
  }

 private:
  static T constant(const runtime::side_condition& condition, double scale) {
    if constexpr (rounded::real<T>) return convert<T>(scale * condition.right_side());
    return condition.is_whole() ? convert<T>(condition.whole())
                                : convert<T>(condition.right_side());
  }
};

/// Sets the border cells of `field`, by the values of state number `state` of those filled.
/// @param but for those among these cells, or that follow from such
template <class T, int N>
void apply(const stage_edges<T>& edges, const array_ref<T, N>& field, int state,
           const std::vector<runtime::cell_box>& but = {}) {
  if (field.dev().is_cuda() && but.empty()) {
    const border_rules<T, N> all = border_rules_of(edges, field, state);
    return launch(field.on(), extents<1>(all.columns), all);
  }
  for (int d = 0; d < N; ++d)
    for (const bool upper : {false, true})
      for (int k = 0; k < edges.width(d, upper); ++k) {
        const runtime::edge_layer layer = edges.layer(d, upper, k);
        set_edge<T, N> set{field.view(),
                           edges.rule(d, upper, state),
                           {0, 0, 0},
                           (layer.source - layer.at) * field.stride(d)};
        for (const runtime::cell_box& cells : edges.cells_of_layer(d, upper, layer, but)) {
          extents<3> n(1, 1, 1);
          for (int e = 0; e < 3; ++e) {
            set.start[e] = cells.begin[e];
            n.n[e] = cells.end[e] - cells.begin[e];
          }
          launch(field.on(), n, set);
        }
      }
}

#ifndef __CUDACC__
/// Of reals, for C++ programs compiled once, in the library.
#define TEFF_EDGES_OF(external, T)                                                 \
  external template class stage_edges<T>;                                          \
  external template void apply(const stage_edges<T>&, const array_ref<T, 1>&, int, \
                               const std::vector<runtime::cell_box>&);             \
  external template void apply(const stage_edges<T>&, const array_ref<T, 2>&, int, \
                               const std::vector<runtime::cell_box>&);             \
  external template void apply(const stage_edges<T>&, const array_ref<T, 3>&, int, \
                               const std::vector<runtime::cell_box>&);

TEFF_EDGES_OF(extern, f64)
TEFF_EDGES_OF(extern, f32)
#endif

}  // namespace teff::inline TEFF_MODE::detail

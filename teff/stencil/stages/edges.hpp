// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/array/array.hpp>
#include <teff/formula/boundary.hpp>
#include <teff/kernel/launch.hpp>
#include <teff/stencil/stages/cell_box.hpp>

/// Boundary conditions at work: the cells at the sides of a field, after a stage has written the
/// inner ones.
namespace teff::inline TEFF_MODE::detail {

/// A formula's values at border cells: of integers where the formula and the field are made of
/// them.
template <class T>
struct formula_values {
  const double* real = nullptr;

  TEFF_INLINE bool are_given() const { return real != nullptr; }
  TEFF_INLINE T at(index_t cell, double scale) const {
    return convert<T>(rounded::multiply(scale, real[cell]));
  }
};
template <std::integral T>
struct formula_values<T> {
  const double* real = nullptr;
  const i64* whole = nullptr;

  TEFF_INLINE bool are_given() const { return real != nullptr || whole != nullptr; }
  TEFF_INLINE T at(index_t cell, double) const {  // (Of integers only the value is given.)
    return whole != nullptr ? convert<T>(whole[cell]) : convert<T>(real[cell]);
  }
};

/// What a border cell becomes, from its next inner cell: factor * inner + offset, rounded once; or
/// the offset alone, whatever the inner cell is.
template <class T>
struct edge_rule {
  T factor, constant;
  bool has_inner;
  double scale;
  formula_values<T> values;  // by cell; none: the constant
  index_t stride[3];

  TEFF_INLINE T operator()(T inner, index_t i, index_t j, index_t k) const {
    const T offset = values.are_given()
                         ? values.at(i * stride[0] + j * stride[1] + k * stride[2], scale)
                         : constant;
    return with(inner, offset);
  }
  /// Of a rule without a formula.
  TEFF_INLINE T plain(T inner) const { return with(inner, constant); }

 private:
  TEFF_INLINE T with(T inner, T offset) const {
    if constexpr (rounded::real<T>) {
      const T sum = rounded::fused_multiply_add(factor, inner, offset);
      return has_inner ? sum : offset;
    } else {
      return has_inner ? inner : offset;  // periodic: integers have no slopes
    }
  }
};

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

/// A layer of border cells and the one that it follows from: indices along the dim.
struct edge_layer {
  index_t at, source;
};

/// The conditions of one stage over one field. `Written` says which cells the stage leaves out.
template <class Written, class T, int N>
class stage_edges {
 public:
  /// @throws error for conditions that do not fit the field
  stage_edges(const boundary& conditions, const array_ref<T, N>& field, const std::string& name)
      : conditions_(conditions), on_(field.on()) {
    for (int d = 0; d < 3; ++d) n_[d] = d < N ? field.extent(d) : 1;
    for (int d = 0; d < 3; ++d)
      for (const bool upper : {false, true}) check(d, upper, name);
  }

  bool keeps_all() const { return conditions_.keeps_all(); }
  /// "x keeps keeps, y slope value formula": the kinds of the conditions, low and high side.
  std::string text() const {
    std::string all;
    for (int d = 0; d < N; ++d)
      all += std::string(d > 0 ? ", " : "") + "xyz"[d] + " " + conditions_.at(d, false).text() +
             " " + conditions_.at(d, true).text();
    return all;
  }
  bool is_periodic(int dim) const { return conditions_.at(dim, false).is_periodic(); }
  /// Some value or slope is a formula of position or step: along one of the first so many dims.
  bool has_formula(int dims = N) const {
    bool has = false;
    for (int d = 0; d < dims; ++d)
      for (const bool upper : {false, true})
        has = has || conditions_.at(d, upper).formula() != nullptr;
    return has;
  }
  /// Layers of border cells that a condition sets; 0 where they keep their values.
  int width(int dim, bool upper) const {
    if (conditions_.at(dim, upper).keeps()) return 0;
    return upper ? Written::high[dim] : Written::low[dim];
  }
  /// Layer 0 is the one next to the inner cells.
  edge_layer layer(int dim, bool upper, int number) const {
    const index_t low = Written::low[dim], high = Written::high[dim], n = n_[dim];
    const index_t at = upper ? n - high + number : low - 1 - number;
    if (is_periodic(dim)) return {at, upper ? at - (n - low - high) : at + (n - low - high)};
    return {at, upper ? at - 1 : at + 1};
  }

  /// Room for the formulas' values in so many states, and the values in states first, first + 1,
  /// ...
  void fill(index_t first, int states) {
    for (int d = 0; d < N; ++d)
      for (const bool upper : {false, true}) {
        const auto& formula = conditions_.at(d, upper).formula();
        if (!formula) continue;
        index_t start[3] = {0, 0, 0};
        extents<3> shape(n_[0], n_[1], n_[2]);
        shape.n[d] = width(d, upper);
        if (upper) start[d] = n_[d] - width(d, upper);
        const auto fill_all = [&](auto& values) {
          for (int s = 0; s < states; ++s) {
            if (static_cast<int>(values.size()) <= s)
              values.emplace_back(on_, shape, "values of a boundary condition");
            formula->fill(values[static_cast<std::size_t>(s)], start, first + s);
          }
        };
        if (is_whole(*formula))
          fill_all(whole_values_[d][upper ? 1 : 0]);
        else
          fill_all(values_[d][upper ? 1 : 0]);
      }
  }

  edge_rule<T> rule(int dim, bool upper, int state) const {
    const side& condition = conditions_.at(dim, upper);
    if (condition.is_periodic())
      return {T(1), static_cast<T>(-T(0)), true, 0, {}, {0, 0, 0}};  // keeps -0, too
    const side::relation r = condition.as_relation(upper);
    edge_rule<T> rule{static_cast<T>(r.factor),
                      rounded::real<T> ? convert<T>(r.scale * condition.right_side())
                                       : condition.template value<T>(),
                      static_cast<T>(r.factor) != T(0),
                      r.scale,
                      {},
                      {0, 0, 0}};
    if (!condition.formula()) return rule;
    const auto point_to = [&](auto& first, const auto& of_states) {
      const auto& values = of_states[static_cast<std::size_t>(state)];
      for (int d = 0; d < 3; ++d) rule.stride[d] = values.stride(d);
      first = values.data();
      if (upper) first -= (n_[dim] - width(dim, upper)) * values.stride(dim);
    };
    if constexpr (std::integral<T>)
      if (is_whole(*condition.formula())) {
        point_to(rule.values.whole, whole_values_[dim][upper ? 1 : 0]);
        return rule;
      }
    point_to(rule.values.real, values_[dim][upper ? 1 : 0]);
    return rule;
  }

  /// Sets the border cells of `field`, by the values of state number `state` of those filled.
  /// @param but for those among these cells, or that follow from such
  void apply(const array_ref<T, N>& field, int state,
             const std::vector<runtime::cell_box>& but = {}) const {
    for (int d = 0; d < N; ++d)
      for (const bool upper : {false, true})
        for (int k = 0; k < width(d, upper); ++k) {
          const edge_layer layer = this->layer(d, upper, k);
          set_edge<T, N> set{field.view(),
                             rule(d, upper, state),
                             {0, 0, 0},
                             (layer.source - layer.at) * field.stride(d)};
          const runtime::cell_box cells = cells_of_side(d, layer.at, layer.at + 1);
          if (but.empty()) {
            set_cells(set, cells);
            continue;
          }
          std::vector<runtime::cell_box> left_out = but;
          for (runtime::cell_box source : but) {
            source.begin[d] += layer.at - layer.source;
            source.end[d] += layer.at - layer.source;
            if (set.rule.has_inner) left_out.push_back(source);
          }
          for (const runtime::cell_box& part : runtime::without(cells, left_out))
            set_cells(set, part);
        }
  }

  /// Adds the cells that the stage writes, and those that its conditions set.
  void add_changed(std::vector<runtime::cell_box>& cells) const {
    cells.push_back(cells_of_side(0, low(0), n_[0] - high(0)));
    for (int d = 0; d < N; ++d)
      for (const bool upper : {false, true})
        if (const index_t layers = width(d, upper); layers > 0)
          cells.push_back(upper ? cells_of_side(d, n_[d] - layers, n_[d])
                                : cells_of_side(d, 0, layers));
  }

 private:
  static index_t low(int dim) { return dim < N ? Written::low[dim] : 0; }
  static index_t high(int dim) { return dim < N ? Written::high[dim] : 0; }

  /// Cells of a layer along a dim: of earlier dims the border ones, too; sides of later dims come
  /// later.
  runtime::cell_box cells_of_side(int dim, index_t begin, index_t end) const {
    runtime::cell_box cells;
    for (int e = 0; e < 3; ++e) {
      cells.begin[e] = e < dim ? 0 : e == dim ? begin : low(e);
      cells.end[e] = e < dim ? n_[e] : e == dim ? end : n_[e] - high(e);
    }
    return cells;
  }
  void set_cells(set_edge<T, N> set, const runtime::cell_box& cells) const {
    extents<3> n(1, 1, 1);
    for (int e = 0; e < 3; ++e) {
      set.start[e] = cells.begin[e];
      n.n[e] = cells.end[e] - cells.begin[e];
    }
    launch(on_, n, set);
  }

  void check(int dim, bool upper, const std::string& name) const {
    const side& condition = conditions_.at(dim, upper);
    if (condition.keeps() && !is_periodic(dim)) return;
    constexpr const char* axis[3] = {"x", "y", "z"};
    const std::string where = "iterate: " + name + " has a boundary condition at the " +
                              (upper ? "high" : "low") + " side of " + axis[dim] + ", but ";
    const index_t left_out = upper ? Written::high[dim] : Written::low[dim];
    const index_t inner = n_[dim] - Written::low[dim] - Written::high[dim];
    if (dim >= N) throw error(failure::usage, where + "it has no such dim");
    if (left_out == 0)
      throw error(failure::usage, where +
                                      "its update writes all cells there; the target must leave "
                                      "some out, as update(inn(T), ...) does");
    if (condition.is_periodic() != conditions_.at(dim, !upper).is_periodic())
      throw error(failure::usage, where + "only one of the two sides is periodic; write ." +
                                      axis[dim] + " = periodic");
    if (condition.is_periodic() && Written::low[dim] != Written::high[dim])
      throw error(failure::usage,
                  where + "its update leaves out " + std::to_string(Written::low[dim]) +
                      " cells at the low side and " + std::to_string(Written::high[dim]) +
                      " at the high side; a periodic field needs as many at both");
    if (condition.is_singular(upper))
      throw error(failure::usage, where + "robin(a, b, c) with a " + (upper ? "+" : "-") +
                                      " b = 0 does not determine a border cell there");
    if constexpr (!rounded::real<T>) {
      if (condition.has_slope())
        throw error(failure::usage, where + "gradient and robin need a field of f64 or f32");
      if (condition.template is_beyond<T>())
        throw error(failure::usage,
                    where + type_name<T>() + " does not have the value " + condition.value_text());
    }
    const index_t needed = condition.is_periodic() ? left_out : 1;
    if (inner < needed)
      throw error(failure::usage,
                  "too few cells: " + where + "only " + std::to_string(inner > 0 ? inner : 0) +
                      " inner cells along that dim; it needs at least " + std::to_string(needed));
  }

  boundary conditions_;
  stream on_;
  index_t n_[3];
  static bool is_whole(const side_formula& formula) {
    return std::integral<T> && formula.is_whole();
  }

  std::vector<array<double, 3>> values_[3][2];  // by dim and side, then by state
  std::vector<array<i64, 3>> whole_values_[3][2];
};

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#include <cstddef>

#include <teff/stencil/conditions/edges.hpp>
#include <teff/stencil/levels/edges.hpp>
#include <teff/stencil/rows/row_field.hpp>
#include <teff/stencil/step_over_fields.hpp>

namespace teff::runtime {

namespace {

template <class T>
class conditions_of : public row_conditions {
 public:
  conditions_of(const field_conditions::all_sides& sides, const stage_table& stage,
                const std::vector<bound_field>& fields, detail::stepped_field<T, 3>& field)
      : edges_(sides, stage, fields), field_(field) {}
  field_conditions& facts() override { return edges_; }
  void apply(index_t state, const std::vector<cell_box>& but) override {
    edges_.fill(state, 1);
    detail::apply(edges_, field_.now(), 0, but);
  }
  void set_pass_edges([[maybe_unused]] void* to, [[maybe_unused]] int rank,
                      [[maybe_unused]] int steps, [[maybe_unused]] int depth) const override {
    if constexpr (rounded::real<T>) {  // of others there are no passes
      using layout = detail::pass_edges<T, 3, 5>;
      using plain_layout = detail::pass_edges<T, 3, 0>;
      static_assert(offsetof(layout, values) == 6 * sizeof(detail::edge_rule<T>) &&
                    offsetof(layout, sets) ==
                        offsetof(layout, values) + 30 * sizeof(detail::formula_values<T>));
      static_assert(offsetof(plain_layout, sets) == 6 * sizeof(detail::edge_rule<T>));
      auto* const rules = static_cast<detail::edge_rule<T>*>(to);
      auto* const values = reinterpret_cast<detail::formula_values<T>*>(rules + rank * 2);
      auto* const sets = reinterpret_cast<bool*>(values + steps * rank * 2);
      detail::set_pass_edges(edges_, rank, depth, rules, steps > 0 ? values : nullptr, sets);
    }
  }

 private:
  detail::stage_edges<T> edges_;
  detail::stepped_field<T, 3>& field_;
};

template <class T>
class field_of : public row_field {
 public:
  field_of(const array_ref<T, 3>& cells, int rank, const stream& on)
      : cells_(cells), rank_(rank), field_(cells, on) {}
  field_memory& memory() override { return field_; }
  bound_field facts() const override {
    bound_field facts = detail::bound_field_of(cells_);
    facts.rank = rank_;
    return facts;
  }
  std::unique_ptr<row_conditions> conditions(const field_conditions::all_sides& sides,
                                             const stage_table& stage,
                                             const std::vector<bound_field>& fields) override {
    return std::make_unique<conditions_of<T>>(sides, stage, fields, field_);
  }
  std::unique_ptr<row_field> part(const index_t (&left_out)[3], bool evolves) const override {
    view<T, 3> cells = cells_.view();
    for (int d = 0; d < 3; ++d) cells.shape[d] -= left_out[d] < cells.shape[d] ? left_out[d] : 0;
    const array_ref<T, 3> part(cells_.on(), cells_.block(), cells, cells_.shared_label());
    const array<T, 3> copy(cells_.on(), part.shape(), "part of a field");
    assign(copy, part);
    auto made = std::make_unique<field_of<T>>(copy, rank_, cells_.on());
    if (evolves) made->field_.roughen();
    return made;
  }

 private:
  array_ref<T, 3> cells_;
  int rank_;
  detail::stepped_field<T, 3> field_;
};

template <class T>
std::unique_ptr<row_field> field_over(const row_array& a, int rank, const stream& on) {
  view<T, 3> cells{static_cast<T*>(a.data), {}, {}};
  for (int d = 0; d < 3; ++d) {
    cells.shape[d] = a.extent[d];
    cells.strides[d] = a.stride[d];
  }
  const array_handle& of = a.handle;
  return std::make_unique<field_of<T>>(array_ref<T, 3>(of.on, of.block, cells, of.label), rank, on);
}

}  // namespace

std::unique_ptr<row_field> row_field_of(const row_array& cells, int rank, const stream& on) {
  switch (cells.type) {
    case cell_type::f64:
      return field_over<f64>(cells, rank, on);
    case cell_type::f32:
      return field_over<f32>(cells, rank, on);
    case cell_type::i64:
      return field_over<i64>(cells, rank, on);
    case cell_type::i32:
      return field_over<i32>(cells, rank, on);
    default:
      return field_over<u8>(cells, rank, on);
  }
}

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#include <teff/stencil/conditions/edges.hpp>
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

// SPDX-License-Identifier: MIT
#include <cstdint>
#include <limits>

#include <teff/base/error.hpp>
#include <teff/stencil/conditions/field_conditions.hpp>

namespace teff::runtime {

field_conditions::field_conditions(const all_sides& sides, const stage_table& stage,
                                   const std::vector<bound_field>& fields) {
  const bound_field& field = fields[static_cast<std::size_t>(stage.slot)];
  rank_ = field.rank;
  for (int d = 0; d < 3; ++d) {
    n_[d] = field.extent(d);
    low_[d] = stage.low[d];
    high_[d] = stage.high[d];
    for (const bool upper : {false, true}) {
      if (!field.place.goes_on[d][upper ? 1 : 0])
        sides_[d][upper ? 1 : 0] = sides[d][upper ? 1 : 0];
      keeps_all_ = keeps_all_ && at(d, upper).keeps();
      width_[d][upper ? 1 : 0] = at(d, upper).keeps() ? 0 : left_out(d, upper);
    }
  }
  for (int d = 0; d < 3; ++d)
    for (const bool upper : {false, true}) {
      check(d, upper, field, stage.slot);
      const auto& formula = at(d, upper).formula();
      if (!formula) continue;
      index_t start[3] = {0, 0, 0}, count[3] = {n_[0], n_[1], n_[2]};
      count[d] = width(d, upper);
      if (upper) start[d] = n_[d] - width(d, upper);
      for (int e = 0; e < 3; ++e) start[e] += field.place.origin[e];
      values_[d][upper ? 1 : 0] = formula->values(field.on, !field.is_real, start, count);
    }
}

std::string field_conditions::text() const {
  std::string all;
  for (int d = 0; d < rank_; ++d)
    all += std::string(d > 0 ? ", " : "") + "xyz"[d] + " " + at(d, false).text() + " " +
           at(d, true).text();
  return all;
}

void field_conditions::add_rules(flow_rules& to) const {
  for (const auto& both : sides_)
    for (const side_condition& side : both)
      if (side.formula()) side.formula()->add_rules(to);
}

bool field_conditions::has_formula(int dims) const {
  bool has = false;
  for (int d = 0; d < dims && d < rank_; ++d)
    for (const bool upper : {false, true}) has = has || at(d, upper).formula() != nullptr;
  return has;
}

edge_layer field_conditions::layer(int dim, bool upper, int number) const {
  const index_t low = low_[dim], high = high_[dim], n = n_[dim];
  const index_t at = upper ? n - high + number : low - 1 - number;
  if (is_periodic(dim)) return {at, upper ? at - (n - low - high) : at + (n - low - high)};
  return {at, upper ? at - 1 : at + 1};
}

void field_conditions::fill(index_t first, int states) {
  if (keeps_all_) return;
  for (auto& both : values_)
    for (auto& values : both)
      if (values) values->fill(first, states);
}

cell_box field_conditions::cells_of_side(int dim, index_t begin, index_t end) const {
  cell_box cells;
  for (int e = 0; e < 3; ++e) {
    cells.begin[e] = e < dim ? 0 : e == dim ? begin : low_[e];
    cells.end[e] = e < dim ? n_[e] : e == dim ? end : n_[e] - high_[e];
  }
  return cells;
}

std::vector<cell_box> field_conditions::cells_of_layer(int dim, bool upper, const edge_layer& layer,
                                                       const std::vector<cell_box>& but) const {
  const cell_box cells = cells_of_side(dim, layer.at, layer.at + 1);
  if (but.empty()) return {cells};
  const bool has_inner =
      at(dim, upper).is_periodic() || at(dim, upper).as_relation(upper).factor != 0;
  std::vector<cell_box> left_out = but;
  for (cell_box source : but) {
    source.begin[dim] += layer.at - layer.source;
    source.end[dim] += layer.at - layer.source;
    if (has_inner) left_out.push_back(source);
  }
  return without(cells, left_out);
}

void field_conditions::add_changed(std::vector<cell_box>& cells) const {
  cells.push_back(cells_of_side(0, low_[0], n_[0] - high_[0]));
  for (int d = 0; d < rank_; ++d)
    for (const bool upper : {false, true})
      if (const index_t layers = width(d, upper); layers > 0)
        cells.push_back(upper ? cells_of_side(d, n_[d] - layers, n_[d])
                              : cells_of_side(d, 0, layers));
}

namespace {

/// The integers of a type by its name.
struct integer_range {
  i64 low, high;
};
integer_range range_of(const std::string& type) {
  if (type == "i32") return {std::numeric_limits<i32>::lowest(), std::numeric_limits<i32>::max()};
  if (type == "u8") return {0, std::numeric_limits<u8>::max()};
  if (type == "bool") return {0, 1};
  return {std::numeric_limits<i64>::lowest(), std::numeric_limits<i64>::max()};
}

}  // namespace

void field_conditions::check(int dim, bool upper, const bound_field& field, int slot) const {
  const side_condition& condition = at(dim, upper);
  if (condition.keeps() && !is_periodic(dim)) return;
  constexpr const char* axis[3] = {"x", "y", "z"};
  const auto refuse = [&](const std::string& why, const std::string& before = "") {
    throw error(failure::usage, before + "iterate: field " + std::to_string(slot) + ", " +
                                    field.description() + ", has a boundary condition at the " +
                                    (upper ? "high" : "low") + " side of " + axis[dim] + ", but " +
                                    why);
  };
  const index_t cells_left_out = left_out(dim, upper);
  const index_t inner = this->inner(dim);
  if (dim >= rank_) refuse("it has no such dim");
  if (cells_left_out == 0)
    refuse(
        "its update writes all cells there; the target must leave some out, as "
        "update(inn(T), ...) does");
  if (condition.is_periodic() != at(dim, !upper).is_periodic())
    refuse(std::string("only one of the two sides is periodic; write .") + axis[dim] +
           " = periodic");
  if (condition.is_periodic() && low_[dim] != high_[dim])
    refuse("its update leaves out " + std::to_string(low_[dim]) + " cells at the low side and " +
           std::to_string(high_[dim]) +
           " at the high side; a periodic field needs as many at both");
  if (condition.is_singular(upper))
    refuse(std::string("robin(a, b, c) with a ") + (upper ? "+" : "-") +
           " b = 0 does not determine a border cell there");
  if (!field.is_real) {
    if (condition.has_slope()) refuse("gradient and robin need a field of f64 or f32");
    const integer_range range = range_of(field.type);
    if (condition.is_beyond(range.low, range.high))
      refuse(std::string(field.type) + " does not have the value " + condition.value_text());
  }
  const index_t needed = condition.is_periodic() ? cells_left_out : 1;
  if (inner < needed)
    refuse("only " + std::to_string(inner > 0 ? inner : 0) +
               " inner cells along that dim; it needs at least " + std::to_string(needed),
           "too few cells: ");
}

}  // namespace teff::runtime

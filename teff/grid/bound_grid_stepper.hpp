// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include <teff/grid/device_packer.hpp>
#include <teff/grid/grid_stepper.hpp>
#include <teff/grid/grid_total.hpp>
#include <teff/stencil/iterate.hpp>

/// What of a time step on a grid depends on types: looks at a rank's own cells.
namespace teff::inline TEFF_MODE::detail {

/// @tparam Part a bound_stepper @tparam Formula its formula
template <class Formula, class Part>
class bound_grid_stepper : public runtime::grid_stepper {
  using step_type = step_of<Formula>;
  using residual_type = typename step_type::residual_type;
  static constexpr int leading_slot = step_type::traits::leading_slot();

 public:
  bound_grid_stepper(const runtime::grid_state& grid, const runtime::grid_plan& plan,
                     const runtime::step_on_grid& step, const Formula& formula, Part& part)
      : bound_grid_stepper(
            grid, plan, step, formula, part,
            part.dev().is_cpu() ? part.leading().on : stream::create_urgent(part.dev())) {}

 private:
  bound_grid_stepper(const runtime::grid_state& grid, const runtime::grid_plan& plan,
                     const runtime::step_on_grid& step, const Formula& formula, Part& part,
                     const stream& messages)
      : grid_stepper(grid, plan, step, part, messages, packer_on(messages)),
        formula_(formula),
        part_(part) {}

  /// A box of cells, as numbered in the array.
  template <class T, int N>
  static array_ref<T, N> box_of(const array_ref<T, N>& a, const runtime::grid_box& box) {
    view<T, N> cells = a.view();
    for (int d = 0; d < N; ++d) {
      cells.data += box.of[d].begin * cells.strides[d];
      cells.shape[d] = box.of[d].count();
    }
    return {a.on(), a.block(), cells, a.shared_label()};
  }

  std::optional<runtime::non_finite_cell> first_non_finite(int field) const override {
    std::optional<runtime::non_finite_cell> found;
    const auto now = part_.arrays_now();
    look_at(now.arrays, field, found, 0);
    return found;
  }
  void look_at(const tuple<>&, int, std::optional<runtime::non_finite_cell>&, int) const {}
  template <class T, int N, class... Rest>
  void look_at(const tuple<const array_ref<T, N>&, Rest...>& list, int field,
               std::optional<runtime::non_finite_cell>& found, int number) const {
    if (number != field) return look_at(list.rest, field, found, number + 1);
    const array_ref<T, N> own = box_of(list.first, own_in_part(more(field)));
    if (all_finite(own)) return;
    if constexpr (rounded::real<T>) found = first_non_finite_of(to_host(own));
  }

  double residual_of_all() const override {
    if constexpr (is_residual<residual_type>) {
      const auto& reduction = step_type::residual(formula_).reduction;
      using E = std::remove_cvref_t<decltype(reduction.e)>;
      using V = typename E::value_type;
      const auto now = part_.arrays_now();
      const shape3 leading = now.template shape<leading_slot>(), held = reduction.e.shape(now);
      lowering how{.step = step(), .counts_in_field = true};
      runtime::stagger fewer;  // of the expression than the grid has
      for (int d = 0; d < grid().cells.dims(); ++d) {
        how.origin[d] = part().box.of[d].begin;
        fewer.of[d] = static_cast<int>(held.n[d] - part().box.of[d].count());
      }
      const auto values = reduction.values(now, how, leading);
      const runtime::grid_box own = own_in_part(fewer);
      slice_node<std::remove_const_t<decltype(values)>> mine{
          {}, values, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}};
      extents<E::rank> n;
      for (int d = 0; d < E::rank; ++d) {
        mine.start[d] = own.of[d].begin;
        mine.count[d] = n[d] = own.of[d].count();
      }
      if constexpr (std::remove_cvref_t<decltype(reduction)>::is_norm2) {
        const array<double, E::rank> squares(grid().dev, n, "squares of the residual");
        assign(squares, sq(with_values_of<double>(mine)));
        return static_cast<double>(convert<ops::real_of<V>>(
            root{}(total_in_order(grid(), fewer, squares, "the residual"))));
      } else {
        const double of_mine = own.is_empty() ? 0 : static_cast<double>(max_abs(mine));
        double most = 0;
        for (const double one : runtime::gathered(on(), "the residual", of_mine))
          most = ops::larger{}(most, one);
        return most;
      }
    }
    return 0;
  }

  template <class T>
  static runtime::non_finite_cell first_non_finite_of(const std::vector<T>& cells) {
    std::size_t first = 0;
    while (cells[first] - cells[first] == T(0)) ++first;
    return {static_cast<index_t>(first), static_cast<double>(cells[first])};
  }

  const Formula& formula_;
  Part& part_;
};

}  // namespace teff::inline TEFF_MODE::detail

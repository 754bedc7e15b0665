// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include <teff/solver/sbp_rows.hpp>

/// The nodes of summation-by-parts operators: rows of a kind (sbp_rows.hpp), of expressions.
namespace teff::inline TEFF_MODE {

/// Rows of a kind, ready for the device.
template <class Rows, class... E>
struct device_sbp : node<device_sbp<Rows, E...>> {
  using value_type = typename Rows::value_type;
  static constexpr bool has_ends = !Rows::adapts;

  Rows rows;
  detail::tuple<E...> operands;

  TEFF_INLINE device_sbp(const Rows& kind, const detail::tuple<E...>& e)
      : rows(kind), operands(e) {}

  template <int X, int Y, int Z, class C>
  TEFF_INLINE auto eval(const C& c) const {
    constexpr int dim = Rows::dim;
    if constexpr (Rows::adapts) {
      return rows.template near<X, Y, Z>(c, 0, operands);
    } else if constexpr (is_far_cell<C>) {
      return rows.template far<X, Y, Z>(c, operands);
    } else {
      const auto at = c.template index<dim, (dim == 0 ? X : dim == 1 ? Y : Z)>();
      constexpr int lanes = detail::lane_count<std::remove_cvref_t<decltype(at)>>;
      if constexpr (lanes == 1) {
        using result = decltype(rows.template near<X, Y, Z>(c, at, operands));
        if (is_far(at)) return detail::as_lanes<result>(rows.template far<X, Y, Z>(c, operands));
        return rows.template near<X, Y, Z>(c, at, operands);
      } else {
        using result = pack<value_type, lanes>;
        if (is_far(at.lane[0]) && is_far(at.lane[lanes - 1]))
          return detail::as_lanes<result>(rows.template far<X, Y, Z>(c, operands));
        result values;
        TEFF_NO_UNROLL
        for (int v = 0; v < lanes; ++v) values.lane[v] = this->template eval<X, Y, Z>(c.one(v));
        return values;
      }
    }
  }

 private:
  TEFF_INLINE bool is_far(index_t at) const {
    return at >= rows.low() && at < rows.n - rows.high();
  }
};

/// Rows of a kind, of expressions.
template <class Rows, class... E>
struct sbp_node : node<sbp_node<Rows, E...>> {
  using value_type = typename Rows::value_type;
  static constexpr int rank = common_rank<E...>();
  static constexpr int flops = Rows::flops + (0 + ... + E::flops);
  static constexpr int widest = [] {
    int w = sizeof(value_type);
    ((w = greater_of(w, E::widest)), ...);
    return w;
  }();
  static constexpr int loads = (2 * Rows::reach + 1) * (0 + ... + E::loads);
  static constexpr bool is_pointwise = false, is_collapsible = false;
  static constexpr bool has_ends = !Rows::adapts;
  static_assert((true && ... && std::is_same_v<typename E::value_type, value_type>),
                "Operators of sbp take expressions of their own real type (f64 or f32).");

  Rows rows;
  array_ref<value_type, 1> weights;
  detail::tuple<E...> operands;

  /// @throws error if an operand's extent is not that of the grid
  sbp_node(const Rows& kind, const array_ref<value_type, 1>& list, const E&... e)
      : rows(kind), weights(list), operands(detail::tuple_of(e...)) {
    (check(e), ...);
  }

  template <class B>
  shape3 shape(const B& fields) const {
    shape3 result = shape_of(fields, operands);
    result.n[Rows::dim] = Rows::adapts ? shape3::any : rows.n;
    return result;
  }
  template <int X, int Y, int Z, class F>
  void visit(const window& w, F& f) const {
    constexpr int d = Rows::dim;
    constexpr int along = d == 0 ? X : d == 1 ? Y : Z;
    if constexpr (requires { f.meets_ends(0, 0, 0, 0, 0); }) {
      if constexpr (has_ends) {
        f.meets_ends(d, w.start[d] + along, w.step[d], rows.low(), rows.n - rows.high());
        if constexpr (Rows::reach > 0) {
          visit_operands<X, Y, Z>(w, w.start[d] + along - Rows::reach, w.step[d], w.count[d], f);
          visit_operands<X, Y, Z>(w, w.start[d] + along + Rows::reach, w.step[d], w.count[d], f);
        }
      }
    } else {
      f.reads_along(weights, region_of(weights));
      if constexpr (Rows::reach > 0) {  // (As the whole it would seem to be read in place.)
        visit_operands<X, Y, Z>(w, 0, 1, rows.n - Rows::reach, f);
        visit_operands<X, Y, Z>(w, Rows::reach, 1, rows.n - Rows::reach, f);
      } else {
        visit_end<X, Y, Z>(w, f);
      }
    }
  }
  auto lower(const lowering& how) const { return lowered_of(how, operands); }
  [[gnu::cold]] std::string text() const { return text_of(operands); }

 private:
  void check(const auto& e) const {
    const index_t n = e.shape(no_fields{}).n[Rows::dim];
    if (n != shape3::any) runtime::check_sbp_extent("an operand", Rows::dim, n, rows.n);
  }
  template <class B>
  static shape3 shape_of(const B&, const detail::tuple<>&) {
    return {};
  }
  template <class B, class One>
  static shape3 shape_of(const B& fields, const detail::tuple<One>& e) {
    return e.first.shape(fields);
  }
  template <class B, class One, class Two>
  static shape3 shape_of(const B& fields, const detail::tuple<One, Two>& e) {
    return combined(e.first.shape(fields), e.first, e.rest.first.shape(fields), e.rest.first);
  }
  template <int X, int Y, int Z, class F>
  void visit_operands(window w, index_t start, index_t step, index_t count, F& f) const {
    constexpr int d = Rows::dim;
    w.start[d] = start;
    w.step[d] = step;
    w.count[d] = count;
    visit_list<(d == 0 ? 0 : X), (d == 1 ? 0 : Y), (d == 2 ? 0 : Z)>(w, f, operands);
  }
  template <int X, int Y, int Z, class F>
  void visit_end(const window& w, F& f) const {
    if constexpr (requires { Rows::columns; })
      visit_operands<X, Y, Z>(w, Rows::is_high ? rows.n - Rows::columns : 0, 1, Rows::columns, f);
    else if constexpr (requires { Rows::is_high; })
      visit_operands<X, Y, Z>(w, Rows::is_high ? rows.n - 1 : 0, 1, 1, f);
  }
  template <int X, int Y, int Z, class F>
  static void visit_list(const window&, F&, const detail::tuple<>&) {}
  template <int X, int Y, int Z, class F, class First, class... Rest>
  static void visit_list(const window& w, F& f, const detail::tuple<First, Rest...>& e) {
    e.first.template visit<X, Y, Z>(w, f);
    visit_list<X, Y, Z>(w, f, e.rest);
  }
  Rows lowered_rows() const {
    Rows lowered = rows;
    lowered.weights = weights.data();
    return lowered;
  }
  device_sbp<Rows> lowered_of(const lowering&, const detail::tuple<>&) const {
    return {lowered_rows(), {}};
  }
  template <class One>
  auto lowered_of(const lowering& how, const detail::tuple<One>& e) const {
    const auto one = e.first.lower(how);
    return device_sbp<Rows, std::remove_cvref_t<decltype(one)>>(lowered_rows(),
                                                                detail::tuple_of(one));
  }
  template <class One, class Two>
  auto lowered_of(const lowering& how, const detail::tuple<One, Two>& e) const {
    const auto one = e.first.lower(how);
    const auto two = e.rest.first.lower(how);
    return device_sbp<Rows, std::remove_cvref_t<decltype(one)>, std::remove_cvref_t<decltype(two)>>(
        lowered_rows(), detail::tuple_of(one, two));
  }
  static std::string text_of(const detail::tuple<>&) { return "weights of an sbp norm"; }
  template <class First, class... Rest>
  static std::string text_of(const detail::tuple<First, Rest...>& e) {
    const runtime::text_source of = detail::source_of_text(e.first);
    return runtime::text_around("sbp rows of ", of, "");
  }
};

namespace detail {
template <class Rows, class... E>
struct operands_of<device_sbp<Rows, E...>> {
  using type = operand_list<E...>;
  static TEFF_INLINE void fetch(device_sbp<Rows, E...>& e) { fetch_parameters(e.operands); }
};
template <class Rows, class... E>
struct operands_of<sbp_node<Rows, E...>> {
  using type = operand_list<E...>;
};
}  // namespace detail

}  // namespace teff::inline TEFF_MODE

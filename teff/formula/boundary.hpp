// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <memory>
#include <vector>

#include <teff/array/array.hpp>
#include <teff/expr/sliced.hpp>
#include <teff/expr/stage_time.hpp>
#include <teff/expr/statement.hpp>
#include <teff/expr/step_index.hpp>
#include <teff/formula/rules_of.hpp>
#include <teff/formula/side_condition.hpp>

/// Boundary conditions of an update: what becomes of the cells at each side that its target leaves
/// out. They hold before the first step (stencil/conditions/given_state.hpp) and after every stage.
/// Where sides meet, x comes first, then y, then z, so edges and corners follow from the sides that
/// come later.
namespace teff::inline TEFF_MODE {

namespace detail {

/// The values of an expression at border cells.
template <class E, class V>
class side_values_of : public runtime::side_values {
 public:
  side_values_of(const E& e, const stage_clock& clock, const stream& on, const index_t (&start)[3],
                 const index_t (&count)[3])
      : e_(e), clock_(clock), on_(on), count_(count[0], count[1], count[2]) {
    for (int d = 0; d < 3; ++d) start_[d] = start[d];
  }
  void fill(index_t first, int states) override {
    slice_node<E> part{{}, e_, {}, {1, 1, 1}, {}};
    for (int d = 0; d < 3; ++d) {
      part.start[d] = start_[d];
      part.count[d] = count_[d];
    }
    for (int s = 0; s < states; ++s) {
      if (static_cast<int>(values_.size()) <= s)
        values_.emplace_back(on_, count_, "values of a boundary condition");
      assign(values_[static_cast<std::size_t>(s)],
             at_step<in_stage<slice_node<E>>>(in_stage<slice_node<E>>(part, clock_), {first + s}));
    }
  }
  const double* real(int state) const override {
    if constexpr (std::same_as<V, double>) return values_[static_cast<std::size_t>(state)].data();
    return nullptr;
  }
  const i64* whole(int state) const override {
    if constexpr (std::same_as<V, i64>) return values_[static_cast<std::size_t>(state)].data();
    return nullptr;
  }
  index_t stride(int dim) const override { return values_.front().stride(dim); }

 private:
  E e_;
  stage_clock clock_;
  stream on_;
  index_t start_[3];
  extents<3> count_;
  std::vector<array<V, 3>> values_;  // by state
};

/// A formula that can be told which stage's values it completes.
class staged_side_formula : public runtime::side_formula {
 public:
  virtual std::shared_ptr<const staged_side_formula> in_stage_of(const stage_clock&) const = 0;
};

template <class E>
class side_expression : public staged_side_formula {
 public:
  explicit side_expression(const E& e, const stage_clock& clock = {}) : e_(e), clock_(clock) {}
  std::shared_ptr<const staged_side_formula> in_stage_of(const stage_clock& clock) const override {
    return std::make_shared<side_expression>(e_, clock);
  }
  void add_rules(runtime::flow_rules& to) const override { add_rules_of(e_, to); }
  bool is_whole() const override { return std::integral<typename E::value_type>; }
  std::unique_ptr<runtime::side_values> values(const stream& on, bool as_whole,
                                               const index_t (&start)[3],
                                               const index_t (&count)[3]) const override {
    if constexpr (std::integral<typename E::value_type>)
      if (as_whole) return std::make_unique<side_values_of<E, i64>>(e_, clock_, on, start, count);
    return std::make_unique<side_values_of<E, double>>(e_, clock_, on, start, count);
  }

 private:
  E e_;
  stage_clock clock_;
};

}  // namespace detail

/// The condition at one side.
class side : public runtime::side_condition {
 public:
  /// The cells keep their values.
  side() = default;

  /// The condition on what a stage makes, if its right-hand side is a formula.
  side in_stage_of(const detail::stage_clock& clock) const {
    side staged = *this;
    if (formula_)
      staged.formula_ =
          static_cast<const detail::staged_side_formula&>(*formula_).in_stage_of(clock);
    return staged;
  }

 protected:
  template <operand A>
  side(kind k, double a, double b, const A& c) : side_condition(k, a, b) {
    if constexpr (number_like<A>) {
      c_ = static_cast<double>(c);
      if constexpr (std::integral<A>) {
        is_whole_ = detail::holds<i64>(c);
        if (is_whole_) whole_ = static_cast<i64>(c);
      }
    } else {
      static_assert(node_of<A>::rank == 0 && node_of<A>::loads == 0,
                    "The right-hand side of a boundary condition is made of numbers, ix, iy, iz, "
                    "step_index and, in a rate, stage_time.");
      formula_ = std::make_shared<detail::side_expression<node_of<A>>>(as_node(c));
    }
  }

 private:
  template <operand A>
  friend side gradient(const A&);
  template <operand A>
  friend side robin(double, double, const A&);
  friend side make_periodic();
};

/// `fixed`: cells at this side keep their values. `fixed(v)`: they are v, a number or a formula of
/// position and step.
class fixed_side : public side {
 public:
  constexpr fixed_side() = default;
  template <operand A>
  side operator()(const A& value) const {
    return fixed_side(value);
  }

 private:
  template <operand A>
  explicit fixed_side(const A& value) : side(kind::value, 0, 0, value) {}
};
inline const fixed_side fixed{};

/// The field goes on with this slope per cell, d/di, whichever side it is: gradient(0) reflects; a
/// given derivative g of position is gradient(g * dx).
template <operand A>
side gradient(const A& slope) {
  return {side::kind::slope, 0, 0, slope};
}

/// a * T + b * (slope per cell) = c at the border cells: at the low side T = (c - b inner) / (a -
/// b), at the high side T = (c + b inner) / (a + b).
template <operand A>
side robin(double a, double b, const A& c) {
  return {side::kind::mixed, a, b, c};
}

inline side make_periodic() {
  return {side::kind::periodic, 0, 0, 0};
}
/// The border cells are those on the other side of the inner part: the field repeats itself.
inline const side periodic = make_periodic();

/// The conditions at both sides of a dim: `periodic`, or {low, high}.
struct sides {
  side low, high;
  sides() = default;
  sides(const side& both) : low(both), high(both) {}  // NOLINT(google-explicit-constructor)
  sides(const side& at_low, const side& at_high) : low(at_low), high(at_high) {}
};

/// The conditions of an update, by dim; by default all cells keep their values.
struct boundary {
  sides x{}, y{}, z{};

  const side& at(int dim, bool upper) const {
    const sides& both = dim == 0 ? x : dim == 1 ? y : z;
    return upper ? both.high : both.low;
  }
  boundary in_stage_of(const detail::stage_clock& clock) const {
    const auto both = [&](const sides& s) {
      return sides(s.low.in_stage_of(clock), s.high.in_stage_of(clock));
    };
    return {both(x), both(y), both(z)};
  }
  bool keeps_all() const {
    bool keeps = true;
    for (int d = 0; d < 3; ++d) keeps = keeps && at(d, false).keeps() && at(d, true).keeps();
    return keeps;
  }
};

/// An update without conditions: all cells that it leaves out keep their values.
struct no_boundary {
  operator boundary() const { return {}; }  // NOLINT(google-explicit-constructor)
};

}  // namespace teff::inline TEFF_MODE

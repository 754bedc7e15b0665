// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <concepts>
#include <memory>
#include <string>

#include <teff/expr/sliced.hpp>
#include <teff/expr/statement.hpp>
#include <teff/expr/step_index.hpp>

/// Boundary conditions of an update: what becomes of the cells at each side that its target leaves
/// out. They hold before the first step (stencil/stages/given_state.hpp) and after every stage.
/// Where sides meet, x comes first, then y, then z, so edges and corners follow from the sides that
/// come later.
namespace teff::inline TEFF_MODE {

namespace detail {

/// A formula of position and step (ix, iy, iz, step_index): the right-hand side of a condition.
class side_formula {
 public:
  virtual ~side_formula() = default;
  /// Its values at the cells that begin at `start`, in step `step`. @sync asynchronous on the
  /// stream of `values`
  virtual void fill(const array_ref<double, 3>& values, const index_t (&start)[3],
                    index_t step) const = 0;
  /// The same where they are integers, of which f64 does not have all.
  virtual bool is_whole() const = 0;
  virtual void fill(const array_ref<i64, 3>& values, const index_t (&start)[3],
                    index_t step) const = 0;
};

template <class E>
class side_expression : public side_formula {
 public:
  explicit side_expression(const E& e) : e_(e) {}
  void fill(const array_ref<double, 3>& values, const index_t (&start)[3],
            index_t step) const override {
    write(values, start, step);
  }
  bool is_whole() const override { return std::integral<typename E::value_type>; }
  void fill([[maybe_unused]] const array_ref<i64, 3>& values,
            [[maybe_unused]] const index_t (&start)[3],
            [[maybe_unused]] index_t step) const override {
    if constexpr (std::integral<typename E::value_type>) write(values, start, step);
  }

 private:
  template <class V>
  void write(const array_ref<V, 3>& values, const index_t (&start)[3], index_t step) const {
    slice_node<E> part{{}, e_, {}, {1, 1, 1}, {}};
    for (int d = 0; d < 3; ++d) {
      part.start[d] = start[d];
      part.count[d] = values.extent(d);
    }
    assign(values, at_step<slice_node<E>>(part, step));
  }

  E e_;
};

}  // namespace detail

/// The condition at one side. Cells are set one after the other, from the inner ones outwards, each
/// from its next inner cell.
class side {
 public:
  /// The cells keep their values.
  side() = default;

  bool keeps() const { return kind_ == kind::keeps; }
  bool is_periodic() const { return kind_ == kind::periodic; }
  const std::shared_ptr<const detail::side_formula>& formula() const { return formula_; }

  /// A cell becomes factor * (next inner cell) + scale * (the condition's right-hand side).
  struct relation {
    double factor, scale;
  };
  /// @param upper at the side of the largest index
  relation as_relation(bool upper) const {
    const double outwards = upper ? 1 : -1;
    switch (kind_) {
      case kind::slope:
        return {1, outwards};
      case kind::mixed:
        return {outwards * b_ / (a_ + outwards * b_), 1 / (a_ + outwards * b_)};
      default:
        return {0, 1};
    }
  }
  double right_side() const { return c_; }
  /// The number that border cells are to be, as a T.
  template <class T>
  T value() const {
    return is_whole_ ? convert<T>(whole_) : convert<T>(c_);
  }
  std::string value_text() const {
    return is_whole_ ? runtime::number_text(whole_) : runtime::number_text(c_);
  }
  /// It says nothing of the border cell itself.
  bool is_singular(bool upper) const {
    return kind_ == kind::mixed && !(std::abs(a_ + (upper ? b_ : -b_)) > 0);
  }
  /// Integers of this type can not hold the number that border cells are to be.
  template <std::integral T>
  bool is_beyond() const {
    return kind_ == kind::value && !formula_ &&
           !(is_whole_ ? detail::holds<T>(whole_) : c_ == std::trunc(c_) && detail::holds<T>(c_));
  }
  /// "keeps", "value", "slope", "mixed" or "periodic", and " formula" where it depends on position
  /// or step.
  std::string text() const {
    constexpr const char* names[] = {"keeps", "value", "slope", "mixed", "periodic"};
    return names[static_cast<int>(kind_)] + std::string(formula_ ? " formula" : "");
  }
  /// A slope or a mix of value and slope: integers can not hold what it makes of them.
  bool has_slope() const { return kind_ == kind::slope || kind_ == kind::mixed; }

 protected:
  enum class kind { keeps, value, slope, mixed, periodic };
  template <operand A>
  side(kind k, double a, double b, const A& c) : kind_(k), a_(a), b_(b) {
    if constexpr (number_like<A>) {
      c_ = static_cast<double>(c);
      if constexpr (std::integral<A>) {
        is_whole_ = detail::holds<i64>(c);
        if (is_whole_) whole_ = static_cast<i64>(c);
      }
    } else {
      static_assert(
          node_of<A>::rank == 0 && node_of<A>::loads == 0,
          "The right-hand side of a boundary condition is made of numbers, ix, iy, iz and "
          "step_index.");
      formula_ = std::make_shared<detail::side_expression<node_of<A>>>(as_node(c));
    }
  }

 private:
  kind kind_ = kind::keeps;
  double a_ = 0, b_ = 0, c_ = 0;
  bool is_whole_ = false;  // then c is this, which f64 may not have
  i64 whole_ = 0;
  std::shared_ptr<const detail::side_formula> formula_;

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

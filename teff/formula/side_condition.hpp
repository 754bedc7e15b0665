// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include <teff/base/index.hpp>
#include <teff/base/stream.hpp>
#include <teff/formula/flow_rule.hpp>

/// What a boundary condition says at one side, in numbers.
namespace teff::runtime {

/// The values that a formula of position and step has at border cells, in one state or several:
/// real numbers, or integers, of which f64 does not have all.
class side_values {
 public:
  virtual ~side_values() = default;
  /// Computes those in the states after `first`, `first` + 1, ... steps, so many.
  /// @sync asynchronous on the stream that they were made for
  virtual void fill(index_t first, int states) = 0;
  /// By cell, of one state of those filled: null if they are integers, or real numbers.
  virtual const double* real(int state) const = 0;
  virtual const i64* whole(int state) const = 0;
  /// From cell to cell along a dim; along x they lie side by side.
  virtual index_t stride(int dim) const = 0;
};

/// A formula of position and step (ix, iy, iz, step_index): the right-hand side of a condition.
class side_formula {
 public:
  virtual ~side_formula() = default;
  virtual bool is_whole() const = 0;
  /// Rules of the parameters in it.
  virtual void add_rules(flow_rules& to) const = 0;
  /// Room for its values at `count` cells from `start` on.
  /// @param as_whole as integers, if it is made of them
  virtual std::unique_ptr<side_values> values(const stream& on, bool as_whole,
                                              const index_t (&start)[3],
                                              const index_t (&count)[3]) const = 0;
};

/// Cells are set one after the other, from the inner ones outwards, each from its next inner cell.
/// By default they keep their values.
class side_condition {
 public:
  enum class kind { keeps, value, slope, mixed, periodic };

  side_condition() = default;

  bool keeps() const { return kind_ == kind::keeps; }
  bool is_periodic() const { return kind_ == kind::periodic; }
  const std::shared_ptr<const side_formula>& formula() const { return formula_; }

  /// A cell becomes factor * (next inner cell) + scale * (the condition's right-hand side).
  struct relation {
    double factor, scale;
  };
  /// @param upper at the side of the largest index
  relation as_relation(bool upper) const;
  double right_side() const { return c_; }
  bool is_whole() const { return is_whole_; }
  i64 whole() const { return whole_; }
  /// The number that border cells are to be.
  std::string value_text() const;
  /// It says nothing of the border cell itself.
  bool is_singular(bool upper) const;
  /// Integers from `low` to `high` do not have the number that border cells are to be.
  bool is_beyond(i64 low, i64 high) const;
  /// "keeps", "value", "slope", "mixed" or "periodic", and " formula" where it depends on position
  /// or step.
  std::string text() const;
  /// A slope or a mix of value and slope: integers can not hold what it makes of them.
  bool has_slope() const { return kind_ == kind::slope || kind_ == kind::mixed; }

 protected:
  side_condition(kind k, double a, double b) : kind_(k), a_(a), b_(b) {}

  kind kind_ = kind::keeps;
  double a_ = 0, b_ = 0, c_ = 0;
  bool is_whole_ = false;  // then c is this, which f64 may not have
  i64 whole_ = 0;
  std::shared_ptr<const side_formula> formula_;
};

}  // namespace teff::runtime

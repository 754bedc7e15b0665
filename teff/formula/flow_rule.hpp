// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <teff/array/array_handle.hpp>

/// Rules by which parameters follow the flow, as a run sees them, whatever their types.
namespace teff::runtime {

/// A field of a run as a rule reads it: three dims, those that it does not have of one cell.
struct flow_field {
  array_handle handle;
  void* data = nullptr;
  index_t n[3] = {1, 1, 1}, stride[3] = {0, 0, 0};
  int real_bytes = 0;       ///< 8 or 4 of f64 or f32; 0 of integers
  std::string description;  ///< "array 'T' of 10x8 f64"
};

/// A rule that gave a value by which no step can be made.
struct flow_fault {
  index_t step = -1;  ///< -1: there is none
  double value = 0;
};

class flow_rule {
 public:
  virtual ~flow_rule() = default;
  flow_rule(const flow_rule&) = delete;
  flow_rule& operator=(const flow_rule&) = delete;

  index_t every() const { return every_; }
  /// "every 10 steps 0.4 / max_abs(field 0)".
  std::string text() const;
  /// @throws error for fields that it does not fit
  void check(const std::vector<flow_field>& fields) const;
  /// Rules of other parameters that it reads.
  virtual std::vector<std::shared_ptr<flow_rule>> read_rules() const = 0;

  /// Its parameter's value now, for who keeps a run's state. @sync waits, on a GPU
  virtual double value() const = 0;
  /// A value as a run left it, from which another one goes on.
  virtual void become(double value) = 0;

  /// From now on the value is on this stream's device. @sync waits if it was on another GPU
  virtual void be_on(const stream& on) = 0;
  /// Before step number `step`, for the state there; some later fault than the first is not noted.
  virtual void evaluate(const std::vector<flow_field>& fields, index_t step) = 0;
  virtual void keep() = 0;
  virtual void go_back() = 0;
  virtual void forget_fault() = 0;
  /// @sync waits
  virtual flow_fault fault() const = 0;

  /// It is evaluated before step number `step`.
  bool is_due(index_t step) const { return step % every_ == 0; }
  /// Steps from `step` on, at least one, until it is evaluated again.
  index_t steps_left(index_t step) const { return every_ - (step % every_ + every_) % every_; }

 protected:
  flow_rule(index_t every, int fields) : every_(every), fields_(fields) {}
  virtual std::string formula_text() const = 0;

  index_t every_;
  int fields_;             // that its lambda takes
  std::vector<int> read_;  // numbers of those that it reads
};

using flow_rules = std::vector<std::shared_ptr<flow_rule>>;
/// Adds a rule that is not there yet; before it those that it reads.
void add_rule(flow_rules& to, const std::shared_ptr<flow_rule>& rule);

/// @throws error for a number of steps that is less than 1
void check_every(index_t every);

}  // namespace teff::runtime

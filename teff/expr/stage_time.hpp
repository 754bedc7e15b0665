// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <teff/base/error.hpp>
#include <teff/expr/leaf.hpp>
#include <teff/expr/parameter.hpp>

namespace teff::runtime {
[[noreturn]] void throw_no_stage_time();

/// (Shared, since nvcc takes the copy of a function for one that runs on a GPU.)
using shared_function = std::shared_ptr<const std::function<double()>>;
shared_function shared(std::function<double()> f);
shared_function function_of(double value);
}  // namespace teff::runtime

namespace teff::inline TEFF_MODE {

/// The time t at which a stage of euler, rk2, ssp_rk3 or rk4 (formula/integrators.hpp) takes a
/// rate: (step_index + c) * dt with that stage's c. A source in time so keeps the order. In a
/// condition it is the time of the values that the condition completes; in a residual that of the
/// state. A f64 number, the same in all cells.
/// @throws error where there is no such stage
struct stage_time_leaf : node<stage_time_leaf> {
  using value_type = double;
  static constexpr int rank = 0, flops = 0, widest = 0, loads = 0;
  static constexpr bool is_pointwise = true, is_collapsible = true;

  template <class B>
  shape3 shape(const B&) const {
    return {};
  }
  template <int X, int Y, int Z, class F>
  void visit(const window&, F&) const {}
  number<double> lower(const lowering& how) const {
    if (!how.has_time) runtime::throw_no_stage_time();
    return number<double>(how.time);
  }
  [[gnu::cold]] std::string text() const { return "stage_time"; }
};
inline constexpr stage_time_leaf stage_time{};

namespace detail {

/// What stage_time is in one stage: (step + part) * dt. By default it is not known.
class stage_clock {
 public:
  stage_clock() = default;
  stage_clock(double dt, double part) : dt_(runtime::function_of(dt)), part_(part) {}
  /// A parameter's value is asked for when it is needed.
  template <class T, class As>
  stage_clock(const parameter<T, As>& dt, double part)
      : dt_(runtime::shared([dt] {
          if (dt.follows_flow())
            throw error(failure::usage,
                        "stage_time is (step_index + c) * dt, and dt follows the flow: the steps "
                        "before took other times; keep the time in a field of its own, whose rate "
                        "is 1");
          return static_cast<double>(dt.value());
        })),
        part_(part) {}

  lowering set(lowering how) const {
    if (!dt_) return how;
    how.has_time = true;
    how.time = (static_cast<double>(how.step) + part_) * (*dt_)();
    return how;
  }

 private:
  runtime::shared_function dt_;
  double part_ = 0;
};

/// e as it is in one stage.
template <class E>
using in_stage = lowered_with<E, stage_clock>;

}  // namespace detail
}  // namespace teff::inline TEFF_MODE

// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <teff/solve/run_of_any_fields.hpp>
#include <teff/stencil/iterate.hpp>

namespace teff::solve {

inline namespace TEFF_MODE {

template <class Fn, class... Array>
class run_of_formula final : public run_of_any_fields {
 public:
  run_of_formula(const timestep<Fn>& step, double dt, const Array&... fields)
      : run_of_any_fields(dt, {io::any_field(fields)...}), step_(step), fields_(fields...) {}

  made_steps advance(const iterate_options& options) override {
    return std::apply([&](const Array&... field) { return iterate(step_, options, field...); },
                      fields_);
  }
  runtime::flow_rules rules() const override {
    if (!rules_)
      rules_ = std::apply(
          [&](const Array&... field) { return detail::stepper_of(step_, field...).rules(); },
          fields_);
    return *rules_;
  }

 private:
  timestep<Fn> step_;
  std::tuple<Array...> fields_;
  mutable std::optional<runtime::flow_rules> rules_;  // known when they were asked for
};

template <class Fn, class... T, int... N>
std::unique_ptr<run_of_any_fields> run_of(const timestep<Fn>& step, double dt,
                                          const array_ref<T, N>&... fields) {
  return std::make_unique<run_of_formula<Fn, array_ref<T, N>...>>(step, dt, fields...);
}

}  // namespace TEFF_MODE

/// A time step with its dt and its fields, in the order in which the step takes them, whatever
/// their types: what `spec::make` returns. The first field leads, or led_by() says which: it is
/// drawn, and its range is said. The fields' labels name them in files and messages. Their memory
/// is kept, so that the arrays may be local to who makes them.
/// @throws error for fields that have no label, or share one, or differ in their types
/// @example examples/21_own_command.cpp
class solver {
 public:
  /// @param dt 0 where time has no meaning
  template <class Fn, class... Array>
  requires(sizeof...(Array) > 0 && (array_like<Array> && ...))
      solver(const timestep<Fn>& step, double dt, const Array&... fields)
      : run_(run_of(step, dt, fields...)) {}
  /// With a parameter as its dt, which may follow the flow: checkpoints keep its value.
  template <class Fn, class T, class As, class... Array>
  requires(sizeof...(Array) > 0 && (array_like<Array> && ...))
      solver(const timestep<Fn>& step, const parameter<T, As>& dt, const Array&... fields)
      : run_(run_of(step, dt.follows_flow() ? 0 : static_cast<double>(dt.value()), fields...)) {
    if (dt.follows_flow()) run_->follow([dt] { return static_cast<double>(dt.value()); });
  }

  /// The distances between neighbouring values by dim, for axes and files; without, 1.
  /// (No vector alone: nvcc 13.0 takes the braces off a single value that is to become one.)
  solver spaced(std::initializer_list<double> spacings) && {
    return std::move(*this).spaced(std::vector<double>(spacings));
  }
  solver spaced(const std::vector<double>& spacings) && {
    run_->space(spacings);
    return std::move(*this);
  }

  /// Another field leads than the first: the one with this label.
  /// @throws error if there is none
  solver led_by(const std::string& label) && {
    run_->lead(label);
    return std::move(*this);
  }

  operator std::unique_ptr<solver_run>() && {  // NOLINT(google-explicit-constructor): it is one
    return std::move(run_);
  }

 private:
  std::unique_ptr<run_of_any_fields> run_;
};

}  // namespace teff::solve

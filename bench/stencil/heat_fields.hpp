// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <teff/array/host_copy.hpp>
#include <teff/solver/diffusion.hpp>

#include <bench/compare_cells.hpp>
#include <bench/host_values.hpp>
#include <bench/stencil/diffusion2d_fields.hpp>
#include <bench/stencil/step_loop.hpp>

/// The fields of diffusion2d on a device, and its time steps as variants.
namespace teff::bench {

/// Fields on the device: those of the solver, and a second temperature for variants that step from
/// `now` to `next`.
template <class T>
class heat_fields {
 public:
  explicit heat_fields(const lab::setting& where)
      : on_(where.dev),
        shape_(where.shape),
        solver_(on_, {shape_[0], shape_[1]}),
        next_(on_, {shape_[0], shape_[1]}, "T2"),
        reference_(shape_[0], shape_[1]),
        comparer_(on_) {
    Ci() = from_host(reference_.Ci());
  }

  stream on() const { return on_; }

  array<T, 2>& now() { return solver_.temperature(); }
  array<T, 2>& next() { return next_; }
  array<T, 2>& Ci() { return solver_.inverse_capacity(); }
  diffusion2d<T>& solver() { return solver_; }
  const naive::diffusion2d_numbers<T>& numbers() const { return reference_.numbers(); }

  /// A_eff of a step: 2 D_u + D_k.
  traffic ideal() { return solver_.run({.steps = 0}).per_step(); }
  void reset() {
    now() = from_host(reference_.start());
    next_ = now();
    fd2::inn(next_) = poison<T>();
  }
  lab::check_result check(const array<T, 2>& result, int steps) {
    return comparer_.compare(result.data(), reference_.after(steps), reference_.tolerance(steps),
                             shape_);
  }
  /// Cells of the temperature whose bits are not these.
  index_t differing_bits(const std::vector<T>& bits) {
    return comparer_.differing_bits(now().data(), bits);
  }

 private:
  stream on_;
  std::vector<index_t> shape_;
  diffusion2d<T> solver_;
  array<T, 2> next_;
  diffusion2d_reference<T> reference_;
  cell_comparer comparer_;
};

/// A formula of the time step over these fields: what step_loop needs.
template <class T, class Step>
class heat_steps {
 public:
  heat_steps(heat_fields<T>& fields, const Step& step) : fields_(fields), step_(step) {}

  stream on() const { return fields_.on(); }
  void reset() { fields_.reset(); }
  iterate_report run(const iterate_options& options) {
    return iterate(step_, options, fields_.now(), fields_.Ci());
  }
  step_plan plan(const iterate_options& options) {
    return plan_of(step_, options, fields_.now(), fields_.Ci());
  }
  traffic ideal() { return run({.steps = 0}).per_step(); }
  lab::check_result check(int steps) { return fields_.check(fields_.now(), steps); }
  /// True if every bit of the temperature is that of so many steps with one step per pass.
  bool has_bits_of_stepwise(int steps) {
    std::vector<T>& bits = stepwise_[steps];
    if (bits.empty()) {
      const array<T, 2> result = fields_.now();
      fields_.reset();
      run({.steps = steps, .schedule = schedule::stepwise});
      bits = to_host(fields_.now());
      fields_.now() = result;
    }
    return fields_.differing_bits(bits) == 0;
  }

 private:
  heat_fields<T>& fields_;
  Step step_;
  std::map<int, std::vector<T>> stepwise_;
};

/// Such a step as a variant.
template <class T, class Step>
class heat_loop : heat_steps<T, Step>, public step_loop<heat_steps<T, Step>> {
 public:
  heat_loop(heat_fields<T>& fields, const Step& step, schedule how, int depth,
            const std::string& single_steps)
      : heat_steps<T, Step>(fields, step),
        step_loop<heat_steps<T, Step>>(static_cast<heat_steps<T, Step>&>(*this), how, depth,
                                       single_steps) {}
  using step_loop<heat_steps<T, Step>>::reset;
  using step_loop<heat_steps<T, Step>>::run;
  using step_loop<heat_steps<T, Step>>::check;
};
template <class T, class Step>
std::unique_ptr<lab::experiment> make_heat_loop(heat_fields<T>& fields, const Step& step,
                                                schedule how, int depth,
                                                const std::string& single_steps = "stepwise") {
  return std::make_unique<heat_loop<T, Step>>(fields, step, how, depth, single_steps);
}

/// The variant `factored`.
template <class T>
std::unique_ptr<lab::experiment> make_factored_heat(heat_fields<T>& fields, int depth);

}  // namespace teff::bench

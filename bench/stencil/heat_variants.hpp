// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/kernel/launch.hpp>

#include <bench/stencil/step_case.hpp>

/// Steps of one field from now() to next(): what diffusion2d and diffusion3d have besides time
/// steps. Their Problem has
///   inner(array)                  its inner cells, as a target
///   heated(now, Ci)               what they become, as an expression
///   step_of_cell(next, now, Ci)   the same as a function object of a cell's indices
namespace teff::bench {

/// What these variants share: they can run again and again.
template <class Problem>
class step_to_next : public lab::experiment {
  using T = typename Problem::value_type;

 public:
  explicit step_to_next(step_fields<Problem>& fields) : fields_(fields) {
    fields_.next();  // made now: a graph that records launches can not allocate
  }
  void reset() override {
    fields_.reset();
    fields_.next() = fields_.now();
    fields_.problem().inner(fields_.next()) = poison<T>();
  }
  lab::check_result check() override { return fields_.check(fields_.next(), 0, 1); }
  lab::workload work() const override {
    const traffic& ideal = fields_.ideal();
    return {ideal, ideal.a_eff_bytes(), 1, 1};
  }

 protected:
  step_fields<Problem>& fields_;
};

/// `fused`: one statement.
template <class Problem>
class fused_statement : public step_to_next<Problem> {
 public:
  using step_to_next<Problem>::step_to_next;
  void run() override { target() = step(); }
  lab::workload work() const override {
    return {this->fields_.ideal(), traffic_of(target(), step()).a_eff_bytes(), 1, 1};
  }

 private:
  auto target() const { return this->fields_.problem().inner(this->fields_.next()); }
  auto step() const {
    return this->fields_.problem().heated(this->fields_.now(), this->fields_.field(1));
  }
};

/// `kernel`: a launch with one cell a thread. @param threads of a block; empty: as launch() chooses
template <class Problem>
class step_kernel : public step_to_next<Problem> {
  using array_type = array<typename Problem::value_type, Problem::rank>;

 public:
  step_kernel(step_fields<Problem>& fields, const std::vector<int>& threads)
      : step_to_next<Problem>(fields) {
    const device dev = fields.on().dev();
    if (Problem::rank != 2 || dev.is_cpu()) return;
    launch_shape asked;
    for (std::size_t d = 0; d < 3 && !threads.empty(); ++d)
      asked.n[d] = d < threads.size() ? threads[d] : 1;
    options_.threads = legal_shape(dev, asked, fields.now().shape().n, Problem::rank);
  }
  void run() override { launch_step(this->fields_.next(), this->fields_.now()); }
  std::vector<int> threads() const override {
    if (!options_.threads.is_chosen()) return {};
    return {options_.threads.n, options_.threads.n + 2};
  }

 protected:
  void launch_step(const array_type& next, const array_type& now) {
    launch(this->fields_.on(), now.shape(), options_,
           this->fields_.problem().step_of_cell(next, now, this->fields_.field(1)));
  }

 private:
  launch_options options_;
};

}  // namespace teff::bench

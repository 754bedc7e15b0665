// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>
#include <string>

#include <teff/base/bytes.hpp>
#include <teff/stencil/iterate.hpp>

/// explain(): what Teff knows of a statement or a time step before it runs.
namespace teff {

/// Lines of text, to be streamed.
struct explanation {
  std::string text;
  friend std::ostream& operator<<(std::ostream& out, const explanation& e) { return out << e.text; }
};

}  // namespace teff

namespace teff::inline TEFF_MODE {

namespace detail {

[[gnu::cold]] inline std::string bytes_line(const traffic& moved) {
  return "  bytes: A_eff " + bytes_text(static_cast<std::size_t>(moved.a_eff_bytes())) + " = " +
         bytes_text(static_cast<std::size_t>(moved.read_bytes)) + " read + " +
         bytes_text(static_cast<std::size_t>(moved.write_bytes)) + " written; " +
         std::to_string(static_cast<long long>(moved.flop / (moved.cells > 0 ? moved.cells : 1))) +
         " operations a cell\n";
}

[[gnu::cold]] inline std::string kernel_line(const kernel_facts& kernel, device dev) {
  return "  kernel: " + kernel.text(dev) + "\n";
}

template <class Step, int S, class A>
[[gnu::cold, gnu::noinline]] std::string field_line(const A& a) {
  constexpr footprint reads = Step::template reads<S>();
  std::string line = "  field " + std::to_string(S) + ", " + described(a) + ": ";
  line += Step::template evolves<S>() ? "evolves" : "known";
  if (!reads.is_read) return line + ", not read\n";
  line += reads.is_centre_only() ? ", read at the cell" : reads.has_corners ? ", box" : ", star";
  constexpr const char* axis[3] = {"x", "y", "z"};
  for (int d = 0; d < 3; ++d)
    if (reads.low[d] != 0 || reads.high[d] != 0)
      line += std::string(" ") + axis[d] + " " + std::to_string(reads.low[d]) + ".." +
              std::to_string(reads.high[d]);
  return line + "\n";
}

template <class Step, int... S, class... A>
std::string field_lines(std::integer_sequence<int, S...>, const A&... arrays) {
  return (std::string() + ... + field_line<Step, S>(arrays));
}

}  // namespace detail

/// The fields, offsets, bytes, schedules and kernels of a time step.
template <class Fn, class... T, int... N>
explanation explain_step(const timestep<Fn>& step, const iterate_options& options,
                         const array_ref<T, N>&... arrays) {
  const auto stage = step.formula(arrays...);
  using traits = typename detail::step_of<std::remove_cvref_t<decltype(stage)>>::traits;
  const auto loop = detail::make_time_loop(stage, arrays...);
  const step_facts facts = loop.facts();
  const device dev = loop.leading_field().dev();
  iterate_options asked = options;
  if (asked.steps == 0) asked.steps = 1000;
  const step_plan plan = detail::planned(loop, asked);

  std::string text = "time step on " + dev.name() + "\n";
  text += detail::field_lines<traits>(std::make_integer_sequence<int, sizeof...(T)>{}, arrays...);
  text += detail::bytes_line(loop.per_step());
  text += "  schedule: " + std::string(plan.schedule == schedule::temporal ? "temporal, " : "") +
          plan_text(plan) + " (" + plan.reason + ")\n";
  text += predictions_text(known_device(dev), facts);
  for (const kernel_facts& kernel : loop.kernels(plan)) text += detail::kernel_line(kernel, dev);
  return {text};
}

template <class Fn, class... A>
requires(array_like<A>&&...) explanation explain(const timestep<Fn>& step, const A&... arrays) {
  return explain_step(step, {}, arrays...);
}
template <class Fn, class... A>
requires(array_like<A>&&...) explanation
    explain(const timestep<Fn>& step, const iterate_options& options, const A&... arrays) {
  return explain_step(step, options, arrays...);
}

/// The arrays, bytes and loop of a statement: explain(update(A, B + 0.3 * C)).
template <class T, int N, class E>
explanation explain(const update_stage<array_ref<T, N>, E>& statement) {
  const auto& target = statement.target;
  detail::survey<T, N> found(target);
  statement.rhs.template visit<0, 0, 0>(detail::window_of(target), found);
  const detail::statement_shape where = found.shape(E::is_collapsible);
  std::string text = "statement on " + target.dev().name() + ": " + described(target) + " = " +
                     statement.rhs.text() + "\n";
  text += detail::bytes_line(traffic_of(target, statement.rhs));
  text += std::string("  loop: ") +
          (where.is_one_row
               ? "all arrays contiguous, one row of " + std::to_string(where.n[0]) + " cells"
               : "rows of " + std::to_string(where.n[0]) + " cells") +
          (where.has_unit_stride ? ", cells side by side along x\n" : ", strided along x\n");
  if (const auto kernel = detail::statement_kernel(target, statement.rhs, where))
    text += detail::kernel_line(*kernel, target.dev());
  return {text};
}

}  // namespace teff::inline TEFF_MODE

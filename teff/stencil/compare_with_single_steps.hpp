// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <teff/array/host_copy.hpp>
#include <teff/array/same_bits.hpp>
#include <teff/stencil/time_loop.hpp>

/// Whether passes of several steps, or of several stages at once, give the bits of single ones on
/// this device, as they must.
/// (Compilers err: nvcc 13.0 was seen to make a wrong kernel of a right one.)
namespace teff::inline TEFF_MODE::detail {

/// A time loop for a formula over `arrays`.
template <class Formula, class... T, int... N>
auto make_time_loop(const Formula& formula, const array_ref<T, N>&... arrays) {
  using step_type = step_of<Formula>;
  const auto stages = step_type::list(formula);
  return time_loop<typename step_type::traits, std::remove_cvref_t<decltype(stages)>,
                   array_ref<T, N>...>(stages, arrays...);
}

/// How many cells along each dim a part of the fields leaves out: some tiles stay. Fields of faces
/// stay longer than others. @param fewer columns to leave out besides, where there are enough
template <int Rank>
extents<3> cells_left_out(const shape3& n, index_t fewer) {
  constexpr index_t most[3] = {Rank == 3 ? 200 : 400, Rank == 3 ? 100 : 70, 20};
  extents<3> out(0, 0, 0);
  for (int d = 0; d < 3; ++d) out.n[d] = n.n[d] > most[d] ? n.n[d] - most[d] : 0;
  if (n.n[0] - out.n[0] > 32) out.n[0] += fewer;
  return out;
}
template <class T, int N>
array<T, N> copy_of_part(const array_ref<T, N>& a, const extents<3>& left_out) {
  view<T, N> cells = a.view();
  for (int d = 0; d < N; ++d) cells.shape[d] -= left_out.n[d] < cells.shape[d] ? left_out.n[d] : 0;
  const array_ref<T, N> part(a.on(), a.block(), cells, a.shared_label());
  array<T, N> copy(a.on(), part.shape(), "part of a field");
  assign(copy, part);
  return copy;
}

/// Makes neighbouring cells differ, where a field may begin with zeros or ones: each value by up to
/// a quarter of itself and up to half of the largest more. What is positive stays so.
template <class T, int N>
void roughen(const array<T, N>& a) {
  if constexpr (rounded::real<T>) {
    std::vector<T> cells = to_host(a);
    T largest = 0;
    for (const T& c : cells)
      if (std::isfinite(c)) largest = std::max(largest, std::abs(c));
    if (largest == 0) largest = 1;
    std::uint32_t state = 1;
    const auto below_one = [&] {  // a linear congruential generator's upper bits
      state = state * 1664525u + 1013904223u;
      return static_cast<T>(state >> 8) / T(1 << 24);
    };
    for (T& c : cells) {
      const T factor = T(0.75) + below_one() / 2;
      c = c * factor + below_one() / 2 * largest;
    }
    a = from_host(cells);
  }
}
template <class T, int N>
bool have_same_bits(const array<T, N>& a, const array<T, N>& b) {
  const std::vector<T> one = to_host(a), other = to_host(b);
  return std::equal(one.begin(), one.end(), other.begin(), has_same_bits<T>);
}

/// `steps` by a plan, and `single_steps` one by one, over copies of a part of the fields, those
/// that evolve roughened: are all bits the same? @sync waits for the fields
template <class Formula, class... T, int... N>
bool has_bits_of_single_steps(const Formula& formula, const step_plan& plan, index_t steps,
                              index_t single_steps, const extents<3>& left_out,
                              const array_ref<T, N>&... arrays) {
  using traits = typename step_of<Formula>::traits;
  const std::tuple<array<T, N>...> by_plan{copy_of_part(arrays, left_out)...};
  each_number(
      [&]<int S>() {
        if constexpr (traits::template evolves<S>()) roughen(std::get<S>(by_plan));
      },
      std::make_integer_sequence<int, sizeof...(T)>{});
  const std::tuple<array<T, N>...> one_by_one = by_plan;
  const auto advance = [&](const auto& fields, const step_plan& how, index_t count) {
    std::apply(
        [&](const auto&... a) {
          auto loop = make_time_loop(formula, static_cast<const array_ref<T, N>&>(a)...);
          loop.start(how, 0);
          loop.advance(count, how);
          loop.finish();
        },
        fields);
  };
  advance(by_plan, plan, steps);
  advance(one_by_one, {schedule::stepwise, 1, ""}, single_steps);
  return [&]<int... S>(std::integer_sequence<int, S...>) {
    return (have_same_bits(std::get<S>(by_plan), std::get<S>(one_by_one)) && ...);
  }
  (std::make_integer_sequence<int, sizeof...(T)>{});
}

/// Why a plan's kernel can not be trusted; "" if it can. Passes take all of their steps, then one
/// less, resident blocks meet twice; over even and odd numbers of columns, since rows that begin at
/// 16 bytes are loaded by a loop of their own.
template <class Formula, class Loop, class... T, int... N>
std::string why_kernel_is_not_trusted(const Formula& formula, const Loop& loop,
                                      const step_plan& plan, const array_ref<T, N>&... arrays) {
  constexpr int rank = step_of<Formula>::traits::rank;
  // Resident blocks meet after eight steps at most.
  const index_t steps = plan.schedule == schedule::resident ? 17 : 2 * plan.depth - 1;
  shape3 n{{1, 1, 1}};
  for (int d = 0; d < rank; ++d) n.n[d] = loop.leading_field().extent(d);
  for (const index_t fewer : {0, 1})
    if (!has_bits_of_single_steps(formula, plan, steps, steps, cells_left_out<rank>(n, fewer),
                                  arrays...))
      return plan_text(plan) +
             " gave other bits than single steps on a part of the fields: the compiler made a "
             "wrong kernel of this formula";
  return "";
}

/// Why a plan can not be trusted on a GPU; "" if it can, and on a CPU. A run may end in passes of
/// fewer steps, so their kernels are tried, too: each once in a process for a formula and a device.
/// @sync waits for the fields when it tries
template <class Formula, class Loop, class... T, int... N>
std::string why_not_trusted([[maybe_unused]] const Formula& formula, const Loop& loop,
                            [[maybe_unused]] const step_plan& plan,
                            [[maybe_unused]] const array_ref<T, N>&... arrays) {
  if constexpr (is_cuda_unit) {
    const device dev = loop.leading_field().dev();
    if (dev.is_cpu() || plan.schedule == schedule::stepwise) return "";
    static std::mutex guard;
    static std::map<std::tuple<std::string, std::string, schedule, int>, std::string> known;
    const std::lock_guard lock(guard);
    std::vector<step_plan> kernels{plan};
    if (plan.schedule == schedule::temporal) {
      kernels.clear();
      for (const depth_choice& choice : loop.facts().depths)
        if (kernels.empty() || kernels.back().depth < plan.depth)
          kernels.push_back({schedule::temporal, choice.depth, ""});
    }
    for (const step_plan& kernel : kernels) {
      const std::tuple key(dev.name(), loop.borders_text(), kernel.schedule, kernel.depth);
      auto verdict = known.find(key);
      if (verdict == known.end()) {
        try {
          const std::string why = why_kernel_is_not_trusted(formula, loop, kernel, arrays...);
          verdict = known.emplace(key, why).first;
        } catch (const std::exception& e) {  // not kept: there may be memory the next time
          return plan_text(kernel) + " could not be tried on a part of the fields: " + e.what();
        }
      }
      if (!verdict->second.empty()) return verdict->second;
    }
  }
  return "";
}

}  // namespace teff::inline TEFF_MODE::detail

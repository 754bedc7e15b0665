// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <teff/expr/statement.hpp>
#include <teff/stencil/stages/joint_statement_cpu.hpp>
#ifdef __CUDACC__
#include <teff/stencil/stages/joint_statement_cuda.cuh>
#endif

/// Several statements as one: a joint statement computes all of a cell's values before it stores
/// any, so what several parts read comes from memory once. What a part writes, no other may read.
namespace teff::inline TEFF_MODE::detail {

/// What the parts read for one cell: so many elements, each once, of so many fields.
template <int Loads, int Fields>
struct joint_reads {
  static constexpr int loads = Loads, fields = Fields;
};

/// target = e, of a joint statement.
template <class T, int N, class E>
struct assignment {
  using value_type = T;
  using expression = E;
  static constexpr int rank = N;
  array_ref<T, N> target;
  E e;
};

template <class T, int N, class E>
assignment<T, N, E> assignment_of(const array_ref<T, N>& target, const E& e) {
  return {target, e};
}

/// A part and how its arrays lie: the target's at first, then the operands' too.
template <class Part>
struct surveyed {
  using part_type = Part;
  const Part& part;
  operation<typename Part::value_type, Part::rank> found;

  explicit surveyed(const Part& p) : part(p), found(p.target) {}
  /// @throws error on extents that differ, and on what makes a statement racy
  void find_operands() {
    const array_leaf left(part.target);
    (void)combined(left.shape(no_fields{}), left, part.e.shape(no_fields{}), part.e);
    part.e.template visit<0, 0, 0>(window_of(part.target), found);
  }
};

/// What all parts move and compute: what several read counts once.
template <class... Part>
traffic traffic_of_parts(const Part&... part) {
  runtime::read_count count;
  const count_reads reads{count};
  (part.e.template visit<0, 0, 0>(window_of(part.target), reads), ...);
  traffic moved;
  moved.read_bytes = count.bytes();
  const auto add = [&](double cells, double bytes_of_target, int flops) {
    moved.write_bytes += bytes_of_target;
    moved.cells = std::max(moved.cells, cells);
    moved.flop += cells * flops;
  };
  (add(static_cast<double>(part.target.size()), static_cast<double>(bytes(part.target)),
       Part::expression::flops),
   ...);
  return moved;
}

template <bool UnitStride, class... Surveyed>
void evaluate_on_cpu(const Surveyed&... s) {
  const auto part = [](const auto& one) {
    using value_type = typename std::remove_cvref_t<decltype(one)>::part_type::value_type;
    const statement_shape where = one.found.shape(false);
    const auto lowered = one.part.e.lower(lowering{});
    return joint_part<UnitStride, value_type, std::remove_const_t<decltype(lowered)>>(
        one.found.lowered_target(where), lowered, where, one.found.rows());
  };
  evaluate_parts(part(s)...);
}

/// @tparam Reads joint_reads
template <class Reads, class First, class... Rest>
void evaluate_surveyed(const First& first, const Rest&... rest) {
  const stream& on = first.part.target.on();
  if (on.dev().is_cpu()) {
    if (first.found.shape(false).has_unit_stride &&
        (rest.found.shape(false).has_unit_stride && ...))
      evaluate_on_cpu<true>(first, rest...);
    else
      evaluate_on_cpu<false>(first, rest...);
    return;
  }
#ifdef __CUDACC__
  joint_launch<Reads, First, Rest...>(first, rest...).run(on, first, rest...);
#else
  runtime::throw_no_kernel("a statement", on.dev());
#endif
}

/// The kernel of a joint statement over targets that lie as these do; nothing on a CPU.
template <class Reads, class... Part>
std::optional<kernel_facts> joint_kernel([[maybe_unused]] const Part&... part) {
#ifdef __CUDACC__
  const stream& on = entry<0>(tuple_of(part.target...)).on();
  const traffic moved = traffic_of_parts(part...);
  if (on.dev().is_cuda() && moved.cells > 0)
    return [&](const surveyed<Part>&... s) {
      return joint_launch<Reads, surveyed<Part>...>(s...).facts(
          on.dev(), moved.read_bytes / moved.cells, s...);
    }(surveyed<Part>(part)...);
#endif
  return std::nullopt;
}

/// All parts at once. Their targets are on one stream.
/// @tparam Reads joint_reads
template <class Reads, class First, class... Rest>
void assign_jointly(const First& first, const Rest&... rest) {
  const auto run = [&](surveyed<First>&& of_first, surveyed<Rest>&&... of_rest) {
    of_first.find_operands();
    (of_rest.find_operands(), ...);
    if (first.target.size() == 0 && ((rest.target.size() == 0) && ...)) return;
    (of_first.found.adds_streams_of(of_rest.found.others()), ...);
    of_first.found.run_described(
        "statement",
        [&] {
          return runtime::call_description{
              first.target.label(),
              described(first.target) + " and " + std::to_string(sizeof...(Rest)) + " more",
              traffic_of_parts(first, rest...), ""};
        },
        [&] { evaluate_surveyed<Reads>(of_first, of_rest...); });
  };
  run(surveyed<First>(first), surveyed<Rest>(rest)...);
}

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <teff/array/array.hpp>
#include <teff/formula/bound.hpp>
#include <teff/formula/captured.hpp>
#include <teff/stencil/stepped_field.hpp>

/// The bytes of a time step: of one ideal pass, and stage by stage.
namespace teff::inline TEFF_MODE::detail {

/// The cells that stage K writes.
template <class Step, int K, class Fields>
auto target_of_stage(const Fields& fields) {
  using stage = typename Step::template stage<K>;
  return written_cells<typename stage::written>(entry<stage::slot>(fields).given);
}

/// Adds what stage K reads of arrays that its formula captures.
template <class Step, int K, class Stages, class Fields>
void count_captured(runtime::read_count& count, const Stages& stages, const Fields& fields) {
  visit_captured(entry<K>(stages).rhs, target_of_stage<Step, K>(fields),
                 [&](const auto&, const region& read) { count.add(read); });
}

/// 2 D_u + D_k: whole arrays, boundary included, and what formulas capture; each array once, in
/// whichever of these ways it comes. A field whose old values no step needs is only written.
template <class Step, class Stages, class... F>
traffic traffic_of_step(const Stages& stages, const tuple<F...>& fields) {
  traffic moved;
  runtime::read_count reads;
  each_number(
      [&]<int S>() {
        const auto& given = entry<S>(fields).given;
        if (Step::template evolves<S>()) moved.write_bytes += static_cast<double>(bytes(given));
        if (Step::template evolves<S>() ? Step::template has_history<S>()
                                        : Step::template reads<S>().is_read)
          reads.add(region_of(given));
      },
      std::make_integer_sequence<int, sizeof...(F)>{});
  moved.cells = static_cast<double>(entry<Step::leading_slot()>(fields).given.size());
  each_number(
      [&]<int K>() {
        using stage = typename Step::template stage<K>;
        moved.flop +=
            static_cast<double>(entry<stage::slot>(fields).given.size()) * stage::rhs::flops;
        count_captured<Step, K>(reads, stages, fields);
      },
      std::make_integer_sequence<int, Step::stages>{});
  moved.read_bytes = reads.bytes();
  return moved;
}

/// What the stages read and write, one after the other.
template <class Step, class Stages, class... F>
double bytes_stage_by_stage(const Stages& stages, const tuple<F...>& fields) {
  double moved = 0;
  each_number(
      [&]<int K>() {
        using stage = typename Step::template stage<K>;
        runtime::read_count reads;
        each_number(
            [&]<int S>() {
              const auto& given = entry<S>(fields).given;
              if (stage::template reads<S>().is_read) reads.add(region_of(given));
              if (stage::slot == S) moved += static_cast<double>(bytes(given));
            },
            std::make_integer_sequence<int, sizeof...(F)>{});
        count_captured<Step, K>(reads, stages, fields);
        moved += reads.bytes();
      },
      std::make_integer_sequence<int, Step::stages>{});
  return moved;
}

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <teff/array/array.hpp>
#include <teff/stencil/bound.hpp>
#include <teff/stencil/captured.hpp>
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

/// 2 D_u + D_k: whole arrays, boundary included, and what formulas capture, each once. A field
/// whose old values no step needs is only written.
template <class Step, class Stages, class... F>
traffic traffic_of_step(const Stages& stages, const operand_list<F...>& fields) {
  traffic moved;
  each_number(
      [&]<int S>() {
        const auto field_bytes = static_cast<double>(bytes(entry<S>(fields).given));
        if (Step::template evolves<S>()) moved.write_bytes += field_bytes;
        if (Step::template evolves<S>() ? Step::template has_history<S>()
                                        : Step::template reads<S>().is_read)
          moved.read_bytes += field_bytes;
      },
      std::make_integer_sequence<int, sizeof...(F)>{});
  moved.cells = static_cast<double>(entry<Step::leading_slot()>(fields).given.size());
  runtime::read_count captured;
  each_number(
      [&]<int K>() {
        using stage = typename Step::template stage<K>;
        moved.flop +=
            static_cast<double>(entry<stage::slot>(fields).given.size()) * stage::rhs::flops;
        count_captured<Step, K>(captured, stages, fields);
      },
      std::make_integer_sequence<int, Step::stages>{});
  moved.read_bytes += captured.bytes();
  return moved;
}

/// What the stages read and write, one after the other.
template <class Step, class Stages, class... F>
double bytes_stage_by_stage(const Stages& stages, const operand_list<F...>& fields) {
  double moved = 0;
  each_number(
      [&]<int K>() {
        using stage = typename Step::template stage<K>;
        each_number(
            [&]<int S>() {
              moved += static_cast<double>(bytes(entry<S>(fields).given)) *
                       (stage::template reads<S>().is_read + (stage::slot == S));
            },
            std::make_integer_sequence<int, sizeof...(F)>{});
        runtime::read_count captured;
        count_captured<Step, K>(captured, stages, fields);
        moved += captured.bytes();
      },
      std::make_integer_sequence<int, Step::stages>{});
  return moved;
}

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <utility>

#include <teff/formula/traits.hpp>
#include <teff/stencil/lowered_stages.hpp>

/// What it costs to fuse the stages of a step (fused/kernel.hpp).
namespace teff::inline TEFF_MODE::detail {

/// The last of the first `stages` stages that writes field S; -1: none.
template <class Step, int S>
constexpr int last_writer(int stages) {
  for (int k = stages - 1; k >= 0; --k)
    if (Step::slot_of(k) == S) return k;
  return -1;
}

/// What fusing a step's stages costs: right-hand sides are counted once for each reader.
template <class Step, int Fields>
struct fused_cost {
  /// That a cell of all fields that last takes.
  static constexpr int evaluations() { return sum(false); }
  /// Operations, for each one that stages one by one take.
  static constexpr double overlap() {
    return Step::flops > 0 ? static_cast<double>(sum(true)) / Step::flops : 1;
  }
  /// What memory has time for is the model's to say; this is what the compiler has.
  static constexpr bool is_sensible() { return evaluations() <= 24 && sum(true) <= 512; }

 private:
  using costs = std::array<int, static_cast<std::size_t>(Step::stages)>;

  /// Of all fields: right-hand sides, or their operations.
  static constexpr int sum(bool of_flops) {
    return [&]<int... K>(std::integer_sequence<int, K...>) {
      costs cost{};
      ((cost[K] = of_stage<K>(cost, of_flops, std::make_integer_sequence<int, Fields>{})), ...);
      return (0 + ... + (is_last<K>() ? cost[K] : 0));
    }
    (std::make_integer_sequence<int, Step::stages>{});
  }
  template <int K, int... S>
  static constexpr int of_stage(const costs& earlier, bool of_flops,
                                std::integer_sequence<int, S...>) {
    using stage = typename Step::template stage<K>;
    const auto of_field = [&](int writer, const footprint& reads) {
      return writer < 0 ? 0 : reads.cells_read() * earlier[static_cast<std::size_t>(writer)];
    };
    return (of_flops ? stage::rhs::flops : 1) +
           (0 + ... + of_field(last_writer<Step, S>(Step::sees(K)), stage::template reads<S>()));
  }
  /// What stage K writes is stored: no later stage writes that field.
  template <int K>
  static constexpr bool is_last() {
    constexpr int slot = Step::slot_of(K);
    return Step::lasts(slot) && last_writer<Step, slot>(Step::stages) == K;
  }
};

/// What a step's formula allows, whatever the arrays.
template <class Step, int Fields>
constexpr bool fuses_stages() {
  if constexpr (Step::stages > 1 && !Step::has_conditions() && allows_passes<Step, Fields>())
    return fused_cost<Step, Fields>::is_sensible();
  return false;
}

}  // namespace teff::inline TEFF_MODE::detail

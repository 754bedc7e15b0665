// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <teff/array/array.hpp>
#include <teff/stencil/resident/plan.hpp>

/// What resident blocks tell each other between two rounds.
namespace teff::inline TEFF_MODE::detail {

/// A cell on its way to other blocks.
template <class T>
struct alignas(sizeof(T) == 8 ? 16 : 8) message {
  T value;
  std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t> round;  // from 1 on
};

/// Messages take as much memory as so many copies of the fields that evolve: two for each cell,
/// each twice as large as a cell.
inline constexpr int message_copies = 4;
static_assert(2 * sizeof(message<f64>) == message_copies * sizeof(f64) &&
              2 * sizeof(message<f32>) == message_copies * sizeof(f32));

/// Two messages for each cell of the fields that evolve, as the blocks have left them.
template <class Step, class... T>
class resident_messages {
  using field_numbers = std::make_integer_sequence<int, sizeof...(T)>;

 public:
  std::uint32_t rounds = 0;  ///< that were sent

  /// @sync as an allocation
  resident_messages(const stream& on, const resident_cut& cut) {
    allocate(on, index_t{cut.all(0)} * cut.all(1), field_numbers{});
  }
  /// Those of even rounds, or of odd ones.
  tuple<message<T>*...> of(int parity) const { return of(parity, field_numbers{}); }

 private:
  template <int... S>
  void allocate(const stream& on, index_t cells, std::integer_sequence<int, S...>) {
    const auto add = [&](bool evolves, std::size_t bytes) {
      const index_t words = 2 * cells * static_cast<index_t>(bytes / sizeof(i64));
      words_.emplace_back(on, teff::extents<1>{evolves ? words : 0}, "messages of iterate");
      zero_bytes(on, words_.back().data(),
                 static_cast<std::size_t>(words_.back().size()) * sizeof(i64));
    };
    (add(Step::template evolves<S>(), sizeof(message<T>)), ...);
  }
  template <int... S>
  tuple<message<T>*...> of(int parity, std::integer_sequence<int, S...>) const {
    return tuple_of(
        reinterpret_cast<message<T>*>(words_[S].data() + parity * words_[S].size() / 2)...);
  }

  std::vector<array<i64, 1>> words_;  // by field
};

}  // namespace teff::inline TEFF_MODE::detail

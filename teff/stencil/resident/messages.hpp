// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include <teff/array/array_handle.hpp>
#include <teff/stencil/resident/plan.hpp>

/// What resident blocks tell each other between two rounds.
namespace teff::runtime {

/// Room for the messages of a run, by field: zeros at first.
class message_memory {
 public:
  std::uint32_t rounds = 0;  ///< that were sent

  /// @param words of 8 bytes for each field @sync as an allocation
  message_memory(const stream& on, std::initializer_list<index_t> words);
  ~message_memory();
  message_memory(message_memory&&) = delete;
  message_memory& operator=(message_memory&&) = delete;

 protected:
  /// One of the two halves of a field's words.
  void* half(int field, int number) const;

 private:
  struct words_of_field {
    array_handle owner;
    index_t count;
  };
  std::vector<words_of_field> words_;
};

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {

/// A cell on its way to other blocks.
template <class T>
struct alignas(sizeof(T) == 8 ? 16 : 8) message {
  T value;
  std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t> round;  // from 1 on
};

/// Messages take as much memory as so many copies of the fields that last: two for each cell,
/// each twice as large as a cell.
inline constexpr int message_copies = 4;
static_assert(2 * sizeof(message<f64>) == message_copies * sizeof(f64) &&
              2 * sizeof(message<f32>) == message_copies * sizeof(f32));

/// Two messages for each cell of the fields that last, as the blocks have left them.
template <class Step, class... T>
class resident_messages : public runtime::message_memory {
  using field_numbers = std::make_integer_sequence<int, sizeof...(T)>;

 public:
  /// @sync as an allocation
  resident_messages(const stream& on, const resident_cut& cut)
      : resident_messages(on, index_t{cut.all(0)} * cut.all(1), field_numbers{}) {}
  /// Those of even rounds, or of odd ones.
  tuple<message<T>*...> of(int parity) const { return of(parity, field_numbers{}); }

 private:
  template <int... S>
  resident_messages(const stream& on, index_t cells, std::integer_sequence<int, S...>)
      : message_memory(on, {words_of<T>(Step::lasts(S) ? cells : 0)...}) {}
  template <class V>
  static index_t words_of(index_t cells) {
    return 2 * cells * static_cast<index_t>(sizeof(message<V>) / sizeof(i64));
  }
  template <int... S>
  tuple<message<T>*...> of(int parity, std::integer_sequence<int, S...>) const {
    return tuple_of(static_cast<message<T>*>(half(S, parity))...);
  }
};

}  // namespace teff::inline TEFF_MODE::detail

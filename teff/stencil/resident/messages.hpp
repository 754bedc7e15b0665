// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <teff/array/array_handle.hpp>
#include <teff/expr/tuple.hpp>
#include <teff/stencil/resident/cut.hpp>
#include <teff/stencil/resident/message.hpp>

/// What resident blocks tell each other between two rounds.
namespace teff::runtime {

/// Room for the messages of a run, by field: zeros at first.
class message_memory {
 public:
  /// @param words of 8 bytes for each field @sync as an allocation
  message_memory(const stream& on, const std::vector<index_t>& words);
  ~message_memory();
  message_memory(message_memory&&) = delete;
  message_memory& operator=(message_memory&&) = delete;

  std::uint32_t rounds() const { return rounds_; }  ///< that were sent
  /// Those of a launch.
  void add_rounds(int steps, const resident_cut& cut);
  /// One of the two halves of a field's words.
  void* half(int field, int number) const;

 private:
  struct words_of_field {
    array_handle owner;
    index_t count;
  };
  std::vector<words_of_field> words_;
  std::uint32_t rounds_ = 0;
};

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {

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
      : message_memory(on, {Step::lasts(S) ? message_words(cells, sizeof(T)) : 0 ...}) {}
  template <int... S>
  tuple<message<T>*...> of(int parity, std::integer_sequence<int, S...>) const {
    return tuple_of(static_cast<message<T>*>(half(S, parity))...);
  }
};

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>

namespace teff::runtime {

/// What functions of the user's throw in a SIMD loop, of which OpenMP lets nothing out: each turn
/// catches, the first exception is kept and passed on after the loop. Where nothing throws, the
/// compiler leaves nothing of all this and the loop is vectorized as without. (Not so if a turn is
/// a lambda: by its captures, stores might then change all that the loop reads.)
class thrown_in_loop {
 public:
  /// In a `catch (...)`: cell i threw.
  [[gnu::cold, gnu::noinline]] void keep(index_t i) noexcept;

  /// The exception as it is.
  void pass_on() {
    if (has_thrown_) throw_as_it_is();
  }
  /// As an error that names cell (i, j, k), of as many indices as `rank`, with the exception nested
  /// in it. @param rank 0: i alone, the number of a cell, counted x first
  void pass_on_from(int rank, index_t j, index_t k) {
    if (has_thrown_) throw_named(rank, j, k);
  }
  /// The same where a target has these strides, 0 along dims that it does not have.
  void pass_on_from(const index_t (&stride)[3], index_t j, index_t k) {
    if (has_thrown_) throw_named(stride[2] != 0 ? 3 : stride[1] != 0 ? 2 : 0, j, k);
  }

 private:
  [[noreturn, gnu::cold, gnu::noinline]] void throw_as_it_is();
  [[noreturn, gnu::cold, gnu::noinline]] void throw_named(int rank, index_t j, index_t k);

  bool has_thrown_ = false;
  alignas(void*) unsigned char what_[sizeof(void*)];  // then a std::exception_ptr, until passed on
  index_t i_ = 0;
};

}  // namespace teff::runtime

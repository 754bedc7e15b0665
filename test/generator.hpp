// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <limits>
#include <type_traits>

#include <teff/base/index.hpp>

#include "devices.hpp"

namespace teff::inline TEFF_MODE::test {

/// TEFF_SEED=N replays the cases of a run that printed N.
inline std::uint64_t run_seed() {
  const char* asked = std::getenv("TEFF_SEED");
  return asked != nullptr && *asked != '\0' ? std::strtoull(asked, nullptr, 10) : 20261121;
}

/// Random choices for generated cases (splitmix64, the same everywhere). Each test has its own,
/// named, so that its cases do not depend on which other tests run. When it goes it prints how many
/// cases it made.
class generator {
 public:
  explicit generator(const char* name) : name_(name), state_(run_seed()) {
    for (const char* c = name; *c != '\0'; ++c)
      state_ = state_ * 31 + static_cast<unsigned char>(*c);
  }
  ~generator() {
    total() += cases_;
    std::printf("generated %7ld cases: %s (TEFF_SEED=%llu; %ld so far)\n", cases_, name_,
                static_cast<unsigned long long>(run_seed()), total());
  }
  generator(generator&&) = delete;
  generator& operator=(generator&&) = delete;

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// One of low, low + 1, ..., high.
  index_t between(index_t low, index_t high) {
    return low + static_cast<index_t>(next() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(int percent) { return between(0, 99) < percent; }
  /// In [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// A value of moderate size, of any element type.
  template <class T>
  T value() {
    if constexpr (std::is_same_v<T, bool>)
      return chance(50);
    else if constexpr (std::is_same_v<T, u8>)
      return static_cast<T>(between(0, 255));
    else if constexpr (std::is_integral_v<T>)
      return static_cast<T>(between(-1000, 1000));
    else
      return static_cast<T>(4 * uniform() - 2);
  }

  void count() { ++cases_; }
  long cases() const { return cases_; }

  /// How many rounds of a loop of generated cases to make.
  static int rounds(int usual) { return is_quick() ? usual / 25 + 1 : usual; }
  /// The same where a round takes seconds: half of them, but in a long run.
  static int long_rounds(int all) { return rounds(is_long() ? all : all / 2); }

 private:
  static long& total() {
    static long cases = 0;
    return cases;
  }

  const char* name_;
  std::uint64_t state_;
  long cases_ = 0;
};

/// What a target holds before: no test expects such a value. (No NaN: of those any two are alike,
/// and so a cell that was written over might look untouched.)
template <class T>
T poison() {
  if constexpr (std::is_floating_point_v<T>)
    return T(-1.2345678e30);
  else if constexpr (std::is_same_v<T, u8>)
    return 0xA5;
  else
    return static_cast<T>(-123456789);
}

}  // namespace teff::inline TEFF_MODE::test

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/array/array.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/statement.hpp>
#include <teff/kernel/block.hpp>

#include "../devices.hpp"
#include "../message.hpp"

namespace teff::inline TEFF_MODE::test {

/// An array with these values.
template <class T>
array<T, 1> placed_on(device dev, const std::vector<T>& values) {
  array<T, 1> made(dev, {static_cast<index_t>(values.size())});
  if (!values.empty()) assign(made, from_host(values));
  return made;
}

/// What the emulator says about a kernel with one seed; "" if nothing.
template <class F>
std::string emulated(std::uint64_t seed, const block_options& options, const F& f) {
  const emulation by({.seed = seed, .quiet_rounds = 500});
  return message_of([&] { launch_blocks(device::cpu(), options, f); });
}

inline constexpr std::uint64_t seeds = 10;

/// Every seed's message has one of the sentences `any_of`, and all of `parts`.
template <class F>
void check_found(const block_options& options, const F& f, const std::vector<std::string>& any_of,
                 const std::vector<std::string>& parts) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const std::string said = emulated(seed, options, f);
    INFO("seed " << seed << ": " << said);
    bool is_one = false;
    for (const std::string& sentence : any_of)
      is_one = is_one || said.find(sentence) != std::string::npos;
    CHECK(is_one);
    for (const std::string& part : parts) CHECK(contains(said, part));
    CHECK(contains(said, "block kernel launched at "));
    CHECK(contains(said, "test_planted_"));
  }
}

/// Runs act(dev) on every device; in the emulator with every seed. What it finds fails the test.
template <class Act>
void everywhere(const Act& act, int resident_blocks = 4) {
  for (const device dev : test_devices())
    for (std::uint64_t seed = 1; seed <= (dev.is_cpu() ? seeds : 1); ++seed) {
      const emulation by({.seed = seed, .resident_blocks = resident_blocks});
      INFO(dev.name() << ", seed " << seed);
      CHECK(message_of([&] { act(dev); }) == "");
    }
}

/// 0 to 999, in an order that has no pattern; the same numbers always.
inline std::vector<i32> some_numbers(index_t n) {
  std::vector<i32> numbers;
  std::uint32_t state = 12345;
  for (index_t i = 0; i < n; ++i) {
    state = state * 1664525U + 1013904223U;
    numbers.push_back(static_cast<i32>((state >> 8) % 1000));
  }
  return numbers;
}

}  // namespace teff::inline TEFF_MODE::test

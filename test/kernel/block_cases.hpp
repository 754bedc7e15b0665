// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "../devices.hpp"
#include "../message.hpp"

#include <teff/array/array.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/statement.hpp>
#include <teff/kernel/block.hpp>

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

}  // namespace teff::inline TEFF_MODE::test

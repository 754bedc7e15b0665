// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "reference_values.hpp"

/// Fields compared with what was recorded of them (record_reference.py). Start values are random()
/// and all else is + - * /, so that no digit depends on a library's exp or sin: the same bits are
/// expected on every machine and device.
namespace teff::test {

/// Where the sampled values are: spread over all cells, the same in every run.
inline std::size_t sampled_cell(int number, std::size_t cells) {
  const std::uint64_t mixed = static_cast<std::uint64_t>(number + 1) * 0x9E3779B97F4A7C15u;
  return static_cast<std::size_t>(static_cast<double>(mixed >> 11) * 0x1p-53 *
                                  static_cast<double>(cells));
}

/// A field in 22 numbers: 20 of its values, its norm, its largest magnitude.
template <class R>
std::vector<double> digest_of(const std::vector<R>& field) {
  std::vector<double> numbers;
  for (int s = 0; s < 20; ++s)
    numbers.push_back(static_cast<double>(field[sampled_cell(s, field.size())]));
  double squares = 0, largest = 0;
  for (const R v : field) {
    squares += static_cast<double>(v) * static_cast<double>(v);
    largest = std::max(largest, std::abs(static_cast<double>(v)));
  }
  numbers.push_back(std::sqrt(squares));
  numbers.push_back(largest);
  return numbers;
}

/// "" if the digest is the recorded one, bit by bit; where record_reference.py asks, it is printed.
inline std::string reference_difference(const std::string& name, const std::vector<double>& got) {
  if (std::getenv("TEFF_RECORD_REFERENCE") != nullptr) {
    std::printf("reference|%s", name.c_str());
    for (const double v : got) std::printf("|%a", v);
    std::printf("\n");
    return "";
  }
  for (const reference& known : reference_values) {
    if (known.name != name) continue;
    for (std::size_t i = 0; i < got.size(); ++i)
      if (got[i] != known.numbers[i])
        return name + ": number " + std::to_string(i) + " is " + std::to_string(got[i]) +
               ", recorded was " + std::to_string(known.numbers[i]);
    return "";
  }
  return name + " is not recorded: see record_reference.py";
}

}  // namespace teff::test

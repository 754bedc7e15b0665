// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace teff::test {

/// Values as the bytes of a field.
template <class R>
std::string cells_of(const std::vector<R>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(R)};
}

}  // namespace teff::test

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

/// The serial oracle of copies, sums and triads: too simple to be wrong.
namespace teff::naive {

template <class T>
void copy(std::vector<T>& a, const std::vector<T>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = b[i];
}

template <class T>
void add(std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& c) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<T>(b[i] + c[i]);
}

/// Two roundings; an implementation with a fused multiply-add has one.
template <class T>
void triad(std::vector<T>& a, const std::vector<T>& b, T s, const std::vector<T>& c) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<T>(b[i] + s * c[i]);
}

template <class T>
void fill(std::vector<T>& a, T value) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = value;
}

}  // namespace teff::naive

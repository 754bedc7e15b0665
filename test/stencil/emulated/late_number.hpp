// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <string>

#include <teff/formula/footprint.hpp>

/// A number as a parameter is that follows the flow on a GPU: only the device knows it. In the
/// emulator, too, kernels have to fetch it.
namespace teff::inline TEFF_MODE::test {

/// While one lives, formulas are lowered for kernels: the host does not know late numbers.
struct lowered_for_kernels {
  static inline int alive = 0;
  lowered_for_kernels() { ++alive; }
  ~lowered_for_kernels() { --alive; }
  lowered_for_kernels(lowered_for_kernels&&) = delete;
  lowered_for_kernels& operator=(lowered_for_kernels&&) = delete;
};

template <class T>
struct late_number : node<late_number<T>> {
  using value_type = T;
  static constexpr int rank = 0, flops = 0, widest = 0, loads = 0;
  static constexpr bool is_pointwise = true, is_collapsible = true;

  const T* where;

  explicit late_number(const T* cell) : where(cell) {}
  template <class B>
  shape3 shape(const B&) const {
    return {};
  }
  template <int X, int Y, int Z, class F>
  void visit(const window&, F&) const {}
  device_parameter<T, T> lower(const lowering&) const {
    const bool is_unknown = lowered_for_kernels::alive > 0;
    return {{}, is_unknown ? std::numeric_limits<T>::quiet_NaN() : *where, where};
  }
  std::string text() const { return "a late number"; }
};

}  // namespace teff::inline TEFF_MODE::test

template <class T>
struct teff::TEFF_MODE::detail::reads_of_node<teff::TEFF_MODE::test::late_number<T>>
    : teff::TEFF_MODE::detail::reads_of_node<teff::TEFF_MODE::number<T>> {};

// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include <teff/array/array.hpp>

/// What others ship for the same: CUB on a GPU, the C++ standard library on one core of a CPU. Both
/// carry sums of f32 in f64, as Teff does.
namespace teff::bench {

/// Enqueues B = the cumulative sums of A along dim 0, row by row, each time it is called.
/// Contiguous arrays.
template <class T>
std::function<void()> vendor_cumsum(const array<T, 3>& b, const array<T, 3>& a);

/// Enqueues total(0) = the sum of all cells of A. A contiguous array.
template <class T>
std::function<void()> vendor_sum(const array<f64, 1>& total, const array<T, 3>& a);

}  // namespace teff::bench

// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include <teff/array/array.hpp>

/// What others ship for the same: CUB on a GPU, the C++ standard library on one core of a CPU. Both
/// carry sums of f32 in f64, as Teff does. Arrays are contiguous; each function returns what
/// enqueues the work each time it is called.
namespace teff::bench {

/// B = the cumulative sums of A along `dim`, column by column.
template <class T>
std::function<void()> vendor_cumsum(const array<T, 3>& b, const array<T, 3>& a, int dim);

/// total(0) = the sum of all cells of A.
template <class T>
std::function<void()> vendor_sum(const array<f64, 1>& total, const array<T, 3>& a);

/// The sums of A along `dim`, in the order of the other dims, x first.
template <class T>
std::function<void()> vendor_sums(const array<T, 1>& sums, const array<T, 3>& a, int dim);

/// o(d, b) = the sum of x(d, n) over the columns offsets[b] <= n < offsets[b + 1]: no empty bags.
template <class T>
std::function<void()> vendor_segmented_sum(const array<T, 2>& o, const array<T, 2>& x,
                                           const std::vector<i64>& offsets);

}  // namespace teff::bench

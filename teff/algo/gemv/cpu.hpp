// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/gemv/plan.hpp>

/// Matrix-vector products on the CPU, in the orders of gemv_plan. Twin: gemv/blocks.hpp.
namespace teff::runtime {

/// For T, Y = f64, f64 or f32, f32.
template <class T, class Y>
void gemv_cpu(const gemv_operands<T>& of, const gemv_target<Y>& to, const gemv_plan& plan);

}  // namespace teff::runtime

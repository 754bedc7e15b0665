// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/array/array_ref.hpp>

namespace teff::inline TEFF_MODE::detail {

/// For what reads other cells than those that it writes: there is no way to do it in place.
/// @throws error if the target shares memory with an operand, also where both are the same array
template <class T, int N, class S, int M>
void refuse_overlap(const char* kind, const array_ref<T, N>& target, const array_ref<S, M>& operand,
                    const char* role = "an operand") {
  if (operand.dev() == target.dev() && may_overlap(region_of(operand), region_of(target)))
    throw error(std::string(kind) + ": the target, " + described(target) + ", overlaps " + role +
                ", " + described(operand) + "; write to a second array");
}

}  // namespace teff::inline TEFF_MODE::detail

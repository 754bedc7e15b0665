// SPDX-License-Identifier: MIT
#pragma once

#include <teff/array/host_copy.hpp>
#include <teff/expr/statement.hpp>

namespace teff::inline TEFF_MODE {

/// Copies all cells, also between devices and between types of host memory.
/// @traffic reads source, writes target
/// @throws error if the extents differ
/// @sync asynchronous on the GPU's stream where pinned host memory or two GPU arrays are involved
template <class T, int N>
void copy(const array_ref<T, N>& target, const array_ref<T, N>& source) {
  if (target.dev() == source.dev()) {
    assign(target, source);
    return;
  }
  const array_leaf<T, N> to(target), from(source);
  (void)combined(to.shape(no_fields{}), to, from.shape(no_fields{}), from);
  if (!source.view().is_contiguous()) {
    const array<T, N> packed(source.on(), source.shape(), source.label());
    assign(packed, source);
    return copy(target, static_cast<const array_ref<T, N>&>(packed));
  }
  if (!target.view().is_contiguous()) {
    const array<T, N> packed(target.on(), target.shape(), target.label());
    copy(static_cast<const array_ref<T, N>&>(packed), source);
    return assign(target, packed);
  }
  const stream& gpu = target.dev().is_cuda() ? target.on() : source.on();
  gpu.wait_for(source.on());
  copy_bytes(gpu, target.data(), source.data(), static_cast<std::size_t>(bytes(source)));
  source.on().wait_for(gpu);
  target.on().wait_for(gpu);
}

}  // namespace teff::inline TEFF_MODE

// SPDX-License-Identifier: MIT
#pragma once

#include <teff/kernel/kernel_facts.hpp>
#include <teff/stencil/fused/kernel.hpp>

/// One launch of fused/kernel.hpp, and what is to be known of it.
namespace teff::inline TEFF_MODE::detail {

/// One step. @param formulas of its stages
template <class Step, class Formulas, class... T>
void launch_fused(const stream& on, const Formulas& formulas, const tuple<device_leaf<T>...>& from,
                  const tuple<device_target<T>...>& to, const shape3 (&extents)[sizeof...(T)]) {
  using kernel = fused_kernel<Step, Formulas, T...>;
  kernel fused{{from, to, formulas, {}, {}}};
  auto& work = fused.work;
  for (std::size_t f = 0; f < sizeof...(T); ++f)
    for (int d = 0; d < 3; ++d) work.n[f][d] = extents[f].n[d];
  work.cut = cut_fused(tables<Step, static_cast<int>(sizeof...(T))>::of_step, kernel::reach, work.n,
                       kernel::block_shape);
  launch_blocks(on, {.blocks = {work.cut.count()}, .threads = {kernel::threads}}, fused);
}

#ifdef __CUDACC__
/// The kernel in numbers.
template <class Step, class Formulas, class... T>
kernel_facts facts_of_fused(device dev) {
  using kernel = fused_kernel<Step, Formulas, T...>;
  kernel_facts facts = facts_of_block_kernel<kernel>(dev, kernel::threads, 0);
  facts.shape = runtime::fused_shape_text(kernel::block_shape);
  facts.bytes_in_flight =
      static_cast<double>(kernel::bytes_in_flight) * kernel::threads * facts.blocks_per_processor;
  return facts;
}
#endif

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include <teff/kernel/kernel_facts.hpp>
#include <teff/stencil/fused/kernel.hpp>

/// One launch of fused/kernel.hpp, and what is to be known of it.
namespace teff::inline TEFF_MODE::detail {

/// One step. @param formulas of its stages
template <class Step, class Formulas, class... T>
void launch_fused(const stream& on, const Formulas& formulas, const tuple<device_leaf<T>...>& from,
                  const tuple<device_target<T>...>& to, const shape3 (&extents)[sizeof...(T)]) {
  using kernel = fused_kernel<Step, Formulas, T...>;
  using shape = fused_shape<Step::widest, Step::rank, static_cast<int>(sizeof...(T))>;
  kernel fused{{from, to, formulas, {}, {1, 1, 1}, {}, {}, {}, shape::threads_x}};
  auto& work = fused.work;
  for (std::size_t f = 0; f < sizeof...(T); ++f)
    for (int d = 0; d < 3; ++d) work.n[f][d] = extents[f].n[d];
  for (int d = 0; d < 3; ++d)
    work.last[d] = d < Step::rank ? extents[Step::leading_slot()].n[d] : 1;
  index_t reach = 0;  // of all stages together
  const auto look_at = [&]<int K>() {
    using stage = typename Step::template stage<K>;
    reach += Step::template radius_of_stage<K>();
    for (int d = 0; d < Step::rank; ++d) {
      const index_t n = work.n[stage::slot][d];
      work.all[d] = std::max(work.all[d], n);
      work.first[d] = std::max<index_t>(work.first[d], stage::written::low[d]);
      work.last[d] = std::min(work.last[d], n - stage::written::high[d]);
    }
  };
  each_number(look_at, std::make_integer_sequence<int, Step::stages>{});
  for (int d = 0; d < Step::rank; ++d) {
    work.first[d] += reach;
    work.last[d] -= reach;
  }
  while (work.threads_x > 32 && work.threads_x / 2 * shape::cells >= work.all[0])
    work.threads_x /= 2;
  work.blocks[0] = ceil_div(work.all[0], work.threads_x * shape::cells);
  work.blocks[1] = ceil_div(work.all[1], shape::threads / work.threads_x * shape::rows);
  launch_blocks(on,
                {.blocks = {work.blocks[0] * work.blocks[1] * ceil_div(work.all[2], shape::planes)},
                 .threads = {shape::threads}},
                fused);
}

#ifdef __CUDACC__
/// The kernel in numbers.
template <class Step, class Formulas, class... T>
kernel_facts facts_of_fused(device dev) {
  using shape = fused_shape<Step::widest, Step::rank, static_cast<int>(sizeof...(T))>;
  kernel_facts facts =
      facts_of_block_kernel<fused_kernel<Step, Formulas, T...>>(dev, shape::threads, 0);
  facts.shape = std::to_string(shape::threads_x) + "x" + std::to_string(shape::threads_y) +
                " threads, each " + std::to_string(shape::cells) + "x" +
                std::to_string(shape::rows) + "x" + std::to_string(shape::planes) +
                " cells, all stages";
  const int cell_bytes = [&]<int... S>(std::integer_sequence<int, S...>) {
    return (0 + ... +
            ((Step::template evolves<S>() ? Step::template has_history<S>()
                                          : Step::template reads<S>().is_read)
                 ? static_cast<int>(sizeof(T))
                 : 0));
  }
  (std::make_integer_sequence<int, sizeof...(T)>{});
  facts.bytes_in_flight = static_cast<double>(cell_bytes) * shape::cells * shape::rows *
                          shape::planes * shape::threads * facts.blocks_per_processor;
  return facts;
}
#endif

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <math.h>  // for kernels: all types of all functions, in the global namespace
#include <optional>

#include <teff/base/interrupt.hpp>
#include <teff/capi/handles.hpp>
#include <teff/kernel/assert.hpp>
#include <teff/kernel/block.hpp>
#include <teff/kernel/kernel_facts.hpp>
#include <teff/kernel/launch.hpp>

/// What a kernel that is compiled at run time includes: its text becomes a function object whose
/// members are kernel_cells and numbers, and one function `teff_kernel_run` (teff_c.h), which
/// returns run_index_kernel or run_block_kernel of it.
namespace teff::capi {

/// @throws error (usage) that names array, index, extents and line
[[noreturn, gnu::cold]] void throw_outside(const char* name, int rank, const index_t* at,
                                           const index_t* extents, site where);

/// Around a launch: the emulator's options before it, of a block kernel on a CPU; what it counted,
/// and what was printed, after. Ctrl-C ends loops that look (kernel_checks.hpp).
class kernel_call {
 public:
  kernel_call(const stream& on, const teff_kernel_launch& launch, bool is_of_blocks);
  void finish(teff_kernel_facts* facts) const;
  /// Over a GPU, after finish: what was launched there.
  void tell(const kernel_facts& compiled, const launch_shape& threads,
            teff_kernel_facts& facts) const;

 private:
  device dev_;
  std::optional<emulation> emulated_;
  runtime::interruptible watched_;
};

}  // namespace teff::capi

namespace teff::inline TEFF_MODE {

/// An array in a kernel: x(i), T(i, j). On a CPU an index beyond it is an error, where is_checked.
template <class T, int N, bool is_checked>
class kernel_cells {
 public:
  kernel_cells(const teff_array* a, const char* name)
      : cells_(detail::as_ref<std::remove_const_t<T>, N>(a, name).view()), name_(name) {}

  template <std::integral I>
  TEFF_INLINE T& operator()(I i, site where = site::here()) const {
    static_assert(N == 1, "An array takes as many indices as it has dims, x first.");
    return at(where, static_cast<index_t>(i));
  }
  template <std::integral I, std::integral J>
  TEFF_INLINE T& operator()(I i, J j, site where = site::here()) const {
    static_assert(N == 2, "An array takes as many indices as it has dims, x first.");
    return at(where, static_cast<index_t>(i), static_cast<index_t>(j));
  }
  template <std::integral I, std::integral J, std::integral K>
  TEFF_INLINE T& operator()(I i, J j, K k, site where = site::here()) const {
    static_assert(N == 3, "An array takes as many indices as it has dims, x first.");
    return at(where, static_cast<index_t>(i), static_cast<index_t>(j), static_cast<index_t>(k));
  }
  TEFF_INLINE index_t extent(int dim = 0, [[maybe_unused]] site where = site::here()) const {
#ifndef __CUDA_ARCH__
    runtime::check_dim(dim, N, where);
#endif
    return cells_.shape[dim];
  }
  TEFF_INLINE index_t size() const {
    return cells_.shape.size();
  }

 private:
  template <class... I>
  TEFF_INLINE T& at([[maybe_unused]] site where, I... index) const {
#ifndef __CUDA_ARCH__
    if constexpr (is_checked) {
      const index_t all[N] = {index...};
      bool is_inside = true;
      for (int d = 0; d < N; ++d) is_inside = is_inside && all[d] >= 0 && all[d] < cells_.shape[d];
      if (!is_inside) capi::throw_outside(name_, N, all, cells_.shape.n, where);
    }
#endif
    return cells_(index...);
  }

  view<std::remove_const_t<T>, N> cells_;
  const char* name_;  // of the host
};

/// f(i), f(i, j) or f(i, j, k) for every cell of launch.cells, of the f that make() gives.
template <int N, class Make>
teff_status run_index_kernel(const teff_stream* on, const teff_kernel_launch* launch,
                             teff_kernel_facts* facts, const Make& make) noexcept {
  return capi::guarded([&] {
    const auto f = make();
    const capi::kernel_call call(on->on, *launch, false);
    extents<N> cells;
    for (int d = 0; d < N; ++d) cells[d] = launch->cells[d];
    launch_options options;
    for (int d = 0; d < 3; ++d) options.threads.n[d] = launch->threads[d];
    teff::launch(on->on, cells, options, f);
    call.finish(facts);
#ifdef __NVCC__
    if (facts == nullptr) return;
    const launch_shape threads = legal_shape(on->on.dev(), options.threads, cells.n, N);
    call.tell(detail::facts_of_launch<N, std::remove_const_t<decltype(f)>>(on->on.dev(), threads),
              threads, *facts);
#endif
  });
}

/// f(blk) for every thread of launch.blocks, of the f that make() gives.
template <class Make>
teff_status run_block_kernel(const teff_stream* on, const teff_kernel_launch* launch,
                             teff_kernel_facts* facts, const Make& make) noexcept {
  return capi::guarded([&] {
    const auto f = make();
    const capi::kernel_call call(on->on, *launch, true);
    block_options options;
    for (int d = 0; d < 3; ++d) options.blocks.n[d] = launch->blocks[d];
    for (int d = 0; d < 3; ++d) options.threads.n[d] = launch->threads[d];
    options.shared_bytes = launch->shared_bytes;
    options.all_resident = launch->all_resident != 0;
    launch_blocks(on->on, options, f, site{launch->file, launch->line});
    call.finish(facts);
#ifdef __NVCC__
    if (facts == nullptr) return;
    call.tell(detail::facts_of_block_kernel<std::remove_const_t<decltype(f)>>(
                  on->on.dev(), static_cast<int>(options.threads.threads()),
                  static_cast<int>(options.shared_bytes)),
              options.threads, *facts);
#endif
  });
}

}  // namespace teff::inline TEFF_MODE

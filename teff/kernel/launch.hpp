// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/array/access.hpp>
#include <teff/array/extents.hpp>
#include <teff/base/error.hpp>
#include <teff/base/for_tasks.hpp>
#include <teff/base/thrown.hpp>
#include <teff/kernel/emulator.hpp>
#include <teff/kernel/launch_shape.hpp>
#include <teff/kernel/no_kernel.hpp>
#include <teff/kernel/profile.hpp>
#ifdef __CUDACC__
#include <teff/kernel/detail/launch_cuda.cuh>
#endif

/// Kernels over an index space: one call of a function object for each cell.
namespace teff::inline TEFF_MODE {

/// How a launch is made. All of it may be left out.
struct launch_options {
  launch_shape threads;  ///< threads of a block along x, y, z; Teff chooses if left out; of GPUs
                         ///< and of an `emulation` (emulator.hpp)
  index_t reads = -1;    ///< bytes that the function reads and writes, for the profile:
  index_t writes = -1;   ///< a function's bytes can not be known
};

namespace detail {

/// Cells i0 to i1 of a row. What the function calls is inlined, so that the compiler sees that no
/// view has a listener.
template <int N, class F>
[[gnu::flatten]] void launch_row(const F& f, index_t i0, index_t i1, index_t j, index_t k) {
  runtime::assume_no_listener();
  const F local = f;
  (void)j, (void)k;
  runtime::thrown_in_loop thrown;
  TEFF_SIMD
  for (index_t i = i0; i < i1; ++i) {
    try {
      if constexpr (N == 1) local(i);
      if constexpr (N == 2) local(i, j);
      if constexpr (N == 3) local(i, j, k);
    } catch (...) {
      thrown.keep(i);
    }
  }
  thrown.pass_on_from(N, j, k);
}

template <int N, class F>
void launch_cpu(const extents<N>& cells, const F& f) {
  const index_t nx = cells[0], ny = N > 1 ? cells[N > 1 ? 1 : 0] : 1;
  const index_t nz = N > 2 ? cells[N > 2 ? 2 : 0] : 1;
  constexpr index_t chunk = 4096;
  const index_t chunks = ceil_div(nx, chunk);
  for_tasks(chunks * ny * nz, cells.size() >= 2 * chunk, [&](index_t task) {
    const index_t row = task / chunks, i0 = task % chunks * chunk;
    const index_t i1 = i0 + chunk < nx ? i0 + chunk : nx;
    launch_row<N>(f, i0, i1, row % ny, row / ny);
  });
}

/// What one warp after the other does. @returns what was counted, in words
template <int N, class F>
std::string launch_emulated(const extents<N>& cells, const launch_shape& shape, const F& f) {
  index_t all[3] = {1, 1, 1};
  for (int d = 0; d < N; ++d) all[d] = cells[d];
  const auto body = [](const void* function, const index_t(&cell)[3]) {
    const F& call = *static_cast<const F*>(function);
    if constexpr (N == 1) call(cell[0]);
    if constexpr (N == 2) call(cell[0], cell[1]);
    if constexpr (N == 3) call(cell[0], cell[1], cell[2]);
  };
  return runtime::emulate_cells(all, shape.n, N, body, &f).sectors_text();
}

template <int N, class F>
void launch_over(const stream& on, const extents<N>& cells, const launch_options& options,
                 const F& f) {
  for (int d = 0; d < N; ++d)
    if (cells[d] < 0)
      throw error("negative extent: a launch over " + extents_text(cells) +
                  " cells; every extent must be 0 or more");
  if (cells.size() == 0) return;
  const bool is_emulated = on.dev().is_cpu() && runtime::is_emulating();
  const launch_shape shape = on.dev().is_cpu() && !is_emulated
                                 ? launch_shape{}
                                 : legal_shape(on.dev(), options.threads, cells.n, N);
  runtime::profiled_call call(on, is_emulated ? "launch, emulated" : "launch", [&] {
    traffic moved;
    moved.read_bytes = options.reads < 0 ? 0.0 : static_cast<double>(options.reads);
    moved.write_bytes = options.writes < 0 ? 0.0 : static_cast<double>(options.writes);
    return runtime::call_description{"", extents_text(cells) + " cells", moved, shape.text()};
  });
  if (is_emulated) {
    call.counted(launch_emulated<N>(cells, shape, f));
    return;
  }
  if (on.dev().is_cpu()) {
    launch_cpu<N>(cells, f);
    return;
  }
#ifdef __CUDACC__
  if (call.is_recorded()) call.counted(facts_of_launch<N, F>(on.dev(), shape).use_text(on.dev()));
  launch_cuda<N>(on, cells, shape, f);
#else
  runtime::throw_no_kernel("a launch", on.dev());
#endif
}

}  // namespace detail

/// Calls f(i), f(i, j) or f(i, j, k) once for every cell, in no order, in parallel.
/// f is a lambda marked TEFF_FN, or a function object, that captures views by value.
/// @throws error if the shape is beyond the device's limits: which, and the nearest legal shape; on
///     the CPU, if f throws: of all cells that do, the first one is named, and what it threw is
///     nested (std::rethrow_if_nested). What was written stays written, in which cells is not said.
/// @sync asynchronous on a GPU
/// @example examples/05_diffusion_kernel.cpp
template <class F>
void launch(const stream& on, extents<1> cells, const F& f) {
  detail::launch_over(on, cells, {}, f);
}
template <class F>
void launch(const stream& on, extents<2> cells, const F& f) {
  detail::launch_over(on, cells, {}, f);
}
template <class F>
void launch(const stream& on, extents<3> cells, const F& f) {
  detail::launch_over(on, cells, {}, f);
}
template <class F>
void launch(const stream& on, extents<1> cells, const launch_options& options, const F& f) {
  detail::launch_over(on, cells, options, f);
}
template <class F>
void launch(const stream& on, extents<2> cells, const launch_options& options, const F& f) {
  detail::launch_over(on, cells, options, f);
}
template <class F>
void launch(const stream& on, extents<3> cells, const launch_options& options, const F& f) {
  detail::launch_over(on, cells, options, f);
}

}  // namespace teff::inline TEFF_MODE

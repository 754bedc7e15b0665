// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/array/access.hpp>
#include <teff/array/extents.hpp>
#include <teff/base/for_tasks.hpp>
#include <teff/base/interrupt.hpp>
#include <teff/base/stream.hpp>
#include <teff/base/thrown.hpp>
#include <teff/base/unit_flags.hpp>  // of units that launch kernels
#include <teff/kernel/launch_shape.hpp>
#ifdef __NVCC__
#include <teff/kernel/detail/launch_cuda.cuh>
#endif

/// Kernels over an index space: one call of a function object for each cell.
namespace teff::runtime {

/// A kernel over an index space, whatever its type.
struct index_kernel {
  const void* function;                                          ///< the function object
  void (*run)(const index_t* cells, const void* function);       ///< on a CPU
  void (*call)(const void* function, const index_t (&cell)[3]);  ///< of a cell, for the emulator

  /// On a GPU; null: compiled as plain C++.
  void (*launch)(const stream& on, const index_t* cells, int rank, const launch_shape& shape,
                 const void* address, const void* function) = nullptr;
  /// "40 registers, occupancy 0.63".
  std::string (*use_text)(device dev, const launch_shape& shape, const void* address) = nullptr;
  const void* address = nullptr;  ///< as CUDA knows it
};

/// What a kernel moves; -1: it does not say.
struct kernel_bytes {
  index_t reads, writes;
};

/// @param threads of a block, as they were asked for @throws error as teff::launch
void launch_over(const stream& on, const index_t* cells, int rank, const launch_shape& threads,
                 const kernel_bytes& bytes, const index_kernel& kernel);

}  // namespace teff::runtime

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
void launch_cpu(const index_t* cells, const void* function) {
  const F& f = *static_cast<const F*>(function);
  const index_t nx = cells[0], ny = N > 1 ? cells[N > 1 ? 1 : 0] : 1;
  const index_t nz = N > 2 ? cells[N > 2 ? 2 : 0] : 1;
  constexpr index_t chunk = 4096;
  const index_t chunks = ceil_div(nx, chunk);
  for_tasks(chunks * ny * nz, nx * ny * nz >= 2 * chunk, [&](index_t task) {
    runtime::end_if_interrupted({nullptr, 0});
    const index_t row = task / chunks, i0 = task % chunks * chunk;
    const index_t i1 = i0 + chunk < nx ? i0 + chunk : nx;
    launch_row<N>(f, i0, i1, row % ny, row / ny);
  });
}

template <int N, class F>
void call_of_cell(const void* function, const index_t (&cell)[3]) {
  const F& f = *static_cast<const F*>(function);
  if constexpr (N == 1) f(cell[0]);
  if constexpr (N == 2) f(cell[0], cell[1]);
  if constexpr (N == 3) f(cell[0], cell[1], cell[2]);
}

template <int N, class F>
void launch_over(const stream& on, const extents<N>& cells, const launch_options& options,
                 const F& f) {
  runtime::index_kernel kernel{&f, launch_cpu<N, F>, call_of_cell<N, F>};
#ifdef __NVCC__
  kernel.launch = launch_cuda;
  kernel.use_text = use_of_index_kernel;
  kernel.address = address_of(index_space_kernel<N, F>);
#endif
  runtime::launch_over(on, cells.n, N, options.threads, {options.reads, options.writes}, kernel);
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

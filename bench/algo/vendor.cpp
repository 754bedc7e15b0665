// SPDX-License-Identifier: MIT
#include <memory>
#include <numeric>

#ifdef __CUDACC__
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include <teff/kernel/cuda_launch.cuh>
#endif

#include <teff/base/memory.hpp>

#include <bench/algo/vendor.hpp>

namespace teff::bench {

namespace {

#ifdef __CUDACC__
struct to_f64 {
  template <class T>
  TEFF_FN f64 operator()(T value) const {
    return static_cast<f64>(value);
  }
};

/// The row of a cell: the key of a scan by key. A division of 32 bits takes a fraction of one
/// of 64.
struct row_number {
  index_t row_cells;
  TEFF_FN index_t operator()(index_t cell) const {
    constexpr index_t most = 0xffffffff;
    if (cell > most || row_cells > most) return cell / row_cells;
    return static_cast<unsigned>(cell) / static_cast<unsigned>(row_cells);
  }
};

/// Calls `cub(workspace, bytes)` as CUB wants it: now for the size, later for the work.
template <class F>
std::function<void()> with_workspace(const stream& on, const F& cub) {
  detail::use_device_of(on);
  std::size_t bytes = 0;
  TEFF_CHECK(cub(nullptr, bytes));
  const auto workspace = std::make_shared<memory_block>(on, on.dev(), bytes, "CUB's workspace");
  return [=]() mutable {
    detail::use_device_of(on);
    TEFF_CHECK(cub(workspace->data(), bytes));
  };
}

cudaStream_t native(const stream& on) {
  return static_cast<cudaStream_t>(on.native());
}
#endif

}  // namespace

template <class T>
std::function<void()> vendor_cumsum(const array<T, 3>& b, const array<T, 3>& a) {
  T* const to = b.data();
  const T* const from = a.data();
  const index_t row_cells = a.extent(0), cells = a.size();
#ifdef __CUDACC__
  if (a.dev().is_cuda()) {
    const stream on = a.on();
    const auto rows = thrust::make_transform_iterator(thrust::counting_iterator<index_t>(0),
                                                      row_number{row_cells});
    const auto values = thrust::make_transform_iterator(from, to_f64{});
    return with_workspace(on, [=](void* workspace, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveScanByKey(workspace, bytes, rows, values, to,
                                                 ::cuda::std::plus<f64>{}, cells,
                                                 ::cuda::std::equal_to<>{}, native(on));
    });
  }
#endif
  return [=] {
    for (index_t row = 0; row < cells; row += row_cells)
      std::inclusive_scan(from + row, from + row + row_cells, to + row, std::plus<>{}, f64{});
  };
}

template <class T>
std::function<void()> vendor_sum(const array<f64, 1>& total, const array<T, 3>& a) {
  f64* const to = total.data();
  const T* const from = a.data();
  const index_t cells = a.size();
#ifdef __CUDACC__
  if (a.dev().is_cuda()) {
    const stream on = a.on();
    const auto values = thrust::make_transform_iterator(from, to_f64{});
    return with_workspace(on, [=](void* workspace, std::size_t& bytes) {
      return cub::DeviceReduce::Sum(workspace, bytes, values, to, cells, native(on));
    });
  }
#endif
  return [=] { *to = std::reduce(from, from + cells, f64{}); };
}

template std::function<void()> vendor_cumsum(const array<f64, 3>&, const array<f64, 3>&);
template std::function<void()> vendor_cumsum(const array<f32, 3>&, const array<f32, 3>&);
template std::function<void()> vendor_sum(const array<f64, 1>&, const array<f64, 3>&);
template std::function<void()> vendor_sum(const array<f64, 1>&, const array<f32, 3>&);

}  // namespace teff::bench

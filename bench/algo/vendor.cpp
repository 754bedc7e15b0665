// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

#ifdef __CUDACC__
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>

#include <teff/kernel/cuda_launch.cuh>
#endif

#include <teff/array/host_copy.hpp>
#include <teff/base/memory.hpp>
#include <teff/expr/statement.hpp>

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

/// A division of 32 bits takes a fraction of one of 64.
TEFF_FN index_t quotient(index_t n, index_t by) {
  constexpr index_t most = 0xffffffff;
  if (n > most || by > most) return n / by;
  return static_cast<unsigned>(n) / static_cast<unsigned>(by);
}

/// Cells numbered column after column along a dim: the column of a cell, the key of a scan by key.
struct column_of_cell {
  index_t length;
  TEFF_FN index_t operator()(index_t cell) const { return quotient(cell, length); }
};

/// The same cells: where each lies. Cells of a column are `stride` apart, columns side by side.
struct place_of_cell {
  index_t stride, length;
  TEFF_FN index_t operator()(index_t cell) const {
    const index_t column = quotient(cell, length), slab = quotient(column, stride);
    return column - slab * stride + (cell - column * length + slab * length) * stride;
  }
};

/// The same cells: where a column begins.
struct start_of_column {
  index_t length;
  TEFF_FN index_t operator()(index_t column) const { return column * length; }
};

/// Cells numbered row after row: where the sum lies that a cell of a bag is part of.
struct place_of_sum {
  index_t rows, columns;
  const i64* bag_of_column;
  TEFF_FN index_t operator()(index_t cell) const {
    const index_t row = quotient(cell, columns);
    return row + bag_of_column[cell - row * columns] * rows;
  }
};

/// f(0), f(1), ...
template <class F>
auto values_of(const F& f) {
  return thrust::make_transform_iterator(thrust::counting_iterator<index_t>(0), f);
}

template <class Iterator>
auto as_f64(Iterator values) {
  return thrust::make_transform_iterator(values, to_f64{});
}

/// Calls `cub(workspace, bytes)` as CUB wants it: now for the size, later for the work.
template <class F>
std::function<void()> with_workspace(const stream& on, const F& cub) {
  const runtime::cuda::current_device here(on.dev().ordinal());
  std::size_t bytes = 0;
  TEFF_CHECK(cub(nullptr, bytes));
  const auto workspace = std::make_shared<memory_block>(on, on.dev(), bytes, "CUB's workspace");
  return [=]() mutable {
    const runtime::cuda::current_device here(on.dev().ordinal());
    TEFF_CHECK(cub(workspace->data(), bytes));
  };
}

cudaStream_t native(const stream& on) {
  return static_cast<cudaStream_t>(on.native());
}

template <class T>
std::function<void()> cub_cumsum(const array<T, 3>& b, const array<T, 3>& a, int dim) {
  const stream on = a.on();
  const index_t stride = a.stride(dim), length = a.extent(dim), cells = a.size();
  const auto columns = values_of(column_of_cell{length});
  const auto scan = [=](auto to, auto from) {
    return with_workspace(on, [=](void* workspace, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveScanByKey(workspace, bytes, columns, as_f64(from), to,
                                                 ::cuda::std::plus<f64>{}, cells,
                                                 ::cuda::std::equal_to<>{}, native(on));
    });
  };
  if (stride == 1) return scan(b.data(), a.data());
  const auto places = values_of(place_of_cell{stride, length});
  return scan(thrust::make_permutation_iterator(b.data(), places),
              thrust::make_permutation_iterator(a.data(), places));
}

template <class T>
std::function<void()> cub_sums(const array<T, 1>& sums, const array<T, 3>& a, int dim) {
  const stream on = a.on();
  const index_t stride = a.stride(dim), length = a.extent(dim);
  const index_t columns = a.size() / length;
  T* const to = sums.data();
  const auto starts = values_of(start_of_column{length});
  const auto sum = [=](auto from) {
    return with_workspace(on, [=](void* workspace, std::size_t& bytes) {
      return cub::DeviceSegmentedReduce::Sum(workspace, bytes, as_f64(from), to, columns, starts,
                                             starts + 1, native(on));
    });
  };
  if (stride == 1) return sum(a.data());
  return sum(thrust::make_permutation_iterator(a.data(), values_of(place_of_cell{stride, length})));
}

/// By key, not by segment: to CUB a segment is the work of a block, and most bags have few columns.
template <class T>
std::function<void()> cub_segmented_sum(const array<T, 2>& o, const array<T, 2>& x,
                                        const std::vector<i64>& offsets) {
  const stream on = x.on();
  const index_t rows = x.extent(0), columns = x.extent(1), bags = o.extent(1);
  if (x.size() > std::numeric_limits<unsigned>::max())
    throw error("CUB's sum by key is asked for at most 4294967295 cells, got " +
                std::to_string(x.size()));
  std::vector<i64> bag_of_column;
  for (index_t bag = 0; bag < bags; ++bag)
    bag_of_column.resize(static_cast<std::size_t>(offsets[static_cast<std::size_t>(bag) + 1]), bag);
  const array_ref<i64, 1> bag = array<i64, 1>(on, {columns}, "the bags of columns");
  bag = from_host(bag_of_column);
  const auto keys = values_of(place_of_sum{rows, columns, bag.data()});
  const auto from =
      thrust::make_permutation_iterator(x.data(), values_of(place_of_cell{rows, columns}));
  const auto to = thrust::make_permutation_iterator(o.data(), values_of(place_of_cell{rows, bags}));
  const auto unused = thrust::make_discard_iterator();
  const auto cells = static_cast<unsigned>(x.size());
  return with_workspace(on, [=, owner = bag](void* workspace, std::size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(workspace, bytes, keys, unused, as_f64(from), to, unused,
                                          ::cuda::std::plus<f64>{}, cells, native(on));
  });
}
#endif

/// to(i) = the sum of the cells i of `rows` rows of `cells` cells, one row behind the other.
template <class T>
void std_sum_of_rows(T* to, const T* from, index_t cells, index_t rows, std::vector<f64>& sums) {
  sums.assign(static_cast<std::size_t>(cells), 0);
  for (const T* row = from; row < from + rows * cells; row += cells)
    std::transform(row, row + cells, sums.begin(), sums.begin(), std::plus<f64>{});
  std::copy(sums.begin(), sums.end(), to);
}

/// The same, and the sum up to each row.
template <class T>
void std_cumsum_of_rows(T* to, const T* from, index_t cells, index_t rows, std::vector<f64>& sums) {
  sums.assign(static_cast<std::size_t>(cells), 0);
  for (const T* row = from; row < from + rows * cells; row += cells, to += cells) {
    std::transform(row, row + cells, sums.begin(), sums.begin(), std::plus<f64>{});
    std::copy(sums.begin(), sums.end(), to);
  }
}

}  // namespace

template <class T>
std::function<void()> vendor_cumsum(const array<T, 3>& b, const array<T, 3>& a, int dim) {
#ifdef __CUDACC__
  if (a.dev().is_cuda()) return cub_cumsum(b, a, dim);
#endif
  T* const to = b.data();
  const T* const from = a.data();
  const index_t stride = a.stride(dim), length = a.extent(dim), cells = a.size();
  return [=, sums = std::vector<f64>()]() mutable {
    for (index_t slab = 0; slab < cells; slab += stride * length) {
      if (stride == 1)
        std::inclusive_scan(from + slab, from + slab + length, to + slab, std::plus<f64>{}, f64{});
      else
        std_cumsum_of_rows(to + slab, from + slab, stride, length, sums);
    }
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
    return with_workspace(on, [=](void* workspace, std::size_t& bytes) {
      return cub::DeviceReduce::Sum(workspace, bytes, as_f64(from), to, cells, native(on));
    });
  }
#endif
  return [=] { *to = std::reduce(from, from + cells, f64{}, std::plus<f64>{}); };
}

template <class T>
std::function<void()> vendor_sums(const array<T, 1>& sums, const array<T, 3>& a, int dim) {
#ifdef __CUDACC__
  if (a.dev().is_cuda()) return cub_sums(sums, a, dim);
#endif
  T* const to = sums.data();
  const T* const from = a.data();
  const index_t stride = a.stride(dim), length = a.extent(dim), columns = a.size() / length;
  return [=, of_columns = std::vector<f64>()]() mutable {
    for (index_t column = 0; column < columns; column += stride) {
      const T* const slab = from + column * length;
      if (stride == 1)
        to[column] = static_cast<T>(std::reduce(slab, slab + length, f64{}, std::plus<f64>{}));
      else
        std_sum_of_rows(to + column, slab, stride, length, of_columns);
    }
  };
}

template <class T>
std::function<void()> vendor_segmented_sum(const array<T, 2>& o, const array<T, 2>& x,
                                           const std::vector<i64>& offsets) {
#ifdef __CUDACC__
  if (x.dev().is_cuda()) return cub_segmented_sum(o, x, offsets);
#endif
  T* const to = o.data();
  const T* const from = x.data();
  const index_t rows = x.extent(0);
  return [=, sums = std::vector<f64>()]() mutable {
    for (std::size_t bag = 0; bag + 1 < offsets.size(); ++bag)
      std_sum_of_rows(to + static_cast<index_t>(bag) * rows, from + offsets[bag] * rows, rows,
                      offsets[bag + 1] - offsets[bag], sums);
  };
}

template std::function<void()> vendor_cumsum(const array<f64, 3>&, const array<f64, 3>&, int);
template std::function<void()> vendor_cumsum(const array<f32, 3>&, const array<f32, 3>&, int);
template std::function<void()> vendor_sum(const array<f64, 1>&, const array<f64, 3>&);
template std::function<void()> vendor_sum(const array<f64, 1>&, const array<f32, 3>&);
template std::function<void()> vendor_sums(const array<f64, 1>&, const array<f64, 3>&, int);
template std::function<void()> vendor_sums(const array<f32, 1>&, const array<f32, 3>&, int);
template std::function<void()> vendor_segmented_sum(const array<f64, 2>&, const array<f64, 2>&,
                                                    const std::vector<i64>&);
template std::function<void()> vendor_segmented_sum(const array<f32, 2>&, const array<f32, 2>&,
                                                    const std::vector<i64>&);

}  // namespace teff::bench

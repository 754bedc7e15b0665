// SPDX-License-Identifier: MIT
#pragma once

#include <teff/array/array.hpp>
#include <teff/kernel/block.hpp>
#include <teff/kernel/launch.hpp>

/// The lessons' kernels for cumulative sums of a 3-D array, from copies that only walk as a scan
/// must to a scan within a warp. Each reads A and writes B once; sums are carried in f64.
namespace teff::bench {

/// One thread a column along `dim`.
template <class T>
struct column_of {
  view<T, 3> b, a;
  int dim;

  TEFF_INLINE T& cell(const view<T, 3>& of, index_t p, index_t q, index_t l) const {
    return dim == 0 ? of(l, p, q) : dim == 1 ? of(p, l, q) : of(p, q, l);
  }
};

/// A copy with a loop over the dim.
template <class T>
struct column_copy : column_of<T> {
  TEFF_INLINE void operator()(index_t p, index_t q) const {
    for (index_t l = 0; l < this->a.extent(this->dim); ++l)
      this->cell(this->b, p, q, l) = this->cell(this->a, p, q, l);
  }
};

/// The same, with the sum in a register.
template <class T>
struct column_cumsum : column_of<T> {
  TEFF_INLINE void operator()(index_t p, index_t q) const {
    f64 sum = 0;
    for (index_t l = 0; l < this->a.extent(this->dim); ++l) {
      sum += static_cast<f64>(this->cell(this->a, p, q, l));
      this->cell(this->b, p, q, l) = static_cast<T>(sum);
    }
  }
};

/// @param threads of a block, or none: Teff chooses
template <template <class> class Kernel, class T>
void launch_columns(const array_ref<T, 3>& b, const array_ref<T, 3>& a, int dim,
                    const launch_shape& threads) {
  const int first = dim == 0 ? 1 : 0, second = dim == 2 ? 1 : 2;
  launch(b.on(), {a.extent(first), a.extent(second)}, {.threads = threads},
         Kernel<T>{{b.view(), a.view(), dim}});
}

/// One warp a row along x, 32 neighbouring cells at a time.
template <class T>
struct row_of {
  static constexpr int threads = warp::lanes;
  view<T, 3> b, a;

  TEFF_INLINE T& cell(const block& blk, const view<T, 3>& of, index_t i) const {
    return of(i, blk.index(0) % a.extent(1), blk.index(0) / a.extent(1));
  }
  /// 0 beyond the end of the row: all lanes take part in shuffles.
  TEFF_INLINE f64 load(const block& blk, index_t i) const {
    return i < a.extent(0) ? static_cast<f64>(cell(blk, a, i)) : 0.0;
  }
  TEFF_INLINE void store(const block& blk, index_t i, f64 sum) const {
    if (i < a.extent(0)) cell(blk, b, i) = static_cast<T>(sum);
  }
};

/// A copy with 32 lanes a row.
template <class T>
struct lanes_copy : row_of<T> {
  TEFF_INLINE void operator()(block& blk) const {
    for (index_t i = blk.thread(); i < this->a.extent(0); i += this->threads)
      this->cell(blk, this->b, i) = this->cell(blk, this->a, i);
  }
};

/// The first thread adds up what all put into shared memory.
template <class T>
struct shared_cumsum : row_of<T> {
  TEFF_INLINE void operator()(block& blk) const {
    const auto chunk = blk.shared<f64>(this->threads);
    const int lane = blk.thread();
    f64 sum = 0;
    for (index_t first = 0; first < this->a.extent(0); first += this->threads) {
      chunk[lane] = this->load(blk, first + lane);
      blk.sync();
      if (lane == 0)
        for (int l = 0; l < this->threads; ++l) {
          sum += chunk[l];
          chunk[l] = sum;
        }
      blk.sync();
      this->store(blk, first + lane, chunk[lane]);
    }
  }
};

/// Every lane sees the values of all and adds them up by itself.
template <class T>
struct broadcast_cumsum : row_of<T> {
  TEFF_INLINE void operator()(block& blk) const {
    const int lane = blk.thread();
    f64 sum = 0;
    for (index_t first = 0; first < this->a.extent(0); first += this->threads) {
      const f64 value = this->load(blk, first + lane);
      f64 mine = 0;
      for (int l = 0; l < this->threads; ++l) {
        sum += blk.warp().shuffle(value, l);
        if (l == lane) mine = sum;
      }
      this->store(blk, first + lane, mine);
    }
  }
};

/// Sums of 2, 4, ... 32 cells: in each step the upper half of a group adds the last sum of the
/// lower.
template <class T>
struct scan_cumsum : row_of<T> {
  TEFF_INLINE void operator()(block& blk) const {
    const int lane = blk.thread();
    f64 before = 0;
    for (index_t first = 0; first < this->a.extent(0); first += this->threads) {
      f64 sum = this->load(blk, first + lane);
      for (int half = 1; half < this->threads; half *= 2) {
        const f64 lower = blk.warp().shuffle(sum, (lane & ~(2 * half - 1)) + half - 1);
        if ((lane & half) != 0) sum += lower;
      }
      sum += before;
      this->store(blk, first + lane, sum);
      before = blk.warp().shuffle(sum, this->threads - 1);
    }
  }
};

template <template <class> class Kernel, class T>
void launch_rows(const array_ref<T, 3>& b, const array_ref<T, 3>& a) {
  launch_blocks(b.on(),
                {.blocks = {a.extent(1) * a.extent(2)}, .shared_bytes = warp::lanes * sizeof(f64)},
                Kernel<T>{{b.view(), a.view()}});
}

}  // namespace teff::bench

// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <teff/base/index.hpp>
#include <teff/kernel/emulator.hpp>
#include <teff/kernel/shared_array.hpp>
#include <teff/kernel/warp.hpp>
#ifdef __CUDACC__
#include <teff/kernel/detail/memory_cuda.cuh>
#endif

namespace teff::inline TEFF_MODE {

/// What can be added atomically; an integer also compared.
template <class T>
concept atomic_number = std::is_arithmetic_v<T> &&(sizeof(T) == 4 || sizeof(T) == 8);
template <class T>
concept atomic_integer = atomic_number<T> && std::is_integral_v<T>;

/// What publish and read_published move: one word, or a pair of 8-byte words aligned to 16 bytes.
template <class T>
concept publishable = std::is_trivially_copyable_v<T> && alignof(T) == sizeof(T) &&
                      (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);

/// A thread's view of its block. On a GPU nothing of it is stored; what it says are registers.
class block {
 public:
  TEFF_INLINE explicit block(runtime::emulated_thread* thread) : thread_(thread) {}
  block(const block&) = delete;
  block& operator=(const block&) = delete;

  /// Number of the block along x, y, z.
  TEFF_INLINE index_t index(int dim = 0, [[maybe_unused]] site where = site::here()) const {
#ifdef __CUDA_ARCH__
    return dim == 0 ? blockIdx.x : dim == 1 ? blockIdx.y : blockIdx.z;
#else
    runtime::check_dim(dim, 3, where);
    return thread_->block[dim];
#endif
  }
  TEFF_INLINE index_t blocks(int dim = 0, [[maybe_unused]] site where = site::here()) const {
#ifdef __CUDA_ARCH__
    return dim == 0 ? gridDim.x : dim == 1 ? gridDim.y : gridDim.z;
#else
    runtime::check_dim(dim, 3, where);
    return thread_->launch->blocks[dim];
#endif
  }
  /// Number of the thread in its block along x, y, z.
  TEFF_INLINE int thread(int dim = 0, [[maybe_unused]] site where = site::here()) const {
#ifdef __CUDA_ARCH__
    return static_cast<int>(dim == 0 ? threadIdx.x : dim == 1 ? threadIdx.y : threadIdx.z);
#else
    runtime::check_dim(dim, 3, where);
    return thread_->thread[dim];
#endif
  }
  TEFF_INLINE int threads(int dim = 0, [[maybe_unused]] site where = site::here()) const {
#ifdef __CUDA_ARCH__
    return static_cast<int>(dim == 0 ? blockDim.x : dim == 1 ? blockDim.y : blockDim.z);
#else
    runtime::check_dim(dim, 3, where);
    return thread_->launch->threads[dim];
#endif
  }
  /// Number of the thread among all of the block, x first.
  TEFF_INLINE int linear_thread() const {
    return thread(0) + threads(0) * (thread(1) + threads(1) * thread(2));
  }

  /// Waits until all threads of the block are at this same call. Orders all that they did before.
  TEFF_INLINE void sync(site where = site::here()) const {
#ifdef __CUDA_ARCH__
    (void)where;
    __syncthreads();
#else
    const volatile char copy = 0;
    thread_->sync(runtime::called_here(where, copy));
#endif
  }

  TEFF_INLINE teff::warp warp() const {
    return teff::warp(thread_);
  }

  /// The next n elements of the shared memory, with undefined values. All threads carve the same
  /// arrays in the same order. @throws error in the emulator if shared_bytes do not suffice
  template <class T>
  TEFF_INLINE shared_array<T> shared(int n, site where = site::here()) {
    static_assert(alignof(T) <= 128, "Shared memory is aligned to 128 bytes.");
#ifdef __CUDA_ARCH__
    (void)where;
    extern __shared__ __align__(128) unsigned char teff_shared_memory[];
    constexpr unsigned alignment = alignof(T);
    carved_ = (carved_ + alignment - 1) / alignment * alignment;
    T* const data = reinterpret_cast<T*>(teff_shared_memory + carved_);
    carved_ += static_cast<unsigned>(n) * static_cast<unsigned>(sizeof(T));
    return {data, n, nullptr, 0};
#else
    return {nullptr, n, thread_, thread_->carve(n, sizeof(T), alignof(T), where)};
#endif
  }

  /// where += value as one step among all threads of the device. @returns what was there before
  template <atomic_number T>
  TEFF_INLINE T atomic_add(T& where, std::type_identity_t<T> value) const {
#ifdef __CUDA_ARCH__
    return detail::atomic_add_cuda(&where, value);
#else
    return change(where, [&](T old) { return static_cast<T>(old + value); });
#endif
  }
  template <atomic_integer T>
  TEFF_INLINE T atomic_max(T& where, std::type_identity_t<T> value) const {
#ifdef __CUDA_ARCH__
    return detail::atomic_max_cuda(&where, value);
#else
    return change(where, [&](T old) { return old < value ? value : old; });
#endif
  }
  template <atomic_integer T>
  TEFF_INLINE T atomic_min(T& where, std::type_identity_t<T> value) const {
#ifdef __CUDA_ARCH__
    return detail::atomic_min_cuda(&where, value);
#else
    return change(where, [&](T old) { return value < old ? value : old; });
#endif
  }
  /// where + 1, or 0 once it is `last` or more: after last + 1 calls a counter is as it was.
  TEFF_INLINE unsigned atomic_increment_wrap(unsigned& where, unsigned last) const {
#ifdef __CUDA_ARCH__
    return atomicInc(&where, last);
#else
    return change(where, [&](unsigned old) { return old >= last ? 0 : old + 1; });
#endif
  }

  /// The same in shared memory: blk.atomic_add(count[bin], 1).
  template <atomic_number T>
  TEFF_INLINE T atomic_add(shared_element<T>&& where, std::type_identity_t<T> value) const {
    return atomic_add(*atomic_place(where), value);
  }
  template <atomic_integer T>
  TEFF_INLINE T atomic_max(shared_element<T>&& where, std::type_identity_t<T> value) const {
    return atomic_max(*atomic_place(where), value);
  }
  template <atomic_integer T>
  TEFF_INLINE T atomic_min(shared_element<T>&& where, std::type_identity_t<T> value) const {
    return atomic_min(*atomic_place(where), value);
  }
  TEFF_INLINE unsigned atomic_increment_wrap(shared_element<unsigned>&& where,
                                             unsigned last) const {
    return atomic_increment_wrap(*atomic_place(where), last);
  }

  /// Writes to global memory so that who reads this value with read_published or wait_until sees
  /// all that this thread wrote before; and, after a blk.sync(), all that the block wrote before
  /// that.
  template <class T>
  TEFF_INLINE void publish(T& where, const std::type_identity_t<T>& value) const {
    static_assert(publishable<T>, "Published values have 4, 8 or 16 bytes, aligned to their size.");
#ifdef __CUDA_ARCH__
    detail::store_release(&where, value);
#else
    where = value;
    thread_->changed_memory(true);
    thread_->yield();
#endif
  }
  /// Reads what may be published meanwhile: from where all blocks see the same, not from a cache.
  template <class T>
  TEFF_INLINE T read_published(const T& where) const {
    static_assert(publishable<T>, "Published values have 4, 8 or 16 bytes, aligned to their size.");
#ifdef __CUDA_ARCH__
    return detail::load_acquire(&where);
#else
    T value = where;
    thread_->poll(&where, &value, sizeof(T));
    return value;
#endif
  }
  /// read_published until pred(value). Only the threads that ask wait. @returns the value
  template <class T, class Pred>
  TEFF_INLINE T wait_until(const T& where, const Pred& pred, site from = site::here()) const {
    static_assert(publishable<T>, "Published values have 4, 8 or 16 bytes, aligned to their size.");
#ifdef __CUDA_ARCH__
    (void)from;
    return detail::wait_for_value(&where, pred);
#else
    struct question {
      const T& where;
      const Pred& pred;
    } const asked{where, pred};
    thread_->wait(
        [](const void* context) {
          const auto& q = *static_cast<const question*>(context);
          return static_cast<bool>(q.pred(q.where));
        },
        &asked, from);
    return where;
#endif
  }
  /// The same for values that say all by themselves: nothing else is ordered, so nothing waits for
  /// earlier writes.
  template <class T>
  TEFF_INLINE void publish_relaxed(T& where, const std::type_identity_t<T>& value) const {
    static_assert(publishable<T>, "Published values have 4, 8 or 16 bytes, aligned to their size.");
#ifdef __CUDA_ARCH__
    detail::store_relaxed(&where, value);
#else
    publish(where, value);
#endif
  }
  template <class T>
  TEFF_INLINE T read_relaxed(const T& where) const {
    static_assert(publishable<T>, "Published values have 4, 8 or 16 bytes, aligned to their size.");
#ifdef __CUDA_ARCH__
    return detail::load_relaxed(&where);
#else
    return read_published(where);
#endif
  }
  template <class T, class Pred>
  TEFF_INLINE T wait_until_relaxed(const T& where, const Pred& pred,
                                   site from = site::here()) const {
    static_assert(publishable<T>, "Published values have 4, 8 or 16 bytes, aligned to their size.");
#ifdef __CUDA_ARCH__
    (void)from;
    return detail::wait_for_value_relaxed(&where, pred);
#else
    return wait_until(where, pred, from);
#endif
  }
  /// What this thread wrote to global memory before is seen by other blocks before what it writes
  /// after.
  TEFF_INLINE void fence() const {
#ifdef __CUDA_ARCH__
    __threadfence();
#endif
  }

 private:
  /// An atomic operation of the emulator, where one thread runs at a time.
  template <class T, class F>
  T change(T& where, const F& next) const {
    const T old = where;
    where = next(old);
    thread_->changed_memory(where != old);
    thread_->yield();
    return old;
  }
  template <class T>
  TEFF_INLINE T* atomic_place(const shared_element<T>& element) const {
#ifdef __CUDA_ARCH__
    return element.at_;
#else
    return static_cast<T*>(element.checked(runtime::shared_use::atomic));
#endif
  }

  runtime::emulated_thread* thread_;      // null on a GPU
  [[maybe_unused]] unsigned carved_ = 0;  // bytes of shared memory, on a GPU
};

namespace detail {

/// `static constexpr int threads` and `least_blocks` of a kernel's type, where it has them.
template <class F>
constexpr int threads_of_kernel() {
  if constexpr (requires { typename std::integral_constant<int, F::threads>; }) return F::threads;
  return 0;
}
template <class F>
constexpr int least_blocks_of_kernel() {
  if constexpr (requires { typename std::integral_constant<int, F::least_blocks>; })
    return F::least_blocks;
  return 1;
}

}  // namespace detail
}  // namespace teff::inline TEFF_MODE

// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <type_traits>

#include <teff/kernel/emulator.hpp>

namespace teff::inline TEFF_MODE {

/// The 32 threads that a thread runs in step with. All lanes of the warp must come to the same
/// operation, at the same place of the source; lanes that have returned are missed.
/// Values are trivially copyable and of at most 64 bytes; they travel as 32-bit words.
class warp {
 public:
  static constexpr int lanes = 32;

  TEFF_INLINE explicit warp(runtime::emulated_thread* thread) : thread_(thread) {}

  /// Number of this thread in its warp.
  TEFF_INLINE int lane() const {
#ifdef __CUDA_ARCH__
    int number;
    asm("mov.u32 %0, %%laneid;" : "=r"(number));
    return number;
#else
    return thread_->linear % lanes;
#endif
  }
  /// Number of the warp in its block.
  TEFF_INLINE int index() const {
#ifdef __CUDA_ARCH__
    return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) /
           lanes;
#else
    return thread_->linear / lanes;
#endif
  }
  TEFF_INLINE static constexpr int size() {
    return lanes;
  }

  /// The value of lane `from` (modulo 32). A lane that the block does not have gives no meaningful
  /// value.
  template <class T>
  TEFF_INLINE T shuffle(const T& value, int from, site where = site::here()) const {
    return exchange<runtime::warp_operation::shuffle>(value, from, where);
  }
  /// The value of the lane that is `distance` below; the own one where there is none.
  template <class T>
  TEFF_INLINE T shuffle_up(const T& value, int distance, site where = site::here()) const {
    return exchange<runtime::warp_operation::shuffle_up>(value, distance, where);
  }
  /// The value of the lane that is `distance` above; the own one where there is none.
  template <class T>
  TEFF_INLINE T shuffle_down(const T& value, int distance, site where = site::here()) const {
    return exchange<runtime::warp_operation::shuffle_down>(value, distance, where);
  }
  /// The value of lane `lane() ^ mask`.
  template <class T>
  TEFF_INLINE T shuffle_xor(const T& value, int mask, site where = site::here()) const {
    return exchange<runtime::warp_operation::shuffle_xor>(value, mask, where);
  }

  /// Bit l is the predicate of lane l.
  TEFF_INLINE unsigned ballot(bool predicate, site where = site::here()) const {
#ifdef __CUDA_ARCH__
    (void)where;
    return __ballot_sync(everyone, predicate);
#else
    return vote<runtime::warp_operation::ballot>(predicate, where);
#endif
  }
  TEFF_INLINE bool any(bool predicate, site where = site::here()) const {
#ifdef __CUDA_ARCH__
    (void)where;
    return __any_sync(everyone, predicate) != 0;
#else
    return vote<runtime::warp_operation::any>(predicate, where) != 0;
#endif
  }
  TEFF_INLINE bool all(bool predicate, site where = site::here()) const {
#ifdef __CUDA_ARCH__
    (void)where;
    return __all_sync(everyone, predicate) != 0;
#else
    return vote<runtime::warp_operation::all>(!predicate, where) == 0;
#endif
  }

  /// Waits for all lanes: what they wrote to shared memory before is seen by all of them after.
  TEFF_INLINE void sync(site where = site::here()) const {
#ifdef __CUDA_ARCH__
    (void)where;
    __syncwarp();
#else
    const volatile char copy = 0;
    thread_->sync_warp(runtime::called_here(where, copy));
#endif
  }

 private:
  static constexpr unsigned everyone = 0xffffffffU;

  template <runtime::warp_operation Operation, class T>
  TEFF_INLINE T exchange(const T& value, int by, site where) const {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 64,
                  "A shuffle moves values that are trivially copyable and of at most 64 bytes.");
    using op = runtime::warp_operation;
    constexpr int count = (sizeof(T) + 3) / 4;
    unsigned words[count] = {};
    memcpy(words, &value, sizeof(T));
#ifdef __CUDA_ARCH__
    (void)where;
#pragma unroll
    for (int w = 0; w < count; ++w) {
      if constexpr (Operation == op::shuffle) words[w] = __shfl_sync(everyone, words[w], by);
      if constexpr (Operation == op::shuffle_up) words[w] = __shfl_up_sync(everyone, words[w], by);
      if constexpr (Operation == op::shuffle_down)
        words[w] = __shfl_down_sync(everyone, words[w], by);
      if constexpr (Operation == op::shuffle_xor)
        words[w] = __shfl_xor_sync(everyone, words[w], by);
    }
    T result = value;
    memcpy(&result, words, sizeof(T));
#else
    const int mine = lane();
    int from = by & (lanes - 1);
    if (Operation == op::shuffle_up) from = mine - by;
    if (Operation == op::shuffle_down) from = mine + by;
    if (Operation == op::shuffle_xor) from = mine ^ by;
    if (from < 0 || from >= lanes) from = mine;
    unsigned received[count];
    const volatile char copy = 0;
    thread_->exchange(Operation, words, received, sizeof words, from,
                      runtime::called_here(where, copy));
    T result = value;
    memcpy(&result, received, sizeof(T));
#endif
    return result;
  }

  template <runtime::warp_operation Operation>
  TEFF_INLINE unsigned vote(bool predicate, site where) const {
    const volatile char copy = 0;
    return thread_->vote(Operation, predicate, runtime::called_here(where, copy));
  }

  runtime::emulated_thread* thread_;  // null on a GPU
};

}  // namespace teff::inline TEFF_MODE

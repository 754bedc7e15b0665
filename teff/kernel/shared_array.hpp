// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstring>
#include <type_traits>

#include <teff/kernel/emulator.hpp>

namespace teff::inline TEFF_MODE {

/// An index into a shared array that knows who asked, for the emulator's messages. On a GPU nothing
/// of that is left.
struct shared_index {
  index_t i;
  site where;
  template <std::integral I>
  TEFF_INLINE constexpr shared_index(I index, site from = site::here())  // NOLINT: stands for one
      : i(static_cast<index_t>(index)), where(from) {}
};

/// What tile[i] is: to be read or written in the same expression, never kept. `auto v = tile[i]`
/// gives something that can not be used, as it would read later than it seems to: write `T v =
/// tile[i]`. Equal elements of both modes mean the same; on a GPU it is a plain access.
template <class T>
class shared_element {
 public:
  TEFF_INLINE operator T() const&& { return load(); }  // NOLINT: reads as an element does
  operator T() const& {                                // NOLINT
    static_assert(sizeof(T) == 0,
                  "An element of shared memory was kept by auto: name its type, T v = tile[i].");
    return {};
  }

  TEFF_INLINE T operator=(const T& value) && {  // NOLINT(misc-unconventional-assign-operator)
    store(value);
    return value;
  }
  T operator=(const T& value) & {  // NOLINT
    static_assert(sizeof(T) == 0,
                  "An element of shared memory was kept by auto: write tile[i] = value.");
    return value;
  }
  TEFF_INLINE T operator=(shared_element&& other) && {  // NOLINT: the value, not the place
    const T value = other.load();
    store(value);
    return value;
  }
  TEFF_INLINE T operator+=(const T& value) && { return assign(static_cast<T>(load() + value)); }
  TEFF_INLINE T operator-=(const T& value) && { return assign(static_cast<T>(load() - value)); }
  TEFF_INLINE T operator*=(const T& value) && { return assign(static_cast<T>(load() * value)); }
  TEFF_INLINE T operator/=(const T& value) && { return assign(static_cast<T>(load() / value)); }

 private:
  friend class block;
  template <class>
  friend class shared_array;

  TEFF_INLINE shared_element(T* at, runtime::emulated_thread* thread, int array,
                             const shared_index& index)
      : at_(at), thread_(thread), array_(array), index_(index) {}

  TEFF_INLINE T load() const {
#ifdef __CUDA_ARCH__
    return *at_;
#else
    return *static_cast<T*>(checked(runtime::shared_use::read));
#endif
  }
  TEFF_INLINE void store(const T& value) const {
#ifdef __CUDA_ARCH__
    *at_ = value;
#else
    *static_cast<T*>(checked(runtime::shared_use::write, &value)) = value;
#endif
  }
  TEFF_INLINE T assign(const T& value) const {
    store(value);
    return value;
  }
  void* checked(runtime::shared_use use, const void* written = nullptr) const {
    if (thread_ == nullptr) runtime::throw_no_array(index_.where);
    return thread_->access(array_, index_.i, 1, use, written, index_.where);
  }

  T* at_;
  runtime::emulated_thread* thread_;  // of the emulator, as what follows
  int array_;
  shared_index index_;
};

/// An array that the threads of a block share. A handle, small to copy.
template <class T>
class shared_array {
  static_assert(std::is_trivially_copyable_v<T>,
                "Shared memory holds only what is trivially copyable.");

 public:
  TEFF_INLINE int size() const { return size_; }

  /// A handle of no array, to be assigned to. Before that an access is a fault.
  static TEFF_INLINE shared_array none() { return {nullptr, 0, nullptr, 0}; }

  TEFF_INLINE shared_element<T> operator[](shared_index index) const {
#ifdef __CUDA_ARCH__
    return {data_ + index.i, nullptr, 0, index};
#else
    return {nullptr, thread_, array_, index};
#endif
  }

  /// The elements from `index` on that a W holds, in one access: their number divides `index`.
  template <class W>
  TEFF_INLINE W read_wide(shared_index index) const {
#ifdef __CUDA_ARCH__
    return *reinterpret_cast<const W*>(data_ + index.i);
#else
    W values;
    std::memcpy(&values, checked<W>(index, runtime::shared_use::read), sizeof(W));
    return values;
#endif
  }
  template <class W>
  TEFF_INLINE void write_wide(shared_index index, const W& values) const {
#ifdef __CUDA_ARCH__
    *reinterpret_cast<W*>(data_ + index.i) = values;
#else
    std::memcpy(checked<W>(index, runtime::shared_use::write, &values), &values, sizeof(W));
#endif
  }

 private:
  friend class block;
  TEFF_INLINE shared_array(T* data, int size, runtime::emulated_thread* thread, int array)
      : data_(data), size_(size), thread_(thread), array_(array) {}

  template <class W>
  void* checked(const shared_index& index, runtime::shared_use use,
                const void* written = nullptr) const {
    static_assert(sizeof(W) % sizeof(T) == 0 && std::is_trivially_copyable_v<W>,
                  "A wide access is of whole elements.");
    if (thread_ == nullptr) runtime::throw_no_array(index.where);
    return thread_->access(array_, index.i, static_cast<int>(sizeof(W) / sizeof(T)), use, written,
                           index.where);
  }

  T* data_;
  int size_;
  runtime::emulated_thread* thread_;
  int array_;
};

}  // namespace teff::inline TEFF_MODE

// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <memory>
#include <string>

#include <teff/array/array.hpp>
#include <teff/base/memory.hpp>
#include <teff/capi/teff_c.h>

/// What stands behind the handles of teff_c.h, and how exceptions become statuses.

struct teff_stream {
  teff::stream on;
};

struct teff_array {
  teff::stream on;
  std::shared_ptr<teff::memory_block> block;  ///< null for foreign memory
  std::shared_ptr<void> owner;                ///< of foreign memory, where there is one
  std::shared_ptr<const std::string> label;
  void* data = nullptr;
  teff_type type = teff_f64;
  int rank = 0;
  int64_t extents[teff_max_rank] = {1, 1, 1};
  int64_t strides[teff_max_rank] = {0, 0, 0};
  std::shared_ptr<const teff::runtime::foreign_memory> counted;  ///< of such on the CPU
};

namespace teff::capi {

/// A callback of the caller's has ended the run.
class stopped : public error {
 public:
  stopped()
      : error(failure::stopped, "stopped by a callback; the fields hold the state of one step") {}
};

/// Keeps the message of the exception for teff_message(), and gives its status.
teff_status status_of(const std::exception_ptr& thrown) noexcept;

/// work(), of which no exception leaves.
template <class Work>
teff_status guarded(const Work& work) noexcept {
  try {
    work();
    return teff_ok;
  } catch (...) {
    return status_of(std::current_exception());
  }
}

/// Words that the caller frees with teff_text_free.
char* text_for_caller(const std::string& text);

[[nodiscard]] index_t cell_bytes(teff_type type);
const char* name_of(teff_type type);

/// "array 'T' of 100x80 f64", for messages.
std::string described(const teff_array& a);

}  // namespace teff::capi

namespace teff::inline TEFF_MODE::detail {

/// The array as it is in C++, of N dims: those that it lacks have one cell.
/// @throws error (usage) if it has more dims, or cells of another type; a bool may stand for a u8
template <class T, int N>
array_ref<T, N> as_ref(const teff_array* a, const char* what) {
  if (a == nullptr) throw error(failure::usage, std::string(what) + " is NULL, expected an array");
  const bool is_type = capi::name_of(a->type) == std::string_view(type_name<T>()) ||
                       (std::same_as<T, u8> && a->type == teff_bool);
  if (!is_type || a->rank > N)
    throw error(failure::usage, std::string(what) + " is " + capi::described(*a) + ", expected " +
                                    type_name<T>() + (a->rank > N ? " of fewer dims" : " cells"));
  view<T, N> cells{static_cast<T*>(a->data), {}, {}};
  for (int d = 0; d < N; ++d) {
    cells.shape[d] = d < a->rank ? a->extents[d] : 1;
    cells.strides[d] = d < a->rank ? a->strides[d] : 0;
  }
  return {a->on, a->block, cells, a->label};
}

/// f(T{}) of the type of the array's cells; a bool stands for a u8.
template <class F>
auto with_cell_type(const teff_array& a, const F& f) {
  switch (a.type) {
    case teff_f64:
      return f(f64{});
    case teff_f32:
      return f(f32{});
    case teff_i64:
      return f(i64{});
    case teff_i32:
      return f(i32{});
    default:
      return f(u8{});
  }
}

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <cstring>
#include <new>

#include <teff/capi/handles.hpp>
#include <teff/stencil/options.hpp>

namespace teff::capi {

namespace {

thread_local std::string last_message;

teff_status keep(teff_status status, const char* message) noexcept {
  try {
    last_message = message;
  } catch (const std::bad_alloc&) {
    last_message.clear();
  }
  return status;
}

}  // namespace

teff_status status_of(const std::exception_ptr& thrown) noexcept {
  try {
    std::rethrow_exception(thrown);
  } catch (const error& e) {
    switch (e.kind()) {
      case failure::usage:
        return keep(teff_usage, e.what());
      case failure::out_of_memory:
        return keep(teff_out_of_memory, e.what());
      case failure::non_finite:
        return keep(teff_non_finite, e.what());
      case failure::no_device:
        return keep(teff_no_device, e.what());
      case failure::stopped:
        return keep(teff_stopped, e.what());
      default:
        return keep(teff_failed, e.what());
    }
  } catch (const std::bad_alloc&) {
    return keep(teff_out_of_memory, "out of memory on the host");
  } catch (const std::exception& e) {
    return keep(teff_failed, e.what());
  } catch (...) {
    return keep(teff_failed, "an exception that is no std::exception");
  }
}

char* text_for_caller(const std::string& text) {
  char* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

index_t cell_bytes(teff_type type) {
  switch (type) {
    case teff_f64:
    case teff_i64:
      return 8;
    case teff_f32:
    case teff_i32:
      return 4;
    case teff_u8:
    case teff_bool:
      return 1;
  }
  throw error(failure::usage, "there is no element type number " + std::to_string(type));
}

const char* name_of(teff_type type) {
  switch (type) {
    case teff_f64:
      return "f64";
    case teff_f32:
      return "f32";
    case teff_i64:
      return "i64";
    case teff_i32:
      return "i32";
    case teff_u8:
      return "u8";
    case teff_bool:
      return "bool";
  }
  return "?";
}

std::string described(const teff_array& a) {
  const runtime::array_handle handle{a.on, a.block, a.label};
  return runtime::described({&handle, a.data, a.extents, a.strides, a.rank,
                             static_cast<int>(cell_bytes(a.type)), name_of(a.type)});
}

}  // namespace teff::capi

using namespace teff;
using namespace teff::capi;

int teff_c_abi(void) {
  return TEFF_C_ABI;
}
const char* teff_message(void) {
  return last_message.c_str();
}
void teff_text_free(char* text) {
  std::free(text);
}

// ---- streams

teff_status teff_stream_of(const char* device, teff_stream** made) {
  return guarded([&] { *made = new teff_stream{stream(parse_device(device))}; });
}
teff_status teff_stream_adopt(const char* device, void* native, teff_stream** made) {
  return guarded([&] { *made = new teff_stream{stream::adopt(parse_device(device), native)}; });
}
teff_status teff_stream_synchronize(const teff_stream* stream) {
  return guarded([&] { stream->on.synchronize(); });
}
teff_status teff_stream_wait_for(const teff_stream* stream, const teff_stream* other) {
  return guarded([&] { stream->on.wait_for(other->on); });
}
void teff_stream_free(teff_stream* stream) {
  delete stream;
}

// ---- arrays

namespace {

/// @throws error (usage)
void check_rank(int rank) {
  if (rank < 0 || rank > teff_max_rank)
    throw error(failure::usage,
                "arrays have 1 to 3 dims (0 is one cell), got " + std::to_string(rank) + " dims");
}

std::shared_ptr<const std::string> label_of(const char* label) {
  if (label == nullptr || *label == 0) return nullptr;
  return std::make_shared<const std::string>(label);
}

}  // namespace

teff_status teff_array_wrap(const teff_stream* on, void* data, teff_type type, int rank,
                            const int64_t* extents, const int64_t* strides, const char* label,
                            void (*release)(void*), void* owner, teff_array** made) {
  return guarded([&] {
    std::shared_ptr<void> kept;
    if (release != nullptr) kept = std::shared_ptr<void>(owner, release);
    check_rank(rank);
    const auto bytes =
        checked_bytes(extents, rank, cell_bytes(type), label == nullptr ? "" : label);
    auto a = std::make_unique<teff_array>(
        teff_array{on->on, nullptr, std::move(kept), label_of(label), data, type, rank});
    for (int d = 0; d < rank; ++d) {
      a->extents[d] = extents[d];
      a->strides[d] = strides[d];
    }
    if (on->on.dev().is_cpu())
      a->counted = std::make_shared<const runtime::foreign_memory>(static_cast<std::size_t>(bytes));
    *made = a.release();
  });
}

teff_status teff_array_new(const teff_stream* on, teff_type type, int rank, const int64_t* extents,
                           const char* label, teff_array** made) {
  return guarded([&] {
    check_rank(rank);
    const int64_t one = 1;
    const runtime::array_handle handle =
        runtime::allocated(on->on, on->on.dev(), rank == 0 ? &one : extents, rank == 0 ? 1 : rank,
                           cell_bytes(type), label == nullptr ? "" : label);
    auto a = std::make_unique<teff_array>(teff_array{handle.on, handle.block, nullptr, handle.label,
                                                     handle.block->data(), type, rank});
    int64_t next = 1;
    for (int d = 0; d < rank; ++d) {
      a->extents[d] = extents[d];
      a->strides[d] = next;
      next *= extents[d];
    }
    *made = a.release();
  });
}

void teff_array_free(teff_array* array) {
  delete array;
}
void* teff_array_data(const teff_array* array) {
  return array->data;
}
teff_type teff_array_type(const teff_array* array) {
  return array->type;
}
int teff_array_rank(const teff_array* array) {
  return array->rank;
}
const int64_t* teff_array_extents(const teff_array* array) {
  return array->extents;
}
const int64_t* teff_array_strides(const teff_array* array) {
  return array->strides;
}
int teff_array_is_cuda(const teff_array* array, int* ordinal) {
  *ordinal = array->on.dev().ordinal();
  return array->on.dev().is_cuda();
}
teff_status teff_array_synchronize(const teff_array* array) {
  return guarded([&] { array->on.synchronize(); });
}

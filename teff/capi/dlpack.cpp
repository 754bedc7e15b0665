// SPDX-License-Identifier: MIT
#include <teff/capi/handles.hpp>

/// Arrays for other libraries by DLPack: its structures as its specification has them (version 1).

namespace {

struct dl_tensor {
  void* data;
  struct {
    int32_t type, id;
  } device;
  int32_t ndim;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } dtype;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
};

struct managed_tensor {
  dl_tensor tensor;
  void* manager;
  void (*deleter)(managed_tensor*);
};

struct versioned_tensor {
  struct {
    uint32_t major, minor;
  } version;
  void* manager;
  void (*deleter)(versioned_tensor*);
  uint64_t flags;
  dl_tensor tensor;
};

constexpr int32_t dl_cpu = 1, dl_cuda = 2, dl_cuda_host = 3;
constexpr uint64_t dl_read_only = 1;

/// What a consumer's structure points to; it goes with it.
template <class Managed>
struct exported {
  Managed managed{};
  teff_array array;
  int64_t shape[teff_max_rank] = {}, strides[teff_max_rank] = {};

  explicit exported(const teff_array& a) : array(a) {
    for (int d = 0; d < a.rank; ++d) {
      shape[d] = a.extents[a.rank - 1 - d];
      strides[d] = a.strides[a.rank - 1 - d];
    }
    dl_tensor& to = managed.tensor;
    to.data = a.data;
    to.device.type = a.on.dev().is_cuda()     ? dl_cuda
                     : a.on.dev().is_pinned() ? dl_cuda_host
                                              : dl_cpu;
    to.device.id = a.on.dev().ordinal();
    to.ndim = a.rank;
    const bool is_real = a.type == teff_f64 || a.type == teff_f32;
    to.dtype.code = is_real ? 2 : a.type == teff_u8 ? 1 : a.type == teff_bool ? 6 : 0;
    to.dtype.bits = static_cast<uint8_t>(8 * teff::capi::cell_bytes(a.type));
    to.dtype.lanes = 1;
    to.shape = shape;
    to.strides = strides;
    managed.manager = this;
    managed.deleter = [](Managed* self) { delete static_cast<exported*>(self->manager); };
  }
};

int (*capsule_is_valid)(void*, const char*) = nullptr;
void* (*capsule_pointer)(void*, const char*) = nullptr;

template <class Managed>
bool let_go(void* capsule, const char* name) {
  if (capsule_is_valid(capsule, name) == 0) return false;
  auto* const managed = static_cast<Managed*>(capsule_pointer(capsule, name));
  managed->deleter(managed);
  return true;
}

}  // namespace

teff_status teff_array_dlpack(const teff_array* array, int is_versioned, int is_read_only,
                              void** managed) {
  return teff::capi::guarded([&] {
    if (is_versioned == 0) {
      *managed = &(new exported<managed_tensor>(*array))->managed;
      return;
    }
    auto* const made = new exported<versioned_tensor>(*array);
    made->managed.version = {1, 0};
    made->managed.flags = is_read_only != 0 ? dl_read_only : 0;
    *managed = &made->managed;
  });
}

void teff_dlpack_capsule_functions(int (*is_valid)(void*, const char*),
                                   void* (*pointer)(void*, const char*)) {
  capsule_is_valid = is_valid;
  capsule_pointer = pointer;
}

/// A consumer that took the tensor has renamed the capsule, and calls the deleter itself.
void teff_dlpack_capsule_destructor(void* capsule) {
  if (capsule_is_valid == nullptr) return;
  if (!let_go<managed_tensor>(capsule, "dltensor"))
    let_go<versioned_tensor>(capsule, "dltensor_versioned");
}

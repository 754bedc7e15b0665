// SPDX-License-Identifier: MIT
#include <teff/capi/algorithms.hpp>

/// The face of teff_c.h: what is asked for, by the type of the array.

using namespace teff;
using namespace teff::capi;

namespace {

/// @throws error (usage) for no array
const algorithms& of_type(const teff_array* a) {
  if (a == nullptr) throw error(failure::usage, "an array is NULL");
  switch (a->type) {
    case teff_f64:
      return of_f64;
    case teff_f32:
      return of_f32;
    case teff_i64:
      return of_i64;
    case teff_i32:
      return of_i32;
    default:
      return of_u8;
  }
}

/// @throws error (usage) where T has none
template <class F>
F known(F function, const char* name, const char* types, const teff_array* a) {
  if (function == nullptr)
    throw error(failure::usage,
                std::string(name) + " takes arrays of " + types + ", got " + capi::described(*a));
  return function;
}

/// @throws error (usage)
void check_dim(const char* name, int dim, const teff_array* a) {
  if (dim < 0 || dim >= (a->rank == 0 ? 1 : a->rank))
    throw error(failure::usage, std::string(name) + ": " + capi::described(*a) + " has dims 0 to " +
                                    std::to_string(a->rank - 1) + ", asked for dim " +
                                    std::to_string(dim));
}

}  // namespace

teff_type teff_reduction_type(teff_reduction what, teff_type of) {
  const bool is_whole = of != teff_f64 && of != teff_f32;
  switch (what) {
    case teff_sum:
    case teff_prod:
      return is_whole ? teff_i64 : of;
    case teff_min:
    case teff_max:
      return of;
    case teff_max_abs:
      return of == teff_i32 ? teff_i64 : of;
    case teff_mean:
    case teff_norm2:
      return is_whole ? teff_f64 : of;
    case teff_argmin:
    case teff_argmax:
      return teff_i64;
    case teff_any:
    case teff_all:
      return teff_u8;
  }
  return of;
}

teff_status teff_reduce(teff_reduction what, const teff_array* target, const teff_array* array,
                        int dims, const int* dim) {
  return guarded([&] {
    const algorithms& of = of_type(array);
    unsigned seen = 0;
    for (int i = 0; i < dims; ++i) {
      check_dim("a reduction", dim[i], array);
      if ((seen >> dim[i] & 1u) != 0)
        throw error(failure::usage, "a reduction: dim " + std::to_string(dim[i]) + " comes twice");
      seen |= 1u << dim[i];
    }
    reduced_dims along;
    if (dims < array->rank)
      for (along.count = 0; along.count < dims; ++along.count)
        along.dim[along.count] = dim[along.count];
    of.reduce(what, target, array, along);
  });
}
teff_status teff_dot(const teff_array* target, const teff_array* a, const teff_array* b) {
  return guarded([&] { of_type(a).dot(target, a, b); });
}
teff_status teff_cumsum(const teff_array* target, const teff_array* array, int dim) {
  return guarded([&] {
    const algorithms& of = of_type(array);
    check_dim("cumsum", dim, array);
    of.cumsum(target, array, dim);
  });
}
teff_status teff_scan(const teff_array* target, const teff_array* array, int dim,
                      teff_operation operation, const void* init, int is_exclusive) {
  return guarded([&] {
    const algorithms& of = of_type(array);
    check_dim("scan", dim, array);
    of.scan(target, array, {dim, operation, init, is_exclusive != 0});
  });
}
teff_status teff_segmented_sum(const teff_array* target, const teff_array* array,
                               const teff_array* offsets) {
  return guarded([&] {
    known(of_type(array).segmented_sum, "segmented_sum", "f64, f32, i64 or i32", array)(
        target, array, offsets);
  });
}
teff_status teff_gemv(double alpha, const teff_array* A, const teff_array* x, double beta,
                      const teff_array* y) {
  return guarded([&] { known(of_type(A).gemv, "gemv", "f64 or f32", A)(alpha, A, x, beta, y); });
}
teff_status teff_matmul(const teff_array* C, const teff_array* A, const teff_array* B) {
  return guarded([&] { known(of_type(A).matmul, "matmul", "f64 or f32", A)(C, A, B); });
}
teff_status teff_permute(const teff_array* target, const teff_array* array, const int* order) {
  return guarded([&] {
    const algorithms& of = of_type(array);
    if (array->rank < 2)
      throw error(failure::usage,
                  "permute takes arrays of two or three dims, got " + capi::described(*array));
    of.permute(target, array, order);
  });
}
teff_status teff_random(const teff_array* target, uint64_t seed, int is_normal) {
  return guarded([&] {
    known(of_type(target).random, "random", "f64 or f32", target)(target, seed, is_normal != 0);
  });
}
teff_status teff_copy(const teff_array* target, const teff_array* array) {
  return guarded([&] { of_type(array).copy(target, array); });
}

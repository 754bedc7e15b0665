// SPDX-License-Identifier: MIT
#pragma once

#include <teff/capi/handles.hpp>

/// The algorithms of teff_c.h for one element type; each type is compiled as a unit of its own.
namespace teff::capi {

/// The dims of a reduction; none: all cells.
struct reduced_dims {
  int count = 0;
  int dim[2] = {0, 0};
};

struct scan_request {
  int dim;
  teff_operation operation;
  const void* init;
  bool is_exclusive;
};

/// Arrays of up to three dims are taken as of three: what an algorithm does, and its bits, depend
/// on how cells lie, and a dim of one cell changes nothing of that. A bool counts as a u8.
struct algorithms {
  void (*reduce)(teff_reduction, const teff_array*, const teff_array*, const reduced_dims&);
  void (*dot)(const teff_array*, const teff_array*, const teff_array*);
  void (*cumsum)(const teff_array*, const teff_array*, int);
  void (*scan)(const teff_array*, const teff_array*, const scan_request&);
  void (*permute)(const teff_array*, const teff_array*, const int*);
  void (*copy)(const teff_array*, const teff_array*);
  void (*segmented_sum)(const teff_array*, const teff_array*, const teff_array*);  ///< or null
  void (*gemv)(double, const teff_array*, const teff_array*, double, const teff_array*);  ///< "
  void (*matmul)(const teff_array*, const teff_array*, const teff_array*);                ///< "
  void (*random)(const teff_array*, uint64_t, bool);                                      ///< "
};

extern const algorithms of_f64, of_f32, of_i64, of_i32, of_u8;

}  // namespace teff::capi

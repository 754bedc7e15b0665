// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/reduce/reduction.hpp>

/// Reductions that most programs have, for C++ programs compiled once, in the library (cpu.cpp):
/// `sum`, `min`, `max` and `max_abs` of all cells of an array of reals, and `max_abs` of the
/// difference of two; of other expressions what does not depend on them.
#ifndef __CUDACC__
namespace teff::inline TEFF_MODE::detail {

template <class E>
using magnitudes_of = call<ops::full_magnitude, E>;
template <class E>
using differences_of = binary<ops::minus, E, E>;

/// Of all values of the expression that comes last.
#define TEFF_REDUCTION(external, Op, A, R, ...)                                          \
  external template scalar<R> reduce_all(const __VA_ARGS__&, const reduction<R, A, Op>&, \
                                         const reduction_on_device&);
#define TEFF_REDUCTIONS_OF_ARRAYS(external, T, N)                              \
  TEFF_REDUCTION(external, ops::sum, f64, T, array_leaf<T, N>)                 \
  TEFF_REDUCTION(external, ops::smaller, T, T, array_leaf<T, N>)               \
  TEFF_REDUCTION(external, ops::larger, T, T, array_leaf<T, N>)                \
  TEFF_REDUCTION(external, ops::larger, T, T, magnitudes_of<array_leaf<T, N>>) \
  TEFF_REDUCTION(external, ops::larger, T, T, magnitudes_of<differences_of<array_leaf<T, N>>>)
/// Of any expression, once lanes have taken in its values.
#define TEFF_REDUCTION_OF_LANES(external, Op, A)                                         \
  external template A reduce_cpu(const lane_reader<Op, A>&, const index_t(&)[3], A);     \
  external template void reduce_dim_cpu(const run_writer<A>&, const lane_reader<Op, A>&, \
                                        dim_cells, bool, A);                             \
  external template A combine_chunk<Op, A>(A*, index_t, const A&);
#define TEFF_REDUCTIONS(external)                      \
  TEFF_REDUCTIONS_OF_ARRAYS(external, f64, 1)          \
  TEFF_REDUCTIONS_OF_ARRAYS(external, f64, 2)          \
  TEFF_REDUCTIONS_OF_ARRAYS(external, f64, 3)          \
  TEFF_REDUCTIONS_OF_ARRAYS(external, f32, 1)          \
  TEFF_REDUCTIONS_OF_ARRAYS(external, f32, 2)          \
  TEFF_REDUCTIONS_OF_ARRAYS(external, f32, 3)          \
  TEFF_REDUCTION_OF_LANES(external, ops::sum, f64)     \
  TEFF_REDUCTION_OF_LANES(external, ops::smaller, f64) \
  TEFF_REDUCTION_OF_LANES(external, ops::smaller, f32) \
  TEFF_REDUCTION_OF_LANES(external, ops::larger, f64)  \
  TEFF_REDUCTION_OF_LANES(external, ops::larger, f32)  \
  TEFF_REDUCTION_OF_LANES(external, ops::both, bool)   \
  TEFF_REDUCTION_OF_LANES(external, ops::either, bool)

TEFF_REDUCTIONS(extern)

}  // namespace teff::inline TEFF_MODE::detail
#endif

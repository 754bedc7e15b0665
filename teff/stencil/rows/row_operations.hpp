// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>
#include <teff/stencil/rows/row_step.hpp>

namespace teff::runtime {

/// What an instruction of a row_program does, as teff_row_operation and python/teff/row_program.py
/// count.
enum class row_operation {
  copy,
  convert,  ///< from the type of its instruction
  index,    ///< of a cell along a dim, or of the step
  add,
  subtract,
  multiply,
  divide,
  add_product,            ///< a b + c, rounded once
  subtract_from_product,  ///< a b - c
  subtract_product,       ///< c - a b
  negate,
  absolute,
  less,
  less_equal,
  equal,
  not_equal,
  both,
  either,
  opposite,
  minimum,
  maximum,
  where,  ///< of a condition, a value where it holds, another one
  power,
  square_root,
  exponential,
  logarithm,
  sine,
  cosine,
  hyperbolic_tangent,
  floor,
};

/// An operation on cells that lie side by side. @param to may be one of the operands of its type
/// @param operands three, of which it takes as many as it needs
using row_loop = void (*)(void* to, const void* const* operands, index_t cells);

/// That on operands of this type; of comparisons and conditions the result is i32.
/// @param to type of the result of a conversion @throws error if there is none
row_loop row_loop_of(row_operation what, cell_type type, cell_type to);

}  // namespace teff::runtime

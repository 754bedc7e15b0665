// SPDX-License-Identifier: MIT
#include <string>

#include <teff/array/slice.hpp>
#include <teff/base/error.hpp>

namespace teff::runtime {

namespace {

std::string has_cells(const text_source& whose, index_t extent, int dim) {
  return whose.text() + " has " + std::to_string(extent) + " cells along dim " +
         std::to_string(dim) + ", asked for ";
}

}  // namespace

void throw_slice_outside(const text_source& whose, index_t start, index_t stop, index_t step,
                         index_t extent, int dim) {
  throw error(
      "slice out of range: " + has_cells(whose, extent, dim) + "range(" + std::to_string(start) +
      ", " + std::to_string(stop) + (step == 1 ? "" : ", " + std::to_string(step)) +
      "); expected 0 <= start <= stop <= " + std::to_string(extent) + " and a step of at least 1");
}

void throw_index_outside(const text_source& whose, bool is_signed, std::uint64_t index,
                         index_t extent, int dim) {
  throw error("index out of range: " + has_cells(whose, extent, dim) +
              (is_signed ? std::to_string(static_cast<i64>(index)) : std::to_string(index)) +
              "; indices count from 0");
}

}  // namespace teff::runtime

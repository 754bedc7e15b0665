// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/kernel/streaming_store.hpp>
#include <teff/stencil/rows/row_operations.hpp>

namespace teff::runtime {

/// A row's function as data, for where no compiler is: operations on some hundred cells each, which
/// stay in the caches, with the bits of the function.
class row_program {
 public:
  enum class kind { target, temporary, cell, real, whole, ratio };
  /// Where an operand or a result is: in the target; in a temporary (`at`); in a row that is read
  /// (`at`), so many cells away (`more`); or a number of the formula (the real or the integer
  /// `at`), or at / more.
  struct place {
    kind where;
    cell_type type;
    int at, more;
  };
  /// To and from places; of an index the dim (3: the step) and what is added to it.
  struct instruction {
    row_operation what;
    int to, operands[3];
  };

  /// @param reals, integers numbers of the formula @throws error for what is none
  row_program(std::vector<place> places, const std::vector<instruction>& code, const double* reals,
              const i64* integers);
  /// As row::function.
  void compute(void* to, const void* const* from, index_t cells, const index_t* at) const;

 private:
  struct step {
    row_loop loop;  ///< nullptr: an index
    int to, operands[3];
  };
  void check(int place) const;

  std::vector<place> places_;
  std::vector<step> steps_;
  std::size_t temporaries_ = 0;
  /// Of each number as many cells as a loop takes, in the order of places.
  struct alignas(cpu_line) line {
    char bytes[cpu_line];
  };
  std::vector<line> numbers_;
};

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <teff/stencil/stepper.hpp>

/// Whether passes of several steps, or of several stages at once, give the bits of single ones on
/// this device, as they must.
/// (Compilers err: nvcc 13.0 was seen to make a wrong kernel of a right one.)
namespace teff::runtime {

/// How many cells along each dim a part of the fields leaves out: some tiles stay. Fields of faces
/// stay longer than others.
struct part {
  index_t left_out[3] = {0, 0, 0};
};
/// @param n extents of the leading field
/// @param fewer columns to leave out besides, where there are enough
part part_to_compare(int rank, const index_t (&n)[3], index_t fewer);

/// `steps` by a plan, and `single` ones, over copies of a part of the fields, those that evolve
/// roughened: are all bits the same? @sync waits for the fields
bool has_bits_of_single_steps(const stepper& on, const step_plan& plan, index_t steps,
                              index_t single, const part& of);

/// What comparisons of kernels found. One that was right on a grid is taken for right on those that
/// are no larger along any dim: a small grid may not show what is wrong. One that was wrong is
/// wrong on all.
class kernel_verdicts {
 public:
  /// Formula (stepper::identity_of_kernels), device, borders and levels, schedule, depth.
  using kernel = std::tuple<const void*, std::string, std::string, schedule, int>;

  /// @param n extents of the part that would be compared @returns nothing if that has to be done
  std::optional<refusal> of(const kernel& one, const index_t (&n)[3]) const;
  void add(const kernel& one, const index_t (&n)[3], const refusal& verdict);

 private:
  struct comparison {
    index_t n[3];
    refusal verdict;
  };
  std::map<kernel, std::vector<comparison>> known_;
};

/// Why a plan is not to be taken on a GPU; a CPU's plans all are. A run may end in passes of fewer
/// steps and in single steps of all stages at once, so their kernels are tried, too: each once in a
/// process for a formula, a device and a size, up to that of part_to_compare.
/// @sync waits for the fields when it tries
refusal compare_with_single_steps(const stepper& on, const step_plan& plan);

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#pragma once

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

/// Why a plan is not to be taken on a GPU; a CPU's plans all are. A run may end in passes of fewer
/// steps, so their kernels are tried, too: each once in a process for a formula and a device.
/// @sync waits for the fields when it tries
refusal compare_with_single_steps(const stepper& on, const step_plan& plan);

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/io/checkpoint.hpp>
#include <teff/io/grid_field.hpp>

/// Grid arrays in a checkpoint, which knows nothing of ranks: a run goes on from it on any number
/// of them, and from that of arrays.
namespace teff::io {

/// The arrays of one grid after `step` steps: write_checkpoint("run.ckpt", step, {{"T", T}}). Every
/// rank writes a share; the bytes are those of whole arrays. Collective.
/// @throws error on all ranks alike, as of arrays, and where one rank can not write; an older
/// checkpoint stays until the new one is whole
/// @sync waits for the arrays' streams
void write_checkpoint(const std::string& path, index_t step,
                      const std::vector<named_grid_field>& fields);

/// Reads it into grid arrays of the same names, types and whole extents, in any order. Returns the
/// step. Collective.
/// @throws error on all ranks alike if the file holds others, lacks one, or is damaged: all of it
/// is looked at before an array is changed
/// @sync waits for the arrays' streams
index_t read_checkpoint(const std::string& path, const std::vector<named_grid_field>& fields);

}  // namespace teff::io

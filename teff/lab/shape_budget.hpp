// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include <teff/lab/selection.hpp>

namespace teff::lab {

/// The bytes of an element type by its name.
int bytes_of_type(const std::string& type);

/// Halves extents until `arrays` arrays of this shape take at most `most_bytes`.
std::vector<index_t> shape_that_fits(std::vector<index_t> shape, int arrays, int bytes_per_cell,
                                     double most_bytes);

/// Halves the shape of a job to a part of its cells, but not so far that what a run moves is less
/// than times_the_cache the last cache, and doubles extents of a shape that is too small for that.
/// @param part 0: the least shape that no cache serves
void scale_beyond_cache(job& j, double part = 0);

/// By how much shapes are to be smaller, so that jobs on them take about `budget_s` on a CPU that
/// copies at so many GB/s; 1 where they do as they are. Below 1 caches may serve them.
double scale_for_budget(std::span<const job> jobs, double copy_gb_per_s, double budget_s);

}  // namespace teff::lab

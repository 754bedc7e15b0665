// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/io/chart.hpp>
#include <teff/lab/result.hpp>

/// What a report shows as charts, of verified results only. A chart without lines has nothing to
/// show.
namespace teff::lab {

/// GFLOP/s over the FLOPs for each byte of A_eff, under the measured roofs: memory's slope, T_peak
/// times the intensity, and for each type the flat peak. Of each case and type the best with one
/// step per pass, and with several; those may lie above the slope.
io::chart roofline_chart(const report& r);

/// T_eff as a bar for each variant with the device, type, dim and shape of `best`, in the order of
/// the report, and its ceiling as a line.
io::chart variants_chart(const report& r, const result& best);

/// T_eff over the threads of a block, a line for each number of rows in it, for the results of one
/// case that differ in nothing else; empty for fewer than three blocks.
io::chart launch_chart(const report& r, const result& best);

/// How often which time was measured.
io::chart samples_chart(const result& r);

}  // namespace teff::lab

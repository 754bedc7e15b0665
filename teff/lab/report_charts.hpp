// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include <teff/lab/page_chart.hpp>
#include <teff/lab/rank_scale.hpp>
#include <teff/lab/result.hpp>

/// What a report shows as charts, of verified results only. A chart without lines has nothing to
/// show.
namespace teff::lab {

/// One colour a variant throughout a page, another one than the other variants of its cases have
/// as far as there are colours. Threads of a block and steps between exchanges, as in
/// "kernel-32x8", make no variant of its own.
class variant_colours {
 public:
  explicit variant_colours(const report& r);
  int of(const std::string& variant) const;

 private:
  std::map<std::string, int> colours_;
};

/// f64 is drawn solid, all others dashed.
bool is_dashed(const std::string& type);

/// GFLOP/s over the FLOPs for each byte of A_eff, under the measured roofs: memory's slope, T_peak
/// times the intensity, and the flat peak of the type, both of one device: what runs on several
/// GPUs is not there. Of each case of that type the best with one step per pass, and with several;
/// those may lie above the slope.
/// @param width in CSS pixels
page_chart roofline_chart(const report& r, const std::string& type, int width);

/// T_eff over the first extent, for the variants that have three or more lines, squares or cubes.
page_chart sizes_chart(const report& r, const std::vector<result>& of_case,
                       const variant_colours& colours);

/// T_eff over the threads of a block, a line for each number of rows in it, for the results of one
/// case that differ in nothing else; empty for fewer than three blocks.
page_chart launch_chart(const report& r, const result& best, const variant_colours& colours);

/// How often which time was measured; with fewer than 20 samples each as a point, in the order in
/// which they were taken from bottom to top.
page_chart samples_chart(const result& r, const variant_colours& colours);

/// Cells a second over ranks, over those of the fewest ranks: a line for each variant, type and
/// size that was measured on two numbers of ranks or more, and the ideal one.
page_chart speed_up_chart(const std::vector<result>& of_case, scaling how,
                          const variant_colours& colours);

/// The same for each rank: 1 is ideal.
page_chart efficiency_chart(const std::vector<result>& of_case, scaling how,
                            const variant_colours& colours);

/// Results that differ in the variant alone, or in its threads.
bool is_alike(const result& a, const result& b);

}  // namespace teff::lab

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>

#include <teff/algo/gemv/plan.hpp>

namespace teff::runtime {

namespace {

constexpr int threads = 256;

// An H200 holds about 600 blocks at once; so many that the last ones to finish do not matter.
constexpr index_t enough_blocks = 8192;

index_t rounded_up(index_t n, index_t multiple_of) {
  return ceil_div(n, multiple_of) * multiple_of;
}
int power_of_two_from(index_t n) {  // at most `threads`
  return static_cast<int>(
      std::bit_ceil(static_cast<std::uint64_t>(std::clamp(n, index_t{1}, index_t{threads}))));
}

/// Way `march`: threads that share a row, so that a block has something to do for all.
int lanes_of_few_rows(index_t m) {
  return m >= threads ? 1 : threads / power_of_two_from(m);
}

/// @param cells_of_load columns that a thread takes in at once, 16 bytes
gemv_plan plan_dot(index_t m, index_t n, index_t cells_of_load) {
  // A block for each row where warps would have long ways to go, or would be few.
  constexpr index_t few_rows = 8192;
  const index_t cells_of_warp = 32 * cells_of_load;
  const bool fits_warp = n <= cells_of_warp;
  const bool takes_block = n >= 32 * cells_of_warp || (n >= 8 * cells_of_warp && m <= few_rows);
  gemv_plan plan;
  plan.lanes = takes_block ? threads
               : fits_warp ? power_of_two_from(ceil_div(n, cells_of_load))
                           : 32;
  plan.width = plan.lanes * cells_of_load;
  plan.span = std::max(n, index_t{1});
  if (takes_block) {
    const index_t least_span = 8 * plan.width,
                  tiles = std::max(ceil_div(m, gemv_rows_at_once), index_t{1});
    plan.span =
        std::max(rounded_up(ceil_div(n, ceil_div(enough_blocks, tiles)), plan.width), least_span);
  }
  plan.pieces = std::max(ceil_div(n, plan.span), index_t{1});
  return plan;
}

gemv_plan plan_march(index_t m, index_t n) {
  // Each piece of a row costs as much as two more f64 cells; x has a piece in shared memory.
  constexpr index_t batches_of_columns = 32, most_span = 2048;
  gemv_plan plan{.how = gemv_plan::way::march};
  plan.lanes = lanes_of_few_rows(m);
  plan.width = plan.lanes;
  const index_t step = batches_of_columns * plan.lanes;
  const index_t tiles = std::max(ceil_div(m, threads), index_t{1});
  const index_t wanted =
      rounded_up(std::max(ceil_div(n, ceil_div(enough_blocks / 2, tiles)), index_t{1}), step);
  plan.span = std::min(wanted, most_span);
  plan.pieces = std::max(ceil_div(n, plan.span), index_t{1});
  return plan;
}

}  // namespace

std::string gemv_plan::text(index_t m, index_t n) const {
  return std::string(how == way::dot ? "dot, " : "march, ") + std::to_string(m) + " rows of " +
         std::to_string(n) + " columns" +
         (pieces > 1 ? " in " + std::to_string(pieces) + " pieces of " + std::to_string(span)
                     : "") +
         ", " + std::to_string(lanes) + (lanes == 1 ? " thread" : " threads") + " a row";
}

gemv_plan plan_gemv(index_t m, index_t n, index_t row_stride, index_t column_stride,
                    int cell_bytes) {
  const auto magnitude = [](index_t stride) { return stride < 0 ? -stride : stride; };
  if (m > 1 && magnitude(row_stride) < magnitude(column_stride)) return plan_march(m, n);
  return plan_dot(m, n, 16 / cell_bytes);
}

gemv_plan plan_piece_sums(index_t m, index_t n) {
  // Little work that must not take long: many threads, each with few loads, all under way at once.
  constexpr index_t loads = 8, most_span = 4096;
  gemv_plan plan{.how = gemv_plan::way::march};
  plan.lanes =
      std::min(std::max(power_of_two_from(ceil_div(n, loads)), lanes_of_few_rows(m)), threads);
  plan.width = plan.lanes;
  plan.span = std::min(std::max(n, index_t{1}), most_span);
  plan.pieces = std::max(ceil_div(n, plan.span), index_t{1});
  return plan;
}

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <string>

#include <teff/algo/transpose/plan.hpp>
#include <teff/base/error.hpp>

namespace teff::runtime {

namespace {

using dim = transpose_plan::dim;

/// The dims of more than one cell, the target's narrowest first, those that continue one another
/// merged.
struct folded {
  dim of[3];
  int dims = 0;
  index_t target_offset = 0, source_offset = 0;
};

folded fold(const strided_copy& copy) {
  folded result;
  for (int d = 0; d < 3; ++d) {
    dim one{copy.n[d], copy.target[d], copy.source[d]};
    if (one.n == 1) continue;
    if (one.target < 0) {  // counted from the other end
      result.target_offset += (one.n - 1) * one.target;
      result.source_offset += (one.n - 1) * one.source;
      one.target = -one.target;
      one.source = -one.source;
    }
    result.of[result.dims++] = one;
  }
  std::stable_sort(result.of, result.of + result.dims,
                   [](const dim& a, const dim& b) { return a.target < b.target; });
  int merged = 0;
  for (int d = 1; d < result.dims; ++d) {
    dim& last = result.of[merged];
    const dim& next = result.of[d];
    if (next.target == last.n * last.target && next.source == last.n * last.source)
      last.n *= next.n;
    else
      result.of[++merged] = next;
  }
  if (result.dims > 0) result.dims = merged + 1;
  return result;
}

/// The dim along which the source's cells are nearest to each other; the target's narrowest where
/// that is as good. Along a dim of stride 0 the source has one cell only.
int source_fastest(const folded& f) {
  int best = 0;
  for (int d = 1; d < f.dims; ++d)
    if (f.of[d].source != 0 && std::abs(f.of[d].source) < std::abs(f.of[best].source)) best = d;
  return best;
}

index_t whole_warps(index_t cells) {
  return std::max<index_t>(cells / 32 * 32, 1);
}

/// Boxes: all of a short dim, and of the others as much as makes long rows in both arrays.
void choose_box(transpose_plan& plan) {
  constexpr index_t most = transpose_plan::most_box_cells, wide = transpose_plan::least_tiled;
  const dim &x = plan.x, &y = plan.y, &z = plan.z;
  index_t bx = std::min(x.n, wide), by = std::min(y.n, wide), bz = 1;
  const bool short_x = x.n < wide, short_y = y.n < wide;
  const bool z_continues_source = z.source == y.n * y.source;
  const bool z_continues_target = z.target == x.n * x.target;
  if (short_y && z_continues_source) bz = std::max(bz, ceil_div(wide, by));
  if (short_x && z_continues_target) bz = std::max(bz, ceil_div(wide, bx));
  if (short_x && short_y) bz = most / (bx * by);
  bz = std::min({bz, z.n, most / (bx * by)});
  if (!short_x) bx = std::min(x.n, std::max(bx, whole_warps(most / (by * bz))));
  if (!short_y) by = std::min(y.n, std::max(by, whole_warps(most / (bx * bz))));
  bz = std::min(z.n, most / (bx * by));
  plan.box[0] = static_cast<int>(bx);
  plan.box[1] = static_cast<int>(by);
  plan.box[2] = static_cast<int>(bz);
}

/// Where the rows of an array begin, in cells from `offset` on.
struct row_starts {
  struct steps {
    index_t count, stride;
  };
  index_t offset;
  steps rows, planes;
};

/// True if every row begins at a multiple of `bytes`.
bool are_aligned(const void* data, const row_starts& starts, int cell_bytes, int bytes) {
  const auto first = reinterpret_cast<std::intptr_t>(data) + starts.offset * cell_bytes;
  const auto stays_aligned = [&](const row_starts::steps& steps) {
    return steps.count == 1 || steps.stride * cell_bytes % bytes == 0;
  };
  return first % bytes == 0 && stays_aligned(starts.rows) && stays_aligned(starts.planes);
}

}  // namespace

bool transpose_plan::source_is_aligned(const void* source, int cell_bytes, int bytes) const {
  return y.source == 1 &&
         are_aligned(source,
                     {.offset = source_offset, .rows = {x.n, x.source}, .planes = {z.n, z.source}},
                     cell_bytes, bytes);
}
bool transpose_plan::target_is_aligned(const void* target, int cell_bytes, int bytes) const {
  return x.target == 1 &&
         are_aligned(target,
                     {.offset = target_offset, .rows = {y.n, y.target}, .planes = {z.n, z.target}},
                     cell_bytes, bytes);
}

transpose_plan plan_transpose(const strided_copy& copy) {
  transpose_plan plan;
  if (copy.n[0] == 0 || copy.n[1] == 0 || copy.n[2] == 0) return plan;
  const folded f = fold(copy);
  const int fastest = source_fastest(f);
  plan.target_offset = f.target_offset;
  plan.source_offset = f.source_offset;
  plan.way = transpose_way::plain;
  if (f.dims < 2 || fastest == 0 || f.of[0].source == 0) return plan;
  plan.x = f.of[0];
  plan.y = f.of[fastest];
  if (f.dims == 3) plan.z = f.of[3 - fastest];
  plan.way = std::min(plan.x.n, plan.y.n) < transpose_plan::least_tiled ? transpose_way::boxes
                                                                        : transpose_way::tiles;
  if (plan.way == transpose_way::boxes) choose_box(plan);
  return plan;
}

tile_order::tile_order(index_t tiles_x, index_t tiles_y, index_t planes) {
  const index_t count = ceil_div(tiles_y, widest_band), in_band = ceil_div(tiles_y, count);
  tiles = in_band * tiles_x * count * planes;
  constexpr index_t most = (index_t{1} << 31) - 1;
  if (tiles > most || tiles_x > most || tiles / planes / tiles_x / count != in_band)
    throw error("transposing needs " + std::to_string(tiles_x) + " x " + std::to_string(tiles_y) +
                " x " + std::to_string(planes) + " tiles, more than one launch can have (" +
                std::to_string(most) + "); transpose it in parts");
  width = fast_divisor(static_cast<std::uint32_t>(in_band));
  rows = fast_divisor(static_cast<std::uint32_t>(tiles_x));
  bands = fast_divisor(static_cast<std::uint32_t>(count));
}

}  // namespace teff::runtime

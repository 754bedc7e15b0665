// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/stencil/levels/cells.hpp>
#include <teff/stencil/warps/cut.hpp>

namespace teff::runtime {

tiles_along tile(index_t n, index_t kept, index_t border) {
  const index_t before = detail::last_has_inner_cells(n, kept, border) ? 0 : border;
  return {static_cast<int>(ceil_div(n + before, kept)), static_cast<int>(-before)};
}

namespace {

/// When the last of `count` equal tasks ends, if as many run at a time as there are workers, of
/// whom some (late, the rest at 0) begin at `delay`.
double end_of_tasks(index_t count, double length, index_t workers, index_t late, double delay) {
  const index_t rounds = count / workers, rest = count % workers, early = workers - late;
  const double whole = static_cast<double>(rounds) * length;
  if (rest == 0) return late > 0 ? delay + whole : whole;
  if (rest > early) return delay + whole + length;
  return whole + length > delay + whole || late == 0 ? whole + length : delay + whole;
}

/// The same, where some more begin when other work has ended.
double end_of_tasks(index_t count, double length, index_t workers, index_t late, double delay,
                    const tasks_beside& others) {
  const index_t busy = std::min<index_t>(others.tasks, workers - late);
  struct {
    index_t workers;
    double from;
  } const groups[3] = {{workers - late - busy, 0}, {late, delay}, {busy, others.slabs}};
  const auto done_by = [&](double time) {
    index_t done = 0;
    for (const auto& [some, from] : groups)
      if (time >= from) done += some * static_cast<index_t>((time - from) / length + 1e-6);
    return done;
  };
  double end = 0;
  for (const auto& [some, from] : groups) {
    if (some == 0) continue;
    double time = from;
    while (done_by(time) < count) time += length;
    if (end == 0 || time < end) end = time;
  }
  return end;
}

}  // namespace

warp_cut cut_pass(tiles_along x, tiles_along rows, index_t slabs, index_t border, int slabs_more,
                  index_t tasks_resident, const tasks_beside& others) {
  constexpr double side_cost = 1.6;  // of a slab at the sides, as one inside takes 1
  warp_cut best{};
  best.across = x.count;
  best.down = rows.count;
  best.first_column = x.first;
  best.first_row = rows.first;
  best.slabs = static_cast<int>(slabs);
  const auto inner = [](int n) { return n > 2 ? n - 2 : 0; };
  best.side_tiles = best.down == 1
                        ? best.across - inner(best.across)
                        : best.across * best.down - inner(best.across) * inner(best.down);
  const auto halved = [](index_t n) { return static_cast<int>(ceil_div(n, 2)); };
  const auto has_inner_slabs = [&](index_t chunk) {  // each chunk
    return chunk >= slabs || detail::all_have_inner_cells(slabs, chunk, border);
  };
  double best_end = 0;
  for (index_t wished = 1; wished <= slabs && wished <= 512; ++wished) {
    warp_cut cut = best;
    cut.chunk_slabs = static_cast<int>(ceil_div(slabs, wished));
    if (!has_inner_slabs(cut.chunk_slabs)) continue;
    cut.chunks = static_cast<int>(ceil_div(slabs, cut.chunk_slabs));
    cut.side_chunk_slabs = halved(cut.chunk_slabs);
    if (!has_inner_slabs(cut.side_chunk_slabs)) cut.side_chunk_slabs = cut.chunk_slabs;
    cut.side_chunks = static_cast<int>(ceil_div(slabs, cut.side_chunk_slabs));
    const index_t of_sides = index_t{cut.side_tiles} * cut.side_chunks;
    const double side_length = side_cost * (cut.side_chunk_slabs + slabs_more);
    const index_t of_chunks = cut.tasks() - of_sides, late = of_sides % tasks_resident;
    const double length = cut.chunk_slabs + slabs_more;
    const double end =
        static_cast<double>(of_sides / tasks_resident) * side_length +
        (others.tasks > 0
             ? end_of_tasks(of_chunks, length, tasks_resident, late, side_length, others)
             : end_of_tasks(of_chunks, length, tasks_resident, late, side_length));
    if (wished == 1 || end < best_end) {
      best_end = end;
      best = cut;
    }
  }
  return best;
}

warp_cut cut_for(const cut_shape& shape, const pass_cells& cells, index_t first_slab, index_t slabs,
                 int processors, const tasks_beside* beside) {
  const int slab = shape.rank == 3 ? 2 : 1, row = shape.rank == 3 ? 1 : 2;
  const index_t columns = ceil_div(cells.border[0], shape.cells) * shape.cells;  // whole vectors
  const tiles_along x = tile(cells.n[0], shape.kept, columns),
                    rows = tile(cells.n[row], shape.kept_rows, cells.border[row]);
  const index_t resident = index_t{processors} * shape.blocks * shape.tasks_of_block;
  warp_cut cut = cut_pass(x, rows, slabs, cells.border[slab], shape.slabs_more,
                          beside != nullptr ? resident : index_t{x.count} * rows.count,
                          beside != nullptr ? *beside : tasks_beside{});
  cut.first_slab = static_cast<int>(first_slab);
  return cut;
}

std::string warp_shape_text(int threads, int columns, int rows, int levels) {
  const std::string of_columns = std::to_string(columns);
  return std::to_string(threads / 32) + " warps a block, " +
         (rows > 0 ? "tiles of " + of_columns + " x " + std::to_string(rows) + " cells"
                   : "strips of " + of_columns + " columns") +
         ", " + std::to_string(levels) + " steps a pass";
}

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <limits>

#include <teff/algo/reduce/tree.hpp>
#include <teff/solver/march_plan.hpp>

namespace teff::runtime {

namespace {

constexpr index_t chunk = reduce_tree::chunk;

index_t rounded_up(index_t cells, index_t vector) {
  return ceil_div(cells, vector) * vector;
}

/// b and x as the blocks see them.
struct extents_of_march {
  int rank;
  index_t n[3], border[3], along[3];
  index_t cells, kept_cells, gap_x, gap_y;

  extents_of_march(const index_t* x, const index_t* b, int r)
      : rank(r),
        n{b[0], b[1], b[2]},
        border{(x[0] - b[0]) / 2, (x[1] - b[1]) / 2, (x[2] - b[2]) / 2},
        along{1, x[0], x[0] * x[1]},
        cells(b[0] * b[1] * b[2]),
        kept_cells(x[0] * x[1] * x[2]),
        gap_x(2 * border[0]),
        gap_y(2 * border[1] * x[0]) {}

  /// From the first cell that is read for a cell to the last, along the first dims.
  index_t beyond(int dims) const {
    index_t reach = 0;
    for (int d = 0; d < dims; ++d) reach += 2 * border[d] * along[d];
    return reach;
  }
  /// The most cells of p from a cell to that `steps` of b's further on.
  index_t span(index_t steps) const {
    index_t kept = steps;
    if (rank > 1) kept += ceil_div(steps, n[0]) * gap_x;
    if (rank > 2) kept += ceil_div(steps, n[0] * n[1]) * gap_y;
    return kept;
  }
  march_step step(index_t steps) const {
    index_t of[3] = {steps, 0, 0};
    for (int d = 0; d + 1 < rank; ++d) {
      of[d + 1] = of[d] / n[d];
      of[d] %= n[d];
    }
    const index_t kept = of[0] + of[1] * along[1] + of[2] * along[2];
    return {static_cast<int>(of[0]), static_cast<int>(of[1]), static_cast<int>(of[2]),
            static_cast<int>(kept)};
  }
};

/// A way to march: how many turns about a chunk's own are kept, and what that costs.
struct march_way {
  index_t stride = 1, around = 0, low = 0, high = 0, width = 0, parts = 1;
  bool is_ring = false;
  double again = std::numeric_limits<double>::infinity();  ///< cells of p read, by those of a chunk

  index_t capacity() const { return width * parts; }
};

/// A chunk and all that it reads.
march_way by_itself(const extents_of_march& of, index_t vector) {
  const index_t reach = of.beyond(of.rank);
  return {.high = reach + 1,
          .width = rounded_up(of.span(chunk - 1) + reach + vector, vector),
          .again = static_cast<double>(reach) / chunk};
}
/// Chunks that follow each other along the last dim. What is read for one begins, from turn to
/// turn, up to `slack` cells before or after where that for its neighbour does.
march_way along_last(const extents_of_march& of, index_t vector) {
  const int last = of.rank - 1;
  const index_t level = last == 1 ? of.n[0] : of.n[0] * of.n[1];
  march_way w;
  w.stride = greater_of(index_t{1}, (level + chunk / 2) / chunk);
  w.around = of.border[last];
  const index_t slack = of.span(std::abs(w.stride * chunk - level)) * w.around,
                own = w.around * of.along[last], reach = of.beyond(last);
  w.low = own - slack;
  w.high = own + reach + slack + 1;
  w.width = rounded_up(of.span(chunk - 1) + w.high - w.low + vector - 1, vector);
  w.parts = 2 * w.around + 1;
  w.again = static_cast<double>(reach + 2 * slack) / chunk;
  return w;
}
/// Chunks one after the other, which keep all.
march_way by_ring(const extents_of_march& of, index_t vector) {
  const index_t reach = of.beyond(of.rank);
  return {.high = reach + 1,
          .width = rounded_up(of.span(chunk - 1) + reach + 2 * vector, vector),
          .is_ring = true,
          .again = 0.125};  // a neighbour's place takes longer to find
}

}  // namespace

march_plan planned_march(const index_t* x, const index_t* b, int rank, const march_values& values,
                         const march_limits& limits) {
  march_plan plan{};
  const extents_of_march of(x, b, rank);
  if (of.cells == 0) return plan;
  march_way best;
  const auto consider = [&](const march_way& w) {
    const index_t bytes = w.capacity() * values.bytes + values.shared_bytes;
    if (w.around <= most_around && bytes <= limits.shared_bytes && w.again < best.again) best = w;
  };
  consider(by_itself(of, values.vector));
  if (rank > 1) consider(along_last(of, values.vector));
  if (rank == 2) consider(by_ring(of, values.vector));
  if (best.again > 2) return plan;
  const index_t bytes = best.capacity() * values.bytes + values.shared_bytes;
  const index_t blocks =
      limits.processors * (values.may_share && bytes <= limits.shared_bytes_of_two ? 2 : 1);
  const index_t chunks = ceil_div(of.cells, chunk);
  if (chunks < blocks * limits.chunks_a_block) return plan;
  const index_t along = of.along[rank - 1], turns = ceil_div(chunks, best.stride);
  const index_t furthest =
      of.kept_cells + (best.around + 1) * (of.span(best.stride * chunk) + along);
  if (furthest + 2 * best.width > std::numeric_limits<int>::max()) return plan;

  // Runs that take all blocks equally long, with what comes before a run's first turn.
  const index_t first_parts = 2 * best.around + (best.is_ring ? ceil_div(best.width, chunk) : 1);
  index_t turns_of_run = turns, shortest = std::numeric_limits<index_t>::max();
  for (index_t bands = 1; bands <= turns && (bands - 1) * best.stride <= 8 * blocks; ++bands) {
    const index_t of_run = ceil_div(turns, bands), runs = best.stride * ceil_div(turns, of_run);
    const index_t time = ceil_div(runs, blocks) * (of_run + first_parts);
    if (time < shortest) shortest = time, turns_of_run = of_run;
  }
  const auto narrow = [](index_t value) { return static_cast<int>(value); };
  for (int d = 0; d < 3; ++d) plan.n[d] = narrow(of.n[d]);
  plan.gap_x = narrow(of.gap_x), plan.gap_y = narrow(of.gap_y);
  plan.along_y = narrow(of.along[1]), plan.along_z = narrow(of.along[2]);
  plan.along = narrow(along);
  plan.level_cells = narrow(rank > 2 ? of.n[0] * of.n[1] : of.n[0]);
  plan.cells = narrow(of.cells), plan.chunks = narrow(chunks);
  plan.kept_cells = narrow(of.kept_cells);
  plan.centre = narrow(of.beyond(rank) / 2);
  plan.around = narrow(best.around);
  plan.low = narrow(best.low), plan.high = narrow(best.high);
  plan.capacity = narrow(best.capacity()), plan.width = narrow(best.width);
  plan.stride = narrow(best.stride);
  plan.turns_of_run = narrow(turns_of_run);
  plan.runs = narrow(best.stride * ceil_div(turns, turns_of_run));
  plan.is_ring = best.is_ring;
  plan.lane = of.step(reduce_tree::lanes), plan.turn = of.step(best.stride * chunk);
  return plan;
}

}  // namespace teff::runtime

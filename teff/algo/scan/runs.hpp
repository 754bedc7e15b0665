// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/along_dim/runs_cpu.hpp>
#include <teff/algo/reduce/ops.hpp>
#include <teff/algo/scan/four_runs.hpp>

/// Runs of cells on the CPU whose values are combined one after the other, several runs side by
/// side.
namespace teff::inline TEFF_MODE::detail {

/// Cells that lie side by side, from `first` on, and what comes before them, if anything does.
template <class A>
struct scan_run {
  cell_index first;
  A running;
  bool is_started;
};

/// Scans cells [at, end) of runs of an expression: keep(run, cell - at, sum before it, sum with
/// it). The runs take turns cell by cell, as an addition waits for the one before it.
template <class Op, bool AlongX, int Count, class A, class E, class Keep>
void scan_runs(scan_run<A> (&runs)[Count], const E& e, const index_t (&step)[3], index_t at,
               index_t end, const Keep& keep) {
  const E local = e;
  A sum[Count];
  for (int r = 0; r < Count; ++r) sum[r] = runs[r].running;
  const auto take = [&](int r, index_t v, bool has_sum) {
    const cell_index& from = runs[r].first;
    const auto here = AlongX ? cell_context<1, AlongX>{from.i + v, from.j, from.k}
                             : cell_context<1, AlongX>{from.i + v * step[0], from.j + v * step[1],
                                                       from.k + v * step[2]};
    const A before = sum[r], x = convert<A>(local.template eval<0, 0, 0>(here));
    sum[r] = has_sum ? Op{}(before, x) : x;
    keep(r, v - at, before, sum[r]);
  };
  if (at < end)
    for (int r = 0; r < Count; ++r) take(r, at, at > 0 || runs[r].is_started);
  for (index_t v = at + 1; v < end; ++v)
    for (int r = 0; r < Count; ++r) take(r, v, true);
  for (int r = 0; r < Count; ++r) runs[r].running = sum[r];
}

template <class Op, int Count, class A, class E, class Keep>
void scan_runs(scan_run<A> (&runs)[Count], const E& e, const statement_shape& where,
               const index_t (&step)[3], index_t at, index_t end, const Keep& keep) {
  if (where.has_unit_stride && step[0] == 1 && step[1] == 0 && step[2] == 0)
    scan_runs<Op, true>(runs, e, step, at, end, keep);
  else
    scan_runs<Op, false>(runs, e, step, at, end, keep);
}

/// How far a step goes in an array.
template <class T>
index_t distance_in(const device_leaf<T>& array, const index_t (&step)[3]) {
  return step[0] * array.stride[0] + step[1] * array.stride[1] + step[2] * array.stride[2];
}

/// Runs whose values the lanes of registers add up, with the same bits.
template <class Op, class A>
inline constexpr bool has_lanes = std::is_same_v<Op, ops::sum>&& std::is_same_v<A, double>;

/// Room for `most` values of each of some runs.
template <int Count>
struct run_room {
  double* values[Count];
  index_t most;
};

/// f(from, at, count) for cells [begin, end) of runs, part after part, side by side in memory: all
/// at once where an array has them so, else evaluated to `room`.
template <int Count, class E, class F>
void for_plain_cells(const scan_run<double> (&runs)[Count], const E& e,
                     const statement_shape& where, const index_t (&step)[3], index_t begin,
                     index_t end, const run_room<Count>& room, const F& f) {
  if constexpr (is_leaf<E>)
    if constexpr (rounded::real<typename E::value_type>)
      if (distance_in(e, step) == 1) {
        const typename E::value_type* from[Count];
        for (int r = 0; r < Count; ++r) {
          const cell_index& first = runs[r].first;
          from[r] = e.data + distance_in(e, {first.i, first.j, first.k}) + begin;
        }
        return f(from, begin, end - begin);
      }
  for (index_t at = begin; at < end; at += room.most) {
    const index_t count = lesser_of(room.most, end - at);
    const double* from[Count];
    for (int r = 0; r < Count; ++r) {
      evaluate_run(room.values[r], e, where, cell_after(runs[r].first, step, at), step, count);
      from[r] = room.values[r];
    }
    f(from, at, count);
  }
}

/// What runs have before cell `at`. (Nothing: -0 leaves the first cell as it is, even if it is -0.)
template <int Count>
void sums_before(double (&sums)[Count], const scan_run<double> (&runs)[Count], index_t at) {
  for (int r = 0; r < Count; ++r) sums[r] = at > 0 || runs[r].is_started ? runs[r].running : -0.0;
}

/// scan_runs of cells [begin, end), by lanes; each result is kept: to[r][0] is that of `begin`.
/// @param room may be `to`
template <int Count, class To, class E>
void scan_in_lanes(scan_run<double> (&runs)[Count], const E& e, const statement_shape& where,
                   const index_t (&step)[3], index_t begin, index_t end,
                   const run_room<Count>& room, To* const (&to)[Count], bool is_exclusive) {
  double sums[Count];
  sums_before(sums, runs, begin);
  for_plain_cells(runs, e, where, step, begin, end, room,
                  [&](const auto& from, index_t at, index_t count) {
                    To* here[Count];
                    for (int r = 0; r < Count; ++r) here[r] = to[r] + (at - begin);
                    runtime::scan_runs(sums, from, here, count, is_exclusive);
                  });
  for (int r = 0; r < Count; ++r) runs[r].running = sums[r];
}

/// The totals of the first `count` cells of runs.
template <class Op, int Count, class A, class E>
void add_up(scan_run<A> (&runs)[Count], const E& e, const statement_shape& where,
            const index_t (&step)[3], index_t count) {
  if constexpr (has_lanes<Op, A>) {
    constexpr index_t block = 256;
    alignas(cpu_line) double values[Count][block];
    run_room<Count> room{{}, block};
    for (int r = 0; r < Count; ++r) room.values[r] = values[r];
    double sums[Count];
    sums_before(sums, runs, 0);
    for_plain_cells(
        runs, e, where, step, 0, count, room,
        [&](const auto& from, index_t, index_t here) { runtime::add_up_runs(sums, from, here); });
    for (int r = 0; r < Count; ++r) runs[r].running = sums[r];
  } else {
    scan_runs<Op>(runs, e, where, step, 0, count, [](int, index_t, A, A) {});
  }
}

}  // namespace teff::inline TEFF_MODE::detail

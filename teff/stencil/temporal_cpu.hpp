// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <teff/base/for_tasks.hpp>
#include <teff/kernel/streaming_store.hpp>
#include <teff/stencil/bound.hpp>
#include <teff/stencil/pass_plan.hpp>

/// Several time steps in one pass on the CPU: tiles of the grid, taken slab by slab (pass_plan.hpp). The slabs that levels
/// keep stay in the second-level cache; the last level of each field writes to memory. Loops run along x, by
/// SIMD. Any number of stages, one to three dims, any radius. Twin: temporal_cuda.cuh.
namespace teff::inline TEFF_MODE::detail {

struct temporal_cpu_tuning {
  /// Of all levels of a tile. Rows stay in the second-level cache (1 MB on the machine where these were chosen, in November
  /// 2026); in 3-D larger tiles, of which some lines come from the third, beat smaller ones with more overlap.
  static constexpr index_t kept_bytes(int rank) { return (rank == 3 ? 2048 : 768) * 1024; }
  static constexpr index_t most_columns = 2048, least_columns = 256;
  static constexpr index_t chunk_slabs = 1024;  // the overlap of 2 x depth slabs is then under 2 %
};

/// The rows of a field that a cell and its neighbours are in; a row is indexed by the column of the whole grid.
template <class T, int Slabs>
struct field_rows {
  const T* slab[Slabs];  // from the lowest that is read
  index_t pitch;         // between rows of a slab
};

/// Which dims are what: x runs along rows; slabs follow each other along the last dim.
template <int N>
struct slab_order {
  static constexpr int slab = N == 3 ? 2 : 1, row = N == 3 ? 1 : 2;
};

/// A context in which every field is rows in memory.
template <class Stage, class Rows>
struct rows_context {
  const Rows& rows;
  index_t cell[3];

  template <int S, int X, int Y, int Z>
  TEFF_INLINE auto load_field() const {
    using order = slab_order<Stage::rank>;
    constexpr int at[3] = {X, Y, Z};
    constexpr footprint reads = Stage::template reads<S>();
    const auto& field = entry<S>(rows);
    return field.slab[at[order::slab] - reads.low[order::slab]]
                     [at[order::row] * field.pitch + cell[0] + X];
  }
  template <int D, int Offset>
  TEFF_INLINE index_t index() const { return cell[D] + Offset; }
};

/// Columns [i0, i1) of a row. (A function of its own, so that all registers are the loop's; formula and rows come by value,
/// so that stores can not change them.)
template <class Stage, class E, class Rows>
[[gnu::noinline]] void compute_columns(typename Stage::value_type* out, index_t i0, index_t i1,
                                       index_t y, index_t z, const E formula, const Rows rows) {
  using written = typename Stage::written;
#pragma omp simd
  for (index_t i = i0; i < i1; ++i)
    out[i] = static_cast<typename Stage::value_type>(
        formula.template eval<-written::low[0], -written::low[1], -written::low[2]>(
            rows_context<Stage, Rows>{rows, {i, y, z}}));
}

/// One pass: lowered right-hand sides by stage; arrays to read and to write by field, of which those that evolve are
/// written.
template <class Step, class Formulas, class... T>
class temporal_pass {
  using order = slab_order<Step::rank>;
  static constexpr int fields = sizeof...(T);
  static constexpr index_t cell_bytes[fields] = {sizeof(T)...};

 public:
  temporal_pass(std::vector<pass_level> levels, const Formulas& formulas,
                const operand_list<device_leaf<T>...>& from,
                const operand_list<device_target<T>...>& to, const shape3 (&extents)[fields])
      : levels_(std::move(levels)), formulas_(formulas), leaves_(from), targets_(to), extents_(extents) {}

  void run() const {
    index_t size[3] = {1, 1, 1}, tile[3], tiles[3];
    for (const pass_level& level : levels_)
      for (int d = 0; d < 3; ++d)
        if (extents_[level.slot].n[d] > size[d]) size[d] = extents_[level.slot].n[d];
    choose_tile(size, tile);
    for (int d = 0; d < 3; ++d) tiles[d] = ceil_div(size[d], tile[d]);
    const index_t cells = size[0] * size[1] * size[2] * static_cast<index_t>(levels_.size());
    for_tasks(tiles[0] * tiles[1] * tiles[2], cells >= parallel_cells, [&](index_t task) {
      const index_t number[3] = {task % tiles[0], task / tiles[0] % tiles[1],
                                 task / tiles[0] / tiles[1]};
      box own;
      for (int d = 0; d < 3; ++d) {
        own.begin[d] = number[d] * tile[d];
        // The last tile also has the cells of fields that are longer than others.
        own.end[d] = number[d] == tiles[d] - 1 ? size[d] : own.begin[d] + tile[d];
      }
      tile_of_pass(*this, own).run();
    });
  }

 private:
  /// Cells from begin to end of each dim.
  struct box {
    index_t begin[3], end[3];
  };

  /// Of all slabs that levels keep, for each cell of a slab.
  index_t kept_bytes() const {
    index_t bytes = 0;
    for (const pass_level& level : levels_) bytes += level.slabs * cell_bytes[level.slot];
    return bytes;
  }

  /// Tiles whose slabs stay in the cache, and at least as many as threads.
  void choose_tile(const index_t (&size)[3], index_t (&tile)[3]) const {
    using tuning = temporal_cpu_tuning;
    const index_t in_cache = tuning::kept_bytes(Step::rank) / kept_bytes();  // cells of a slab
    const auto between = [](index_t low, index_t wished, index_t high) {
      return wished < low ? (low < high ? low : high) : wished < high ? wished : high;
    };
    const pass_level& first = levels_.front();
    const auto overlap = [&](int dim) { return static_cast<index_t>(first.low[dim] + first.high[dim]); };
    constexpr index_t rows = Step::rank == 3 ? 16 : 1;  // a tile should have
    tile[0] = between(tuning::least_columns, in_cache / rows / 64 * 64,
                      size[0] < tuning::most_columns ? size[0] : tuning::most_columns);
    tile[order::row] =
        Step::rank == 3 ? between(8, in_cache / (tile[0] + overlap(0)) - overlap(order::row), size[order::row]) : 1;
    tile[order::slab] = between(1, tuning::chunk_slabs, size[order::slab]);
    const index_t threads = known_device(device::cpu()).processors;
    const auto pieces = [&] {
      return ceil_div(size[0], tile[0]) * ceil_div(size[1], tile[1]) * ceil_div(size[2], tile[2]);
    };
    while (tile[order::slab] > 4 * overlap(order::slab) + 8 && pieces() < threads)
      tile[order::slab] = ceil_div(tile[order::slab], 2);
  }

  /// What one thread does at a time.
  class tile_of_pass {
   public:
    tile_of_pass(const temporal_pass& pass, const box& own) : pass_(pass), own_(own) {
      index_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
      for (const pass_level& level : pass.levels_)
        for (int d = 0; d < 3; ++d) {
          low[d] = level.low[d] > low[d] ? level.low[d] : low[d];
          high[d] = level.high[d] > high[d] ? level.high[d] : high[d];
        }
      left_ = own.begin[0] - low[0];
      top_ = own.begin[order::row] - low[order::row];
      constexpr index_t line = cpu_line;
      pitch_ = ceil_div(own.end[0] - own.begin[0] + low[0] + high[0], line) * line;
      rows_ = own.end[order::row] - own.begin[order::row] + low[order::row] + high[order::row];
      index_t bytes = 0;
      for (const pass_level& level : pass.levels_) {
        place_.push_back(bytes);
        bytes += level.slabs * rows_ * pitch_ * cell_bytes[level.slot];
      }
      kept_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes + line));
      const auto beyond = reinterpret_cast<std::uintptr_t>(kept_.get()) % cpu_line;
      base_ = kept_.get() + (cpu_line - beyond);
    }

    void run() const {
      constexpr int dim = order::slab;
      index_t first = own_.begin[dim], end = 0;
      std::vector<box> cells;  // of each level
      for (const pass_level& level : pass_.levels_) {
        cells.push_back(cells_of(level));
        const index_t from = cells.back().begin[dim] + level.lag, to = cells.back().end[dim] + level.lag;
        if (from < first) first = from;
        if (to > end) end = to;
      }
      for (index_t s = first; s < end; ++s)
        for (std::size_t l = 0; l < cells.size(); ++l) {
          const pass_level& level = pass_.levels_[l];
          const index_t slab = s - level.lag;
          if (slab >= cells[l].begin[dim] && slab < cells[l].end[dim])
            compute(static_cast<int>(l), cells[l], slab, std::make_integer_sequence<int, Step::stages>{});
        }
    }

   private:
    /// What a level computes: the tile's own cells and its reach, within the field.
    box cells_of(const pass_level& level) const {
      box cells;
      for (int d = 0; d < 3; ++d) {
        const index_t begin = own_.begin[d] - level.low[d], end = own_.end[d] + level.high[d];
        cells.begin[d] = begin > 0 ? begin : 0;
        cells.end[d] = end < pass_.extents_[level.slot].n[d] ? end : pass_.extents_[level.slot].n[d];
      }
      return cells;
    }

    template <int... K>
    void compute(int l, const box& cells, index_t slab, std::integer_sequence<int, K...>) const {
      const int stage = pass_.levels_[static_cast<std::size_t>(l)].stage;
      ((K == stage ? compute_slab<K>(l, cells, slab) : void()), ...);
    }

    template <int K>
    void compute_slab(int l, const box& cells, index_t slab) const {
      for (index_t row = cells.begin[order::row]; row < cells.end[order::row]; ++row)
        compute_row<K>(l, cells, slab, row, std::make_integer_sequence<int, fields>{});
    }

    /// One row of one level: its formula where the stage writes, elsewhere the values that were there.
    template <int K, int... S>
    void compute_row(int l, const box& cells, index_t slab, index_t row,
                     std::integer_sequence<int, S...>) const {
      using stage = typename Step::template stage<K>;
      using value_type = typename stage::value_type;
      using written = typename stage::written;
      const pass_level& level = pass_.levels_[static_cast<std::size_t>(l)];
      const index_t(&n)[3] = pass_.extents_[stage::slot].n;
      const auto is_written = [&](int dim, index_t at) {
        return at >= written::low[dim] && at < n[dim] - written::high[dim];
      };
      const index_t x0 = cells.begin[0], x1 = cells.end[0];
      index_t w0 = x0, w1 = x0;  // the columns that are written, if any
      if (is_written(order::slab, slab) && is_written(order::row, row)) {
        w0 = x0 > written::low[0] ? x0 : written::low[0];
        w1 = x1 < n[0] - written::high[0] ? x1 : n[0] - written::high[0];
        if (w0 > x1) w0 = x1;
        if (w1 < w0) w1 = w0;
      }
      value_type* const out = kept_row<value_type>(l, slab, row);
      const value_type* const before = row_of<stage::slot>(level, slab, row);
      for (index_t i = x0; i < w0; ++i) out[i] = before[i];
      for (index_t i = w1; i < x1; ++i) out[i] = before[i];
      if (w0 < w1) {
        index_t at[3] = {0, 0, 0};
        at[order::slab] = slab;
        at[order::row] = row;
        compute_columns<stage>(out, w0, w1, at[1], at[2], entry<K>(pass_.formulas_),
                               list_of(rows_of<stage, S>(level, slab, row)...));
      }
      if (level.is_last) store<stage::slot>(out, slab, row);
    }

    /// The tile's own cells of a finished row, to memory past the caches.
    template <int S, class V>
    void store(const V* out, index_t slab, index_t row) const {
      const index_t(&n)[3] = pass_.extents_[S].n;
      if (slab < own_.begin[order::slab] || slab >= own_.end[order::slab]) return;
      if (row < own_.begin[order::row] || row >= own_.end[order::row]) return;
      const index_t end = own_.end[0] < n[0] ? own_.end[0] : n[0];
      if (end <= own_.begin[0]) return;
      const auto& target = entry<S>(pass_.targets_);
      streaming_store(target.data + slab * target.stride[order::slab] +
                          row * target.stride[order::row] + own_.begin[0],
                      out + own_.begin[0], end - own_.begin[0]);
    }

    template <class Stage, int S>
    auto rows_of(const pass_level& level, index_t slab, index_t row) const {
      constexpr footprint reads = Stage::template reads<S>();
      constexpr int dim = order::slab, count = reads.high[dim] - reads.low[dim] + 1;
      const auto& leaf = entry<S>(pass_.leaves_);
      field_rows<typename std::remove_cvref_t<decltype(leaf)>::value_type, count> rows{};
      if constexpr (reads.is_read) {
        for (int k = 0; k < count; ++k)
          rows.slab[k] = row_of<S>(level, slab + reads.low[dim] + k, row);
        rows.pitch = level.source[S] < 0 ? leaf.stride[order::row] : pitch_;
      }
      return rows;
    }

    /// A row of field S before the level. (Some are outside: of those no cell is read.)
    template <int S>
    auto row_of(const pass_level& level, index_t slab, index_t row) const {
      const auto& leaf = entry<S>(pass_.leaves_);
      using value_type = typename std::remove_cvref_t<decltype(leaf)>::value_type;
      const index_t slabs = pass_.extents_[S].n[order::slab];
      const index_t nearest = slab < 0 ? 0 : slab < slabs ? slab : slabs - 1;
      return level.source[S] < 0
                 ? leaf.data + nearest * leaf.stride[order::slab] + row * leaf.stride[order::row]
                 : static_cast<const value_type*>(
                       kept_row<value_type>(level.source[S], nearest, row));
    }

    template <class V>
    V* kept_row(int l, index_t slab, index_t row) const {
      const auto level = static_cast<std::size_t>(l);
      const index_t kept = slab % pass_.levels_[level].slabs;
      return reinterpret_cast<V*>(base_ + place_[level]) + (kept * rows_ + row - top_) * pitch_ - left_;
    }

    const temporal_pass& pass_;
    box own_;
    index_t left_, top_, pitch_, rows_;  // of what is kept: its first column and row, its extents
    std::vector<index_t> place_;         // of each level, in bytes
    std::unique_ptr<std::byte[]> kept_;
    std::byte* base_;
  };

  std::vector<pass_level> levels_;
  const Formulas& formulas_;
  const operand_list<device_leaf<T>...>& leaves_;
  const operand_list<device_target<T>...>& targets_;
  const shape3 (&extents_)[fields];  // of x, y and z; 1 where a field has no such dim
};

}  // namespace teff::inline TEFF_MODE::detail

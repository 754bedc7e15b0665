// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <teff/kernel/streaming_store.hpp>
#include <teff/stencil/conditions/edges.hpp>
#include <teff/stencil/levels/levels.hpp>
#include <teff/stencil/tiles/rows.hpp>
#include <teff/stencil/tiles/tile_memory.hpp>

/// A tile of tiles/pass.hpp: the slabs that its levels keep, and the loop over slabs and levels.
namespace teff::inline TEFF_MODE::detail {

/// Cells from begin to end of each dim.
struct tile_box {
  index_t begin[3], end[3];
};

/// What the tiles of a pass work on: its levels; by step of the pass the lowered right-hand sides
/// of the stages; the stages' boundary conditions; arrays to read and to write by field, of which
/// those that evolve are written.
template <class Formulas, class Edges, class... T>
struct tiled_work {
  using formulas_type = Formulas;
  static constexpr int fields = sizeof...(T);
  static constexpr index_t cell_bytes[fields] = {sizeof(T)...};

  std::vector<pass_level> levels;
  const std::vector<Formulas>& formulas;
  const Edges& edges;
  const tuple<device_leaf<T>...>& from;
  const tuple<device_target<T>...>& to;
  const shape3 (&n)[fields];                // of x, y and z; 1 where a field has no such dim
  index_t period[3];                        // by dim; 0: none
  std::vector<runtime::shared_rows> parts;  // by level: noted, without memory
  bool is_stored_past_caches;

  bool is_periodic(int dim) const { return period[dim] > 0; }
};

/// What one thread does at a time: a tile of the grid, through all levels of a pass.
template <class Step, class Work>
class pass_tile {
  using order = slab_order<Step::rank>;
  static constexpr int fields = Work::fields;
  template <int K>
  using rhs_of =
      std::remove_cvref_t<decltype(entry<K>(std::declval<const typename Work::formulas_type&>()))>;

 public:
  pass_tile(const Work& work, const tile_box& own, const runtime::tile_memory& memory)
      : work_(work), own_(own), memory_(memory), parts_(work.parts) {
    int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (const pass_level& level : work.levels)
      for (int d = 0; d < 3; ++d)
        low[d] = std::max(low[d], level.low[d]), high[d] = std::max(high[d], level.high[d]);
    left_ = own.begin[0] - low[0];
    top_ = own.begin[order::row] - low[order::row];
    pitch_ = ceil_div(own.end[0] - own.begin[0] + low[0] + high[0], index_t{cpu_line}) * cpu_line;
    rows_ = own.end[order::row] - own.begin[order::row] + low[order::row] + high[order::row];
    index_t bytes = 0;
    for (const pass_level& level : work.levels) {
      place_.push_back(bytes);
      bytes += level.slabs * rows_ * pitch_ * Work::cell_bytes[level.slot];
    }
    index_t shared_bytes = 0;
    for (const runtime::shared_rows& parts : work.parts) shared_bytes += parts.bytes(pitch_);
    kept_ = memory.take(bytes + shared_bytes);
    base_ = kept_.at;
    if (base_ == nullptr) return;
    std::byte* free = base_ + bytes;
    for (runtime::shared_rows& parts : parts_) {
      parts.place(free, pitch_);
      free += parts.bytes(pitch_);
    }
  }
  ~pass_tile() { memory_.give_back(std::move(kept_)); }
  pass_tile(const pass_tile&) = delete;
  pass_tile& operator=(const pass_tile&) = delete;

  /// By level, the parts of its formula that cells share; empty if no formula has any.
  static std::vector<runtime::shared_rows> noted_parts(const Work& work) {
    std::vector<runtime::shared_rows> all;
    each_number(
        [&]<int K>() {
          if constexpr (shares_rows<rhs_of<K>>) {
            all.resize(work.levels.size());
            for (std::size_t l = 0; l < all.size(); ++l)
              if (const pass_level& level = work.levels[l]; level.stage == K)
                note<K>(all[l], entry<K>(work.formulas[static_cast<std::size_t>(level.step)]),
                        std::make_integer_sequence<int, fields>{});
          }
        },
        std::make_integer_sequence<int, Step::stages>{});
    return all;
  }

  /// False, and nothing done, where there is no memory for what it keeps.
  bool run() {
    if (base_ == nullptr) return false;
    constexpr int dim = order::slab;
    index_t first = own_.begin[dim], end = 0;
    std::vector<tile_box> cells;  // of each level
    for (const pass_level& level : work_.levels) {
      cells.push_back(cells_of(level));
      first_slab_ = std::min(first_slab_, cells.back().begin[dim]);
      first = std::min(first, cells.back().begin[dim] + level.lag);
      end = std::max(end, cells.back().end[dim] + level.lag);
    }
    for (index_t s = first; s < end; ++s)
      for (std::size_t l = 0; l < cells.size(); ++l) {
        const pass_level& level = work_.levels[l];
        const index_t slab = s - level.lag;
        if (slab >= cells[l].begin[dim] && slab < cells[l].end[dim])
          compute(static_cast<int>(l), cells[l], slab,
                  std::make_integer_sequence<int, Step::stages>{});
      }
    return true;
  }

 private:
  /// What a level computes: the tile's own cells and its reach, within the field.
  tile_box cells_of(const pass_level& level) const {
    tile_box cells;
    for (int d = 0; d < 3; ++d) {
      const index_t begin = own_.begin[d] - level.low[d], end = own_.end[d] + level.high[d];
      const index_t n = work_.n[level.slot].n[d];
      const bool goes_on = d == order::slab && work_.is_periodic(d);
      cells.begin[d] = begin > 0 || goes_on ? begin : 0;
      cells.end[d] = end < n || goes_on ? end : n;
    }
    return cells;
  }

  template <int... K>
  void compute(int l, const tile_box& cells, index_t slab, std::integer_sequence<int, K...>) {
    const int stage = work_.levels[static_cast<std::size_t>(l)].stage;
    ((K == stage ? compute_slab<K>(l, cells, slab) : void()), ...);
  }

  template <int K>
  void compute_slab(int l, const tile_box& cells, index_t slab) {
    constexpr int dim = order::slab;
    using stage = typename Step::template stage<K>;
    const auto& edges = entry<K>(work_.edges);
    for (index_t row = cells.begin[order::row]; row < cells.end[order::row]; ++row)
      compute_row<K>(l, cells, slab, row, std::make_integer_sequence<int, fields>{});
    if (is_inner<K>(dim, slab)) set_edge_rows<K>(l, cells, slab);
    if (work_.is_periodic(dim)) {
      store<K>(l, cells, slab);
      return;
    }
    const index_t n = work_.n[stage::slot].n[dim];
    const index_t first = stage::written::low[dim], beyond = n - stage::written::high[dim];
    if (slab >= beyond && edges.width(dim, true) > 0)
      set_edge_slab<K>(l, cells, true, {slab, slab - 1});
    if (edges.width(dim, false) == 0) {
      store<K>(l, cells, slab);
    } else if (slab >= first) {
      if (slab == first)
        for (index_t s = first - 1; s >= cells.begin[dim]; --s) {
          set_edge_slab<K>(l, cells, false, {s, s + 1});
          store<K>(l, cells, s);
        }
      store<K>(l, cells, slab);
    }
  }

  /// Along a dim, stage K writes here.
  template <int K>
  bool is_inner(int dim, index_t at) const {
    using written = typename Step::template stage<K>::written;
    if (dim == order::slab && work_.is_periodic(dim)) return true;
    return at >= written::low[dim] &&
           at < work_.n[Step::template stage<K>::slot].n[dim] - written::high[dim];
  }

  /// The slab of the field that a slab of the pass is: beyond the ends of a periodic dim the
  /// field repeats itself.
  template <int K>
  index_t slab_in_field(index_t slab) const {
    constexpr int dim = order::slab;
    if (!work_.is_periodic(dim)) return slab;
    const index_t low = Step::template stage<K>::written::low[dim], period = work_.period[dim];
    return low + ((slab - low) % period + period) % period;
  }

  /// One row of one level: its formula where the stage writes, elsewhere the values that were
  /// there.
  template <int K, int... S>
  void compute_row(int l, const tile_box& cells, index_t slab, index_t row,
                   std::integer_sequence<int, S...>) {
    using stage = typename Step::template stage<K>;
    using value_type = typename stage::value_type;
    using written = typename stage::written;
    const pass_level& level = work_.levels[static_cast<std::size_t>(l)];
    const index_t x0 = cells.begin[0], x1 = cells.end[0];
    const index_t in_field = slab_in_field<K>(slab);
    const bool is_written = is_inner<K>(order::slab, slab) && is_inner<K>(order::row, row);
    index_t w0 = x0, w1 = x0;  // the columns that are written, if any
    if (is_written) {
      const index_t beyond = work_.n[stage::slot].n[0] - written::high[0];
      w0 = x0 > written::low[0] ? x0 : written::low[0];
      w1 = x1 < beyond ? x1 : beyond;
      if (w0 > x1) w0 = x1;
      if (w1 < w0) w1 = w0;
    }
    value_type* const out = kept_row<value_type>(l, slab, row);
    if constexpr (Step::frame_from(stage::slot) != no_owner) {
      const value_type* const before =
          row_of<Step::frame_from(stage::slot)>(level, in_field, slab, 0, row);
      for (index_t i = x0; i < w0; ++i) out[i] = before[i];
      for (index_t i = w1; i < x1; ++i) out[i] = before[i];
    }
    if (w0 < w1) {
      index_t at[3] = {0, 0, 0};
      at[order::slab] = in_field;
      at[order::row] = row;
      const auto& formula = entry<K>(work_.formulas[static_cast<std::size_t>(level.step)]);
      const auto rows = tuple_of(rows_read<stage, S>(level, in_field, slab, row)...);
      if constexpr (shares_rows<rhs_of<K>>) {
        runtime::shared_rows& parts = parts_[static_cast<std::size_t>(l)];
        parts.start_row(w0, at[1], at[2]);
        const stage_rows<stage, std::remove_const_t<decltype(rows)>> kept{parts, rows,  w0,
                                                                          w1,    at[1], at[2]};
        compute_columns<stage, written_at<stage>>(out, w0, w1, at[1], at[2],
                                                  in_rows_of_stage<stage>(formula, kept), rows);
      } else {
        compute_columns<stage, written_at<stage>>(out, w0, w1, at[1], at[2], formula, rows);
      }
    }
    if (!is_written) return;
    const auto& edges = entry<K>(work_.edges);
    for (const bool upper : {false, true})
      for (int k = 0; k < edges.width(0, upper); ++k) {
        const runtime::edge_layer layer = edges.layer(0, upper, k);
        if (layer.at < x0 || layer.at >= x1) continue;
        index_t at[3] = {layer.at, 0, 0};
        at[order::slab] = in_field;
        at[order::row] = row;
        out[layer.at] = edges.rule(0, upper, level.step)(out[layer.source], at[0], at[1], at[2]);
      }
  }

  /// Border rows of a slab, in 3-D.
  template <int K>
  void set_edge_rows(int l, const tile_box& cells, index_t slab) const {
    if constexpr (Step::rank == 3) {
      constexpr int dim = order::row;
      const auto& edges = entry<K>(work_.edges);
      const index_t in_field = slab_in_field<K>(slab);
      for (const bool upper : {false, true})
        for (int k = 0; k < edges.width(dim, upper); ++k) {
          const runtime::edge_layer layer = edges.layer(dim, upper, k);
          if (layer.at >= cells.begin[dim] && layer.at < cells.end[dim])
            set_edge_row<K>(l, cells, dim, upper, {slab, in_field, layer.at},
                            {slab, in_field, layer.source});
        }
    }
  }

  /// A border slab from the next inner one.
  template <int K>
  void set_edge_slab(int l, const tile_box& cells, bool upper, runtime::edge_layer layer) const {
    for (index_t row = cells.begin[order::row]; row < cells.end[order::row]; ++row)
      set_edge_row<K>(l, cells, order::slab, upper, {layer.at, layer.at, row},
                      {layer.source, layer.source, row});
  }

  /// Where a row is: its slab of the pass, that slab in the field, the row in the slab.
  struct row_place {
    index_t slab, in_field, row;
  };
  template <int K>
  void set_edge_row(int l, const tile_box& cells, int dim, bool upper, row_place to,
                    row_place from) const {
    using value_type = typename Step::template stage<K>::value_type;
    const pass_level& level = work_.levels[static_cast<std::size_t>(l)];
    const auto rule = entry<K>(work_.edges).rule(dim, upper, level.step);
    value_type* const out = kept_row<value_type>(l, to.slab, to.row);
    const value_type* const in = kept_row<value_type>(l, from.slab, from.row);
    index_t at[3] = {0, 0, 0};
    at[order::slab] = to.in_field;
    at[order::row] = to.row;
    for (index_t i = cells.begin[0]; i < cells.end[0]; ++i) out[i] = rule(in[i], i, at[1], at[2]);
  }

  /// A finished slab of the last level of a field: the tile's own cells go to memory.
  template <int K>
  void store(int l, const tile_box& cells, index_t slab) const {
    using stage = typename Step::template stage<K>;
    if (!work_.levels[static_cast<std::size_t>(l)].is_last) return;
    for (index_t row = cells.begin[order::row]; row < cells.end[order::row]; ++row)
      store_row<stage::slot>(kept_row<typename stage::value_type>(l, slab, row), slab, row);
  }

  template <int S, class V>
  void store_row(const V* out, index_t slab, index_t row) const {
    const index_t(&n)[3] = work_.n[S].n;
    if (slab < own_.begin[order::slab] || slab >= own_.end[order::slab]) return;
    if (slab >= n[order::slab]) return;  // of a periodic field that ends before another one
    if (row < own_.begin[order::row] || row >= own_.end[order::row]) return;
    const index_t end = own_.end[0] < n[0] ? own_.end[0] : n[0];
    if (end <= own_.begin[0]) return;
    const auto& target = entry<S>(work_.to);
    V* const to = target.data + slab * target.stride[order::slab] +
                  row * target.stride[order::row] + own_.begin[0];
    const V* const from = out + own_.begin[0];
    if (work_.is_stored_past_caches)
      streaming_store(to, from, end - own_.begin[0]);
    else
      std::copy(from, from + (end - own_.begin[0]), to);
  }

  /// What a stage reads of a field's rows: so many slabs, from the lowest on.
  template <class Stage, int S>
  static constexpr int lowest = Stage::template reads<S>().low[order::slab];
  template <class Stage, int S>
  static constexpr int slabs_read =
      Stage::template reads<S>().is_read
          ? Stage::template reads<S>().high[order::slab] - lowest<Stage, S> + 1
          : 0;
  template <int S, int Low, int Slabs>
  auto rows_of(const pass_level& level, index_t in_field, index_t slab, index_t row) const {
    const auto& leaf = entry<S>(work_.from);
    field_rows<typename std::remove_cvref_t<decltype(leaf)>::value_type, Slabs> rows;
    for (int k = 0; k < Slabs; ++k) rows.slab[k] = row_of<S>(level, in_field, slab, Low + k, row);
    rows.pitch = level.source[S] < 0 ? leaf.stride[order::row] : pitch_;
    return rows;
  }
  /// (One function for stages that read a field alike.)
  template <class Stage, int S>
  TEFF_INLINE auto rows_read(const pass_level& level, index_t in_field, index_t slab,
                             index_t row) const {
    if constexpr (slabs_read<Stage, S> == 0)
      return no_rows{};
    else
      return rows_of<S, lowest<Stage, S>, slabs_read<Stage, S>>(level, in_field, slab, row);
  }

  template <int K, int... S>
  static void note(runtime::shared_rows& parts, const rhs_of<K>& formula,
                   std::integer_sequence<int, S...>) {
    using stage = typename Step::template stage<K>;
    using rows_type = decltype(tuple_of(
        std::declval<const pass_tile&>().template rows_read<stage, S>(pass_level{}, 0, 0, 0)...));
    const rows_type none{};
    const stage_rows<stage, rows_type> noting{parts, none, 0, 0, 0, 0};
    (void)in_rows_of_stage<stage>(formula, noting);
  }

  /// A row of field S before the level, `offset` slabs from the slab. (Some are outside: of those
  /// no cell is read.)
  template <int S>
  auto row_of(const pass_level& level, index_t in_field, index_t slab, int offset,
              index_t row) const {
    const auto& leaf = entry<S>(work_.from);
    using value_type = typename std::remove_cvref_t<decltype(leaf)>::value_type;
    const index_t last = work_.n[S].n[order::slab] - 1;
    const auto nearest = [&](index_t s) { return s < 0 ? 0 : s < last ? s : last; };
    if (level.source[S] < 0)
      return leaf.data + nearest(in_field + offset) * leaf.stride[order::slab] +
             row * leaf.stride[order::row];
    const index_t s = slab + offset;
    return static_cast<const value_type*>(kept_row<value_type>(
        level.source[S], work_.is_periodic(order::slab) ? s : nearest(s), row));
  }

  template <class V>
  V* kept_row(int l, index_t slab, index_t row) const {
    const auto level = static_cast<std::size_t>(l);
    // Of 32 bits, since a division takes as long as some cells of a row.
    const auto kept = static_cast<std::uint32_t>(slab - first_slab_) %
                      static_cast<std::uint32_t>(work_.levels[level].slabs);
    return reinterpret_cast<V*>(base_ + place_[level]) + (kept * rows_ + row - top_) * pitch_ -
           left_;
  }

  const Work& work_;
  tile_box own_;
  const runtime::tile_memory& memory_;
  index_t first_slab_ = 0;
  index_t left_, top_, pitch_, rows_;  // of what is kept: its first column and row, its extents
  std::vector<index_t> place_;         // of each level, in bytes
  std::vector<runtime::shared_rows> parts_;
  runtime::tile_memory::piece kept_;
  std::byte* base_;
};

}  // namespace teff::inline TEFF_MODE::detail

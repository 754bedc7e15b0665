// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

#include <teff/algo/along_dim/cells.hpp>
#include <teff/algo/reduce/chunk_cpu.hpp>
#include <teff/algo/reduce/extremes_cpu.hpp>
#include <teff/algo/reduce/tree.hpp>
#include <teff/base/for_tasks.hpp>
#include <teff/base/thrown.hpp>
#include <teff/expr/statement_cpu.hpp>
#include <teff/kernel/streaming_store.hpp>

/// Reductions on the CPU: the lanes of a chunk are the lanes of SIMD loops that evaluate the
/// expression as they combine it. Twin: reduce/blocks.hpp.
namespace teff::inline TEFF_MODE::detail {

/// What lanes take in: lane v the cells at `first` + v * step + r * down, r = 0, 1, ..., rows - 1.
struct lane_cells {
  cell_index first;
  index_t step[3], down[3];
  index_t rows;
  bool has_far_rows = false;  ///< they come from memory, and are read one by one
};

/// Lanes that take in the values of an expression, each in their order. What reads by it is
/// compiled once for all expressions.
template <class Op, class A>
class lane_reader {
 public:
  /// @param bytes of all values, if they come from memory side by side, each once; else 0
  template <class E>
  lane_reader(const E& e, const statement_shape& where, index_t bytes = 0)
      : e_(&e),
        along_x_(where.has_unit_stride ? take_in<true, E> : take_in<false, E>),
        any_step_(take_in<false, E>),
        ask_for_(where.has_unit_stride && !is_near(bytes) ? ask_for_pages<E> : nullptr),
        has_far_rows_(bytes > 0 && exceeds_cache(bytes)) {
    if constexpr (is_leaf<E> && std::is_arithmetic_v<A>)  // (min and max also from memory)
      if (where.has_unit_stride && (takes_extremes<Op> || !has_far_rows_))
        total_of_chunk_ = total_of<E>;
    if constexpr (finds_extreme<Op> && requires { e.operand; }) {
      extremes_along_x_ = where.has_unit_stride ? &extremes_of<true, E> : &extremes_of<false, E>;
      extremes_ = &extremes_of<false, E>;
    }
  }
  /// Of values that lie side by side, read along x alone.
  explicit lane_reader(const device_leaf<A>& row)
      : e_(&row),
        along_x_(take_in<true, device_leaf<A>>),
        any_step_(along_x_),
        ask_for_(ask_for_pages<device_leaf<A>>) {
    if constexpr (std::is_arithmetic_v<A>) total_of_chunk_ = total_of<device_leaf<A>>;
  }

  /// Whether it takes in a chunk at once, whose cells are `step` apart.
  bool takes_chunks(const index_t (&step)[3]) const {
    return total_of_chunk_ != nullptr && is_along_x(step);
  }
  A total_of_chunk(const cell_index& first, const A& neutral) const {
    return total_of_chunk_(e_, first, neutral);
  }

  /// Whether it reads values by their cells, not what other readers found.
  bool finds_extremes() const { return extremes_ != nullptr; }
  /// The first extreme of `count` cells, at least one, each `step` on.
  A extreme(const cell_index& first, const index_t (&step)[3], index_t count) const {
    const extremes& search = is_along_x(step) ? *extremes_along_x_ : *extremes_;
    const A found = search.value(e_, first, step, count);
    return leaves_cells_ ? found : search.cell(e_, found, first, step, count);
  }
  /// The same, but extremes of many cells have the number of the first of these.
  lane_reader without_cells() const {
    lane_reader result = *this;
    result.leaves_cells_ = true;
    return result;
  }
  /// Such an extreme of all n[0] x n[1] x n[2] cells, numbered x first: its cell.
  A with_cell(const A& found, const index_t (&n)[3]) const {
    const index_t row = found.cell / n[0];
    const cell_index first{found.cell % n[0], row % n[1], row / n[1]};
    return extremes_along_x_->cell(e_, found, first, {1, 0, 0}, n[0] - first.i);
  }

  void operator()(A* lane, index_t lanes, lane_cells from) const {
    from.has_far_rows = has_far_rows_;
    (is_along_x(from.step) ? along_x_ : any_step_)(e_, lane, lanes, from);
  }
  /// `count` cells that are read soon. A core prefetches what follows, but not beyond a page: so
  /// the beginning of each page is asked for. (Several arrays have enough on their way as it is.)
  void ask_for(const cell_index& first, const index_t (&step)[3], index_t count) const {
    if (ask_for_ != nullptr && !has_far_rows_ && is_along_x(step)) ask_for_(e_, first, count);
  }

 private:
  /// Whether values are in a second-level cache, as far as is known: nothing waits for these.
  static bool is_near(index_t bytes) { return bytes > 0 && bytes <= index_t{1} << 19; }
  static bool is_along_x(const index_t (&step)[3]) {
    return step[0] == 1 && step[1] == 0 && step[2] == 0;
  }

  template <class E>
  static void ask_for_pages(const void* expression, const cell_index& first, index_t count) {
    if constexpr (is_leaf<E>) {
      constexpr std::uintptr_t page = 4096, beginning = 1024;
      const E& e = *static_cast<const E*>(expression);
      const auto* cell = e.data + (first.i + first.j * e.stride[1] + first.k * e.stride[2]);
      const auto begin = reinterpret_cast<std::uintptr_t>(cell),
                 end = reinterpret_cast<std::uintptr_t>(cell + count);
      for (auto at = (begin + page - 1) / page * page; at < end; at += page)
        for (std::uintptr_t line = at; line < at + beginning; line += cpu_line)
          __builtin_prefetch(reinterpret_cast<const void*>(line));
    }
  }

  template <class E>
  static A total_of(const void* e, const cell_index& first, const A& neutral) {
    const E& row = *static_cast<const E*>(e);
    return detail::total_of_chunk<Op>(
        row.data + (first.i + first.j * row.stride[1] + first.k * row.stride[2]), neutral);
  }
  template <bool UnitStride, class E>
  static void take_in(const void* expression, A* lane, index_t lanes, lane_cells from) {
    // Rows at a time: totals stay in registers. What comes from memory is read one cell after the
    // other, which hardware fetches ahead: 1.5 to 2.3 times as fast as four rows at a time on an
    // EPYC (and once 0.9). With several arrays more than two did not pay, and g++ 12 makes no SIMD
    // loop of several rows of numbered values.
    constexpr int many = !std::is_arithmetic_v<A> ? 1 : is_leaf<E> ? 4 : 2;
    const E& e = *static_cast<const E*>(expression);
    const auto take = [&]<int Rows>(std::integral_constant<int, Rows>) {
      for (; from.rows >= Rows; from.rows -= Rows) {
        take_in_rows<Rows, UnitStride>(lane, lanes, e, from);
        from.first = cell_after(from.first, from.down, Rows);
      }
    };
    if (!from.has_far_rows) {
      if constexpr (many > 2) take(std::integral_constant<int, many>{});
      if constexpr (many > 1) take(std::integral_constant<int, 2>{});
    }
    take(std::integral_constant<int, 1>{});
  }
  /// (What is read comes by value: stores to the lanes can not change a copy of one's own.)
  template <int Rows, bool UnitStride, class E>
  [[gnu::always_inline]] static void take_in_rows(A* lane, index_t lanes, const E e,
                                                  const lane_cells from) {
    runtime::thrown_in_loop thrown;
    TEFF_SIMD
    for (index_t v = 0; v < lanes; ++v) {
      try {
        lane[v] = with_rows<Rows, UnitStride>(lane[v], e, from, v);
      } catch (...) {
        thrown.keep(v);
      }
    }
    thrown.pass_on();
  }
  template <int Rows, bool UnitStride, class E>
  TEFF_INLINE static A with_rows(const A& total, const E& e, const lane_cells& from, index_t v) {
    if constexpr (Rows == 0) {
      return total;
    } else {
      return Op{}(with_rows<Rows - 1, UnitStride>(total, e, from, v),
                  value_in_row<UnitStride>(e, from, v, Rows - 1));
    }
  }
  template <bool UnitStride, class E>
  TEFF_INLINE static A value_in_row(const E& e, const lane_cells& from, index_t v, int row) {
    const cell_index first = cell_after(from.first, from.down, row);
    const cell_index at =
        UnitStride ? cell_index{first.i + v, first.j, first.k} : cell_after(first, from.step, v);
    return convert<A>(e.template eval<0, 0, 0>(cell_context<1, UnitStride>{at.i, at.j, at.k}));
  }

  struct extremes {
    A (*value)(const void*, const cell_index&, const index_t (&)[3], index_t);
    A (*cell)(const void*, const A&, const cell_index&, const index_t (&)[3], index_t);
  };
  template <bool UnitStride, class E>
  static constexpr extremes extremes_of{
      [](const void* e, const cell_index& first, const index_t (&step)[3], index_t count) {
        return extreme_of_cells<Op, UnitStride>(*static_cast<const E*>(e), first, step, count);
      },
      [](const void* e, const A& found, const cell_index& first, const index_t (&step)[3],
         index_t count) {
        return first_cell_of<UnitStride>(*static_cast<const E*>(e), found, first, step, count);
      }};

  using function = void(const void*, A*, index_t, lane_cells);
  const void* e_;
  function *along_x_, *any_step_;
  void (*ask_for_)(const void*, const cell_index&, index_t);
  A (*total_of_chunk_)(const void*, const cell_index&, const A&) = nullptr;
  const extremes *extremes_along_x_ = nullptr, *extremes_ = nullptr;
  bool leaves_cells_ = false;
  bool has_far_rows_ = false;
};

/// The lanes of a chunk take in its cells; of numbered ones the first lane takes in the extreme.
/// @param first of `count` cells, each `step` on @returns how many lanes have a value
template <class Op, class A>
index_t take_in_chunk(A* lane, const lane_reader<Op, A>& read, const cell_index& first,
                      const index_t (&step)[3], index_t count) {
  constexpr index_t lanes = reduce_tree::lanes;
  if (read.finds_extremes()) {
    lane[0] = read.extreme(first, step, count);
    return 1;
  }
  lane_cells from{first,
                  {step[0], step[1], step[2]},
                  {lanes * step[0], lanes * step[1], lanes * step[2]},
                  count / lanes};
  if (from.rows > 0) read(lane, lanes, from);
  from.first = cell_after(first, from.down, from.rows);
  from.rows = 1;
  if (count % lanes > 0) read(lane, count % lanes, from);
  return lesser_of(count, lanes);
}

/// Lanes that a thread works with at a time.
inline constexpr index_t most_lanes = 4 * reduce_tree::lanes;

/// The lanes of a chunk, combined. @param count how many of them have a cell
template <int Lanes = reduce_tree::lanes, class Op, class A>
A combine_lanes(Op op, A* lane, index_t count, const A& neutral) {
  constexpr int half = Lanes / 2;
  if constexpr (half == 0) {
    return lane[0];
  } else {
    if (count <= half) return combine_lanes<half>(op, lane, count, neutral);
    runtime::thrown_in_loop thrown;
    TEFF_SIMD
    for (index_t l = 0; l < count - half; ++l) {
      try {
        lane[l] = op(lane[l], lane[l + half]);
      } catch (...) {
        thrown.keep(l);
      }
    }
    TEFF_SIMD
    for (index_t l = count - half; l < half; ++l) {
      try {
        lane[l] = op(lane[l], neutral);
      } catch (...) {
        thrown.keep(l);
      }
    }
    thrown.pass_on();
    return combine_all_lanes<half>(op, lane);
  }
}

/// The same, compiled once for all who combine chunks.
template <class Op, class A>
[[gnu::noinline]] A combine_chunk(A* lane, index_t count, const A& neutral) {
  return combine_lanes(Op{}, lane, count, neutral);
}

/// Rows, in pieces of reduce_tree::chunk cells. Short ones that lie side by side are read as one.
/// @param write takes the number of a piece (those of a row follow each other), totals, their count
template <class Op, class A, class Write>
void reduce_rows_cpu(const Write& write, const lane_reader<Op, A>& read, const dim_cells& cells,
                     index_t pieces, A neutral) {
  constexpr index_t chunk = reduce_tree::chunk, lanes = reduce_tree::lanes;
  const index_t all = cells.columns() * pieces, width = lesser_of(cells.length, lanes);
  const bool are_adjacent =
      cells.length <= lanes && cells.inner == 1 && cells.per_outer[0] == cells.length;
  const index_t at_once = are_adjacent ? most_lanes / width : 1;
  const auto first_of = [&](index_t part) {
    return cell_after(first_of_column(cells, part / pieces), cells.per_cell, part % pieces * chunk);
  };
  for_tasks(ceil_div(all, at_once), cells.size() >= parallel_cells, [&](index_t task) {
    alignas(64) A lane[most_lanes];
    const index_t begin = task * at_once, here = lesser_of(at_once, all - begin);
    const index_t count = here * lesser_of(chunk, cells.length - begin % pieces * chunk);
    if (count == chunk && read.takes_chunks(cells.per_cell) && !are_adjacent) {
      lane[0] = read.total_of_chunk(first_of(begin), neutral);
      if (begin + 1 < all) read.ask_for(first_of(begin + 1), cells.per_cell, chunk);
      return write(begin, lane, 1);
    }
    if (!read.finds_extremes() || are_adjacent)
      for (index_t l = 0; l < here * width; ++l) lane[l] = neutral;
    index_t used = width;
    if (are_adjacent)
      read(lane, count, {first_of(begin), {1, 0, 0}, {}, 1});
    else
      used = take_in_chunk(lane, read, first_of(begin), cells.per_cell, count);
    if (begin + here < all) read.ask_for(first_of(begin + here), cells.per_cell, count);
    for (index_t r = 0; r < here; ++r) lane[r] = combine_chunk<Op>(lane + r * width, used, neutral);
    write(begin, lane, here);
  });
}

/// All n[0] x n[1] x n[2] cells, numbered x first.
template <class Op, class A>
A reduce_cpu(const lane_reader<Op, A>& given, const index_t (&n)[3], A neutral) {
  constexpr index_t chunk = reduce_tree::chunk, lanes = reduce_tree::lanes;
  const index_t cells = n[0] * n[1] * n[2], chunks = ceil_div(cells, chunk);
  const lane_reader<Op, A> read = chunks > 1 ? given.without_cells() : given;
  A total = neutral;
  std::unique_ptr<A[]> several;
  if (chunks > 1) several.reset(new A[static_cast<std::size_t>(chunks)]);
  A* const totals = chunks > 1 ? several.get() : &total;
  if (n[1] * n[2] == 1 && cells > 0) {
    const auto write = [totals](index_t first, const A* from, index_t count) {
      for (index_t c = 0; c < count; ++c) totals[first + c] = from[c];
    };
    reduce_rows_cpu(write, read, cells_along(n, 0, true), chunks, neutral);
  } else {
    for_tasks(chunks, cells >= parallel_cells, [&](index_t c) {
      alignas(64) A lane[reduce_tree::lanes];
      for (A& l : lane) l = neutral;
      const index_t begin = c * chunk, count = lesser_of(chunk, cells - begin), row = begin / n[0];
      cell_index at{begin % n[0], row % n[1], row / n[1]};
      for (index_t taken = 0; taken < count;) {  // row piece by row piece, up to the last lane
        const index_t l = taken % lanes,
                      here = lesser_of(lanes - l, lesser_of(count - taken, n[0] - at.i));
        if (read.finds_extremes())
          lane[0] = Op{}(lane[0], read.extreme(at, {1, 0, 0}, here));
        else
          read(lane + l, here, {at, {1, 0, 0}, {}, 1});
        taken += here;
        at.i += here;
        if (at.i < n[0]) continue;
        at.i = 0;
        if (++at.j < n[1]) continue;
        at.j = 0;
        ++at.k;
      }
      totals[c] =
          combine_chunk<Op>(lane, read.finds_extremes() ? 1 : lesser_of(count, lanes), neutral);
    });
  }
  if (chunks <= 1) return total;
  const device_leaf<A> source{{}, totals, {1, 0, 0}};
  total = reduce_cpu(lane_reader<Op, A>(source), {chunks, 1, 1}, neutral);
  if constexpr (finds_extreme<Op>)
    if (given.finds_extremes()) return given.with_cell(total, n);
  return total;
}

}  // namespace teff::inline TEFF_MODE::detail

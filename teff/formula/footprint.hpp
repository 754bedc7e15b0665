// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include <teff/expr/plane_march.hpp>
#include <teff/expr/stage_time.hpp>
#include <teff/expr/step_index.hpp>
#include <teff/formula/field.hpp>

namespace teff {

/// The most fields of a time step; timestep.hpp says so where there are more.
inline constexpr int most_fields = 32;

/// Which neighbours of one field a formula reads, seen from the cell that it updates; and what else
/// is in the formula.
struct footprint {
  int low[3] = {0, 0, 0};   ///< farthest offset downwards, 0 or negative
  int high[3] = {0, 0, 0};  ///< farthest offset upwards
  bool is_read = false;
  bool has_corners = false;  ///< reads at an offset along more than one dim
  std::uint64_t cells =
      0;  ///< bit 7 * (y + 3) + x + 3 for each cell of a plane that is read, up to 3 cells away
  bool uses_step = false;        ///< the number of the step is in the formula
  bool uses_stage_time = false;  ///< the time of a stage that is not yet known
  bool uses_index = false;       ///< an index of the cell is in the formula
  bool has_fields = false;       ///< some field is in the formula, this one or another
  bool only_fields = true;       ///< no arrays, device scalars or run-time slices in the formula

  /// It also reads the cell that is so far away.
  constexpr void add_cell(int x, int y, int z) {
    const int at[3] = {x, y, z};
    for (int d = 0; d < 3; ++d) {
      if (at[d] < low[d]) low[d] = at[d];
      if (at[d] > high[d]) high[d] = at[d];
    }
    is_read = true;
    has_corners = has_corners || (x != 0) + (y != 0) + (z != 0) > 1;
    if (x >= -3 && x <= 3 && y >= -3 && y <= 3 && z == 0)
      cells |= std::uint64_t{1} << (7 * (y + 3) + x + 3);
  }
  constexpr footprint operator|(const footprint& other) const {
    footprint both = *this;
    for (int d = 0; d < 3; ++d) {
      both.low[d] = other.low[d] < low[d] ? other.low[d] : low[d];
      both.high[d] = other.high[d] > high[d] ? other.high[d] : high[d];
    }
    both.is_read = is_read || other.is_read;
    both.cells = cells | other.cells;
    both.uses_step = uses_step || other.uses_step;
    both.uses_stage_time = uses_stage_time || other.uses_stage_time;
    both.uses_index = uses_index || other.uses_index;
    both.has_fields = has_fields || other.has_fields;
    both.has_corners = has_corners || other.has_corners;
    both.only_fields = only_fields && other.only_fields;
    return both;
  }
  constexpr int radius() const {
    int r = 0;
    for (int d = 0; d < 3; ++d) {
      if (-low[d] > r) r = -low[d];
      if (high[d] > r) r = high[d];
    }
    return r;
  }
  /// How far along x, to the left or right, it reads in the row (y, z) cells away. (In other planes
  /// an upper bound, and where some cells are farther than 3.)
  constexpr int left_of(int y, int z = 0) const {
    if (z != 0 || radius() > 3) return has_corners || (y == 0 && z == 0) ? -low[0] : 0;
    for (int x = 3; x > 0; --x)
      if (reads_at(-x, y)) return x;
    return 0;
  }
  constexpr int right_of(int y, int z = 0) const {
    if (z != 0 || radius() > 3) return has_corners || (y == 0 && z == 0) ? high[0] : 0;
    for (int x = 3; x > 0; --x)
      if (reads_at(x, y)) return x;
    return 0;
  }
  constexpr bool reads_at(int x, int y) const {
    return x >= -3 && x <= 3 && y >= -3 && y <= 3 && (cells >> (7 * (y + 3) + x + 3) & 1) != 0;
  }
  constexpr bool is_centre_only() const { return radius() == 0; }
  /// How many cells are read; an upper bound where some are in other planes or beyond 3.
  constexpr int cells_read() const {
    if (!is_read) return 0;
    int box = 1, star = 1, in_plane = 0;
    for (int d = 0; d < 3; ++d) {
      box *= high[d] - low[d] + 1;
      star += high[d] - low[d];
    }
    for (int bit = 0; bit < 49; ++bit) in_plane += static_cast<int>(cells >> bit & 1);
    return low[2] == 0 && high[2] == 0 && radius() <= 3 ? in_plane : has_corners ? box : star;
  }
};

}  // namespace teff

namespace teff::inline TEFF_MODE {
namespace detail {

/// What a formula reads of all fields. What else is in it is the same for each, and stands apart.
struct footprints {
  footprint of[most_fields], all;

  constexpr void add_cell(int field, int x, int y, int z) {
    if (field < most_fields) of[field].add_cell(x, y, z);
  }
  constexpr footprint of_field(int field) const {
    footprint one = of[field];
    one.uses_step = all.uses_step;
    one.uses_stage_time = all.uses_stage_time;
    one.uses_index = all.uses_index;
    one.has_fields = all.has_fields;
    one.only_fields = all.only_fields;
    return one;
  }
};

/// Adds what E reads when it is evaluated at offset (x, y, z). By default: anything else.
template <class E>
struct reads_of_node {
  template <class Reads>
  static constexpr void add(Reads& to, int, int, int) {
    to.all.only_fields = false;
  }
};
template <class T>
struct reads_of_node<number<T>> {
  template <class Reads>
  static constexpr void add(Reads&, int, int, int) {}
};
template <class T, class As>
struct reads_of_node<parameter<T, As>> : reads_of_node<number<As>> {};
template <class T, class As>
struct reads_of_node<device_parameter<T, As>> : reads_of_node<number<As>> {};
template <int D>
struct reads_of_node<index_leaf<D>> {
  template <class Reads>
  static constexpr void add(Reads& to, int, int, int) {
    to.all.uses_index = true;
  }
};
template <>
struct reads_of_node<step_leaf> {
  template <class Reads>
  static constexpr void add(Reads& to, int, int, int) {
    to.all.uses_step = true;
  }
};
template <>
struct reads_of_node<stage_time_leaf> {
  template <class Reads>
  static constexpr void add(Reads& to, int, int, int) {
    to.all.uses_step = to.all.uses_stage_time = true;
  }
};
template <class E>
struct reads_of_node<in_stage<E>> {
  template <class Reads>
  static constexpr void add(Reads& to, int x, int y, int z) {
    const bool is_used = to.all.uses_stage_time;
    reads_of_node<E>::add(to, x, y, z);
    to.all.uses_stage_time = is_used;  // there it is known
  }
};
template <int S, class T, int N>
struct reads_of_node<field<S, T, N>> {
  template <class Reads>
  static constexpr void add(Reads& to, int x, int y, int z) {
    to.all.has_fields = true;
    to.add_cell(S, x, y, z);
  }
};
template <class Op, class L, class R>
struct reads_of_node<binary<Op, L, R>> {
  template <class Reads>
  static constexpr void add(Reads& to, int x, int y, int z) {
    reads_of_node<L>::add(to, x, y, z);
    reads_of_node<R>::add(to, x, y, z);
  }
};
template <class Fn, class... E>
struct reads_of_node<call<Fn, E...>> {
  template <class Reads>
  static constexpr void add(Reads& to, int x, int y, int z) {
    (reads_of_node<E>::add(to, x, y, z), ...);
  }
};
template <class Fn, class Shrink, class E, class... At>
struct reads_of_node<neighbours<Fn, Shrink, E, At...>> {
  template <class Reads>
  static constexpr void add(Reads& to, int x, int y, int z) {
    (reads_of_node<E>::add(to, x + At::x, y + At::y, z + At::z), ...);
  }
};

/// What E reads when it is evaluated at offset (X, Y, Z).
template <class E, int X, int Y, int Z>
inline constexpr footprints footprints_at = [] {
  footprints found;
  reads_of_node<E>::add(found, X, Y, Z);
  return found;
}();

/// The cells of all fields that a formula reads, each once. @tparam Most of them
template <int Most>
struct distinct_cells {
  struct cell {
    int field, x, y, z;
    constexpr bool operator==(const cell&) const = default;
  };
  cell of[Most + 1]{};
  int count = 0;
  footprint all;

  constexpr void add_cell(int field, int x, int y, int z) {
    const cell read{field, x, y, z};
    for (int c = 0; c < count; ++c)
      if (of[c] == read) return;
    if (count < Most) of[count++] = read;
  }
};

/// Who reads more elements than this has no registers for more than one cell, and looking each of
/// them up would take the compiler long.
inline constexpr int most_counted_loads = 1024;
template <class E>
inline constexpr auto cells_read_by = [] {
  distinct_cells<E::loads> reads;
  reads_of_node<E>::add(reads, 0, 0, 0);
  return reads;
}();

/// How many elements one evaluation of E reads, each once: what a kernel has to load. Where these
/// are too many to be counted, or E also reads what is no field: as E itself counts.
template <class E>
inline constexpr int distinct_loads = [] {
  if constexpr (E::loads <= most_counted_loads)
    if (cells_read_by<E>.all.only_fields) return cells_read_by<E>.count;
  return E::loads;
}();

/// The column along z of which E reads the most cells; void where that is none to keep
/// (expr/plane_march.hpp), or E also reads what is no field.
template <class E, bool MayHaveOne = E::rank == 3 && E::loads <= most_counted_loads>
struct longest_column {
  using type = void;
};
template <class E>
struct longest_column<E, true> {
 private:
  static constexpr const auto& reads = cells_read_by<E>;
  using cell = typename std::remove_cvref_t<decltype(reads)>::cell;
  struct range {
    cell at;
    int high, cells;
  };
  /// Of the column through that cell.
  static constexpr range through(cell at) {
    range found{at, at.z, 0};
    for (int c = 0; c < reads.count; ++c) {
      const cell& read = reads.of[c];
      if (read.field != at.field || read.x != at.x || read.y != at.y) continue;
      if (read.z < found.at.z) found.at.z = read.z;
      if (read.z > found.high) found.high = read.z;
      ++found.cells;
    }
    return found;
  }
  static constexpr range longest = [] {
    range most{};
    for (int c = 0; c < reads.count; ++c)
      if (const range found = through(reads.of[c]); found.cells > most.cells) most = found;
    return most;
  }();

 public:
  static constexpr bool is_kept = reads.all.only_fields &&
                                  longest.cells >= least_planes_of_column &&
                                  longest.high - longest.at.z < most_planes_of_column;
  using type = std::conditional_t<
      is_kept,
      read_column<longest.at.field, longest.at.x, longest.at.y, longest.at.z, longest.high>, void>;
};

/// The expression reads placeholders, so it has no values before a run.
template <class X>
constexpr bool has_fields() {
  return footprints_at<X, 0, 0, 0>.all.has_fields;
}

}  // namespace detail
}  // namespace teff::inline TEFF_MODE

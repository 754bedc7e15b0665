// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/expr/context.hpp>
#include <teff/expr/operands.hpp>
#include <teff/kernel/shared_array.hpp>
#include <teff/solver/march_plan.hpp>

/// Values of which a block that marches through memory keeps in shared memory those that its cells
/// read.
namespace teff::inline TEFF_MODE::detail {

/// The slot of a ring, of one that is less than twice its capacity.
TEFF_INLINE int in_ring(int slot, int capacity) {
  const auto u = static_cast<unsigned>(slot), c = static_cast<unsigned>(capacity);
  return static_cast<int>(lesser_of(u, u - c));
}

/// A cell of b, and the first that it reads among those of p. (One before or after all of b is as
/// it would be in a larger b; j is then none.)
template <int N>
struct place_in_march {
  int i, j = 0, k = 0, kept = 0;

  TEFF_INLINE place_in_march(const march_plan& at, int cell) : i(cell) {
    if constexpr (N > 1) {
      for (; i < 0; i += at.level_cells) kept -= at.along;
      j = i / at.n[0];
      i -= j * at.n[0];
    }
    if constexpr (N > 2) {
      k = j / at.n[1];
      j -= k * at.n[1];
    }
    kept += i + j * at.along_y + k * at.along_z;
  }
  TEFF_INLINE void move(const march_plan& at, const march_step& by) {
    i += by.i, kept += by.kept;
    if constexpr (N > 1) {
      j += by.j;
      if (i >= at.n[0]) i -= at.n[0], ++j, kept += at.gap_x;
    }
    if constexpr (N > 2) {
      k += by.k;
      if (j >= at.n[1]) j -= at.n[1], ++k, kept += at.gap_y;
    }
  }
  /// What move() has done.
  TEFF_INLINE void move_back(const march_plan& at, const march_step& by) {
    i -= by.i, kept -= by.kept;
    if constexpr (N > 1) {
      j -= by.j;
      if (i < 0) i += at.n[0], --j, kept -= at.gap_x;
    }
    if constexpr (N > 2) {
      k -= by.k;
      if (j < 0) j += at.n[1], --k, kept -= at.gap_y;
    }
  }
};

/// From a place among p's cells to a slot, for what lies 0, 1 and 2 cells along the last dim after
/// the first that a turn's cells read; for the cells themselves.
struct march_levels {
  int low, middle, high, own;

  /// @tparam GoesBack the part lies before the others @param shift of the part that is added
  template <bool GoesBack>
  TEFF_INLINE void add(const march_plan& at, int shift) {
    const bool is_alone = at.around == 0;
    if constexpr (GoesBack) {
      high = is_alone ? shift + 2 * at.along : middle + at.along;
      middle = (is_alone ? shift : low) + at.along;
      low = shift;
    } else {
      low = is_alone ? shift : middle - at.along;
      middle = (is_alone ? shift : high - 2 * at.along) + at.along;
      high = shift + 2 * at.along;
    }
    own = (is_alone ? low : middle - at.along) + at.centre;
  }
  template <int Level>
  TEFF_INLINE int of(const march_plan& at) const {
    return Level == 0 ? low : Level == 1 ? middle : Level == 2 ? high : low + Level * at.along;
  }
};

/// A cell of a block that keeps values in shared memory. `slot`: of the first that it reads in a
/// ring, else its place among all cells.
template <class R, int N, bool IsRing>
struct keeping_cell : cell_context<1, true, lane_loads::single, int> {
  shared_array<R> values;
  const march_plan& at;
  const march_levels& levels;
  int slot;

  template <int X, int Y, int Z>
  TEFF_INLINE R kept() const {
    if constexpr (IsRing) {
      return values[in_ring(slot + X + Y * at.along_y + Z * at.along_z, at.capacity)];
    } else {
      constexpr int level = N == 1 ? 0 : N == 2 ? Y : Z;
      return values[slot + levels.of<level>(at) + X + (N == 3 ? Y * at.along_y : 0)];
    }
  }
  /// Of the cell itself.
  TEFF_INLINE R own() const {
    return values[IsRing ? in_ring(slot + at.centre, at.capacity) : slot + levels.own];
  }
};

/// Made ready for the device: kept values where the cell has them, else those of the expression.
template <class E>
struct device_kept : node<device_kept<E>> {
  using value_type = typename E::value_type;

  E operand;

  template <int X, int Y, int Z, class C>
  TEFF_INLINE auto eval(const C& c) const {
    if constexpr (requires { c.template kept<X, Y, Z>(); })
      return c.template kept<X, Y, Z>();
    else
      return operand.template eval<X, Y, Z>(c);
  }
};
template <class E>
struct operands_of<device_kept<E>> {
  using type = operand_list<E>;
  static TEFF_INLINE void fetch(device_kept<E>& e) { fetch_parameters(e.operand); }
};

/// An expression as a formula's operand, whose values a block may keep.
template <class E>
struct kept_values : node<kept_values<E>> {
  using value_type = typename E::value_type;
  static constexpr int rank = E::rank, flops = E::flops, widest = E::widest, loads = E::loads;
  static constexpr bool is_pointwise = E::is_pointwise, is_collapsible = false;

  E operand;

  explicit kept_values(const E& e) : operand(e) {}

  template <class B>
  shape3 shape(const B& fields) const {
    return operand.shape(fields);
  }
  template <int X, int Y, int Z, class F>
  void visit(const window& w, F& f) const {
    operand.template visit<X, Y, Z>(w, f);
  }
  auto lower(const lowering& how) const {
    const auto lowered = operand.lower(how);
    return device_kept<std::remove_const_t<decltype(lowered)>>{{}, lowered};
  }
  [[gnu::cold]] std::string text() const { return operand.text(); }
};

}  // namespace teff::inline TEFF_MODE::detail

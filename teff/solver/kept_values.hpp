// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/algo/reduce/tree.hpp>
#include <teff/expr/context.hpp>
#include <teff/expr/operands.hpp>
#include <teff/kernel/shared_array.hpp>

/// Values of which a block that marches through memory keeps in shared memory those that its cells
/// read.
namespace teff::inline TEFF_MODE::detail {

/// Where the blocks march: cells of b, and how p and r lie, of x's extents and without gaps. What
/// the formula reads for a cell is at most `beyond` cells after the first that it reads.
struct march_of_blocks {
  int n[3];
  int along_y, along_z;
  int cells, chunks;
  int kept_cells, beyond, centre;  ///< of p; centre: from a cell's first to its own
  int blocks = 0, capacity = 0;    ///< of the ring
};

/// The slot of a ring, of one that is less than twice its capacity.
TEFF_INLINE unsigned in_ring(unsigned slot, unsigned capacity) {
  return lesser_of(slot, slot - capacity);
}

/// A cell of b, and where the first that it reads is among those of p.
struct place_in_march {
  int i, j, k;

  TEFF_INLINE place_in_march(const march_of_blocks& at, int cell) {
    const auto u = static_cast<unsigned>(cell), nx = static_cast<unsigned>(at.n[0]),
               ny = static_cast<unsigned>(at.n[1]);
    const unsigned row = u / nx, plane = row / ny;
    i = static_cast<int>(u - row * nx);
    j = static_cast<int>(row - plane * ny);
    k = static_cast<int>(plane);
  }
  TEFF_INLINE int in_array(const march_of_blocks& at) const {
    return i + j * at.along_y + k * at.along_z;
  }
};

/// The cells of a lane one after the other, and the slot of the first that each reads.
struct cells_of_lane : place_in_march {
  unsigned slot;

  /// @param begin the cell of p that is in slot 0 at first
  TEFF_INLINE cells_of_lane(const march_of_blocks& of, int cell, int begin)
      : place_in_march(of, cell), at(of) {
    constexpr int lanes = reduce_tree::lanes;
    slot = static_cast<unsigned>(in_array(at) - begin) % static_cast<unsigned>(at.capacity);
    const int rows = lanes / at.n[0];
    planes_ = rows / at.n[1];
    rows_ = rows - planes_ * at.n[1];
    cells_ = lanes - rows * at.n[0];
  }
  TEFF_INLINE void next() {
    const int before = in_array(at);
    i += cells_, j += rows_, k += planes_;
    if (i >= at.n[0]) i -= at.n[0], ++j;
    if (j >= at.n[1]) j -= at.n[1], ++k;
    slot = in_ring(slot + static_cast<unsigned>(in_array(at) - before),
                   static_cast<unsigned>(at.capacity));
  }

 private:
  const march_of_blocks& at;
  int cells_, rows_, planes_;
};

/// A cell of a block that keeps values, side by side as they lie in an array without gaps, in a
/// ring: what comes after its last one is the first. `slot`: of the cell that an expression's own
/// cell is at offset 0.
template <class R>
struct keeping_cell : cell_context<1, true, lane_loads::single, int> {
  shared_array<R> ring;
  unsigned slot, capacity;
  unsigned along_y, along_z;

  template <int X, int Y, int Z>
  TEFF_INLINE R kept(unsigned beyond = 0) const {
    return ring[in_ring(slot + beyond + X + Y * along_y + Z * along_z, capacity)];
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

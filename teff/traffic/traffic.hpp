// SPDX-License-Identifier: MIT
#pragma once

namespace teff {

/// What a statement, a time step or an algorithm has to move and to compute, once.
/// Arithmetic only: the bytes come from the fields' types and extents, the time from elsewhere.
struct traffic {
  double read_bytes = 0;   ///< each distinct array that is read, once
  double write_bytes = 0;  ///< each distinct array that is written, once
  double flop = 0;   ///< floating-point operations of the formula; a fused multiply-add is two
  double cells = 0;  ///< cells updated

  /// A_eff: the least that any program for this must move. In a time step this is 2 D_u + D_k: each
  /// unknown field read and written once, each known field read once.
  double a_eff_bytes() const { return read_bytes + write_bytes; }

  traffic& operator+=(const traffic& other) {
    read_bytes += other.read_bytes;
    write_bytes += other.write_bytes;
    flop += other.flop;
    cells += other.cells;
    return *this;
  }
  friend traffic operator+(traffic a, const traffic& b) { return a += b; }
};

/// Throughput in GB/s (10^9 bytes) of `bytes` in `time_s`: T_eff where the bytes are A_eff.
constexpr double gb_per_s(double bytes, double time_s) {
  return bytes / time_s * 1e-9;
}

}  // namespace teff

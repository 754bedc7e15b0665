// SPDX-License-Identifier: MIT
#pragma once

#include <teff/array/array_handle.hpp>
#include <teff/array/region.hpp>
#include <teff/formula/table.hpp>

namespace teff::runtime {

/// A cell that is not finite: its number, x fastest, and its value.
struct non_finite_cell {
  index_t number;
  double value;
};

/// The arrays of one field of a run, whatever its type: the one that was given, or made where
/// single steps need it; a second one that stages or passes write while they read the first; and a
/// copy of the last good state.
class field_memory {
 public:
  virtual ~field_memory() = default;

  /// Of a field that is the step's own.
  virtual bool is_made() const = 0;
  virtual void make() = 0;  ///< its array. @throws error (out_of_memory)
  virtual void unmake() = 0;

  /// The current values, which are written to as well as read.
  virtual region current() const = 0;
  /// Of their array.
  virtual array_handle handle() const = 0;
  /// What is written next.
  virtual region upcoming() const = 0;
  virtual bool has_scratch() const = 0;
  /// A copy of a state takes memory.
  virtual bool is_kept() const = 0;
  /// Makes the second array, unless it is there. @throws error (out_of_memory)
  virtual void allocate() = 0;
  virtual void release() = 0;
  /// What was written is the current state now.
  void turn() { is_in_scratch_ = !is_in_scratch_; }
  /// The current values to the array that was given.
  virtual void finish() = 0;

  /// Remembers the current values, and returns to them.
  virtual void keep() = 0;
  virtual void go_back() = 0;
  /// Copies the cells that a stage does not write to the array that it will write to; of a small
  /// array all. Returns whether both arrays have the same cells now.
  virtual bool keep_frame(const stage_table& stage) = 0;
  /// Copies those cells from another field, which has the same type and extents.
  virtual void take_frame(const stage_table& stage, const field_memory& from) = 0;

  // ---- in a ring (memory_ring.hpp), with others of its type and extents

  /// Each has the other one's array, and what is in it, from now on.
  virtual void exchange_arrays(field_memory& other) = 0;
  /// Each array has what was in the other one from now on; so each field has its own array if it
  /// had the other one's.
  virtual void exchange_values(field_memory& other) = 0;
  virtual bool is_in_array_of(const field_memory& other) const = 0;
  /// Memory for the cells that a stage does not write, or to exchange values by. @throws error
  /// (out_of_memory)
  virtual void make_aside(const stage_table& stage) = 0;
  virtual void release_aside() = 0;
  virtual double aside_bytes(const stage_table& stage) const = 0;
  virtual void put_frame_aside(const stage_table& stage) = 0;
  virtual void restore_frame(const stage_table& stage) = 0;

  /// @sync these wait for the run
  virtual bool is_finite() const = 0;
  virtual non_finite_cell first_non_finite() const = 0;
  /// Makes neighbouring cells differ, where a field may begin with zeros or ones.
  virtual void roughen() = 0;
  /// @param other of the same type and extents
  virtual bool has_bits_of(const field_memory& other) const = 0;

 protected:
  bool is_in_scratch_ = false;
};

}  // namespace teff::runtime

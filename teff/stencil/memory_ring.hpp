// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/formula/table.hpp>
#include <teff/stencil/bound_field.hpp>
#include <teff/stencil/field_memory.hpp>

namespace teff::runtime {

/// The arrays of fields each of which takes the old values of the one before it (step_table's
/// rings). In a single step they are handed on: the head's new values are stored over the oldest
/// ones, in the last field's array, which is the head's then, and each other field has the array of
/// the one before it. Nothing is copied, and no second array is needed.
///
/// A step needs the head's cells outside its target in all arrays. Where the other fields have such
/// cells of their own, these are put aside meanwhile, until settle().
class memory_ring {
 public:
  /// @param memory by field
  memory_ring(const step_table& table, int head, const std::vector<field_memory*>& memory);

  int head() const { return head_; }
  index_t levels() const { return static_cast<index_t>(fields_.size()); }
  double bytes() const;
  void allocate() const;
  void release() const;

  /// The last field's array gets what a step needs of it. @return that field
  field_memory& ready();
  /// After a step: all hand on their arrays.
  void turn();
  /// All cells of all fields are in their current arrays.
  void settle();
  /// And these are the ones that were given.
  void bring_home();
  /// Something else has written the current arrays.
  void forget();

 private:
  const stage_table& stage_;
  int head_;
  bool has_own_frames_;
  std::vector<field_memory*> fields_;  // the head first
  std::vector<bool> has_frame_;        // of the head, by whose array it is now
  bool are_frames_aside_ = false;
};

/// All rings of a step.
class memory_rings {
 public:
  /// None is used where their fields are so small that a copy is cheaper than all this, or are
  /// parts of a grid's.
  memory_rings() = default;
  memory_rings(const step_table& table, const std::vector<bound_field>& fields,
               const std::vector<field_memory*>& memory);

  bool are_used() const { return are_used_; }
  /// @param steps of a run; 0: not known
  void use_for(index_t steps);

  double bytes() const;
  void allocate() const;
  void release() const;
  void settle();
  void bring_home();
  void forget();
  /// @param head a stage that begins a ring
  memory_ring& of(int head);

 private:
  std::vector<memory_ring> all_;
  bool may_be_used_ = false, are_used_ = false;
};

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <string>
#include <utility>

#include <teff/formula/traits.hpp>

/// A time step in numbers: what is known of it when it is compiled, for code that is compiled once.
namespace teff::runtime {

inline constexpr int no_field = -1;

/// One stage.
struct stage_table {
  int slot = 0;                       ///< the field that it writes
  int copies = no_field;              ///< whose values at the cell itself it takes as they are
  int owner = not_own;                ///< of that field: whose values it has, no_owner, or not_own
  int sees = 0;                       ///< how many stages before it; those of one number are one
  int low[3] = {0, 0, 0};             ///< cells that it leaves out at the low side of each dim
  int high[3] = {0, 0, 0};            ///< and at the high side
  int flops = 0;                      ///< operations a cell
  bool is_real = false;               ///< its field is of f64 or f32
  bool has_conditions = false;        ///< its update was given a boundary
  footprint reads[most_fields] = {};  ///< by field, seen from the cell that it writes
};

/// All stages, in order.
struct step_table {
  int rank = 0, fields = 0, stages = 0, leading = 0, flops = 0;
  const stage_table* stage = nullptr;

  bool evolves(int field) const { return writers(field) > 0; }
  /// "stage 2 of 3"; of one of several updates of a stage "stage 2 of 3, update 1 of 2".
  std::string stage_text(int stage_number) const;
  /// How many stages write a field.
  constexpr int writers(int field) const {
    int count = 0;
    for (int k = 0; k < stages; ++k) count += stage[k].slot == field;
    return count;
  }
  /// A stage reads the values that a field had before the step. (Border cells that keep theirs do
  /// not count.)
  bool has_history(int field) const;
  /// A stage reads its own field at the cell itself alone, and no later one reads that from before
  /// it: so it may write over what it reads.
  constexpr bool is_in_place(int stage_number) const {
    const int slot = stage[stage_number].slot;
    return stage[stage_number].reads[slot].is_centre_only() && !is_read_later(stage_number);
  }
  /// A later stage reads the field of this one from before it.
  constexpr bool is_read_later(int stage_number) const {
    for (int j = stage_number + 1; j < stages; ++j)
      if (stage[j].sees <= stage_number && stage[j].reads[stage[stage_number].slot].is_read)
        return true;
    return false;
  }
  /// One block of a GPU can compute all cells of a stage before it stores any, and so write over
  /// what it reads at whatever cells. @param extents of the field
  bool fits_one_block(int stage_number, const index_t* extents) const;
  /// Single steps take the updates of a together as one statement, where none reads what another
  /// one writes in place, but at the cell that it writes itself: its first and the one after its
  /// last. Others are statements of their own.
  /// @param hands_on in rings arrays are handed on; what only takes old values computes nothing
  constexpr int first_of_statement(int stage_number, bool hands_on = false) const {
    return is_joint(stage_number, hands_on) ? first_of_same_sight(stage_number) : stage_number;
  }
  constexpr int end_of_statement(int stage_number, bool hands_on = false) const {
    return is_joint(stage_number, hands_on) ? end_of_same_sight(stage_number) : stage_number + 1;
  }

  // ---- rings: fields of a together of which each takes the old values of the one before, as W of
  // U in together(update(U, f(U, W)), update(W, U)). Where the new values of the first one, the
  // ring's head, can be stored over the last one's, each hands on its array in place of a copy.

  constexpr bool begins_ring(int stage_number) const;
  /// The stage that takes the old values of this one's field; -1: there is none.
  constexpr int next_in_ring(int stage_number) const {
    for (int j = first_of_same_sight(stage_number); j < end_of_same_sight(stage_number); ++j)
      if (j != stage_number && stage[j].copies == stage[stage_number].slot) return j;
    return -1;
  }
  constexpr int last_of_ring(int head) const {
    int last = head;
    while (next_in_ring(last) >= 0) last = next_in_ring(last);
    return last;
  }
  /// In a ring, and not its head.
  constexpr bool is_handed_on(int stage_number) const {
    if (stage[stage_number].copies == no_field) return false;
    for (int h = first_of_same_sight(stage_number); h < end_of_same_sight(stage_number); ++h)
      if (begins_ring(h))
        for (int j = next_in_ring(h); j >= 0; j = next_in_ring(j))
          if (j == stage_number) return true;
    return false;
  }
  constexpr bool is_in_ring(int stage_number) const {
    return begins_ring(stage_number) || is_handed_on(stage_number);
  }
  constexpr bool has_rings() const {
    for (int k = 0; k < stages; ++k)
      if (begins_ring(k)) return true;
    return false;
  }
  /// Fields of a ring that take old values have cells of their own outside the head's target.
  constexpr bool has_frames_of_their_own(int head) const {
    return !leaves_none(head) && !leaves_none(next_in_ring(head));
  }

  /// What all stages together read of a field.
  footprint reads(int field) const;
  /// No stage reads anything but fields, numbers and indices.
  bool reads_only_fields() const;
  bool evolves_in_reals() const;
  /// The most cells that a stage leaves out at a side.
  int widest_border(int dim) const;

  /// "0 = 14 flop +1-1 +1-1 0[-1..1,-1..1,0..0]#... 1[...]; ...": of each stage (between & and ;
  /// those of one together) the field that it writes, its operations, the cells that it leaves out
  /// along each dim, and what it reads. By it schedules are remembered, so values of numbers and
  /// parameters are not in it: they do not change how fast a step is.
  std::string key() const;

 private:
  constexpr int first_of_same_sight(int k) const {
    while (k > 0 && stage[k - 1].sees == stage[k].sees) --k;
    return k;
  }
  constexpr int end_of_same_sight(int k) const {
    const int sees = stage[k].sees;
    while (k < stages && stage[k].sees == sees) ++k;
    return k;
  }
  constexpr bool is_joint(int k, bool hands_on) const {
    const int first = first_of_same_sight(k), end = end_of_same_sight(k);
    for (int i = first; i < end; ++i)
      for (int j = first; j < end; ++j)
        if (i != j && is_in_place(i) && !(hands_on && is_in_ring(i)) &&
            stage[j].reads[stage[i].slot].is_read && !reads_only_where_both_write(j, i))
          return false;
    return true;
  }
  /// Whoever takes a cell of both has read it for stage j before it writes over it for stage i:
  /// none reads in place what an earlier one writes. (Conditions of stage i would write further
  /// cells.)
  constexpr bool reads_only_where_both_write(int j, int i) const {
    return !stage[i].has_conditions && stage[j].reads[stage[i].slot].is_centre_only() &&
           leave_alike(i, j);
  }
  constexpr bool leave_alike(int i, int j) const {
    for (int d = 0; d < 3; ++d)
      if (stage[i].low[d] != stage[j].low[d] || stage[i].high[d] != stage[j].high[d]) return false;
    return true;
  }
  constexpr bool leaves_none(int k) const {
    for (int d = 0; d < 3; ++d)
      if (stage[k].low[d] != 0 || stage[k].high[d] != 0) return false;
    return true;
  }
  constexpr bool owns(int field) const {
    for (int k = 0; k < stages; ++k)
      if (stage[k].owner == field) return true;
    return false;
  }
  /// A stage that is neither `head` nor in its ring reads the field.
  constexpr bool is_read_beside(int field, int head) const {
    for (int j = 0; j < stages; ++j) {
      bool is_of_ring = false;
      for (int r = head; r >= 0; r = next_in_ring(r)) is_of_ring = is_of_ring || r == j;
      if (!is_of_ring && stage[j].reads[field].is_read) return true;
    }
    return false;
  }
};

constexpr bool step_table::begins_ring(int head) const {
  if (stage[head].copies != no_field || next_in_ring(head) < 0) return false;
  const bool copies_all = leaves_none(next_in_ring(head));
  for (int k = head; k >= 0; k = next_in_ring(k)) {
    const int field = stage[k].slot;
    if (writers(field) != 1 || stage[k].owner != not_own || owns(field)) return false;
    if (k == head) continue;
    if (stage[k].has_conditions || !(copies_all ? leaves_none(k) : leave_alike(k, head)))
      return false;
    // Cells outside the target are the head's while steps are made, wherever the field's own ones
    // are kept meanwhile: so nothing may read them.
    const bool reads_frame =
        !stage[head].reads[field].is_centre_only() || is_read_beside(field, head);
    if (!copies_all && reads_frame) return false;
  }
  const int last = last_of_ring(head), oldest = stage[last].slot;
  for (int j = first_of_same_sight(head); j < end_of_same_sight(head); ++j)
    if (j != head && stage[j].reads[oldest].is_read) return false;
  return stage[head].reads[oldest].is_centre_only();
}

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {

/// The field that `target = e` takes cell by cell, as it is.
template <class Written, class E>
constexpr int copied_field() {
  if constexpr (target_of<E>::is_target) {
    using read = typename target_of<E>::type;
    using to = typename Written::field_type;
    using from = typename read::field_type;
    if (!std::same_as<typename to::value_type, typename from::value_type> || to::rank != from::rank)
      return runtime::no_field;
    for (int d = 0; d < 3; ++d)
      if (read::low[d] != Written::low[d] || read::high[d] != Written::high[d])
        return runtime::no_field;
    return to::slot == from::slot ? runtime::no_field : from::slot;
  }
  return runtime::no_field;
}

template <class Step, int K>
constexpr runtime::stage_table table_of_stage() {
  using Stage = typename Step::template stage<K>;
  using written = typename Stage::written;
  runtime::stage_table table;
  table.slot = Stage::slot;
  table.copies = copied_field<written, typename Stage::rhs>();
  table.owner = Step::owner_of(Stage::slot);
  table.sees = Step::sees(K);
  for (int d = 0; d < Stage::rank; ++d) {
    table.low[d] = written::low[d];
    table.high[d] = written::high[d];
  }
  table.flops = Stage::rhs::flops;
  table.is_real = std::floating_point<typename Stage::value_type>;
  table.has_conditions = Stage::has_conditions;
  for (int s = 0; s < most_fields; ++s) table.reads[s] = Stage::all_reads().of_field(s);
  return table;
}

/// The stages of a step over so many fields, in numbers.
template <class Step, int Fields>
struct tables {
  static constexpr auto of_stages = []<int... K>(std::integer_sequence<int, K...>) {
    return std::array{table_of_stage<Step, K>()...};
  }
  (std::make_integer_sequence<int, Step::stages>{});
  static constexpr runtime::step_table of_step{Step::rank,           Fields,      Step::stages,
                                               Step::leading_slot(), Step::flops, of_stages.data()};
};

}  // namespace teff::inline TEFF_MODE::detail

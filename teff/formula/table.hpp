// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <string>
#include <utility>

#include <teff/formula/traits.hpp>

/// A time step in numbers: what is known of it when it is compiled, for code that is compiled once.
namespace teff::runtime {

/// One stage.
struct stage_table {
  int slot = 0;                       ///< the field that it writes
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
  int writers(int field) const;
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
  constexpr int first_of_statement(int stage_number) const {
    return is_joint(stage_number) ? first_of_same_sight(stage_number) : stage_number;
  }
  constexpr int end_of_statement(int stage_number) const {
    return is_joint(stage_number) ? end_of_same_sight(stage_number) : stage_number + 1;
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
  constexpr bool is_joint(int k) const {
    const int first = first_of_same_sight(k), end = end_of_same_sight(k);
    for (int i = first; i < end; ++i)
      for (int j = first; j < end; ++j)
        if (i != j && is_in_place(i) && stage[j].reads[stage[i].slot].is_read &&
            !reads_only_where_both_write(j, i))
          return false;
    return true;
  }
  /// Whoever takes a cell of both has read it for stage j before it writes over it for stage i:
  /// none reads in place what an earlier one writes. (Conditions of stage i would write further
  /// cells.)
  constexpr bool reads_only_where_both_write(int j, int i) const {
    bool is_alike = !stage[i].has_conditions && stage[j].reads[stage[i].slot].is_centre_only();
    for (int d = 0; d < 3; ++d)
      is_alike =
          is_alike && stage[i].low[d] == stage[j].low[d] && stage[i].high[d] == stage[j].high[d];
    return is_alike;
  }
};

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {

template <class Step, int K>
constexpr runtime::stage_table table_of_stage() {
  using Stage = typename Step::template stage<K>;
  using written = typename Stage::written;
  runtime::stage_table table;
  table.slot = Stage::slot;
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

// SPDX-License-Identifier: MIT
#pragma once

#include <teff/expr/context.hpp>
#include <teff/expr/read_count.hpp>
#include <teff/expr/rows_ahead.hpp>

/// What a statement finds out about its operands before it runs; each is a visitor of expression
/// trees.
namespace teff::runtime {

/// Of an array that is to be written.
inline constexpr const char* shares_cells =
    "some of its cells share memory: each stride must be wider than all that the narrower ones "
    "span";

/// The cells of a statement and how its arrays lie: what the backends choose their loops by.
struct statement_shape {
  index_t n[3] = {1, 1, 1};
  bool is_one_row = false;      ///< all arrays contiguous and alike: one long row
  bool has_unit_stride = true;  ///< every array has its cells side by side along x
  bool has_short_offsets =
      false;  ///< not in 1-D: no array has a cell 2^31 cells or more from its first
  bool is_of_one_block = false;  ///< of a GPU, with a thread for each cell
};

/// Checks devices and legality, orders streams, and learns how the arrays lie, whatever the types
/// of target and operands.
class survey {
 public:
  /// @param target what it refers to must outlive the survey
  explicit survey(const any_array& target) : target_(target) { look_at_target(); }

  void reads(const any_array& source, const region& read);
  void reads_along(const any_array& source, const region& read);

  /// Before reads(): one block of a GPU computes all cells before it stores any, so the statement
  /// may read what it writes at whatever cells.
  void be_of_one_block() { is_of_one_block_ = true; }

  bool needs_other_streams() const { return needs_other_streams_; }
  const rows_ahead& rows() const { return rows_; }
  statement_shape shape(bool is_collapsible) const;

 private:
  void look_at_target();
  bool may_touch(const region& read) const;
  void order_stream(const stream& other);

  any_array target_;
  region written_;
  memory_span written_span_;
  bool is_contiguous_;
  // (In this order: what shape() copies is then read as it was stored, not two bytes at once.)
  bool has_unit_stride_;
  bool needs_other_streams_ = false;
  bool has_short_offsets_;
  bool is_large_on_cpu_;
  bool is_of_one_block_ = false;
  rows_ahead rows_;
};

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {

using runtime::rows_ahead;
using runtime::shares_cells;
using runtime::statement_shape;

template <class T, int N>
window window_of(const array_ref<T, N>& target) {
  window w;
  for (int d = 0; d < N; ++d) w.count[d] = target.extent(d);
  return w;
}

/// The survey of a statement that writes `target`.
template <class T, int N>
class survey : public runtime::survey {
 public:
  explicit survey(const array_ref<T, N>& target)
      : runtime::survey(target.as_any()), target_(target) {}

  template <class S, int M>
  void reads(const array_ref<S, M>& source, const region& read) {
    runtime::survey::reads(source.as_any(), read);
  }
  template <class S>
  void reads_along(const array_ref<S, 1>& source, const region& read) {
    runtime::survey::reads_along(source.as_any(), read);
  }

  device_target<T> lowered_target(const statement_shape& where) const {
    device_target<T> result{target_.data(), {1, 0, 0}};
    if (!where.is_one_row)
      for (int d = 0; d < N; ++d) result.stride[d] = target_.stride(d);
    return result;
  }

 private:
  const array_ref<T, N>& target_;
};

/// Feeds the regions that an expression reads to a count of bytes.
struct count_reads {
  runtime::read_count& count;
  template <class S, int M>
  void reads(const array_ref<S, M>&, const region& read) const {
    count.add(read);
  }
  template <class S>
  void reads_along(const array_ref<S, 1>&, const region& read) const {
    count.add(read);
  }
};

}  // namespace teff::inline TEFF_MODE::detail

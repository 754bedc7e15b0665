// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/expr/context.hpp>
#include <teff/expr/read_count.hpp>
#include <teff/expr/rows_ahead.hpp>

/// What a statement finds out about its operands before it runs; each is a visitor of expression
/// trees.
namespace teff::inline TEFF_MODE::detail {

/// Of an array that is to be written.
inline constexpr const char* shares_cells =
    "some of its cells share memory: each stride must be wider than all that the narrower ones "
    "span";

/// The cells of a statement and how its arrays lie: what the backends choose their loops by.
struct statement_shape {
  index_t n[3] = {1, 1, 1};
  bool is_one_row = false;         ///< all arrays contiguous and alike: one long row
  bool has_unit_stride = true;     ///< every array has its cells side by side along x
  bool has_short_offsets = false;  ///< 3-D: no array has a cell 2^31 cells or more from its first
};

template <class T, int N>
window window_of(const array_ref<T, N>& target) {
  window w;
  for (int d = 0; d < N; ++d) w.count[d] = target.extent(d);
  return w;
}

/// Checks devices and legality, orders streams, and learns how the arrays lie.
template <class T, int N>
class survey {
 public:
  explicit survey(const array_ref<T, N>& target)
      : target_(target),
        written_(region_of(target)),
        is_contiguous_(target.view().is_contiguous()) {
    if (!is_contiguous_ && !is_nested(written_)) throw_shared_cells();
    has_unit_stride_ = target.stride(0) == 1 || target.extent(0) == 1;
    has_short_offsets_ = N == 3 && has_short_offsets(target);
    is_large_on_cpu_ = target.dev().is_cpu() && exceeds_cache(target.size() * index_t{sizeof(T)});
  }

  template <class S, int M>
  void reads(const array_ref<S, M>& source, const region& read) {
    check_device(source);
    if (!is_same(read, written_) && may_overlap(read, written_)) throw_racy(source);
    constexpr index_t size = sizeof(S);
    // (One cell along x may still be read at an offset, unless the array has no other.)
    has_unit_stride_ = has_unit_stride_ && (read.stride_bytes[0] == size || source.extent(0) == 1);
    if constexpr (N == 3) has_short_offsets_ = has_short_offsets_ && has_short_offsets(source);
    index_t next = 1;
    for (int d = 0; d < N; ++d) {
      is_contiguous_ =
          is_contiguous_ && (read.count[d] == 1 || read.stride_bytes[d] == next * size);
      next *= read.count[d];
    }
    if (is_large_on_cpu_) rows_.add(read);
    order_stream(source.on());
  }

  template <class S>
  void reads_along(const array_ref<S, 1>& source, const region& read) {
    check_device(source);
    if (may_overlap(read, written_)) throw_racy(source);
    order_stream(source.on());
  }

  bool needs_other_streams() const { return needs_other_streams_; }
  /// For a target that does not fit in the CPU's caches; else none.
  const rows_ahead& rows() const { return rows_; }

  statement_shape shape(bool is_collapsible) const {
    statement_shape result;
    result.is_one_row = is_collapsible && is_contiguous_;
    if (result.is_one_row)
      result.n[0] = target_.size();
    else
      for (int d = 0; d < N; ++d) result.n[d] = target_.extent(d);
    result.has_unit_stride = has_unit_stride_;
    result.has_short_offsets = has_short_offsets_;
    return result;
  }

  device_target<T> lowered_target(const statement_shape& where) const {
    device_target<T> result{target_.data(), {1, 0, 0}};
    if (!where.is_one_row)
      for (int d = 0; d < N; ++d) result.stride[d] = target_.stride(d);
    return result;
  }

 private:
  template <class S, int M>
  static bool has_short_offsets(const array_ref<S, M>& a) {
    constexpr index_t most_cells =
        (index_t{1} << 31) - (1 << 16);  // a block may begin beyond the last cell
    const memory_span span = span_of(region_of(a));
    const auto first = reinterpret_cast<std::intptr_t>(a.data());
    constexpr auto most = static_cast<std::intptr_t>(most_cells * index_t{sizeof(S)});
    return first - span.begin < most && span.end - first < most;
  }
  template <class S, int M>
  void check_device(const array_ref<S, M>& source) const {
    if (source.dev() != target_.dev()) throw_other_device(source);
  }
  template <class S, int M>
  [[noreturn, gnu::cold, gnu::noinline]] void throw_other_device(
      const array_ref<S, M>& source) const {
    throw error("arrays on different devices: the target, " + described(target_) + ", is on " +
                target_.dev().name() + ", " + described(source) + " is on " + source.dev().name() +
                "; copy(target, source) moves an array between devices");
  }
  [[noreturn, gnu::cold, gnu::noinline]] void throw_shared_cells() const {
    throw error("racy statement: it writes " + described(target_) + ", and " + shares_cells);
  }
  template <class S, int M>
  [[noreturn, gnu::cold, gnu::noinline]] void throw_racy(const array_ref<S, M>& source) const {
    throw error("racy statement: it writes " + described(target_) +
                " and reads the same memory at other cells through " + described(source) +
                ", so the result would depend on the order; write to a second array, or use "
                "iterate() for time steps");
  }
  void order_stream(const stream& other) {
    if (other == target_.on()) return;
    target_.on().wait_for(other);
    needs_other_streams_ = true;
  }

  const array_ref<T, N>& target_;
  region written_;
  bool is_contiguous_;
  bool has_unit_stride_ = true;
  bool has_short_offsets_ = false;
  bool needs_other_streams_ = false;
  bool is_large_on_cpu_ = false;
  rows_ahead rows_;
};

/// After a statement: other streams must not overwrite its operands before it has read them.
struct stream_release {
  const stream& reader;
  template <class S, int M>
  void reads(const array_ref<S, M>& source, const region&) const {
    source.on().wait_for(reader);
  }
  template <class S>
  void reads_along(const array_ref<S, 1>& source, const region&) const {
    source.on().wait_for(reader);
  }
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

// SPDX-License-Identifier: MIT
#include <cstdint>

#include <teff/base/error.hpp>
#include <teff/expr/survey.hpp>

namespace teff::runtime {

namespace {

/// (Cell by cell of the result: whoever reads it at once need not wait for wide stores to settle.)
void set_region(region& r, const any_array& a) {
  r.first = a.data;
  r.cell_bytes = a.cell_bytes;
  for (int d = 0; d < a.rank; ++d) {
    r.count[d] = a.extent[d];
    r.stride_bytes[d] = a.stride[d] * a.cell_bytes;
  }
}

bool has_short_offsets(const any_array& a) {
  constexpr index_t most_cells =
      (index_t{1} << 31) - (1 << 16);  // a block may begin beyond the last cell
  region all;
  set_region(all, a);
  const memory_span span = span_of(all);
  const auto first = reinterpret_cast<std::intptr_t>(a.data);
  const auto most = static_cast<std::intptr_t>(most_cells * a.cell_bytes);
  return first - span.begin < most && span.end - first < most;
}

bool is_contiguous(const any_array& a) {
  index_t expected = 1;
  for (int d = 0; d < a.rank; ++d) {
    if (a.extent[d] != 1 && a.stride[d] != expected) return false;
    expected *= a.extent[d];
  }
  return true;
}

[[noreturn, gnu::cold]] void throw_other_device(const any_array& target, const any_array& source) {
  throw error("arrays on different devices: the target, " + described(target) + ", is on " +
              target.dev().name() + ", " + described(source) + " is on " + source.dev().name() +
              "; copy(target, source) moves an array between devices");
}
[[noreturn, gnu::cold]] void throw_shared_cells(const any_array& target) {
  throw error("racy statement: it writes " + described(target) + ", and " + shares_cells);
}
[[noreturn, gnu::cold]] void throw_racy(const any_array& target, const any_array& source) {
  throw error("racy statement: it writes " + described(target) +
              " and reads the same memory at other cells through " + described(source) +
              ", so the result would depend on the order; write to a second array, or use "
              "iterate() for time steps");
}

}  // namespace

void survey::look_at_target() {
  set_region(written_, target_);
  written_span_ = span_of(written_);
  is_contiguous_ = is_contiguous(target_);
  has_unit_stride_ = target_.stride[0] == 1 || target_.extent[0] == 1;
  has_short_offsets_ = target_.rank > 1 && has_short_offsets(target_);
  is_large_on_cpu_ = exceeds_cache(written_.bytes()) && target_.dev().is_cpu();
  if (!is_contiguous_ && !is_nested(written_)) throw_shared_cells(target_);
}

/// Whether the bytes from the first to the last cell are some of those that are written.
inline bool survey::may_touch(const region& read) const {
  const memory_span span = span_of(read);
  return span.begin < written_span_.end && written_span_.begin < span.end;
}

inline void survey::order_stream(const stream& other) {
  if (other == target_.on()) return;
  target_.on().wait_for(other);
  needs_other_streams_ = true;
}

void survey::reads(const any_array& source, const region& read) {
  if (!(source.on() == target_.on()) && source.dev() != target_.dev())
    throw_other_device(target_, source);
  if (may_touch(read) && !is_of_one_block_ && !is_same(read, written_) &&
      may_overlap(read, written_))
    throw_racy(target_, source);
  const index_t size = source.cell_bytes;
  // (One cell along x may still be read at an offset, unless the array has no other.)
  has_unit_stride_ = has_unit_stride_ && (read.stride_bytes[0] == size || source.extent[0] == 1);
  has_short_offsets_ = has_short_offsets_ && has_short_offsets(source);
  index_t next = size;
  for (int d = 0; d < target_.rank && is_contiguous_; ++d) {
    is_contiguous_ = read.count[d] == 1 || read.stride_bytes[d] == next;
    next *= read.count[d];
  }
  if (is_large_on_cpu_) rows_.add(read);
  order_stream(source.on());
}

void survey::reads_along(const any_array& source, const region& read) {
  if (!(source.on() == target_.on()) && source.dev() != target_.dev())
    throw_other_device(target_, source);
  if (may_touch(read) && !is_of_one_block_ && may_overlap(read, written_))
    throw_racy(target_, source);
  order_stream(source.on());
}

statement_shape survey::shape(bool is_collapsible) const {
  statement_shape result;
  result.is_one_row = is_collapsible && is_contiguous_ && !is_of_one_block_;
  if (result.is_one_row) {
    result.n[0] = written_.cells();
  } else {
    result.n[0] = written_.count[0];
    result.n[1] = written_.count[1];
    result.n[2] = written_.count[2];
  }
  result.has_unit_stride = has_unit_stride_ && !is_of_one_block_;
  result.has_short_offsets = has_short_offsets_;
  result.is_of_one_block = is_of_one_block_;
  return result;
}

}  // namespace teff::runtime

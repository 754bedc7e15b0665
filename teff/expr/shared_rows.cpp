// SPDX-License-Identifier: MIT
#include <cstring>

#include <teff/expr/shared_rows.hpp>
#include <teff/kernel/streaming_store.hpp>

namespace teff::runtime {

namespace {

index_t whole_lines(index_t bytes) {
  return ceil_div(bytes, index_t{cpu_line}) * cpu_line;
}
index_t rows_of(const shared_value& value) {
  return value.span(1) > 1 ? value.span(1) + shared_rows::spare_rows : 1;
}

}  // namespace

void shared_rows::note(const operand_in_formula& operand, index_t cell_bytes,
                       const cell_reach& reads) {
  int at = 0;
  while (at < count_ && !values_[at].operand.is_same_as(operand)) ++at;
  if (at == count_)
    values_[count_++] = {operand, cell_bytes, reads, nullptr, 0, 0, 0, 0};
  else
    values_[at].reads = values_[at].reads.with(reads);
  value_of_part_[parts_++] = at;
}

index_t shared_rows::column_bytes() const {
  index_t sum = 0;
  for (int v = 0; v < count_; ++v)
    sum += rows_of(values_[v]) * values_[v].span(2) * values_[v].cell_bytes;
  return sum;
}

index_t shared_rows::columns_within(index_t bytes) const {
  index_t columns = 1;
  while (this->bytes(2 * columns) <= bytes) columns *= 2;
  for (index_t more = columns / 2; more > 0; more /= 2)
    if (this->bytes(columns + more) <= bytes) columns += more;
  return columns;
}

index_t shared_rows::bytes(index_t columns) const {
  index_t sum = 0;
  for (int v = 0; v < count_; ++v)
    sum += rows_of(values_[v]) * values_[v].span(2) *
           whole_lines((columns + values_[v].span(0) - 1) * values_[v].cell_bytes);
  return sum;
}

void shared_rows::place(std::byte* memory, index_t columns) {
  for (int v = 0; v < count_; ++v) {
    shared_value& value = values_[v];
    value.pitch = whole_lines((columns + value.span(0) - 1) * value.cell_bytes);
    value.plane = rows_of(value) * value.pitch;
    value.cells = memory;
    value.first = value.ready = 0;
    memory += value.span(2) * value.plane;
  }
  is_noting_ = false;
  j_ = k_ = -1;
}

void shared_rows::start_row(index_t i0, index_t j, index_t k) {
  if (i0 != i0_ || j != j_ + 1 || k != k_)
    for (int v = 0; v < count_; ++v)
      values_[v].first = values_[v].ready = j + values_[v].reads.low[1];
  i0_ = i0, j_ = j, k_ = k, part_ = 0;
}

void shared_rows::make_room(shared_value& value) const {
  const index_t begin = j_ + value.reads.low[1], end = j_ + value.reads.high[1] + 1;
  if (end - value.first <= rows_of(value)) return;
  const index_t kept = value.ready - begin;
  if (kept > 0)
    for (index_t z = 0; z < value.span(2); ++z) {
      std::byte* const plane = value.cells + z * value.plane;
      std::memmove(plane, plane + (begin - value.first) * value.pitch,
                   static_cast<std::size_t>(kept * value.pitch));
    }
  value.first = begin;
}

}  // namespace teff::runtime

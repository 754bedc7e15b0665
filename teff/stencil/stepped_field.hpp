// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <teff/array/array.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/array/same_bits.hpp>
#include <teff/expr/statement.hpp>
#include <teff/formula/flow_rule.hpp>
#include <teff/stencil/bound_field.hpp>
#include <teff/stencil/field_memory.hpp>
#include <teff/stencil/finite.hpp>
#include <teff/stencil/roughened.hpp>

/// The arrays of one field of a run.
namespace teff::inline TEFF_MODE::detail {

/// So many layers of cells at one side.
template <class T, int N>
array_ref<T, N> layers(const array_ref<T, N>& a, int dim, bool upper, index_t count) {
  view<T, N> cells = a.view();
  if (upper) cells.data += (cells.shape[dim] - count) * cells.strides[dim];
  cells.shape[dim] = count;
  return {a.on(), a.block(), cells, a.shared_label()};
}

/// A field as rules read it by which parameters follow.
template <class T, int N>
runtime::flow_field flow_field_of(const array_ref<T, N>& a) {
  runtime::flow_field field{a.handle(), a.data(), {1, 1, 1}, {0, 0, 0}, 0, described(a)};
  for (int d = 0; d < N; ++d) {
    field.n[d] = a.extent(d);
    field.stride[d] = a.stride(d);
  }
  if constexpr (std::floating_point<T>) field.real_bytes = sizeof(T);
  return field;
}

/// The cells that a stage writes, of a field.
template <class T, int N>
array_ref<T, N> written_cells(const array_ref<T, N>& a, const runtime::stage_table& stage) {
  view<T, N> cells = a.view();
  for (int d = 0; d < N; ++d) {
    cells.data += stage.low[d] * cells.strides[d];
    cells.shape[d] -= stage.low[d] + stage.high[d];
  }
  return {a.on(), a.block(), cells, a.shared_label()};
}

/// A field of a run: the array that was given and, where it can not be written in place, a second
/// one.
template <class T, int N>
class stepped_field : public runtime::field_memory {
 public:
  /// @param on the stream of the run
  stepped_field(const array_ref<T, N>& array, const stream& on)
      : given(on, array.block(), array.view(), array.shared_label()) {}

  array_ref<T, N> given;

  const array_ref<T, N>& now() const { return is_in_scratch_ ? *scratch_ : given; }
  const array_ref<T, N>& next() const { return is_in_scratch_ || !scratch_ ? given : *scratch_; }

  // ---- as field_memory

  bool has_scratch() const override { return scratch_.has_value(); }
  bool is_kept() const override { return good_.has_value(); }
  [[gnu::cold]] void allocate() override {
    if (!scratch_) scratch_.emplace(given.on(), given.shape(), "scratch of iterate");
  }
  void release() override { scratch_.reset(); }
  void finish() override {
    if (is_in_scratch_) assign(given, *scratch_);
    is_in_scratch_ = false;
  }
  [[gnu::cold]] void keep() override {
    if (!good_) good_.emplace(given.on(), given.shape(), "last good state");
    assign(*good_, now());
  }
  [[gnu::cold]] void go_back() override {
    assign(given, *good_);
    is_in_scratch_ = false;
  }
  [[gnu::cold]] void keep_frame(const runtime::stage_table& stage) override {
    for (int d = 0; d < N; ++d)
      for (const bool upper : {false, true})
        if (const index_t width = upper ? stage.high[d] : stage.low[d]; width > 0)
          assign(layers(next(), d, upper, width), layers(now(), d, upper, width));
  }
  [[gnu::cold]] void take_frame(const runtime::stage_table& stage,
                                const field_memory& from) override {
    const array_ref<T, N>& cells = static_cast<const stepped_field&>(from).given;
    for (int d = 0; d < N; ++d)
      for (const bool upper : {false, true})
        if (const index_t width = upper ? stage.high[d] : stage.low[d]; width > 0)
          assign(layers(given, d, upper, width), layers(cells, d, upper, width));
  }
  void forget() override { is_in_scratch_ = false; }
  bool is_finite() const override { return all_finite(now()); }
  [[gnu::cold]] runtime::non_finite_cell first_non_finite() const override {
    const std::vector<T> cells = to_host(now());
    index_t first = 0;
    while (cells[static_cast<std::size_t>(first)] - cells[static_cast<std::size_t>(first)] == T(0))
      ++first;
    return {first, static_cast<double>(cells[static_cast<std::size_t>(first)])};
  }
  [[gnu::cold]] void roughen() override {
    if constexpr (rounded::real<T>) {
      std::vector<T> cells = to_host(given);
      runtime::roughen(cells);
      given = from_host(cells);
    }
  }
  [[gnu::cold]] bool has_bits_of(const field_memory& other) const override {
    const std::vector<T> mine = to_host(now()),
                         others = to_host(static_cast<const stepped_field&>(other).now());
    return std::equal(mine.begin(), mine.end(), others.begin(), has_same_bits<T>);
  }

 private:
  std::optional<array<T, N>> scratch_, good_;
};

/// Of x, y and z: 1 where there is no such dim.
template <class T, int N>
shape3 shape_of(const array_ref<T, N>& a) {
  shape3 shape{{1, 1, 1}};
  for (int d = 0; d < N; ++d) shape.n[d] = a.extent(d);
  return shape;
}

/// The cells of a field as a pass takes them to read.
template <class T, int N>
device_leaf<T> source_cells(const array_ref<T, N>& a) {
  device_leaf<T> cells{{}, a.data(), {1, 0, 0}};
  for (int d = 0; d < N; ++d) cells.stride[d] = a.stride(d);
  return cells;
}

/// The cells of a field as a pass takes them to write. (Those of one that is only read may share
/// memory; that those of others do not, the run has checked.)
template <class T, int N>
device_target<T> target_cells(const array_ref<T, N>& a) {
  device_target<T> cells{a.data(), {1, 0, 0}};
  for (int d = 0; d < N; ++d) cells.stride[d] = a.stride(d);
  return cells;
}

/// The field in numbers.
template <class T, int N>
runtime::bound_field bound_field_of(const array_ref<T, N>& a) {
  return {region_of(a), N, rounded::real<T>, type_name<T>(), a.label(), a.on()};
}

}  // namespace teff::inline TEFF_MODE::detail

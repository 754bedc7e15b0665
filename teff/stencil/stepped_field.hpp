// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <teff/array/array.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/array/same_bits.hpp>
#include <teff/expr/statement.hpp>
#include <teff/formula/table.hpp>
#include <teff/stencil/bound_field.hpp>
#include <teff/stencil/field_memory.hpp>
#include <teff/stencil/finite.hpp>
#include <teff/stencil/roughened.hpp>

/// A field of a run, and the arrays that it has there.
namespace teff::inline TEFF_MODE::detail {

/// So many layers of cells at one side.
template <class T, int N>
array_ref<T, N> layers(const array_ref<T, N>& a, int dim, bool upper, index_t count) {
  view<T, N> cells = a.view();
  if (upper) cells.data += (cells.shape[dim] - count) * cells.strides[dim];
  cells.shape[dim] = count;
  return {a.on(), a.block(), cells, a.shared_label()};
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

/// The array of a field that is the step's own, as long as none is made: an address that no memory
/// has, another one for each field, so that nothing overlaps it.
template <class T, int N>
array_ref<T, N> array_to_make(const stream& on, const extents<N>& shape, std::string label,
                              int field) {
  constexpr std::uintptr_t room = std::uintptr_t{1} << 56;  // of a field
  view<T, N> cells{
      reinterpret_cast<T*>((64 + static_cast<std::uintptr_t>(field)) * room), shape, {}};
  set_contiguous_strides(shape, cells.strides);
  return {on, nullptr, cells, std::make_shared<const std::string>(std::move(label))};
}

/// A field of a run: the array that was given and, where it can not be written in place, a second
/// one.
template <class T, int N>
class stepped_field : public runtime::field_memory {
 public:
  /// @param on the stream of the run
  stepped_field(const array_ref<T, N>& array, const stream& on,
                const runtime::place_in_whole& in = {})
      : given(on, array.block(), array.view(), array.shared_label()), place(in) {}

  stepped_field(const stepped_field&) = delete;
  stepped_field& operator=(const stepped_field&) = delete;

  array_ref<T, N> given;
  runtime::place_in_whole place;

  const array_ref<T, N>& now() const { return is_in_scratch_ ? *scratch_ : first(); }
  const array_ref<T, N>& next() const { return is_in_scratch_ || !scratch_ ? first() : *scratch_; }

  // ---- as field_memory

  bool is_made() const override { return made_.has_value(); }
  [[gnu::cold]] void make() override { made_.emplace(given.on(), given.shape(), given.label()); }
  void unmake() override {
    made_.reset();
    is_in_scratch_ = false;
  }
  region current() const override { return region_of(now()); }
  runtime::array_handle handle() const override { return now().handle(); }
  region upcoming() const override { return region_of(next()); }
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
    assign(first(), *good_);
    is_in_scratch_ = false;
  }
  /// (A statement for each side takes longer than a small array copied whole.)
  [[gnu::cold]] bool keep_frame(const runtime::stage_table& stage) override {
    const index_t small_bytes = given.on().dev().is_cuda() ? 1 << 20 : 1 << 14;
    if (current().bytes() <= small_bytes) {
      assign(next(), now());
      return true;
    }
    for (int d = 0; d < N; ++d)
      for (const bool upper : {false, true})
        if (const index_t width = upper ? stage.high[d] : stage.low[d]; width > 0)
          assign(layers(next(), d, upper, width), layers(now(), d, upper, width));
    return false;
  }
  [[gnu::cold]] void take_frame(const runtime::stage_table& stage,
                                const field_memory& from) override {
    const array_ref<T, N>& cells = static_cast<const stepped_field&>(from).now();
    for (int d = 0; d < N; ++d)
      for (const bool upper : {false, true})
        if (const index_t width = upper ? stage.high[d] : stage.low[d]; width > 0)
          assign(layers(now(), d, upper, width), layers(cells, d, upper, width));
  }
  void exchange_arrays(field_memory& other) override {
    auto& with = static_cast<stepped_field&>(other);
    const array_ref<T, N>*const mine = &first(), *const others = &with.first();
    lent_ = others == &given ? nullptr : others;
    with.lent_ = mine == &with.given ? nullptr : mine;
  }
  /// (Some slabs at a time.)
  [[gnu::cold]] void exchange_values(field_memory& other) override {
    const array_ref<T, N>&mine = first(), &others = static_cast<stepped_field&>(other).first();
    const index_t slabs = mine.extent(N - 1);
    const index_t most = greater_of(aside_->size() / greater_of(cells_of_slab(), 1), 1);
    for (index_t at = 0; at < slabs; at += most) {
      const index_t count = lesser_of(most, slabs - at);
      const auto a = slabs_of(mine, at, count), b = slabs_of(others, at, count);
      index_t used = 0;
      const array_ref<T, N> kept = in_aside(a, used);
      assign(kept, a);
      assign(a, b);
      assign(b, kept);
    }
  }
  bool is_in_array_of(const field_memory& other) const override {
    return &first() == &static_cast<const stepped_field&>(other).given;
  }
  [[gnu::cold]] void make_aside(const runtime::stage_table& stage) override {
    if (!aside_) aside_.emplace(given.on(), extents<1>(aside_cells(stage)), "aside in iterate");
  }
  void release_aside() override { aside_.reset(); }
  double aside_bytes(const runtime::stage_table& stage) const override {
    return static_cast<double>(aside_cells(stage)) * sizeof(T);
  }
  [[gnu::cold]] void put_frame_aside(const runtime::stage_table& stage) override {
    index_t used = 0;
    each_layer(stage, [&](const array_ref<T, N>& cells) { assign(in_aside(cells, used), cells); });
  }
  [[gnu::cold]] void restore_frame(const runtime::stage_table& stage) override {
    index_t used = 0;
    each_layer(stage, [&](const array_ref<T, N>& cells) { assign(cells, in_aside(cells, used)); });
  }
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
  const array_ref<T, N>& first() const {
    return made_ ? *made_ : lent_ != nullptr ? *lent_ : given;
  }

  index_t cells_of_slab() const {
    index_t cells = 1;
    for (int d = 0; d + 1 < N; ++d) cells *= given.extent(d);
    return cells;
  }
  static array_ref<T, N> slabs_of(const array_ref<T, N>& a, index_t begin, index_t count) {
    view<T, N> cells = a.view();
    cells.data += begin * cells.strides[N - 1];
    cells.shape[N - 1] = count;
    return {a.on(), a.block(), cells, a.shared_label()};
  }
  /// f(cells) for each side that a stage does not write.
  template <class F>
  void each_layer(const runtime::stage_table& stage, const F& f) const {
    for (int d = 0; d < N; ++d)
      for (const bool upper : {false, true})
        if (const index_t width = upper ? stage.high[d] : stage.low[d]; width > 0)
          f(layers(now(), d, upper, width));
  }
  /// Room for these cells beside those of that `used` tells.
  array_ref<T, N> in_aside(const array_ref<T, N>& cells, index_t& used) const {
    view<T, N> room{aside_->data() + used, cells.shape(), {}};
    set_contiguous_strides(cells.shape(), room.strides);
    used += cells.size();
    return {aside_->on(), aside_->block(), room, aside_->shared_label()};
  }
  index_t aside_cells(const runtime::stage_table& stage) const {
    constexpr index_t exchanged_bytes = 16 << 20;  // at once: they stay in a GPU's cache
    index_t frame = 0;
    each_layer(stage, [&](const array_ref<T, N>& cells) { frame += cells.size(); });
    const index_t slabs = greater_of(cells_of_slab(), exchanged_bytes / index_t{sizeof(T)});
    return greater_of(frame, lesser_of(given.size(), slabs));
  }

  std::optional<array<T, N>> made_, scratch_, good_;
  const array_ref<T, N>* lent_ = nullptr;  // another field's that was given, or null
  std::optional<array<T, 1>> aside_;
};

inline tuple<> stepped_fields(const stream&, const runtime::place_in_whole&) {
  return {};
}
/// Of a run, made where they stay.
template <class T, int N, class... Rest>
auto stepped_fields(const stream& on, const runtime::place_in_whole& place,
                    const array_ref<T, N>& first, const Rest&... rest)
    -> tuple<stepped_field<T, N>, stepped_field<typename Rest::value_type, Rest::rank>...> {
  return {stepped_field<T, N>(first, on, place), stepped_fields(on, place, rest...)};
}

#ifndef __CUDACC__
// Of reals, for C++ programs compiled once, in the library.
extern template class stepped_field<f64, 1>;
extern template class stepped_field<f64, 2>;
extern template class stepped_field<f64, 3>;
extern template class stepped_field<f32, 1>;
extern template class stepped_field<f32, 2>;
extern template class stepped_field<f32, 3>;
#endif

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <teff/array/array.hpp>
#include <teff/expr/leaf.hpp>
#include <teff/expr/statement.hpp>
#include <teff/grid/grid_state.hpp>

/// An array of a whole grid, of which every rank has a part.
namespace teff::inline TEFF_MODE {

namespace detail {

template <class T, int N>
struct grid_leaf;

/// What an expression asks for its extents when it stands in a statement over grid arrays.
struct whole_extents : no_fields {};

template <class B>
inline constexpr bool stands_on_grid = false;
template <>
inline constexpr bool stands_on_grid<whole_extents> = true;

/// The cells of one rank: its own, and those around them that time steps asked for, or that a
/// caller has room for.
template <class T, int N>
struct held_part {
  std::optional<array_ref<T, N>> block;
  runtime::grid_box box;  // in numbers of the field's cells
  std::optional<runtime::callers_halo> callers;
  int runs = 0;  // that hold the block
};

}  // namespace detail

/// An array over all cells of a grid: it is its own cells, whoever has them. Pointwise statements,
/// full reductions, gather() and iterate() take it; all of these are collective: every rank makes
/// the same calls. Copying it copies the cells, assigning to it writes them.
template <element T, int N>
class grid_array {
 public:
  using value_type = T;
  using expression_type = detail::grid_leaf<T, N>;
  static constexpr int rank = N;

  grid_array(std::shared_ptr<const runtime::grid_state> grid, std::string label,
             const runtime::stagger& more)
      : grid_(std::move(grid)),
        label_(std::move(label)),
        more_(more),
        held_(std::make_shared<detail::held_part<T, N>>()) {
    runtime::require_same(grid_->on, "an array of a grid", "its cells",
                          extents_text(shape()) + " " + type_name<T>());
    grid_->cells.check(more_, described());
    std::string why;
    try {
      allocate(own_box());
    } catch (const error& e) {
      if (e.kind() != failure::out_of_memory) throw;
      why = e.what();
    }
    runtime::throw_of_any(grid_->on, "an array of a grid", why, failure::out_of_memory);
  }
  /// Over memory of the caller's. @param block the cells of `box`
  grid_array(std::shared_ptr<const runtime::grid_state> grid, std::string label,
             const runtime::stagger& more, const array_ref<T, N>& block,
             const runtime::grid_box& box, runtime::callers_halo halo)
      : grid_(std::move(grid)),
        label_(std::move(label)),
        more_(more),
        held_(std::make_shared<detail::held_part<T, N>>()) {
    held_->block.emplace(block);
    held_->box = box;
    held_->callers = std::move(halo);
  }
  grid_array(const grid_array& other) : grid_array(other.grid_, other.label_, other.more_) {
    *this = other;
  }
  grid_array(grid_array&&) noexcept = default;
  ~grid_array() = default;

  /// Writes all cells. ix, iy, iz are those of the whole grid.
  template <class E>
  const grid_array& operator=(const E& expression) const {
    assign(*this, expression);
    return *this;
  }
  const grid_array& operator=(const grid_array& other) const {
    assign(*this, other);
    return *this;
  }

  /// Extents of the whole.
  extents<N> shape() const {
    extents<N> n;
    for (int d = 0; d < N; ++d) n[d] = grid_->cells.extent(more_, d);
    return n;
  }
  index_t extent(int dim) const { return shape()[dim]; }
  const std::string& label() const { return label_; }
  /// This rank's own cells; iterate() may move them elsewhere.
  array_ref<T, N> own() const { return cells(own_box()); }
  /// The number of the first of them in the whole.
  extents<N> first() const {
    extents<N> at;
    for (int d = 0; d < N; ++d) at[d] = own_box().of[d].begin;
    return at;
  }

  /// There is no such part of it: this is for the message.
  template <class... Any>
  auto operator()(const Any&...) const {
    static_assert(sizeof...(Any) < 0,
                  "A grid array has no slices and no single cells: A.own() is this rank's part, "
                  "gather(A) brings all cells to the root.");
  }

  // ---- for the room

  const std::shared_ptr<const runtime::grid_state>& grid() const { return grid_; }
  const runtime::stagger& more() const { return more_; }
  runtime::grid_box own_box() const { return grid_->cells.own(grid_->on.rank(), more_); }
  /// "grid array 'T' of 100x80 f64", for messages.
  std::string described() const {
    return (label_.empty() ? "a grid array" : "grid array '" + label_ + "'") + " of " +
           extents_text(shape()) + " " + type_name<T>();
  }
  /// Where the memory is a caller's.
  const std::optional<runtime::callers_halo>& callers() const { return held_->callers; }
  /// Cells that this rank has room for.
  array_ref<T, N> cells(const runtime::grid_box& box) const {
    const array_ref<T, N>& block = *held_->block;
    view<T, N> part = block.view();
    for (int d = 0; d < N; ++d) {
      part.data += (box.of[d].begin - held_->box.of[d].begin) * part.strides[d];
      part.shape[d] = box.of[d].count();
    }
    return {block.on(), block.block(), part, block.shared_label()};
  }
  bool has_room(const runtime::grid_box& box) const {
    bool has = true;
    for (int d = 0; d < N; ++d)
      has =
          has && held_->box.of[d].begin <= box.of[d].begin && held_->box.of[d].end >= box.of[d].end;
    return has || held_->callers;  // (a plan asks for what a caller has)
  }
  /// Runs that hold its memory where it is.
  std::shared_ptr<int> runs() const { return {held_, &held_->runs}; }
  /// Makes room for these cells besides its own, which keep their values.
  void make_room(const runtime::grid_box& box) const {
    if (has_room(box)) return;
    runtime::grid_box all = box;
    for (int d = 0; d < N; ++d) {
      const runtime::cell_range held = held_->box.of[d];
      runtime::cell_range& range = all.of[d];
      range = {std::min(range.begin, held.begin), std::max(range.end, held.end)};
    }
    const array_ref<T, N> before = own();
    allocate(all);
    teff::assign(own(), before);
  }

 private:
  void allocate(const runtime::grid_box& box) const {
    extents<N> n;
    for (int d = 0; d < N; ++d) n[d] = box.of[d].count();
    teff::array<T, N> made(grid_->dev, n, label_);
    held_->block.emplace(std::move(made));
    held_->box = box;
  }

  std::shared_ptr<const runtime::grid_state> grid_;
  std::string label_;
  runtime::stagger more_;
  std::shared_ptr<detail::held_part<T, N>> held_;  // that is replaced where it is too small
};

namespace detail {

/// A grid array in an expression: its own cells, where it stands in a statement over grid arrays.
template <class T, int N>
struct grid_leaf : node<grid_leaf<T, N>> {
  using value_type = T;
  static constexpr int rank = N, flops = 0, widest = sizeof(T), loads = 1;
  static constexpr bool is_pointwise = true, is_collapsible = true;

  array_ref<T, N> source;
  const runtime::grid_state* grid;
  extents<N> whole;
  std::string label;

  explicit grid_leaf(const grid_array<T, N>& a)
      : source(a.own()), grid(a.grid().get()), whole(a.shape()), label(a.described()) {}

  template <class B>
  shape3 shape(const B&) const {
    static_assert(stands_on_grid<B>,
                  "A grid array stands in pointwise statements over arrays of its grid, in full "
                  "reductions (sum, min, max, max_abs, any, all, mean, dot, norm2) and in "
                  "iterate(); for all else A.own() is this rank's part, and gather(A) brings all "
                  "cells to the root.");
    shape3 result;
    for (int d = 0; d < N; ++d) result.n[d] = whole[d];
    return result;
  }
  template <int X, int Y, int Z, class F>
  void visit(const window& w, F& f) const {
    if constexpr (requires { f.reads_grid(*this); })
      f.reads_grid(*this);
    else
      visit_array<X, Y, Z>(source, w, f);
  }
  device_leaf<T> lower(const lowering& how) const { return array_leaf<T, N>(source).lower(how); }
  [[gnu::cold]] std::string text() const { return runtime::leaf_text(source.handle()); }
};

}  // namespace detail

template <class T, int N>
detail::grid_leaf<T, N> as_node(const grid_array<T, N>& a) {
  return detail::grid_leaf<T, N>(a);
}

template <class T, int N>
std::ostream& operator<<(std::ostream& out, const grid_array<T, N>&) {
  static_assert(N < 0, "A grid array is on many ranks: gather(A) brings its cells to the root.");
  return out;
}

}  // namespace teff::inline TEFF_MODE

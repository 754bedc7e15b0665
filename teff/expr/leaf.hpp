// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/expr/node.hpp>

/// The ends of the tree: arrays, vectors stretched along a dim, indices.
namespace teff::inline TEFF_MODE {

// ---- arrays

/// An array on the device: three strides whatever its rank.
template <class T>
struct device_leaf : node<device_leaf<T>> {
  using value_type = T;
  const T* data;
  index_t stride[3];

  template <int X, int Y, int Z, class C>
  TEFF_INLINE auto eval(const C& c) const {
    return c.template load<X, Y, Z>(*this);
  }
};

template <class E>
inline constexpr bool is_leaf = false;
template <class T>
inline constexpr bool is_leaf<device_leaf<T>> = true;

/// Tells f which cells of an array are read at offset (X, Y, Z). f may keep the address of
/// `source`.
template <int X, int Y, int Z, class T, int N, class F>
void visit_array(const array_ref<T, N>& source, const window& w, F& f) {
  constexpr index_t offset[3] = {X, Y, Z};
  region read{source.data(), sizeof(T), {1, 1, 1}, {0, 0, 0}};
  const T* first = source.data();
  for (int d = 0; d < N; ++d) {
    first += (w.start[d] + offset[d]) * source.stride(d);
    read.count[d] = w.count[d];
    read.stride_bytes[d] = w.step[d] * source.stride(d) * static_cast<index_t>(sizeof(T));
  }
  read.first = first;
  f.reads(source, read);
}

/// An array's extents in an expression, and its cells for the device.
template <class T, int N>
shape3 extents_in_expression(const array_ref<T, N>& a) {
  shape3 result;
  for (int d = 0; d < N; ++d) result.n[d] = a.extent(d);
  return result;
}
template <class T, int N>
device_leaf<T> lowered_array(const array_ref<T, N>& a, const lowering& how) {
  device_leaf<T> leaf{{}, a.data(), {1, 0, 0}};
  if (!how.as_one_row)
    for (int d = 0; d < N; ++d) leaf.stride[d] = a.stride(d);
  return leaf;
}

/// An array in an expression; keeps its memory alive.
template <class T, int N>
struct array_leaf : node<array_leaf<T, N>> {
  using value_type = T;
  static constexpr int rank = N, flops = 0, widest = sizeof(T), loads = 1;
  static constexpr bool is_pointwise = true, is_collapsible = true;

  array_ref<T, N> source;

  explicit array_leaf(const array_ref<T, N>& a) : source(a) {}
  array_leaf(const array_leaf&) = default;
  array_leaf(array_leaf&& other) noexcept
      : source(typename array_ref<T, N>::take_over{}, other.source) {}
  ~array_leaf() = default;

  template <class B>
  shape3 shape(const B&) const {
    return extents_in_expression(source);
  }
  template <int X, int Y, int Z, class F>
  void visit(const window& w, F& f) const {
    visit_array<X, Y, Z>(source, w, f);
  }
  device_leaf<T> lower(const lowering& how) const { return lowered_array(source, how); }
  [[gnu::cold]] std::string text() const { return runtime::leaf_text(source.handle()); }
};

// ---- a vector along one dim of a larger expression

template <int D, class T>
struct device_along : node<device_along<D, T>> {
  using value_type = T;
  const T* data;
  index_t stride;

  template <int X, int Y, int Z, class C>
  TEFF_INLINE auto eval(const C& c) const {
    constexpr int offset = D == 0 ? X : D == 1 ? Y : Z;
    return c.template load_along<D, offset>(data, stride);
  }
};

template <int D, class T>
struct along_leaf : node<along_leaf<D, T>> {
  using value_type = T;
  static constexpr int rank = 0, flops = 0, widest = sizeof(T), loads = 1;
  static constexpr bool is_pointwise = true, is_collapsible = false;

  array_ref<T, 1> source;

  explicit along_leaf(const array_ref<T, 1>& a) : source(a) {}

  template <class B>
  shape3 shape(const B&) const {
    shape3 result;
    result.n[D] = source.extent(0);
    return result;
  }
  template <int X, int Y, int Z, class F>
  void visit(const window& w, F& f) const {
    constexpr index_t offset[3] = {X, Y, Z};
    const index_t stride = source.stride(0);
    region read{source.data() + (w.start[D] + offset[D]) * stride, sizeof(T), {1, 1, 1}, {0, 0, 0}};
    read.count[D] = w.count[D];
    read.stride_bytes[D] = w.step[D] * stride * static_cast<index_t>(sizeof(T));
    f.reads_along(source, read);
  }
  device_along<D, T> lower(const lowering&) const { return {{}, source.data(), source.stride(0)}; }
  [[gnu::cold]] std::string text() const {
    return "along<" + std::to_string(D) + ">(" + runtime::leaf_text(source.handle()) + ")";
  }
};

/// A vector stretched along dim D: its value at (i, j, k) is that at the index of dim D.
template <int D, class T>
along_leaf<D, T> along(const array_ref<T, 1>& vector) {
  static_assert(D >= 0 && D < max_rank, "along<D>: a dim is 0, 1 or 2.");
  return along_leaf<D, T>(vector);
}

// ---- indices

/// The index along dim D of the cell itself, from 0. In a statement it counts in the statement's
/// own extents: `A(range(1, n), whole) = ix` begins with 0, and so does `inn(A) + ix`. In a time
/// step it is the index of the computed cell in the field that is written, in right-hand sides as
/// in conditions: `update(inn(T), f(ix))` has 1 in the first cell that it writes, and what
/// `T = f(ix)` gives is the same function of position. Precisely: in an expression with s cells
/// fewer than the field (what the target leaves out less what the operators around the index take
/// off) cell j has the index j + s / 2, rounded towards zero. So inn(f(ix)) means the same, and
/// over faces, `d_xa(c(ix) * d_xi(T))`, faces are counted from 0. In a residual s is counted
/// against the first field that evolves.
template <int D>
struct index_leaf : node<index_leaf<D>> {
  using value_type = index_t;
  static constexpr int rank = 0, flops = 0, widest = 0, loads = 0;
  static constexpr bool is_pointwise = true, is_collapsible = false;

  index_t first = 0;  ///< in the expression's first cell; lower() finds it

  template <class B>
  shape3 shape(const B&) const {
    return {};
  }
  template <int X, int Y, int Z, class F>
  void visit(const window&, F&) const {}
  index_leaf lower(const lowering& how) const { return {{}, how.first_index(D)}; }
  template <int X, int Y, int Z, class C>
  TEFF_INLINE auto eval(const C& c) const {
    return detail::for_lanes(counted{first}, c.template index<D, (D == 0 ? X : D == 1 ? Y : Z)>());
  }
  [[gnu::cold]] std::string text() const { return D == 0 ? "ix" : D == 1 ? "iy" : "iz"; }

 private:
  struct counted {
    index_t first;
    TEFF_INLINE index_t operator()(index_t at) const { return first + at; }
  };
};

inline constexpr index_leaf<0> ix{};
inline constexpr index_leaf<1> iy{};
inline constexpr index_leaf<2> iz{};

// ---- a number that is on the device

/// One number in device memory, as a reduction gives it. Converting it to T waits for it; in an
/// expression it is read where it is.
template <class T>
class scalar {
 public:
  using value_type = T;

  explicit scalar(const array_ref<T, 1>& cell) : cell_(cell) {}
  operator T() const { return cell_(0); }  // NOLINT(google-explicit-constructor)
  const array_ref<T, 1>& cell() const { return cell_; }

 private:
  array_ref<T, 1> cell_;
};

template <class T>
std::ostream& operator<<(std::ostream& out, const scalar<T>& s) {
  return out << s.cell()(0);
}

template <class T>
struct scalar_leaf : node<scalar_leaf<T>> {
  using value_type = T;
  static constexpr int rank = 0, flops = 0, widest = sizeof(T), loads = 1;
  static constexpr bool is_pointwise = true, is_collapsible = true;

  array_ref<T, 1> source;

  explicit scalar_leaf(const array_ref<T, 1>& cell) : source(cell) {}

  template <class B>
  shape3 shape(const B&) const {
    return {};
  }
  template <int X, int Y, int Z, class F>
  void visit(const window&, F& f) const {
    f.reads_along(source, region_of(source));
  }
  device_along<0, T> lower(const lowering&) const { return {{}, source.data(), 0}; }
  [[gnu::cold]] std::string text() const { return "a device scalar"; }
};

// ---- operands as nodes

template <expression E>
const E& as_node(const E& e) {
  return e;
}
template <class T, int N>
array_leaf<T, N> as_node(const array_ref<T, N>& a) {
  return array_leaf<T, N>(a);
}
template <number_like T>
number<T> as_node(T value) {
  return number<T>(value);
}

template <class T>
scalar_leaf<T> as_node(const scalar<T>& s) {
  return scalar_leaf<T>(s.cell());
}

template <class X>
using node_of = std::remove_cvref_t<decltype(as_node(std::declval<const X&>()))>;

namespace detail {
template <class T>
void take_scalar(const scalar<T>&);
}
template <class X>
concept scalar_like = requires(const X& x) {
  detail::take_scalar(x);
};

/// What an operator takes.
template <class X>
concept operand = expression<X> || array_like<X> || number_like<X> || scalar_like<X>;

/// What makes an operator one of Teff's: at least one operand that is no plain number.
template <class X>
concept lazy_operand = expression<X> || array_like<X>;

}  // namespace teff::inline TEFF_MODE

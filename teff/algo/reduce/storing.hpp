// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/algo/reduce/partial_results.hpp>
#include <teff/algo/reduce/reduction.hpp>
#include <teff/expr/parameter.hpp>

/// Statements whose values a reduction takes in: one pass through memory for all of it, where a
/// method's next step waits for a sum of what it has just written (conjugate gradients).
namespace teff::inline TEFF_MODE::detail {

/// A device scalar in an expression, fetched once by each thread of a kernel (as a leaf it would be
/// read for every cell).
template <class T>
struct fetched_scalar : node<fetched_scalar<T>> {
  using value_type = T;
  static constexpr int rank = 0, flops = 0, widest = sizeof(T), loads = 0;
  static constexpr bool is_pointwise = true, is_collapsible = true;

  array_ref<T, 1> cell;

  explicit fetched_scalar(const array_ref<T, 1>& c) : cell(c) {}

  template <class B>
  shape3 shape(const B&) const {
    return {};
  }
  template <int X, int Y, int Z, class F>
  void visit(const window&, F& f) const {
    f.reads_along(cell, region_of(cell));
  }
  device_parameter<T, T> lower(const lowering&) const {
    if (cell.dev().is_cpu()) return {{}, *cell.data(), nullptr};
    return {{}, T{}, cell.data()};
  }
  [[gnu::cold]] std::string text() const { return "a device scalar"; }
};

/// What two expressions are in a cell.
template <class T>
struct value_pair {
  T first, second;
};

/// Made ready for the device: both values of a cell are found before one is stored, as statements
/// do, so that loads of several cells are in flight together.
template <class T, class Term, bool StoresSecond, class E1, class E2>
struct device_storing : node<device_storing<T, Term, StoresSecond, E1, E2>> {
  using value_type = value_pair<T>;
  static constexpr bool stores = true;

  E1 first;
  E2 second;
  device_target<T> to_first, to_second;

  template <int X, int Y, int Z, class C>
  TEFF_INLINE value_pair<T> eval(const C& at) const {
    return {convert<T>(first.template eval<X, Y, Z>(at)),
            convert<T>(second.template eval<X, Y, Z>(at))};
  }
  template <bool UnitStride, lane_loads Loads, class Index>
  TEFF_INLINE void store(const cell_context<1, UnitStride, Loads, Index>& at,
                         const value_pair<T>& v) const {
    *to_first.template at<UnitStride, Index>(at.i, at.j, at.k) = v.first;
    if constexpr (StoresSecond)
      *to_second.template at<UnitStride, Index>(at.i, at.j, at.k) = v.second;
  }
  static TEFF_INLINE auto term(const value_pair<T>& v) { return Term{}(v.first, v.second); }
};
template <class T, class Term, bool StoresSecond, class E1, class E2>
struct operands_of<device_storing<T, Term, StoresSecond, E1, E2>> {
  using type = operand_list<E1, E2>;
  static TEFF_INLINE void fetch(device_storing<T, Term, StoresSecond, E1, E2>& e) {
    fetch_parameters(e.first);
    fetch_parameters(e.second);
  }
};

template <class T, int N>
device_target<T> stored_cells(const array_ref<T, N>& a) {
  device_target<T> to{a.data(), {1, 0, 0}};
  for (int d = 0; d < N; ++d) to.stride[d] = a.stride(d);
  return to;
}

/// target = first, and other = second where StoresSecond; to a reduction it is Term of both values.
/// Neither may read, at another place, what is stored.
template <class Term, bool StoresSecond, class T, int N, class E1, class E2>
struct storing : node<storing<Term, StoresSecond, T, N, E1, E2>> {
  using value_type = T;
  static constexpr int rank = N, flops = E1::flops + E2::flops + 1;
  static constexpr int widest = greater_of(E1::widest, E2::widest), loads = E1::loads + E2::loads;
  static constexpr bool is_pointwise = E1::is_pointwise && E2::is_pointwise;
  static constexpr bool is_collapsible = false;

  array_ref<T, N> target, other;
  E1 first;
  E2 second;

  storing(const array_ref<T, N>& to, const E1& e, const array_ref<T, N>& also, const E2& e2)
      : target(to), other(also), first(e), second(e2) {}

  template <class B>
  shape3 shape(const B& fields) const {
    const array_leaf<T, N> left(target);
    return combined(combined(left.shape(fields), left, first.shape(fields), first), left,
                    second.shape(fields), second);
  }
  template <int X, int Y, int Z, class F>
  void visit(const window& w, F& f) const {
    first.template visit<X, Y, Z>(w, f);
    second.template visit<X, Y, Z>(w, f);
  }
  auto lower(const lowering& how) const {
    const auto a = first.lower(how);
    const auto b = second.lower(how);
    return device_storing<T, Term, StoresSecond, std::remove_const_t<decltype(a)>,
                          std::remove_const_t<decltype(b)>>{
        {}, a, b, stored_cells(target), stored_cells(other)};
  }
  [[gnu::cold]] std::string text() const { return first.text() + ", " + second.text(); }

  bool has_unit_stride() const {
    return target.stride(0) == 1 && (!StoresSecond || other.stride(0) == 1);
  }
  double stored_bytes() const {
    return static_cast<double>(bytes(target)) * (StoresSecond ? 2 : 1);
  }
};
template <class Term, class T, int N, class E1, class E2>
storing<Term, false, T, N, E1, E2> stored_first(const array_ref<T, N>& target, const E1& e,
                                                const E2& other) {
  return {target, e, target, other};
}
template <class Term, class T, int N, class E1, class E2>
storing<Term, true, T, N, E1, E2> stored_both(const array_ref<T, N>& target, const E1& e,
                                              const array_ref<T, N>& also, const E2& e2) {
  return {target, e, also, e2};
}

/// What it moves: each distinct array once.
template <class E>
traffic traffic_of_storing(const E& e) {
  traffic moved = reduction_source<E>(e).moved();
  moved.write_bytes = e.stored_bytes();
  return moved;
}

/// Room for the partial results of one such reduction after the other, on one stream.
template <class A>
class storing_room {
 public:
  storing_room(const stream& on, index_t cells)
      : block_(on, on.dev(),
               static_cast<std::size_t>(chunk_counts(cells).room_bytes(sizeof(A)) + 16),
               "partial results") {}
  void* data() const { return block_.data(); }

 private:
  memory_block block_;
};

/// One launch on a GPU. A CPU does such statements one by one: with their loops apart from sums
/// they are faster there.
struct storing_on_device {
  static constexpr bool can_fuse = is_cuda_unit;  ///< else it need not be compiled
  static bool fuses(device dev) { return dev.is_cuda(); }

  template <class A, class To, class E>
  void run([[maybe_unused]] const stream& on, [[maybe_unused]] const To& to,
           [[maybe_unused]] const E& e, [[maybe_unused]] const statement_shape& where,
           [[maybe_unused]] void* room) const {
#ifdef __CUDACC__
    reduce_by_blocks<ops::sum>(on, to, e, where, A{}, room);
#else
    runtime::throw_no_kernel("a statement with a sum", on.dev());
#endif
  }
};

/// Does the statements; the total of their terms, as A, goes to `to.store(0, total)` on the device.
/// Targets and scalars belong to the stream of the first array that e reads.
template <class A, class E, class To, class Backend>
void reduce_storing(const char* name, const E& e, const To& to, const storing_room<A>& room,
                    const Backend& backend) {
  reduction_source<E> source(e);
  source.run(
      name, static_cast<index_t>(e.stored_bytes()), [] { return std::string(); },
      [&] {
        statement_shape where = source.where();
        where.has_unit_stride = where.has_unit_stride && e.has_unit_stride();
        backend.template run<A>(source.on(), to, source.lowered(), where, room.data());
      });
}

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <type_traits>

#include <teff/expr/rebuilt.hpp>
#include <teff/expr/shared_rows.hpp>

/// Which operands of a formula are worth rows of their own (shared_rows.hpp), and the formula that
/// reads those rows.
namespace teff::inline TEFF_MODE {

namespace ops {
/// No function of this namespace throws or has an effect besides its value.
template <class Fn>
constexpr bool is_pure(const Fn*) {
  return true;
}
}  // namespace ops

namespace detail {

/// A value that was computed for this row and those beside it.
template <class T>
struct row_leaf : node<row_leaf<T>> {
  using value_type = T;
  const T* origin;       // where that of cell (0, 0, 0) would be
  index_t pitch, plane;  // in cells

  template <int X, int Y, int Z, class C>
  TEFF_INLINE T eval(const C& c) const {
    const index_t row = c.template index<1, Y>() * pitch + c.template index<2, Z>() * plane;
    return origin[row + c.template index<0, X>()];
  }
};

/// Efforts are counted in additions. From this one on an operand is computed once for a cell and
/// kept. Storing a value and loading it takes as long as some three operations, and a row of its
/// own as long again to begin.
inline constexpr int least_shared_effort = 12;
/// Of a function that may throw, or count its calls: it is called for each cell that needs it.
inline constexpr int never_shared = -(1 << 20);

constexpr bool is_pure(const void*) {
  return false;
}
/// Of a function of one value: as many additions as a CPU's vector unit makes in that time.
template <class Fn>
inline constexpr int effort_of = is_pure(static_cast<const Fn*>(nullptr)) ? flops_of<Fn>()
                                                                          : never_shared;
template <>
inline constexpr int effort_of<ops::divided_by> = 8;
template <>
inline constexpr int effort_of<ops::square_root> = 8;
// Those of the C library take their arguments one by one.
template <>
inline constexpr int effort_of<ops::exponential> = 30;
template <>
inline constexpr int effort_of<ops::logarithm> = 30;
template <>
inline constexpr int effort_of<ops::sine> = 30;
template <>
inline constexpr int effort_of<ops::cosine> = 30;
template <>
inline constexpr int effort_of<ops::hyperbolic_tangent> = 30;
template <>
inline constexpr int effort_of<ops::power> = 60;
/// A function of the C library.
template <class Fn>
inline constexpr bool takes_one_by_one = effort_of<Fn> >= effort_of<ops::exponential>;

/// Its values are made one by one.
template <class E>
struct is_made_one_by_one {
  static constexpr bool value = false;
};
template <class Op, class L, class R>
struct is_made_one_by_one<binary<Op, L, R>> {
  static constexpr bool value = takes_one_by_one<Op>;
};
template <class Fn, class... E>
struct is_made_one_by_one<call<Fn, E...>> {
  static constexpr bool value = takes_one_by_one<Fn>;
};

template <class E>
struct sharing;
template <class E>
bool are_equal(const void* a, const void* b) {
  return sharing<E>::equal(*static_cast<const E*>(a), *static_cast<const E*>(b));
}
template <class E>
inline const char type_address = 0;

/// effort: of one value. parts: operands with rows of their own. in_rows: the formula that reads
/// them, where rows.part(operand, same, reads) makes a leaf of an operand; `same` is the operand
/// with leaves in it. equal: the nodes are, whatever is between them.
template <class E>
struct sharing {
  static constexpr int effort = 0, parts = 0;
  static bool equal(const E& a, const E& b) {
    if constexpr (std::is_empty_v<E>)
      return true;
    else if constexpr (requires { a.is_same(b); })
      return a.is_same(b);
    else if constexpr (requires { a.value; })
      return std::memcmp(&a.value, &b.value, sizeof(a.value)) == 0;
    else if constexpr (std::has_unique_object_representations_v<E>)
      return std::memcmp(&a, &b, sizeof(E)) == 0;
    else
      return false;
  }
  template <class Rows>
  static const E& in_rows(const E& e, Rows&, const runtime::cell_reach&) {
    return e;
  }
};

template <class E, class Rows>
auto operands_in_rows(const E& e, Rows& rows, const runtime::cell_reach& at) {
  if constexpr (sharing<E>::parts == 0)
    return e;
  else
    return rebuilt(e, [&]<class Operand>(const Operand& operand) {
      return sharing<Operand>::in_rows(operand, rows, at);
    });
}

template <class Op, class L, class R>
struct sharing<binary<Op, L, R>> {
  static constexpr int effort = effort_of<Op> + sharing<L>::effort + sharing<R>::effort;
  static constexpr int parts = sharing<L>::parts + sharing<R>::parts;
  static bool equal(const binary<Op, L, R>& a, const binary<Op, L, R>& b) {
    return sharing<L>::equal(a.l, b.l) && sharing<R>::equal(a.r, b.r);
  }
  template <class Rows>
  static auto in_rows(const binary<Op, L, R>& e, Rows& rows, const runtime::cell_reach& at) {
    return operands_in_rows(e, rows, at);
  }
};

template <>
struct sharing<tuple<>> {
  static constexpr int effort = 0, parts = 0;
  static bool equal(const tuple<>&, const tuple<>&) { return true; }
};
template <class First, class... Rest>
struct sharing<tuple<First, Rest...>> {
  static constexpr int effort = sharing<First>::effort + sharing<tuple<Rest...>>::effort;
  static constexpr int parts = sharing<First>::parts + sharing<tuple<Rest...>>::parts;
  static bool equal(const tuple<First, Rest...>& a, const tuple<First, Rest...>& b) {
    return sharing<First>::equal(a.first, b.first) &&
           sharing<tuple<Rest...>>::equal(a.rest, b.rest);
  }
};

template <class Fn, class... E>
struct sharing<call<Fn, E...>> {
  using operands = sharing<tuple<E...>>;
  static constexpr int effort = effort_of<Fn> + operands::effort;
  static constexpr int parts = operands::parts;
  static bool equal(const call<Fn, E...>& a, const call<Fn, E...>& b) {
    return std::is_empty_v<Fn> && operands::equal(a.operands, b.operands);
  }
  template <class Rows>
  static auto in_rows(const call<Fn, E...>& e, Rows& rows, const runtime::cell_reach& at) {
    return operands_in_rows(e, rows, at);
  }
};

template <class Fn, class Shrink, class E, class... At>
struct sharing<neighbours<Fn, Shrink, E, At...>> {
  static constexpr int reads = sizeof...(At);
  static constexpr bool is_shared = reads > 1 && sharing<E>::effort >= least_shared_effort;
  static constexpr int effort_of_reads = is_shared                ? 0
                                         : sharing<E>::effort < 0 ? never_shared
                                                                  : reads * sharing<E>::effort;
  static constexpr int effort = effort_of<Fn> + effort_of_reads;
  static constexpr int parts = sharing<E>::parts + is_shared;
  using node_type = neighbours<Fn, Shrink, E, At...>;
  static bool equal(const node_type& a, const node_type& b) {
    return sharing<E>::equal(a.operand, b.operand);
  }
  template <class Rows>
  static auto in_rows(const neighbours<Fn, Shrink, E, At...>& e, Rows& rows,
                      const runtime::cell_reach& at) {
    if constexpr (parts == 0) {
      return e;
    } else {
      const runtime::cell_reach box = at.beyond(runtime::box_of<At...>());
      return rebuilt(e, [&](const E& operand) {
        const auto same = sharing<E>::in_rows(operand, rows, box);
        if constexpr (is_shared)
          return rows.part(operand, same, box);
        else
          return same;
      });
    }
  }
};

/// A formula whose operands have rows of their own, and not more of them than there is room for.
template <class E>
inline constexpr bool shares_rows =
    sharing<E>::parts > 0 && sharing<E>::parts <= runtime::shared_rows::most;

/// The leaf for a part that is known, or about to be noted. @param fill f(out, y, z): a row of it,
/// from the address of its column 0 on
template <class T, class E, class Fill>
row_leaf<T> leaf_of_part(runtime::shared_rows& rows, const E& operand,
                         const runtime::cell_reach& reads, const Fill& fill) {
  constexpr index_t size = sizeof(T);
  if (rows.is_noting()) {
    rows.note({&operand, &type_address<E>, are_equal<E>}, size, reads);
    return {};
  }
  const runtime::shared_value& value =
      rows.next([&](std::byte* cells, index_t y, index_t z, const runtime::cell_reach& box) {
        fill(reinterpret_cast<T*>(cells), y, z, box);
      });
  return {{},
          reinterpret_cast<const T*>(rows.address(value, 0, 0)),
          value.pitch / size,
          value.plane / size};
}

}  // namespace detail
}  // namespace teff::inline TEFF_MODE

// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <utility>

#include <teff/formula/bound.hpp>
#include <teff/stencil/warps/slabs.hpp>

/// Faces between two slabs, computed once: where a formula takes a difference (or any function) of
/// an expression's values at two neighbouring slabs, the lower value is the one that was the upper
/// one a slab before. A level of the pass then carries a slab of faces in place of the oldest slab
/// of its field: fewer operations, in as many registers. (The compiler itself shares faces within a
/// turn of the loop only.)
namespace teff::inline TEFF_MODE::detail {

/// Number I of the faces that a stage carries: fn(e at Low, e at High), or the other way round.
template <int I, class Fn, class E, class Low, class High, bool LowFirst>
struct carried_face : node<carried_face<I, Fn, E, Low, High, LowFirst>> {
  using value_type =
      std::remove_cvref_t<decltype(Fn{}(typename E::value_type{}, typename E::value_type{}))>;
  static constexpr int rank = E::rank, flops = flops_of<Fn>() + E::flops;
  static constexpr int widest = E::widest, loads = E::loads;
  static constexpr bool is_pointwise = false, is_collapsible = false;

  E operand;

  explicit constexpr carried_face(const E& e) : operand(e) {}

  template <int X, int Y, int Z, class C>
  TEFF_INLINE auto eval(const C& c) const {
    typename E::value_type& kept = c.template face<I>();
    const auto low = kept;
    kept = operand.template eval<X + High::x, Y + High::y, Z + High::z>(c);
    const auto high = kept;
    if constexpr (LowFirst)
      return Fn{}(low, high);
    else
      return Fn{}(high, low);
  }
};
template <int I, class Fn, class E, class Low, class High, bool LowFirst>
struct operands_of<carried_face<I, Fn, E, Low, High, LowFirst>> {
  using type = operand_list<E>;
  static TEFF_INLINE void fetch(carried_face<I, Fn, E, Low, High, LowFirst>& e) {
    fetch_parameters(e.operand);
  }
};
/// What a carried face reads: the upper face alone; the lower one is there already.
template <int I, class Fn, class E, class Low, class High, bool LowFirst>
struct reads_of_node<carried_face<I, Fn, E, Low, High, LowFirst>> {
  static constexpr void add(footprints& to, int x, int y, int z) {
    reads_of_node<E>::add(to, x + High::x, y + High::y, z + High::z);
  }
};

template <int SlabDim, class Low, class High>
constexpr bool is_slab_below() {
  constexpr int apart[3] = {High::x - Low::x, High::y - Low::y, High::z - Low::z};
  for (int d = 0; d < 3; ++d)
    if (apart[d] != (d == SlabDim ? 1 : 0)) return false;
  return true;
}

/// The faces in a lowered expression that is evaluated once a cell: the types of their values in
/// order, and the expression that carries them.
template <int SlabDim, class E>
struct faces_of {
  using types = tuple<>;
  template <int First>
  static E carried(const E& e) {
    return e;
  }
};

template <class... A>
constexpr int length_of(const tuple<A...>*) {
  return sizeof...(A);
}

template <int SlabDim, class E, class... Rest>
struct faces_of<SlabDim, tuple<E, Rest...>> {
  using first_types = typename faces_of<SlabDim, E>::types;
  using rest = faces_of<SlabDim, tuple<Rest...>>;
  using types = decltype(joined(std::declval<first_types>(), std::declval<typename rest::types>()));
  template <int First>
  static auto carried(const tuple<E, Rest...>& list) {
    constexpr int next = First + length_of(static_cast<const first_types*>(nullptr));
    return with_first(faces_of<SlabDim, E>::template carried<First>(list.first),
                      rest::template carried<next>(list.rest));
  }
};
template <int SlabDim, class Op, class L, class R>
struct faces_of<SlabDim, binary<Op, L, R>> {
  using both = faces_of<SlabDim, tuple<L, R>>;
  using types = typename both::types;
  template <int First>
  static auto carried(const binary<Op, L, R>& e) {
    return of(both::template carried<First>(tuple_of(e.l, e.r)));
  }

 private:
  template <class A, class B>
  static binary<Op, A, B> of(const tuple<A, B>& e) {
    return {e.first, e.rest.first};
  }
};
template <int SlabDim, class Fn, class... E>
struct faces_of<SlabDim, call<Fn, E...>> {
  using all = faces_of<SlabDim, tuple<E...>>;
  using types = typename all::types;
  template <int First>
  static auto carried(const call<Fn, E...>& e) {
    return of(e.fn, all::template carried<First>(e.operands));
  }

 private:
  template <class... A>
  static call<Fn, A...> of(const Fn& fn, tuple<A...> e) {
    return {fn, static_cast<tuple<A...>&&>(e)};
  }
};
template <int SlabDim, class Fn, class Shrink, class E, class At>
struct faces_of<SlabDim, neighbours<Fn, Shrink, E, At>> {
  using types = typename faces_of<SlabDim, E>::types;
  template <int First>
  static auto carried(const neighbours<Fn, Shrink, E, At>& e) {
    const auto operand = faces_of<SlabDim, E>::template carried<First>(e.operand);
    return neighbours<Fn, Shrink, std::remove_const_t<decltype(operand)>, At>(operand);
  }
};
template <int SlabDim, class Fn, class Shrink, class E, class A, class B>
struct faces_of<SlabDim, neighbours<Fn, Shrink, E, A, B>> {
  static constexpr bool a_first = is_slab_below<SlabDim, A, B>();
  /// Not of an index, which begins anew with each period; nor of what reads no field: nothing then
  /// makes a pass begin a slab earlier, with the first lower face.
  static constexpr bool is_face = (a_first || is_slab_below<SlabDim, B, A>()) && E::flops > 0 &&
                                  rounded::real<typename E::value_type>&& has_fields<E>() &&
                                  !footprints_at<E, 0, 0, 0>.all.uses_index;
  using types = std::conditional_t<is_face, tuple<typename E::value_type>, tuple<>>;
  template <int First>
  static auto carried(const neighbours<Fn, Shrink, E, A, B>& e) {
    using low = std::conditional_t<a_first, A, B>;
    using high = std::conditional_t<a_first, B, A>;
    if constexpr (is_face)
      return carried_face<First, Fn, E, low, high, a_first>(e.operand);
    else
      return e;
  }
};

/// Slabs of evolving fields below its own that a stage reads.
template <class Step>
constexpr int slabs_below(const footprints& reads) {
  int slabs = 0;
  for (int s = 0; s < most_fields; ++s)
    if (Step::evolves(s)) slabs -= reads.of[s].low[slab_order<Step::rank>::slab];
  return slabs;
}

/// A stage carries its faces if it then needs no slab below its own of what evolves, and at least
/// as many slabs as there are faces fall away: or else they would cost registers. Not where
/// boundary conditions set what a stage without a lower border reads: a border slab is set with the
/// first inner one, a slab after the first face has read it. In 2-D: heat in 3-D would be 3 %
/// slower in f64, and not clearly faster in f32 (results/h200/readings/carried_faces.txt).
template <class Step, int K, class E>
constexpr bool carries_faces() {
  constexpr int slab_dim = slab_order<Step::rank>::slab;
  using written = typename Step::template stage<K>::written;
  using faces = faces_of<slab_dim, E>;
  using carried = decltype(faces::template carried<0>(std::declval<const E&>()));
  constexpr int x = -written::low[0], y = -written::low[1], z = -written::low[2];
  constexpr int number = length_of(static_cast<const typename faces::types*>(nullptr));
  constexpr int slabs = slabs_below<Step>(footprints_at<E, x, y, z>);
  constexpr int slabs_left = slabs_below<Step>(footprints_at<carried, x, y, z>);
  return Step::rank == 2 && !(Step::has_conditions() && written::low[slab_dim] == 0) &&
         number > 0 && number <= slabs && slabs_left == 0;
}

/// The right-hand side of a stage as a pass evaluates it, and the types of the faces that it
/// carries.
template <class E, class FaceTypes>
struct formula_with_faces {
  using face_types = FaceTypes;
  E rhs;
};
template <class E, class FaceTypes>
struct operands_of<formula_with_faces<E, FaceTypes>> {
  using type = operand_list<E>;
  static TEFF_INLINE void fetch(formula_with_faces<E, FaceTypes>& formula) {
    fetch_parameters(formula.rhs);
  }
};
/// @param e the lowered right-hand side of stage K
template <class Step, int K, class E>
auto with_carried_faces(const E& e) {
  using faces = faces_of<slab_order<Step::rank>::slab, E>;
  if constexpr (carries_faces<Step, K, E>()) {
    const auto carried = faces::template carried<0>(e);
    return formula_with_faces<std::remove_const_t<decltype(carried)>, typename faces::types>{
        carried};
  } else {
    return formula_with_faces<E, tuple<>>{e};
  }
}

/// The same for the right-hand sides of all stages.
template <class Step, class List, int... K>
auto with_carried_faces(const List& stages, std::integer_sequence<int, K...>) {
  return tuple_of(with_carried_faces<Step, K>(entry<K>(stages))...);
}
template <class Step, class List>
using formulas_with_faces = decltype(with_carried_faces<Step>(
    std::declval<const List&>(), std::make_integer_sequence<int, Step::stages>{}));

/// The types of the faces that stage K carries; none before the first stage.
template <class List, int K>
struct face_types_of {
  using type =
      typename std::remove_cvref_t<decltype(entry<K>(std::declval<const List&>()))>::face_types;
};
template <class List>
struct face_types_of<List, -1> {
  using type = tuple<>;
};
template <class List, int K>
using face_types = typename face_types_of<List, K>::type;

/// The faces that a level carries: for each, those of one slab.
template <class Patch, class FaceTypes>
struct carried_faces;
template <class Patch, class... T>
struct carried_faces<Patch, tuple<T...>> {
  tuple<slab_cells<T, Patch::columns, Patch::rows>...> cells{};

  template <int I>
  TEFF_INLINE auto& of_cell(int r, int v) {
    return entry<I>(cells).cell[r][v];
  }
};

}  // namespace teff::inline TEFF_MODE::detail

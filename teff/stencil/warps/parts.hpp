// SPDX-License-Identifier: MIT
#pragma once

#include <tuple>
#include <utility>

#include <teff/formula/bound.hpp>
#include <teff/stencil/warps/carried_faces.hpp>
#include <teff/stencil/warps/edges.hpp>
#include <teff/stencil/warps/row_exchange.hpp>
#include <teff/stencil/warps/slab_ring.hpp>
#include <teff/stencil/warps/slabs.hpp>
#include <teff/stencil/warps/strip.hpp>

/// What a thread of warps/kernel.hpp carries through a pass, as types, and the shared memory of its
/// block.
namespace teff::inline TEFF_MODE::detail {

/// Where slabs are on their way through a thread: from memory into feeds, by field; then into the
/// windows of the levels. Known fields wait in rings. Levels exchange rows and carry faces; stages
/// that set border rows give each other sources. @tparam Turn slabs by which the loop is unrolled
template <class Step, class Shape, class Formulas, int Turn, class... T>
class warp_parts {
  static constexpr int fields = sizeof...(T), V = Shape::cells, Y = Shape::rows;
  using patch = thread_patch<Step::rank, V, Y>;
  using plan = warp_plan<Step, fields, Shape::levels>;
  using strip = warp_strip<Step, fields, Shape>;
  template <int S>
  using value_of = std::tuple_element_t<S, std::tuple<T...>>;

  template <class Numbers>
  struct of_levels;
  template <int... L>
  struct of_levels<std::integer_sequence<int, L...>> {
    using windows = tuple<
        slab_window<value_of<plan::levels[L].slot>, patch, plan::template slabs_of_level<L>(),
                    plan::template rows_beside<L>(false), plan::template rows_beside<L>(true)>...>;
    using exchanges = tuple<
        row_exchange<value_of<plan::levels[L].slot>, patch, plan::template rows_beside<L>(false),
                     plan::template rows_beside<L>(true), Shape::threads / 32>...>;
    using faces = tuple<carried_faces<patch, face_types<Formulas, plan::levels[L].stage>>...>;
    static constexpr bool exchanges_rows =
        (false || ... ||
         (plan::template rows_beside<L>(false) + plan::template rows_beside<L>(true) > 0));
  };
  template <class Numbers>
  struct of_fields;
  template <int... S>
  struct of_fields<std::integer_sequence<int, S...>> {
    using feeds =
        tuple<slab_feed<value_of<S>, patch, plan::template streams<S>() ? Shape::ahead : 0>...>;
    using rings =
        tuple<slab_ring<value_of<S>, patch,
                        plan::template waits_in_ring<S>() ? plan::template slabs_of_ring<S>() : 0,
                        Turn, Shape::threads>...>;
    /// Bytes of a cell of all fields that stream.
    static constexpr int streamed_bytes =
        (0 + ... + (plan::template streams<S>() ? static_cast<int>(sizeof(value_of<S>)) : 0));
  };
  template <class Numbers>
  struct of_stages;
  template <int... K>
  struct of_stages<std::integer_sequence<int, K...>> {
    using sources = tuple<source_rows_of<Step, typename Step::template stage<K>, 32 * V>...>;
  };
  using by_level = of_levels<std::make_integer_sequence<int, plan::count>>;
  using by_field = of_fields<std::make_integer_sequence<int, fields>>;
  using by_stage = of_stages<std::make_integer_sequence<int, Step::stages>>;

  template <class... Part>
  static constexpr int bytes_of(const tuple<Part...>*) {
    return (0 + ... + Part::bytes_of_block);
  }

 public:
  using windows = typename by_level::windows;
  using exchanges = typename by_level::exchanges;
  using faces = typename by_level::faces;
  using feeds = typename by_field::feeds;
  using rings = typename by_field::rings;
  using sources = typename by_stage::sources;
  static constexpr bool exchanges_rows = by_level::exchanges_rows;
  static constexpr int streamed_bytes = by_field::streamed_bytes;

  static constexpr int shared_bytes() {
    constexpr int bytes = bytes_of(static_cast<const rings*>(nullptr)) +
                          bytes_of(static_cast<const exchanges*>(nullptr)) +
                          bytes_of(static_cast<const sources*>(nullptr));
    static_assert(bytes == strip::shared_bytes_of_block({int{sizeof(T)}...}),
                  "What a block carves is what its plan says.");
    return bytes;
  }
};

}  // namespace teff::inline TEFF_MODE::detail

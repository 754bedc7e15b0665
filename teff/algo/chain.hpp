// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <teff/array/array.hpp>
#include <teff/kernel/block.hpp>

/// What comes before a piece of a column, found while the pieces are in flight: each block
/// publishes its piece's total and combines those of earlier ones, so that a scan reads its cells
/// once.
///
/// Pieces are combined in a fixed order, whoever comes first, so the bits do not depend on timing:
/// 32 pieces to a group, 32 groups to a bundle, bundles in their order. The last piece of a group
/// publishes the group's total, the last of a bundle what comes before the next bundle. So a piece
/// waits for at most 63 words, and the only chain that is as long as the column has one link for
/// every 1024 pieces.
///
/// Blocks must take pieces by ticket, earlier pieces of a column first: then what a block waits for
/// belongs to blocks that are running. Merrill and Garland 2016 describe the look-back on which
/// this rests.
namespace teff::inline TEFF_MODE::detail {

/// A value of at most 8 bytes that says whether it is there, in one access.
template <class A>
struct alignas(sizeof(A) <= 4 ? 8 : 16) chain_word {
  static_assert(sizeof(A) <= 8);
  using flag = std::conditional_t<sizeof(A) <= 4, unsigned, unsigned long long>;
  A value;
  flag is_there;
};

/// The words of `lines` columns in `pieces` pieces each, as kernels see them; all bits 0 at first.
template <class Op, class A>
class chain {
 public:
  static constexpr int group = 32;

  /// Words of a chain, and one for its ticket.
  static index_t words(index_t lines, index_t pieces) {
    return 1 + lines * (pieces + ceil_div(pieces, group) + ceil_div(pieces, group * group));
  }
  static constexpr index_t word_size = sizeof(chain_word<A>);
  /// @param memory for `words`
  chain(void* memory, index_t lines, index_t pieces)
      : chain(static_cast<chain_word<A>*>(memory), lines, pieces) {}
  chain(chain_word<A>* words, index_t lines, index_t pieces)
      : ticket_(&words->is_there),
        of_pieces_(words + 1),
        of_groups_(of_pieces_ + lines * pieces),
        of_bundles_(of_groups_ + lines * ceil_div(pieces, group)),
        pieces_(pieces),
        groups_(ceil_div(pieces, group)),
        bundles_(ceil_div(pieces, group * group)) {}

  /// A number that no one else has, smaller ones first.
  TEFF_INLINE index_t take(const block& blk) const {
    return static_cast<index_t>(blk.atomic_add(*ticket_, 1U));
  }

  /// Publishes the total of a piece, which holds for what comes before the column's first cell too.
  /// Called by a whole warp. @returns what comes before the piece; nothing meaningful for piece 0
  TEFF_INLINE A link(const block& blk, index_t line, int piece, const A& total) const {
    const warp w = blk.warp();
    const int lane = w.lane();
    const int number = piece / group, bundle = number / group;
    const int in_group = piece % group, in_bundle = number % group;
    chain_word<A>* const mine = of_pieces_ + (line * pieces_ + number * group);
    chain_word<A>* const groups = of_groups_ + (line * groups_ + bundle * group);
    chain_word<A>* const bundles = of_bundles_ + (line * bundles_ + bundle);
    if (lane == 0) publish(blk, mine[in_group], total);
    w.sync();  // the first lane publishes before others wait
    // All that may be there already is asked for at once.
    const bool asks_piece = lane < in_group, asks_group = lane<in_bundle, asks_bundle = bundle> 0;
    chain_word<A> of_piece{}, of_group{}, of_bundle{};
    if (asks_piece) of_piece = blk.read_relaxed(mine[lane]);
    if (asks_group) of_group = blk.read_relaxed(groups[lane]);
    if (asks_bundle) of_bundle = blk.read_relaxed(*bundles);

    if (asks_piece) wait(blk, mine[lane], of_piece);
    A before = fold(w, of_piece.value, in_group);
    if (in_group == group - 1 && lane == 0) publish(blk, groups[in_bundle], Op{}(before, total));
    w.sync();
    if (asks_group) wait(blk, groups[lane], of_group);
    if (in_bundle > 0) {
      const A of_groups = fold(w, of_group.value, in_bundle);
      before = in_group > 0 ? Op{}(of_groups, before) : of_groups;
    }
    if (asks_bundle) {
      wait(blk, *bundles, of_bundle);
      before = in_bundle > 0 || in_group > 0 ? Op{}(of_bundle.value, before) : of_bundle.value;
    }
    const bool is_last = in_group == group - 1 && in_bundle == group - 1;
    if (is_last && bundle + 1 < bundles_ && lane == 0)
      publish(blk, bundles[1], Op{}(before, total));
    return w.shuffle(before, 0);
  }

 private:
  TEFF_INLINE static void publish(const block& blk, chain_word<A>& where, const A& value) {
    chain_word<A> word{};
    word.value = value;
    word.is_there = 1;
    blk.publish_relaxed(where, word);
  }
  struct is_there {
    TEFF_INLINE bool operator()(const chain_word<A>& word) const { return word.is_there != 0; }
  };
  TEFF_INLINE static void wait(const block& blk, const chain_word<A>& where, chain_word<A>& word) {
    if (word.is_there == 0) word = blk.wait_until_relaxed(where, is_there{});
  }
  /// The values of the first `count` lanes in their order, in lane 0.
  TEFF_INLINE static A fold(const warp& w, A value, int count) {
    TEFF_UNROLL
    for (int d = 1; d < warp::lanes; d *= 2) {
      const A other = w.shuffle_down(value, d);
      if (w.lane() % (2 * d) == 0 && w.lane() + d < count) value = Op{}(value, other);
    }
    return value;
  }

  typename chain_word<A>::flag* ticket_;
  chain_word<A>*of_pieces_, *of_groups_, *of_bundles_;
  index_t pieces_, groups_, bundles_;
};

}  // namespace teff::inline TEFF_MODE::detail

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
/// pieces to groups, groups to larger groups, the largest, bundles, in their order. The last piece
/// of a group publishes the group's total, the last of a bundle what comes before the next bundle.
/// So a piece waits for few words, and the only chain that is as long as the column has one link
/// for each bundle.
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

  struct is_published {
    TEFF_INLINE bool operator()(const chain_word& word) const { return word.is_there != 0; }
  };
  TEFF_INLINE static void publish(const block& blk, chain_word& where, const A& value) {
    chain_word word{};
    word.value = value;
    word.is_there = 1;
    blk.publish_relaxed(where, word);
  }
  /// @param word as read before, perhaps too early
  TEFF_INLINE static void wait(const block& blk, const chain_word& where, chain_word& word) {
    if (word.is_there == 0) word = blk.wait_until_relaxed(where, is_published{});
  }
};

/// The first of a chain's words: the number that is taken next.
template <class A>
class chain_ticket {
 public:
  TEFF_INLINE explicit chain_ticket(chain_word<A>* word) : next_(&word->is_there) {}
  /// A number that no one else has, smaller ones first.
  TEFF_INLINE unsigned take(const block& blk) const {
    return static_cast<unsigned>(blk.atomic_add(*next_, 1U));
  }

 private:
  typename chain_word<A>::flag* next_;
};

/// The chain of few lines in many pieces: a warp links a piece. 32 pieces to a group, 32 groups to
/// a bundle. The words of `lines` columns in `pieces` pieces each are all bits 0 at first.
template <class Op, class A>
class chain {
  using word = chain_word<A>;

 public:
  static constexpr int group = 32;

  /// Words of a chain, and one for its ticket.
  static index_t words(index_t lines, index_t pieces) {
    return 1 + lines * (pieces + ceil_div(pieces, group) + ceil_div(pieces, group * group));
  }
  static constexpr index_t word_size = sizeof(word);
  /// @param memory for `words`
  chain(void* memory, index_t lines, index_t pieces)
      : chain(static_cast<word*>(memory), lines, pieces) {}
  chain(word* words, index_t lines, index_t pieces)
      : ticket_(words),
        of_pieces_(words + 1),
        of_groups_(of_pieces_ + lines * pieces),
        of_bundles_(of_groups_ + lines * ceil_div(pieces, group)),
        pieces_(pieces),
        groups_(ceil_div(pieces, group)),
        bundles_(ceil_div(pieces, group * group)) {}

  TEFF_INLINE unsigned take(const block& blk) const { return ticket_.take(blk); }

  /// Publishes the total of a piece, which holds for what comes before the column's first cell too.
  /// Called by a whole warp. @returns what comes before the piece; nothing meaningful for piece 0
  TEFF_INLINE A link(const block& blk, index_t line, int piece, const A& total) const {
    const warp w = blk.warp();
    const int lane = w.lane();
    const int number = piece / group, bundle = number / group;
    const int in_group = piece % group, in_bundle = number % group;
    word* const mine = of_pieces_ + (line * pieces_ + number * group);
    word* const groups = of_groups_ + (line * groups_ + bundle * group);
    word* const bundles = of_bundles_ + (line * bundles_ + bundle);
    if (lane == 0) word::publish(blk, mine[in_group], total);
    w.sync();  // the first lane publishes before others wait
    // All that may be there already is asked for at once.
    const bool asks_piece = lane < in_group, asks_group = lane<in_bundle, asks_bundle = bundle> 0;
    word of_piece{}, of_group{}, of_bundle{};
    if (asks_piece) of_piece = blk.read_relaxed(mine[lane]);
    if (asks_group) of_group = blk.read_relaxed(groups[lane]);
    if (asks_bundle) of_bundle = blk.read_relaxed(*bundles);

    if (asks_piece) word::wait(blk, mine[lane], of_piece);
    A before = fold(w, of_piece.value, in_group);
    if (in_group == group - 1 && lane == 0)
      word::publish(blk, groups[in_bundle], Op{}(before, total));
    w.sync();
    if (asks_group) word::wait(blk, groups[lane], of_group);
    if (in_bundle > 0) {
      const A of_groups = fold(w, of_group.value, in_bundle);
      before = in_group > 0 ? Op{}(of_groups, before) : of_groups;
    }
    if (asks_bundle) {
      word::wait(blk, *bundles, of_bundle);
      before = in_bundle > 0 || in_group > 0 ? Op{}(of_bundle.value, before) : of_bundle.value;
    }
    const bool is_last = in_group == group - 1 && in_bundle == group - 1;
    if (is_last && bundle + 1 < bundles_ && lane == 0)
      word::publish(blk, bundles[1], Op{}(before, total));
    return w.shuffle(before, 0);
  }

 private:
  /// The values of the first `count` lanes in their order, in lane 0.
  TEFF_INLINE static A fold(const warp& w, A value, int count) {
    TEFF_UNROLL
    for (int d = 1; d < warp::lanes; d *= 2) {
      const A other = w.shuffle_down(value, d);
      if (w.lane() % (2 * d) == 0 && w.lane() + d < count) value = Op{}(value, other);
    }
    return value;
  }

  chain_ticket<A> ticket_;
  word *of_pieces_, *of_groups_, *of_bundles_;
  index_t pieces_, groups_, bundles_;
};

/// The chain of lines side by side: a thread links a piece of one, so that threads side by side
/// read words side by side. 8 pieces to a group, 8 groups to a larger one, 8 of these to a bundle:
/// 11 words are read for a piece, on average. All bits of the words are 0 at first.
template <class Op, class A>
class chain_of_lines {
  using word = chain_word<A>;

 public:
  static constexpr int group = 8, levels = 3;

  /// Words of a chain, and one for its ticket; a single piece is not linked.
  static index_t words(index_t lines, index_t pieces) {
    index_t sum = 1;
    if (pieces == 1) return sum;
    for (int l = 0; l <= levels; ++l, pieces = ceil_div(pieces, group)) sum += lines * pieces;
    return sum;
  }
  static constexpr index_t word_size = sizeof(word);
  /// @param memory for `words`
  chain_of_lines(void* memory, index_t lines, index_t pieces)
      : ticket_(static_cast<word*>(memory)), lines_(static_cast<int>(lines)) {
    of_[0] = static_cast<word*>(memory) + 1;
    for (int l = 0; l < levels; ++l, pieces = ceil_div(pieces, group))
      of_[l + 1] = of_[l] + lines * pieces;
    bundles_ = static_cast<int>(pieces);
  }

  TEFF_INLINE unsigned take(const block& blk) const { return ticket_.take(blk); }

  /// Publishes the total of a piece, which holds for what comes before the line's first cell too.
  /// @returns what comes before the piece; nothing meaningful for piece 0
  TEFF_INLINE A link(const block& blk, int line, int piece, const A& total) const {
    A before{};
    bool has_before = false;
    bool is_last = true;  // of all groups so far
    int number = piece;   // of the group
    TEFF_NO_UNROLL
    for (int l = 0; l < levels; ++l) {
      const int earlier = number % group;
      word* const first = of_[l] + (index_t{number - earlier} * lines_ + line);
      if (is_last) word::publish(blk, first[earlier * lines_], l > 0 ? Op{}(before, total) : total);
      A sum{};
      TEFF_NO_UNROLL  // (several at once would take registers that loads of cells need)
          for (int u = 0; u < earlier; ++u) {
        const A value = published(blk, first[u * lines_]);
        sum = u > 0 ? Op{}(sum, value) : value;
      }
      if (earlier > 0) {
        before = has_before ? Op{}(sum, before) : sum;
        has_before = true;
      }
      is_last = is_last && earlier == group - 1;
      number /= group;
    }
    return with_bundles(blk, line, number, total, before, has_before, is_last);
  }

  /// The same for `count` lines side by side, by all threads of a block: those that are not needed
  /// for lines wait for words, too, so that up to seven of a line are asked for at once.
  /// @param total of the thread's line, of the first `count` threads
  /// @param before gets what comes before the piece, if it is not piece 0 @param words room for a
  /// value of each thread
  TEFF_INLINE void link_by_block(const block& blk, int first_line, int count, int piece,
                                 const A& total, const shared_array<A>& before,
                                 const shared_array<A>& words) const {
    const int t = blk.thread(), own = t / count, line = first_line + t - own * count;
    const int at_once = lesser_of(blk.threads() / count, group - 1);
    A mine{};
    bool has_before = false;
    bool is_last = true;  // of all groups so far
    int number = piece;   // of the group
    TEFF_NO_UNROLL
    for (int l = 0; l < levels; ++l) {
      const int earlier = number % group;
      word* const first = of_[l] + (index_t{number - earlier} * lines_ + line);
      if (is_last && own == 0)
        word::publish(blk, first[earlier * lines_], has_before ? Op{}(mine, total) : total);
      A sum{};
      TEFF_NO_UNROLL
      for (int from = 0; from < earlier; from += at_once) {
        if (own < at_once && from + own < earlier)
          words[t] = published(blk, first[(from + own) * lines_]);
        blk.sync();
        if (own == 0)
          for (int u = 0; u < at_once && from + u < earlier; ++u) {
            const A value = words[u * count + t];
            sum = from + u > 0 ? Op{}(sum, value) : value;
          }
        blk.sync();
      }
      if (earlier > 0) {
        mine = has_before ? Op{}(sum, mine) : sum;
        has_before = true;
      }
      is_last = is_last && earlier == group - 1;
      number /= group;
    }
    if (own > 0) return;
    mine = with_bundles(blk, line, number, total, mine, has_before, is_last);
    if (piece > 0) before[t] = mine;
  }

 private:
  TEFF_INLINE static A published(const block& blk, const word& where) {
    word found = blk.read_relaxed(where);
    word::wait(blk, where, found);
    return found.value;
  }
  /// Goes on from what comes before the piece in its bundle, number `bundle`. The bundle's last
  /// piece publishes what comes before the next one.
  TEFF_INLINE A with_bundles(const block& blk, int line, int bundle, const A& total, A before,
                             bool has_before, bool is_last) const {
    word* const mine = of_[levels] + (index_t{bundle} * lines_ + line);
    if (bundle > 0) {
      const A of_earlier = published(blk, *mine);
      before = has_before ? Op{}(of_earlier, before) : of_earlier;
    }
    if (is_last && bundle + 1 < bundles_) word::publish(blk, mine[lines_], Op{}(before, total));
    return before;
  }

  chain_ticket<A> ticket_;
  word* of_[levels + 1];
  int lines_, bundles_;
};

}  // namespace teff::inline TEFF_MODE::detail

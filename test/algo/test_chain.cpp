// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <vector>

#include <teff/algo/scan.hpp>
#include <teff/algo/scan/chain.hpp>
#include <teff/array/host_copy.hpp>

#include "../devices.hpp"
#include "../generator.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// x -> a * x + b modulo 251, packed in an integer: associative, not commutative.
struct affine_byte {
  TEFF_INLINE int operator()(int f, int g) const {
    const int a = f / 256 * (g / 256) % 251, b = (f % 256 * (g / 256) + g % 256) % 251;
    return a * 256 + b;
  }
};

/// The same for all threads of a block.
template <class Chain>
TEFF_INLINE unsigned ticket_of(block& blk, const Chain& links) {
  const auto taken = blk.shared<unsigned>(1);
  if (blk.thread() == 0) taken[0] = links.take(blk);
  blk.sync();
  return taken[0];
}

/// Each warp's block takes a piece of a line, hands its total on and writes what came before.
struct links_of_pieces {
  static constexpr int threads = 32;
  const i32* totals;
  i32* before;
  index_t lines, pieces;
  detail::chain<affine_byte, int> links;
  TEFF_INLINE void operator()(block& blk) const {
    const index_t number = ticket_of(blk, links), piece = number / lines, line = number % lines;
    const index_t at = line * pieces + piece;
    const int linked = links.link(blk, line, static_cast<int>(piece), totals[at]);
    if (blk.thread() == 0 && piece > 0) before[at] = linked;
  }
};

/// The same for lines side by side: a block takes a piece of all, a thread a line.
struct links_of_lines {
  static constexpr int threads = 64;
  const i32* totals;
  i32* before;
  index_t lines, pieces;
  detail::chain_of_lines<affine_byte, int> links;
  TEFF_INLINE void operator()(block& blk) const {
    const int piece = static_cast<int>(ticket_of(blk, links)), line = blk.thread();
    if (line >= lines) return;
    const index_t at = line * pieces + piece;
    const int linked = links.link(blk, line, piece, totals[at]);
    if (piece > 0) before[at] = linked;
  }
};

/// The same, all threads of a block for each piece.
struct links_of_blocks {
  static constexpr int threads = 96;
  const i32* totals;
  i32* before;
  index_t lines, pieces;
  detail::chain_of_lines<affine_byte, int> links;
  TEFF_INLINE void operator()(block& blk) const {
    const int piece = static_cast<int>(ticket_of(blk, links)), line = blk.thread();
    const auto earlier = blk.shared<int>(static_cast<int>(lines)),
               words = blk.shared<int>(blk.threads());
    const index_t at = line * pieces + piece;
    links.link_by_block(blk, 0, static_cast<int>(lines), piece, line < lines ? totals[at] : 0,
                        earlier, words);
    if (line < lines && piece > 0) before[at] = earlier[line];
  }
};

/// Random pieces of lines through a kernel, and what comes before each.
template <class Chain, class Kernel>
void check_links(generator& g, device dev, index_t lines, index_t pieces, index_t blocks,
                 index_t threads) {
  std::vector<i32> host(static_cast<std::size_t>(lines * pieces)), expected = host;
  for (i32& v : host) v = static_cast<i32>(g.between(1, 250) * 256 + g.between(0, 250));
  for (index_t l = 0; l < lines; ++l) {
    int running = 0;
    for (index_t p = 0; p < pieces; ++p) {
      const auto at = static_cast<std::size_t>(l * pieces + p);
      expected[at] = p > 0 ? running : -1;
      running = p > 0 ? affine_byte{}(running, host[at]) : host[at];
    }
  }
  array<i32, 1> totals(dev, {lines * pieces}), before(dev, {lines * pieces});
  array<i64, 1> words(dev, {Chain::words(lines, pieces) * Chain::word_size / 8});
  totals = from_host(host);
  before = -1;
  words = 0;
  launch_blocks(
      stream(dev), {.blocks = {blocks}, .threads = {threads}, .shared_bytes = 1024},
      Kernel{totals.data(), before.data(), lines, pieces, Chain(words.data(), lines, pieces)});
  CHECK(to_host(before) == expected);
  g.count();
}

}  // namespace

TEST_CASE("chain: every piece gets what comes before it, in order") {
  generator g("chain");
  for (const device dev : test_devices())
    for (const index_t pieces : {1, 2, 31, 32, 33, 64, 65, 1023, 1024, 1025, 2100}) {
      if (is_quick() && pieces > 100) continue;
      const index_t lines = pieces < 100 ? 3 : 1;
      check_links<detail::chain<affine_byte, int>, links_of_pieces>(g, dev, lines, pieces,
                                                                    lines * pieces, 32);
    }
}

TEST_CASE("chain_of_lines: every piece of every line gets what comes before it, in order") {
  generator g("chain of lines");
  for (const device dev : test_devices())
    for (const index_t pieces : {2, 7, 8, 9, 63, 64, 65, 511, 512, 513, 1100}) {
      if (is_quick() && pieces > 100) continue;
      check_links<detail::chain_of_lines<affine_byte, int>, links_of_lines>(
          g, dev, pieces < 100 ? 37 : 3, pieces, pieces, 64);
      check_links<detail::chain_of_lines<affine_byte, int>, links_of_blocks>(
          g, dev, pieces < 100 ? 37 : 3, pieces, pieces, 96);
    }
}

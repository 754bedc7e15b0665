// SPDX-License-Identifier: MIT
#include <algorithm>
#include <doctest/doctest.h>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <teff/grid/decomposition.hpp>
#include <teff/grid/halo_exchange.hpp>
#include <teff/grid/halo_plan.hpp>

#include "../generator.hpp"
#include "../message.hpp"

namespace teff::inline TEFF_MODE::test {
namespace {

using runtime::cell_range;
using runtime::decomposition;
using runtime::exchanged_field;
using runtime::grid_box;
using runtime::halo_move;
using runtime::padded_part;
using runtime::stagger;
using runtime::step_reach;

bool has(const grid_box& box, const index_t (&cell)[3]) {
  for (int d = 0; d < 3; ++d)
    if (cell[d] < box.of[d].begin || cell[d] >= box.of[d].end) return false;
  return true;
}
template <class F>
void each_cell(const grid_box& box, const F& f) {
  index_t c[3];
  for (c[2] = box.of[2].begin; c[2] < box.of[2].end; ++c[2])
    for (c[1] = box.of[1].begin; c[1] < box.of[1].end; ++c[1])
      for (c[0] = box.of[0].begin; c[0] < box.of[0].end; ++c[0]) f(c);
}

/// A grid that can be cut, and how it is.
struct drawn_grid {
  int dims, cuts[3] = {0, 0, 0};
  index_t n[3] = {1, 1, 1};
  int ranks = 1;

  explicit drawn_grid(generator& g) : dims(static_cast<int>(g.between(1, 3))) {
    for (int d = 0; d < dims; ++d) {
      n[d] = g.between(1, dims == 3 ? 12 : 30);
      const int cut = static_cast<int>(g.between(1, std::min<index_t>(n[d], 4)));
      cuts[d] = cut;
      ranks *= cut;
    }
    for (int d = 0; d < dims; ++d)
      if (g.chance(30)) cuts[d] = 0;
  }
};

std::string refused(int dims, const index_t (&n)[3], int ranks, const int (&cuts)[3]) {
  return message_of([&] { decomposition(dims, n, ranks, cuts); });
}

TEST_CASE("every cell of a grid has one owner") {
  generator g("decompositions");
  for (int round = 0; round < generator::rounds(300); ++round) {
    const drawn_grid of(g);
    const decomposition whole(of.dims, of.n, of.ranks, of.cuts);
    REQUIRE(whole.ranks() == of.ranks);
    stagger more;
    for (int d = 0; d < of.dims; ++d) more.of[d] = static_cast<int>(g.between(-1, 1));
    if (!message_of([&] { whole.check(more, "a field"); }).empty()) continue;
    g.count();
    index_t owned = 0, all = 1;
    for (int rank = 0; rank < of.ranks; ++rank) {
      const grid_box own = whole.own(rank, more);
      CHECK(!own.is_empty());
      owned += own.cells();
      each_cell(own, [&](const index_t(&cell)[3]) {
        int parts[3] = {0, 0, 0};
        for (int d = 0; d < of.dims; ++d) parts[d] = whole.part_with(d, cell[d]);
        if (whole.rank_of(parts) != rank) FAIL_CHECK("a cell has another owner");
      });
    }
    for (int d = 0; d < of.dims; ++d) all *= whole.extent(more, d);
    CHECK(owned == all);
  }
}

TEST_CASE("every cell of a halo comes once, from its owner") {
  generator g("halo plans");
  for (int round = 0; round < generator::rounds(300); ++round) {
    const drawn_grid of(g);
    const decomposition whole(of.dims, of.n, of.ranks, of.cuts);
    step_reach reach;
    exchanged_field field;
    bool is_periodic[3] = {false, false, false};
    for (int d = 0; d < of.dims; ++d) {
      for (const int side : {0, 1}) {
        reach.halo.of[d][side] = g.between(0, 5);
        reach.edge.of[d][side] = g.between(0, 3);
      }
      field.more.of[d] = static_cast<int>(g.between(0, 1));
      if (whole.is_cut(d) && of.n[d] > 2 && g.chance(40)) {
        is_periodic[d] = true;
        field.low[d] = 1;
        field.period[d] = whole.extent(field.more, d) - 2;
      }
    }
    g.count();
    for (int rank = 0; rank < of.ranks; ++rank) {
      const padded_part part = padded(whole, rank, reach, is_periodic);
      grid_box held = part.box;
      for (int d = 0; d < of.dims; ++d) held.of[d].end += field.more.of[d];
      const grid_box own = whole.own(rank, field.more);
      const std::vector<halo_move> moves = received_by(rank, whole, part, {field});
      std::vector<int> times(static_cast<std::size_t>(held.cells()), 0);
      for (const halo_move& move : moves) {
        CHECK(move.to == rank);
        const grid_box owned_there = whole.own(move.from, field.more);
        each_cell(move.target, [&](const index_t(&cell)[3]) {
          if (!has(held, cell)) {
            FAIL_CHECK("a cell that is not held");
            return;
          }
          index_t at = 0, source[3];
          for (int d = 2; d >= 0; --d) {
            at = at * held.of[d].count() + cell[d] - held.of[d].begin;
            source[d] = cell[d] + move.shift[d];
            const index_t period = is_periodic[d] ? field.period[d] : 0;
            if (period > 0 ? move.shift[d] % period != 0 : move.shift[d] != 0)
              FAIL_CHECK("not so many periods away");
            if (period > 0 && (source[d] < 1 || source[d] >= 1 + period))
              FAIL_CHECK("from a border cell");
          }
          if (!has(owned_there, source)) FAIL_CHECK("from a rank that has not the cell");
          ++times[static_cast<std::size_t>(at)];
        });
      }
      std::size_t at = 0;
      each_cell(held, [&](const index_t(&cell)[3]) {
        bool is_inner = has(own, cell);
        for (int d = 0; d < of.dims; ++d)
          if (is_periodic[d]) is_inner = is_inner && cell[d] >= 1 && cell[d] < 1 + field.period[d];
        if (times[at++] != (is_inner ? 0 : 1)) FAIL_CHECK("a cell comes never, or more than once");
      });
    }
  }
}

TEST_CASE("the last dim is cut first, and x last") {
  const auto cut = [](int dims, const index_t(&n)[3], int ranks) {
    return decomposition(dims, n, ranks, {0, 0, 0}).parts_text();
  };
  CHECK(cut(2, {1000, 1000, 1}, 8) == "1x8");
  CHECK(cut(2, {1000, 40, 1}, 8) == "2x4");
  CHECK(cut(3, {100, 100, 100}, 8) == "1x1x8");
  CHECK(cut(3, {100, 100, 40}, 8) == "1x2x4");
  CHECK(cut(1, {100, 1, 1}, 3) == "3");
  CHECK(decomposition(2, {1000, 1000, 1}, 6, {2, 0, 0}).parts_text() == "2x3");
}

TEST_CASE("grids that can not be cut are refused, with what there is") {
  CHECK(refused(2, {3, 2, 1}, 8, {0, 0, 0}) ==
        "grid: a grid of 3x2 cells can not be cut into one part for each of 8 ranks; 6 could be "
        "given cells");
  CHECK(refused(2, {30, 20, 1}, 3, {2, 2, 0}) ==
        "grid: cuts of 2x2 make 4 parts, but there are 3 ranks");
  CHECK(refused(2, {30, 20, 1}, 3, {2, 0, 0}) ==
        "grid: cuts of 2x0 (0: chosen) need a multiple of 2 parts, but there are 3 ranks");
  CHECK(refused(2, {30, 3, 1}, 10, {2, 0, 0}) ==
        "grid: a grid of 30x3 cells can not be cut into one part for each of 10 ranks, with cuts "
        "of 2x0 (0: chosen); cuts of 5x2 would do");
  CHECK(refused(2, {30, 3, 1}, 5, {0, 5, 0}) ==
        "grid: a grid of 30x3 cells has not a cell for each of 5 parts along y");
  CHECK(refused(2, {30, 0, 1}, 1, {0, 0, 0}).find("must have cells along every dim") !=
        std::string::npos);
  CHECK(refused(2, {30, -4, 1}, 1, {0, 0, 0}).find("must have cells along every dim") !=
        std::string::npos);
  CHECK(refused(2, {30, 3, 1}, 1, {-1, 0, 0}).find("asked were -1 along x") != std::string::npos);
  CHECK(refused(1, {30, 1, 1}, 2, {0, 2, 0}).find("has no dim y") != std::string::npos);
  CHECK(
      message_of([] {
        decomposition(1, {4, 1, 1}, 4, {0, 0, 0}).check({{-1, 0, 0}}, "grid array 'q' of 3 f64");
      }) ==
      "grid: grid array 'q' of 3 f64 has 3 cells along x, and of 4 parts of the grid's 4 the last "
      "begins at cell 3: it would have none");
}

/// One end of what never talks.
class silent : public runtime::transport {
 public:
  silent(int rank, int ranks) : rank_(rank), ranks_(ranks) {}
  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }
  const char* name() const override { return "silence"; }
  void post(const std::vector<runtime::message>&, const std::vector<runtime::message>&) override {}
  void wait(const std::string&) override {}
  std::shared_ptr<const runtime::words_of_ranks> all_gather(const std::string&, const void*,
                                                            std::size_t) override {
    return nullptr;
  }
  void limit_waiting(double) override {}
  void abort(std::exception_ptr) noexcept override {}

 private:
  int rank_, ranks_;
};

/// While slabs that no message touches are made, on a GPU in a stream of their own, halos are
/// written: both to the same cells would leave either.
TEST_CASE("what is made while halos travel is neither sent nor received") {
  generator g("untouched slabs");
  int found = 0;
  for (int round = 0; round < generator::rounds(300); ++round) {
    const drawn_grid of(g);
    const decomposition whole(of.dims, of.n, of.ranks, of.cuts);
    step_reach reach;
    for (int d = 0; d < of.dims; ++d)
      for (const int side : {0, 1}) reach.halo.of[d][side] = g.between(0, 5);
    g.count();
    std::vector<padded_part> parts;
    const bool is_periodic[3] = {false, false, false};
    for (int rank = 0; rank < of.ranks; ++rank)
      parts.push_back(padded(whole, rank, reach, is_periodic));
    const exchanged_field field;
    for (int rank = 0; rank < of.ranks; ++rank) {
      silent through(rank, of.ranks);
      const runtime::host_packer packer;
      const runtime::halo_exchange halos(through, whole, parts, {field}, {"T"},
                                         stream(device::cpu()), packer);
      for (int d = 0; d < of.dims; ++d) {
        const cell_range held = parts[static_cast<std::size_t>(rank)].box.of[d],
                         own = whole.own(rank, {}).of[d], rest = halos.untouched(d, held);
        if (rest.count() <= 0) continue;
        found += whole.is_cut(d);
        CHECK(rest.begin >= own.begin);
        CHECK(rest.end <= own.end);
        for (int other = 0; other < of.ranks; ++other)
          for (const halo_move& move :
               received_by(other, whole, parts[static_cast<std::size_t>(other)], {field}))
            if (move.from == rank) {
              const cell_range sent = move.source().of[d];
              CHECK((sent.end <= rest.begin || sent.begin >= rest.end));
            }
      }
    }
  }
  CHECK(found > 0);
}

}  // namespace
}  // namespace teff::inline TEFF_MODE::test

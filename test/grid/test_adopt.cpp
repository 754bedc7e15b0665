// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <doctest/doctest.h>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <teff/expr/fd2.hpp>
#include <teff/grid/gather.hpp>
#include <teff/grid/grid.hpp>
#include <teff/grid/grid_reduce.hpp>
#include <teff/grid/iterate.hpp>

#include "../generator.hpp"
#include "../message.hpp"
#include "grid_check.hpp"

namespace teff::inline TEFF_MODE::test {
namespace {

using namespace fd2;
using runtime::cell_range;
using runtime::decomposition;
using runtime::grid_box;

/// A grid as somebody else has cut it: parts of any lengths, ranks in any order.
struct callers_cut {
  int dims;
  index_t n[3] = {1, 1, 1};
  std::vector<grid_box> own;  // by rank

  callers_cut(generator& g, int of_dims, index_t least) : dims(of_dims) {
    std::vector<index_t> borders[3] = {{0, 1}, {0, 1}, {0, 1}};
    int ranks = 1;
    for (int d = 0; d < dims; ++d) {
      n[d] = g.between(3 * least, 3 * least + 20);
      borders[d] = {0, n[d]};
      for (int tries = 0; tries < 2; ++tries) {
        const index_t at = g.between(least, n[d] - least);
        const auto next = std::upper_bound(borders[d].begin(), borders[d].end(), at);
        if (*next - at < least || at - *(next - 1) < least) continue;
        if (ranks / (static_cast<int>(borders[d].size()) - 1) *
                static_cast<int>(borders[d].size()) >
            8)
          continue;
        ranks =
            ranks / (static_cast<int>(borders[d].size()) - 1) * static_cast<int>(borders[d].size());
        borders[d].insert(next, at);
      }
    }
    for (std::size_t z = 0; z + 1 < borders[2].size(); ++z)
      for (std::size_t y = 0; y + 1 < borders[1].size(); ++y)
        for (std::size_t x = 0; x + 1 < borders[0].size(); ++x)
          own.push_back({{{borders[0][x], borders[0][x + 1]},
                          {borders[1][y], borders[1][y + 1]},
                          {borders[2][z], borders[2][z + 1]}}});
    for (std::size_t i = own.size() - 1; i > 0; --i)
      std::swap(own[i], own[static_cast<std::size_t>(g.between(0, static_cast<index_t>(i)))]);
  }
  own_cells of(int rank) const {
    const grid_box& box = own[static_cast<std::size_t>(rank)];
    return {box.of[0], box.of[1], box.of[2]};
  }
  int ranks() const { return static_cast<int>(own.size()); }
};

TEST_CASE("a grid is cut as somebody else has cut it") {
  generator g("callers' cuts");
  for (int round = 0; round < generator::rounds(100); ++round) {
    const callers_cut cut(g, static_cast<int>(g.between(1, 3)), 1);
    g.count();
    const decomposition cells(cut.dims, cut.n, cut.own);
    REQUIRE(cells.ranks() == cut.ranks());
    index_t least = cut.n[0];
    for (int rank = 0; rank < cut.ranks(); ++rank) {
      const grid_box& box = cut.own[static_cast<std::size_t>(rank)];
      int parts[3];
      for (int d = 0; d < 3; ++d) {
        parts[d] = cells.part_of(rank, d);
        CHECK(cells.part_with(d, box.of[d].begin) == parts[d]);
        CHECK(cells.part_with(d, box.of[d].end - 1) == parts[d]);
      }
      least = std::min(least, box.of[0].count());
      CHECK(cells.rank_of(parts) == rank);
      CHECK(runtime::box_text(cells.own(rank, {}), 3) == runtime::box_text(box, 3));
    }
    CHECK(cells.least_part(0) == least);
  }
}

TEST_CASE("boxes that are no process grid are refused, with ranks and cells") {
  const auto refused = [](const std::vector<grid_box>& own) {
    const index_t n[3] = {10, 8, 1};
    return message_of([&] { decomposition(2, n, own); });
  };
  const auto box = [](index_t x0, index_t x1, index_t y0, index_t y1) {
    return grid_box{{{x0, x1}, {y0, y1}, {0, 1}}};
  };
  CHECK(refused({box(0, 6, 0, 8), box(5, 10, 0, 8)}) ==
        "grid: rank 1's own cells, 5..10 x 0..8 (to before the end), overlap those of rank 0, "
        "0..6 x 0..8; every cell has one owner");
  CHECK(refused({box(0, 6, 0, 8), box(7, 10, 0, 8)}) ==
        "grid: the ranks' own cells are 72 of the grid's 80; every cell has an owner");
  CHECK(refused({box(0, 6, 0, 8), box(6, 11, 0, 8)}) ==
        "grid: rank 1's own cells, 6..11 x 0..8 (to before the end), must be some of the grid's "
        "10x8");
  CHECK(refused({box(0, 10, 0, 8), box(3, 3, 0, 8)}).find("must be some of") != std::string::npos);
  CHECK(refused({box(0, 10, 0, 4), box(0, 6, 4, 8), box(6, 10, 4, 8)}) ==
        "grid: the ranks' own cells are no process grid: those of rank 0, 0..10 x 0..4, go on at "
        "cell 6 along x, where those of another rank begin; a border goes through the whole grid");
}

/// What a caller has: padded blocks of all ranks, in rows that are longer than they must be, and
/// an exchange of its own.
template <class T, int N>
struct callers_field {
  const callers_cut& cut;
  std::array<int, N> more;
  index_t halo;
  std::vector<std::vector<T>> memory;     // by rank
  std::vector<array_ref<T, N>> blocks{};  // by rank
  std::vector<grid_box> own{}, held{};
  std::barrier<> all;

  callers_field(const callers_cut& by, const std::array<int, N>& more_cells, index_t width)
      : cut(by), more(more_cells), halo(width), all(by.ranks()) {
    for (int rank = 0; rank < cut.ranks(); ++rank) {
      grid_box box = cut.own[static_cast<std::size_t>(rank)], room;
      extents<N> n, strides;
      index_t stride = 1;
      for (int d = 0; d < N; ++d) {
        const index_t by_d = more[static_cast<std::size_t>(d)], end = cut.n[d] + by_d;
        if (box.of[d].end == cut.n[d]) box.of[d].end = end;
        room.of[d] = {std::max<index_t>(0, box.of[d].begin - halo),
                      std::min(end, box.of[d].end + halo)};
        n[d] = room.of[d].count();
        strides[d] = stride;
        stride *= n[d] + 3;
      }
      own.push_back(box);
      held.push_back(room);
      memory.emplace_back(static_cast<std::size_t>(stride), T(-77));
      blocks.push_back(
          wrap_strided<T, N>(stream(device::cpu()), memory.back().data(), n, strides, "T"));
    }
  }
  T& cell(int rank, const index_t (&at)[3]) {
    const auto r = static_cast<std::size_t>(rank);
    T* cell = blocks[r].data();
    for (int d = 0; d < N; ++d) cell += (at[d] - held[r].of[d].begin) * blocks[r].stride(d);
    return *cell;
  }
  template <class F>
  static void each(const grid_box& box, const F& f) {
    index_t c[3];
    for (c[2] = box.of[2].begin; c[2] < box.of[2].end; ++c[2])
      for (c[1] = box.of[1].begin; c[1] < box.of[1].end; ++c[1])
        for (c[0] = box.of[0].begin; c[0] < box.of[0].end; ++c[0]) f(c);
  }
  std::size_t number(const index_t (&c)[3]) const {
    index_t at = 0;
    for (int d = N - 1; d >= 0; --d)
      at = at * (cut.n[d] + more[static_cast<std::size_t>(d)]) + c[d];
    return static_cast<std::size_t>(at);
  }
  void begin(const std::vector<T>& whole) {
    for (int rank = 0; rank < cut.ranks(); ++rank)
      each(own[static_cast<std::size_t>(rank)],
           [&](const index_t(&c)[3]) { cell(rank, c) = whole[number(c)]; });
  }
  std::vector<T> whole() {
    std::vector<T> cells(
        number({cut.n[0] + more[0] - 1, N > 1 ? cut.n[1] + more[N > 1] - 1 : 0, 0}) + 1);
    for (int rank = 0; rank < cut.ranks(); ++rank)
      each(own[static_cast<std::size_t>(rank)],
           [&](const index_t(&c)[3]) { cells[number(c)] = cell(rank, c); });
    return cells;
  }
  /// Cell by cell from whoever owns it.
  void exchange(int rank) {
    all.arrive_and_wait();
    const auto has = [](const grid_box& box, const index_t(&c)[3]) {
      for (int d = 0; d < N; ++d)
        if (c[d] < box.of[d].begin || c[d] >= box.of[d].end) return false;
      return true;
    };
    each(held[static_cast<std::size_t>(rank)], [&](const index_t(&c)[3]) {
      for (int other = 0; other < cut.ranks(); ++other)
        if (other != rank && has(own[static_cast<std::size_t>(other)], c))
          cell(rank, c) = cell(other, c);
    });
    all.arrive_and_wait();
  }
};

/// Heat with conditions, and sound on a staggered grid.
auto heat_step() {
  return timestep([](auto T, auto C, auto, auto) {
    return update(inn(T), inn(T) + 0.2 * inn(C) * (d2_xi(T) + d2_yi(T)),
                  boundary{.x = {gradient(0.0), fixed(1.0)}, .y = {fixed, gradient(0.0)}});
  });
}
auto sound_step() {
  return timestep([](auto P, auto C, auto Vx, auto Vy) {
    return stages(update(inn_x(Vx), inn_x(Vx) - 0.3 * d_xa(P)),
                  update(inn_y(Vy), inn_y(Vy) - 0.3 * d_ya(P)),
                  update(P, P - 0.3 * C * (d_xa(Vx) + d_ya(Vy))));
  });
}

template <class Step>
void check_adopted(const char* name, const Step& step) {
  generator g(name);
  constexpr std::array<std::array<int, 2>, 4> more{{{0, 0}, {0, 0}, {1, 0}, {0, 1}}};
  for (int round = 0; round < generator::rounds(30); ++round) {
    const callers_cut cut(g, 2, 4);
    const index_t steps = g.between(0, 12);
    iterate_options options{.steps = steps};
    if (g.chance(50)) options.schedule = g.chance(50) ? schedule::stepwise : schedule::temporal;
    std::vector<std::vector<double>> given;
    std::vector<array<double, 2>> whole;
    std::vector<std::unique_ptr<callers_field<double, 2>>> fields;
    std::vector<bool> is_called, is_adopted;
    for (const auto& by : more) {
      const extents<2> n{cut.n[0] + by[0], cut.n[1] + by[1]};
      auto& cells = given.emplace_back();
      for (index_t i = 0; i < n.size(); ++i) cells.push_back(0.5 + g.uniform());
      whole.emplace_back(device::cpu(), n);
      whole.back() = from_host(cells);
      fields.push_back(std::make_unique<callers_field<double, 2>>(cut, by, g.between(2, 7)));
      fields.back()->begin(cells);
      is_called.push_back(g.chance(40));
      is_adopted.push_back(g.chance(80));
    }
    g.count();
    iterate(step, options, whole[0], whole[1], whole[2], whole[3]);
    const double total = sum(whole[0]);
    std::atomic<int> right = 0;
    run_on(cpu_ranks(cut.ranks()), [&](const ranks& r) {
      const grid<2> on({cut.n[0], cut.n[1]}, {.on = r, .own = cut.of(r.rank())});
      std::vector<grid_array<double, 2>> all;
      all.reserve(4);
      for (std::size_t f = 0; f < 4; ++f) {
        callers_field<double, 2>& field = *fields[f];
        const auto rank = static_cast<std::size_t>(r.rank());
        if (is_adopted[f]) {
          const grid_box& own = field.own[rank];
          adopt_options how;
          if (is_called[f]) how.exchange = [&field, &r] { field.exchange(r.rank()); };
          all.push_back(
              on.adopt(field.blocks[rank], {.x = own.of[0], .y = own.of[1]}, field.halo, how));
        } else {
          all.push_back(on.template array<double>("own", more[f]));
          array<double, 2> root(device::cpu(), all.back().shape());
          root = from_host(given[f]);
          scatter(all.back(), root);
        }
      }
      iterate(step, options, all[0], all[1], all[2], all[3]);
      bool are_right = sum(all[0]) == total;
      for (std::size_t f = 0; f < 4; ++f) {
        const array<double, 2> cells = gather(all[f]);
        are_right =
            are_right && (!r.is_root() || have_same_bits(to_host(cells), to_host(whole[f])));
      }
      if (are_right) ++right;
    });
    CHECK(right == cut.ranks());
    for (std::size_t f = 0; f < 4; ++f) {
      if (is_adopted[f] && !have_same_bits(fields[f]->whole(), to_host(whole[f])))
        FAIL_CHECK("field " << f << " of the caller differs");
      // What lies between rows is nobody's.
      index_t untouched = 0;
      for (const auto& memory : fields[f]->memory)
        untouched += std::count(memory.begin(), memory.end(), -77.0);
      CHECK(untouched >= 3 * 3 * cut.ranks());
    }
  }
}

TEST_CASE("adopted blocks are advanced in place, to the bits of whole arrays: heat") {
  check_adopted("adopted heat", heat_step());
}
TEST_CASE("adopted blocks are advanced in place, to the bits of whole arrays: sound") {
  check_adopted("adopted sound", sound_step());
}

/// f(grid, rank's own cells, a block for them with a halo) on three ranks that cut y at 5 and 12 of
/// 10x20; what all of them say, alike.
template <class F>
std::string said(index_t halo, const F& f) {
  std::vector<std::string> texts(3);
  run_on(cpu_ranks(3), [&](const ranks& r) {
    const index_t borders[4] = {0, 5, 12, 20}, begin = borders[r.rank()],
                  end = borders[r.rank() + 1];
    const own_cells own{.x = {0, 10}, .y = {begin, end}};
    const grid<2> g({10, 20}, {.on = r, .own = own});
    array<double, 2> block(
        device::cpu(), {10, std::min<index_t>(20, end + halo) - std::max<index_t>(0, begin - halo)},
        "T");
    block = 1.0;
    texts[static_cast<std::size_t>(r.rank())] =
        message_of([&] { f(g, own, static_cast<const array_ref<double, 2>&>(block)); });
  });
  CHECK(texts[0] == texts[1]);
  CHECK(texts[0] == texts[2]);
  return texts[0];
}

TEST_CASE("a caller's halo says how seldom ranks exchange, and one that is too narrow is refused") {
  const auto smooth = timestep([](auto T) { return update(inn(T), inn(T) + 0.2 * d2_yi(T)); });
  for (const index_t halo : {1, 2, 3, 5}) {
    std::atomic<index_t> every = 0;
    CHECK(said(halo, [&](const auto& g, const own_cells& own, const auto& block) {
            const auto T = g.adopt(block, own, halo);
            every = iterate(smooth, 10, T).exchange_every();
          }) == "");
    CHECK(every == halo);
  }
  CHECK(said(0, [&](const auto& g, const own_cells& own,
                    const auto& block) { iterate(smooth, 10, g.adopt(block, own, 0)); }) ==
        "iterate: field 0, grid array 'T' of 10x20 f64, was adopted with a halo of 0, and a "
        "step needs 1");
  CHECK(said(2,
             [&](const auto& g, const own_cells& own, const auto& block) {
               iterate(smooth, {.steps = 10, .exchange_every = 4}, g.adopt(block, own, 2));
             }) ==
        "iterate: field 0, grid array 'T' of 10x20 f64, was adopted with a halo of 2, and 4 "
        "steps need 4: at most 2 between two exchanges");
  CHECK(said(2,
             [&](const auto& g, const own_cells& own, const auto& block) {
               iterate(timestep([](auto T) {
                         return update(inn(T), inn(T) + 0.2 * d2_yi(T), boundary{.y = periodic});
                       }),
                       10, g.adopt(block, own, 2));
             }) ==
        "iterate: fields are periodic along y, which is cut into 3 parts, and an adopted "
        "block has no cells beyond the grid's ends; use g.array<T>(), or cut other dims");
}

TEST_CASE("a caller's exchange that throws on one rank ends the run on all, with what it said") {
  std::vector<std::string> texts(3);
  const std::string thrown = message_of([&] {
    run_on(cpu_ranks(3), [&](const ranks& r) {
      const index_t begin = 6 * r.rank();
      const own_cells own{.x = {0, 10}, .y = {begin, begin + 6}};
      const grid<2> g({10, 18}, {.on = r, .own = own});
      const array<double, 2> block(device::cpu(), {10, r.rank() == 1 ? 8 : 7}, "T");
      block = 1.0;
      int calls = 0;
      const auto T = g.adopt(block, own, 1, {.exchange = [&] {
                               if (++calls == 3 && r.rank() == 1) throw error("no network");
                             }});
      texts[static_cast<std::size_t>(r.rank())] = message_of([&] {
        iterate(timestep([](auto t) { return update(inn(t), inn(t) + 0.2 * d2_yi(t)); }), 10, T);
      });
    });
  });
  CHECK(thrown == "no network");
  CHECK(texts[0] == "grid: rank 1 failed, which ends the grid on rank 0, too: no network");
  CHECK(texts[1] == "no network");
  CHECK(texts[2] == "grid: rank 1 failed, which ends the grid on rank 2, too: no network");
}

TEST_CASE("blocks that are not those of a grid are refused on all ranks, with numbers") {
  CHECK(said(1, [](const auto& g, const own_cells& own,
                   const auto& block) { (void)g.adopt(block, own, 2); }) ==
        "adopt: block 'T' has 10x6 cells, but own cells 0..10 x 0..5 with a halo of 2, as far "
        "as the grid goes, are 10x7, said by rank 0");
  CHECK(said(1,
             [](const auto& g, own_cells own, const auto& block) {
               if (own.y.begin == 5) own.y.begin = 6;
               (void)g.adopt(block, own, 1);
             }) ==
        "adopt: rank 1's own cells of block 'T' are 0..10 x 6..12, but the grid gives it "
        "0..10 x 5..12; grid_options::own makes a grid as the caller has cut it, and of a "
        "staggered field the last rank along a dim has the cells beyond");
  CHECK(said(1, [](const auto& g, const own_cells& own,
                   const auto& block) { (void)g.adopt(block, own, own.y.begin == 12 ? 2 : 1); }) ==
        "adopt: the block must be the same on all ranks, but rank 0 has block 'T' of f64 with "
        "a halo of 1 and rank 2 block 'T' of f64 with a halo of 2");
  CHECK(said(1, [](const auto& g, const own_cells& own, const auto& block) {
          (void)g.adopt(block, own, -1);
        }) == "adopt: a halo has 0 cells or more, got -1");
  CHECK(said(1, [](const auto& g, const own_cells& own, const auto&) {
          const grid<2> other({10, 20}, {.on = g.on(), .cuts = {1, 3, 0}, .own = own});
        }) == "grid: .own gives the ranks' cells, so .cuts can not; leave one of them out");
}

}  // namespace
}  // namespace teff::inline TEFF_MODE::test

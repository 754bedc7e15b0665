// SPDX-License-Identifier: MIT
// How a pass on a CPU is cut into tiles.
#include <algorithm>
#include <cstdint>
#include <doctest/doctest.h>
#include <utility>
#include <vector>

#include <teff/stencil/tiles/cut.hpp>
#include <teff/stencil/tiles/tile_memory.hpp>

namespace {

using teff::index_t;
using teff::runtime::cut_into_tiles;
using teff::runtime::tile_cut;
using teff::runtime::tiled_grid;

tiled_grid grid_2d(index_t nx, index_t ny, index_t overlap, index_t kept_bytes) {
  return {2, 2, 1, {nx, ny, 1}, {overlap, overlap, 0}, {}, kept_bytes, 0};
}
tiled_grid grid_3d(index_t nx, index_t ny, index_t nz, index_t overlap, index_t kept_bytes,
                   index_t cache_bytes = 0) {
  return {3, 1, 2, {nx, ny, nz}, {overlap, overlap, overlap}, {}, kept_bytes, cache_bytes};
}

index_t length(const tiled_grid& grid, const tile_cut& cut, int dim, index_t number) {
  return std::min(cut.cells[dim], grid.size[dim] - number * cut.cells[dim]);
}

/// Cells that the busiest of so many threads computes, of the average, where each has as many tiles
/// as the next, one range of them.
double busiest_thread(const tiled_grid& grid, const tile_cut& cut, index_t threads) {
  std::vector<index_t> cells(static_cast<std::size_t>(threads));
  for (index_t task = 0; task < cut.tiles(); ++task)
    cells[static_cast<std::size_t>(task * threads / cut.tiles())] +=
        length(grid, cut, 0, task % cut.count[0]) *
        length(grid, cut, 1, task / cut.count[0] % cut.count[1]) *
        length(grid, cut, 2, task / cut.count[0] / cut.count[1]);
  const auto most = static_cast<double>(*std::max_element(cells.begin(), cells.end()));
  return most * static_cast<double>(threads) /
         static_cast<double>(grid.size[0] * grid.size[1] * grid.size[2]);
}

}  // namespace

TEST_CASE("tiles: a grid that is a little longer than a chunk is shared out evenly") {
  for (const index_t n : {1024, 1026, 1500, 2048, 2050, 3000, 4097})
    for (const index_t threads : {1, 2, 3, 4}) {
      const tiled_grid grid = grid_2d(n, n, 16, 8 * 3 * 8);
      INFO(n << "^2, " << threads << " threads");
      CHECK(busiest_thread(grid, cut_into_tiles(grid, threads), threads) < 1.05);
    }
  for (const index_t n : {96, 201, 300, 512})
    for (const index_t threads : {1, 2, 3, 4})
      for (const index_t cache_bytes : {0, 2 << 20}) {
        const tiled_grid grid = grid_3d(n, n + 1, n - 3, 8, 4 * 3 * 8, cache_bytes);
        INFO(n << "^3, " << threads << " threads");
        CHECK(busiest_thread(grid, cut_into_tiles(grid, threads), threads) < 1.25);
      }
}

TEST_CASE("tiles: every cell is in one tile, and no tile is empty") {
  for (const index_t nx : {1, 2, 63, 255, 2049, 5000})
    for (const index_t ny : {1, 3, 64, 1025})
      for (const index_t nz : {1, 7, 130})
        for (const index_t kept : {8, 400, 3'000'000}) {
          const tiled_grid grid = nz == 1 ? grid_2d(nx, ny, 8, kept) : grid_3d(nx, ny, nz, 8, kept);
          const tile_cut cut = cut_into_tiles(grid, 4);
          for (int d = 0; d < 3; ++d) {
            REQUIRE(cut.count[d] >= 1);
            CHECK(cut.cells[d] * cut.count[d] >= grid.size[d]);
            CHECK(cut.cells[d] * (cut.count[d] - 1) < grid.size[d]);
          }
        }
}

TEST_CASE("tiles: what a tile keeps in 3-D is half of a large second-level cache, or 2 MB") {
  const auto kept = [](index_t cache_bytes) {
    const tile_cut cut = cut_into_tiles(grid_3d(512, 512, 512, 8, 80, cache_bytes), 2);
    return (cut.cells[0] + 8) * (cut.cells[1] + 8) * 80;
  };
  for (const index_t smaller : {0, 1 << 19, 1 << 20}) {
    CHECK(kept(smaller) <= 2 << 20);
    CHECK(kept(smaller) > 3 << 19);
  }
  for (const index_t cache_bytes : {2 << 20, 3 << 20, 8 << 20}) {
    CHECK(kept(cache_bytes) <= cache_bytes / 2);
    CHECK(kept(cache_bytes) > cache_bytes / 3);
  }
  // Half would leave fewer rows than overlap.
  const auto many = [](index_t cache_bytes) {
    const tile_cut cut = cut_into_tiles(grid_3d(384, 384, 384, 8, 400, cache_bytes), 2);
    return cut.cells[0] * cut.cells[1];
  };
  CHECK(many(2 << 20) == many(0));
  CHECK(many(0) == 192 * 18);
  CHECK(many(8 << 20) > many(0));
}

TEST_CASE("tiles: all cells along a periodic dim, but for that of the slabs") {
  tiled_grid grid = grid_3d(3000, 700, 2000, 8, 400);
  grid.is_periodic[0] = grid.is_periodic[1] = grid.is_periodic[2] = true;
  const tile_cut cut = cut_into_tiles(grid, 4);
  CHECK(cut.cells[0] == 3000);
  CHECK(cut.cells[1] == 700);
  CHECK(cut.count[2] > 1);
}

TEST_CASE("tiles: memory stays from pass to pass, and grows with what is asked for") {
  const teff::runtime::tile_memory memory;
  auto first = memory.take(1000);
  std::byte* const at = first.at;
  REQUIRE(at != nullptr);
  CHECK(reinterpret_cast<std::uintptr_t>(at) % 64 == 0);
  auto second = memory.take(500);
  CHECK(second.at != at);
  CHECK(second.bytes >= 500);
  memory.give_back(std::move(first));
  CHECK(memory.take(900).at == at);
  auto third = memory.take(2000);
  CHECK(third.bytes >= 2000);
  memory.give_back(std::move(second));  // too short now: freed
  CHECK(memory.take(2000).bytes >= 2000);
}

// SPDX-License-Identifier: MIT
#include <cstdint>

#include <teff/expr/statement_launch.hpp>

namespace teff::runtime {

namespace {

constexpr index_t most_blocks = 65535;

unsigned at_most(index_t blocks) {
  return static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks);
}
/// Halves of `threads`, down to what is enough for so many packs.
int enough(int threads, index_t packs_along) {
  while (threads > 1 && threads / 2 >= packs_along) threads /= 2;
  return threads;
}

}  // namespace

std::string statement_share::text() const {
  return std::to_string(threads_x) + "x" + std::to_string(threads_y) + "x" +
         std::to_string(threads_z) + " threads, each " + std::to_string(cells) + "x" +
         std::to_string(rows) + "x" + std::to_string(planes) + " cells";
}

index_t most_shift(const void* first, const index_t (&stride)[3], index_t cell_bytes,
                   index_t begin) {
  if (begin <= cell_bytes) return 0;
  const bool are_alike = stride[1] * cell_bytes % begin == 0 && stride[2] * cell_bytes % begin == 0;
  const auto beyond = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(first) %
                                           static_cast<std::uintptr_t>(begin));
  return (are_alike ? beyond : begin - cell_bytes) / cell_bytes;
}

statement_launches::statement_launches(const statement_share& share, const statement_shape& where,
                                       index_t most_shift, index_t rows)
    : n_{where.n[0], where.n[1], where.n[2]} {
  const index_t packs = ceil_div(n_[0] + most_shift, share.cells);
  // Few planes or rows make blocks wide, short rows make them high. Along x whole warps, or all of
  // a row that is shorter.
  const int threads_z = enough(share.threads_z, ceil_div(n_[2], share.planes));
  const int of_plane = share.threads() / threads_z;
  const auto high_enough = [&](int threads_y) {
    return enough(threads_y, ceil_div(n_[1], share.rows));
  };
  const index_t columns = ceil_div(packs, of_plane / high_enough(share.threads_y));
  int threads_x = static_cast<int>(ceil_div(ceil_div(packs, columns), 32)) * 32;
  while (threads_x <= 32 && threads_x / 2 >= packs) threads_x /= 2;
  const int threads_y = high_enough(of_plane / threads_x);
  threads[0] = static_cast<unsigned>(threads_x);
  threads[1] = static_cast<unsigned>(threads_y);
  threads[2] = static_cast<unsigned>(threads_z);
  rows_of_block_ = index_t{threads_y} * share.rows;
  planes_of_block_ = index_t{threads_z} * share.planes;
  blocks[0] = static_cast<unsigned>(ceil_div(packs, threads_x));
  rows_of_grid_ = at_most(ceil_div(rows, rows_of_block_)) * rows_of_block_;
  cut();
}

void statement_launches::next() {
  first_row += rows_of_grid_;
  if (first_row >= n_[1]) {
    first_row = 0;
    first_plane += most_blocks * planes_of_block_;
  }
  if (!is_done()) cut();
}

void statement_launches::cut() {
  const index_t rows_left = n_[1] - first_row;
  const index_t rows = rows_left < rows_of_grid_ ? rows_left : rows_of_grid_;
  blocks[1] = static_cast<unsigned>(ceil_div(rows, rows_of_block_));
  blocks[2] = at_most(ceil_div(n_[2] - first_plane, planes_of_block_));
}

statement_launches launches_of(const statement_share& share, const statement_shape& where,
                               index_t most_shift, bool must_shift, index_t rows) {
  const statement_launches shifted(share, where, most_shift, rows);
  if (must_shift || most_shift == 0) return shifted;
  statement_launches plain(share, where, 0, rows);
  plain.begins_with_sector = false;
  return shifted.blocks[0] > plain.blocks[0] ? plain : shifted;
}

}  // namespace teff::runtime

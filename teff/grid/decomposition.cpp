// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <optional>

#include <teff/array/extents.hpp>
#include <teff/base/error.hpp>
#include <teff/grid/decomposition.hpp>

namespace teff::runtime {

namespace {

/// A dim is cut into parts of this many cells before the next one is cut at all.
constexpr index_t least_cells = 8;

std::string product_text(const int (&of)[3], int dims) {
  std::string text;
  for (int d = 0; d < dims; ++d) text += (d > 0 ? "x" : "") + std::to_string(of[d]);
  return text;
}

[[noreturn]] void refuse_grid(const std::string& why) {
  throw error(failure::usage, "grid: " + why);
}

/// Lower is better: no thin parts, then as few cuts of x as possible, then of y.
using worth = std::array<int, 4>;
worth worth_of(const int (&parts)[3], const index_t (&n)[3]) {
  bool is_thin = false;
  for (int d = 0; d < 3; ++d) is_thin = is_thin || (parts[d] > 1 && n[d] / parts[d] < least_cells);
  return {is_thin ? 1 : 0, parts[0], parts[1], parts[2]};
}

/// The most ranks that are no more than `ranks` and give every one a cell.
int most_ranks(int ranks, int dims, const index_t (&n)[3]);

struct search {
  int dims;
  const index_t (&n)[3];
  const int (&given)[3];
  int found[3] = {0, 0, 0};
  std::optional<worth> best;

  void try_parts(int dim, int left, int (&parts)[3]) {
    if (dim < 0) {
      if (left != 1) return;
      const worth one = worth_of(parts, n);
      if (best && !(one < *best)) return;
      best = one;
      std::copy(std::begin(parts), std::end(parts), std::begin(found));
      return;
    }
    for (int p = 1; p <= left; ++p) {
      if (left % p != 0 || (dim >= dims && p > 1)) continue;
      if (dim < dims && (p > n[dim] || (given[dim] > 0 && p != given[dim]))) continue;
      parts[dim] = p;
      try_parts(dim - 1, left / p, parts);
    }
  }
};

bool find_parts(int ranks, int dims, const index_t (&n)[3], const int (&given)[3],
                int (&parts)[3]) {
  search all{dims, n, given};
  int tried[3] = {1, 1, 1};
  all.try_parts(2, ranks, tried);
  std::copy(std::begin(all.found), std::end(all.found), std::begin(parts));
  return all.best.has_value();
}

int most_ranks(int ranks, int dims, const index_t (&n)[3]) {
  int parts[3];
  const int free[3] = {0, 0, 0};
  while (ranks > 1 && !find_parts(ranks, dims, n, free, parts)) --ranks;
  return ranks;
}

}  // namespace

decomposition::decomposition(int dims, const index_t (&n)[3], int ranks, const int (&cuts)[3])
    : dims_(dims) {
  constexpr const char* axis[3] = {"x", "y", "z"};
  for (int d = 0; d < 3; ++d) n_[d] = d < dims ? n[d] : 1;
  const std::string whole = "a grid of " + extents_text() + " cells";
  for (int d = 0; d < dims; ++d) {
    if (n[d] < 1) refuse_grid(whole + ": it must have cells along every dim");
    if (cuts[d] < 0)
      refuse_grid("a dim is cut into 1 part or more (0: chosen), asked were " +
                  std::to_string(cuts[d]) + " along " + axis[d]);
    if (cuts[d] > n[d])
      refuse_grid(whole + " has not a cell for each of " + std::to_string(cuts[d]) +
                  " parts along " + axis[d]);
  }
  for (int d = dims; d < 3; ++d)
    if (cuts[d] > 1)
      refuse_grid(whole + " has no dim " + axis[d] + ", to be cut into " + std::to_string(cuts[d]));
  if (find_parts(ranks, dims, n_, cuts, parts_)) {
    for (int d = 0; d < 3; ++d) {  // parts differ by one cell at most
      const index_t each = n_[d] / parts_[d], more = n_[d] % parts_[d];
      for (index_t p = 0; p <= parts_[d]; ++p) borders_[d].push_back(p * each + std::min(p, more));
    }
    return;
  }
  int product = 1;
  bool are_all_given = true;
  for (int d = 0; d < dims; ++d) {
    product *= std::max(cuts[d], 1);
    are_all_given = are_all_given && cuts[d] > 0;
  }
  if (are_all_given || ranks % product != 0)
    refuse_grid("cuts of " + product_text(cuts, dims) +
                (are_all_given ? " make " : " (0: chosen) need ") +
                (are_all_given ? "" : "a multiple of ") + std::to_string(product) +
                " parts, but there are " + std::to_string(ranks) + " ranks");
  const int free[3] = {0, 0, 0};
  int other[3] = {1, 1, 1};
  const bool has_other = find_parts(ranks, dims, n_, free, other);
  refuse_grid(
      whole + " can not be cut into one part for each of " + std::to_string(ranks) + " ranks" +
      (has_other ? ", with cuts of " + product_text(cuts, dims) + " (0: chosen); cuts of " +
                       product_text(other, dims) + " would do"
                 : "; " + std::to_string(most_ranks(ranks, dims, n_)) + " could be given cells"));
}

namespace {

bool have_common_cells(const grid_box& a, const grid_box& b) {
  for (int d = 0; d < 3; ++d)
    if (a.of[d].end <= b.of[d].begin || b.of[d].end <= a.of[d].begin) return false;
  return true;
}

/// The boxes tile the whole.
void check_tiles(const std::vector<grid_box>& own, int dims, const index_t (&n)[3]) {
  index_t cells = 0;
  for (std::size_t rank = 0; rank < own.size(); ++rank) {
    const grid_box& box = own[rank];
    const std::string whose = "rank " + std::to_string(rank) + "'s own cells, " +
                              box_text(box, dims) + " (to before the end),";
    bool is_inside = !box.is_empty();
    for (int d = 0; d < 3; ++d)
      is_inside = is_inside && box.of[d].begin >= 0 && box.of[d].end <= n[d];
    if (!is_inside) refuse_grid(whose + " must be some of the grid's " + extents_text(n, dims));
    for (std::size_t other = 0; other < rank; ++other)
      if (have_common_cells(box, own[other]))
        refuse_grid(whose + " overlap those of rank " + std::to_string(other) + ", " +
                    box_text(own[other], dims) + "; every cell has one owner");
    cells += box.cells();
  }
  if (const index_t all = n[0] * n[1] * n[2]; cells != all)
    refuse_grid("the ranks' own cells are " + std::to_string(cells) + " of the grid's " +
                std::to_string(all) + "; every cell has an owner");
}

}  // namespace

decomposition::decomposition(int dims, const index_t (&n)[3], const std::vector<grid_box>& own)
    : dims_(dims) {
  for (int d = 0; d < 3; ++d) n_[d] = d < dims ? n[d] : 1;
  check_tiles(own, dims, n_);
  std::size_t places = 1;
  for (int d = 0; d < 3; ++d) {
    std::vector<index_t>& borders = borders_[d];
    for (const grid_box& box : own) borders.push_back(box.of[d].begin);
    borders.push_back(n_[d]);
    std::sort(borders.begin(), borders.end());
    borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
    parts_[d] = static_cast<int>(borders.size()) - 1;
    places *= borders.size() - 1;
  }
  for (std::size_t rank = 0; rank < own.size(); ++rank) {
    int place = 0;
    for (int d = 2; d >= 0; --d) {
      const cell_range& range = own[rank].of[d];
      const int number = part_with(d, range.begin);
      if (part(d, number).end != range.end)
        refuse_grid("the ranks' own cells are no process grid: those of rank " +
                    std::to_string(rank) + ", " + box_text(own[rank], dims) + ", go on at cell " +
                    std::to_string(part(d, number).end) + " along " + "xyz"[d] +
                    ", where those of another rank begin; a border goes through the whole grid");
      place = place * parts_[d] + number;
    }
    place_by_rank_.push_back(place);
  }
  // As many boxes as places, since they tile the whole.
  ranks_by_place_.resize(places);
  for (std::size_t rank = 0; rank < own.size(); ++rank)
    ranks_by_place_[static_cast<std::size_t>(place_by_rank_[rank])] = static_cast<int>(rank);
  if (std::is_sorted(place_by_rank_.begin(), place_by_rank_.end())) {
    place_by_rank_.clear();
    ranks_by_place_.clear();
  }
}

int decomposition::part_of(int rank, int dim) const {
  int place = place_by_rank_.empty() ? rank : place_by_rank_[static_cast<std::size_t>(rank)];
  for (int d = 0; d < dim; ++d) place /= parts_[d];
  return place % parts_[dim];
}

index_t decomposition::least_part(int dim) const {
  index_t least = n_[dim];
  for (int p = 0; p < parts_[dim]; ++p) least = std::min(least, part(dim, p).count());
  return least;
}

int decomposition::part_with(int dim, index_t cell) const {
  const std::vector<index_t>& borders = borders_[dim];
  const auto behind = std::upper_bound(borders.begin(), borders.end(), cell);
  return std::clamp(static_cast<int>(behind - borders.begin()) - 1, 0, parts_[dim] - 1);
}

grid_box decomposition::own(int rank, const stagger& more) const {
  grid_box box;
  for (int d = 0; d < dims_; ++d) {
    const int number = part_of(rank, d);
    cell_range& range = box.of[d];
    range = part(d, number);
    const index_t n = extent(more, d);
    range.end = number == parts_[d] - 1 ? n : std::min(range.end, n);
    range.begin = std::min(range.begin, range.end);
  }
  return box;
}

void decomposition::check(const stagger& more, const std::string& field) const {
  constexpr const char* axis[3] = {"x", "y", "z"};
  for (int d = 0; d < dims_; ++d) {
    const cell_range last = part(d, parts_[d] - 1);
    if (extent(more, d) <= last.begin)
      refuse_grid(field + " has " + std::to_string(extent(more, d)) + " cells along " + axis[d] +
                  ", and of " + std::to_string(parts_[d]) + " parts of the grid's " +
                  std::to_string(n_[d]) + " the last begins at cell " + std::to_string(last.begin) +
                  ": it would have none");
  }
}

std::string box_text(const grid_box& box, int dims) {
  std::string text;
  for (int d = 0; d < dims; ++d)
    text += (d > 0 ? " x " : "") + std::to_string(box.of[d].begin) + ".." +
            std::to_string(box.of[d].end);
  return text;
}

std::string decomposition::extents_text() const {
  return runtime::extents_text(n_, dims_);
}

std::string decomposition::parts_text() const {
  return product_text(parts_, dims_);
}

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <utility>

#include <teff/grid/numbered_cells.hpp>

namespace teff::runtime {

field_parts parts_of(const decomposition& cells, const stagger& more) {
  field_parts parts;
  for (int d = 0; d < cells.dims(); ++d) parts.n[d] = cells.extent(more, d);
  for (int rank = 0; rank < cells.ranks(); ++rank) parts.own.push_back(cells.own(rank, more));
  return parts;
}

field_parts turned(const field_parts& parts, int dims) {
  field_parts result = parts;
  std::reverse(result.n, result.n + dims);
  for (grid_box& box : result.own) std::reverse(box.of, box.of + dims);
  return result;
}

held_cells turned(const held_cells& held, int dims) {
  held_cells result = held;
  std::reverse(result.cells.count, result.cells.count + dims);
  std::reverse(result.cells.stride_bytes, result.cells.stride_bytes + dims);
  std::reverse(result.first, result.first + dims);
  return result;
}

namespace {

/// Cells of the box whose numbers are less.
index_t cells_before(const index_t (&n)[3], const grid_box& box, index_t number) {
  const auto [x, y, z] = box.of;
  const auto within = [](index_t at, const cell_range& of) {
    return std::clamp<index_t>(at - of.begin, 0, of.count());
  };
  const auto has = [](index_t at, const cell_range& of) { return at >= of.begin && at < of.end; };
  const index_t at_x = number % n[0], at_y = number / n[0] % n[1], at_z = number / n[0] / n[1];
  index_t before = within(at_z, z) * y.count() * x.count();
  if (!has(at_z, z)) return before;
  before += within(at_y, y) * x.count();
  return has(at_y, y) ? before + within(at_x, x) : before;
}

/// The cells that a rank's box and a range of numbers have in common, as the box counts them: in
/// both their order is the same.
number_range common(const field_parts& parts, int rank, const number_range& numbers) {
  const grid_box& box = parts.own[static_cast<std::size_t>(rank)];
  return {cells_before(parts.n, box, numbers.begin), cells_before(parts.n, box, numbers.end)};
}

/// f(first cell of a run along x, its number, cells) of such cells.
template <class F>
void each_run(const field_parts& parts, int rank, const number_range& of_box, const F& f) {
  const auto [x, y, z] = parts.own[static_cast<std::size_t>(rank)].of;
  for (index_t i = of_box.begin; i < of_box.end;) {
    const index_t row = i / x.count(), along = i % x.count();
    const index_t at[3] = {x.begin + along, y.begin + row % y.count(), z.begin + row / y.count()};
    const index_t cells = std::min(x.count() - along, of_box.end - i);
    f(at, at[0] + parts.n[0] * (at[1] + parts.n[1] * at[2]), cells);
    i += cells;
  }
}

std::size_t bytes_of(const held_cells& own, index_t cells) {
  return static_cast<std::size_t>(cells * own.cells.cell_bytes);
}

/// f(this rank's cells of a run: a box, cells).
template <class F>
void each_own_run(const field_parts& parts, int me, const number_range& of_box, const F& f) {
  each_run(parts, me, of_box, [&](const index_t(&at)[3], index_t number, index_t cells) {
    f(grid_box{{{at[0], at[0] + cells}, {at[1], at[1] + 1}, {at[2], at[2] + 1}}}, number);
  });
}

/// One rank's share of what travels: messages and their buffers.
class mail {
 public:
  explicit mail(const ranks& on, const std::string& what) : on_(on), what_(what) {
    buffers_.reserve(2 * static_cast<std::size_t>(on.count()));
  }
  std::byte* to(int rank, std::size_t bytes) { return room(sends_, rank, bytes); }
  std::byte* from(int rank, std::size_t bytes) { return room(receives_, rank, bytes); }
  void exchange() {
    on_.through().post(sends_, receives_);
    on_.through().wait(what_);
  }

 private:
  std::byte* room(std::vector<message>& all, int rank, std::size_t bytes) {
    std::vector<std::byte>& buffer = buffers_.emplace_back(bytes);
    all.push_back({rank, buffer.data(), bytes, &what_});
    return buffer.data();
  }

  const ranks& on_;
  const std::string& what_;
  std::vector<std::vector<std::byte>> buffers_;
  std::vector<message> sends_, receives_;
};

}  // namespace

void collect_cells(const ranks& on, const field_parts& parts, const held_cells& own,
                   const std::vector<number_range>& wanted, std::byte* cells,
                   const std::string& what) {
  const int me = on.rank();
  const number_range& mine = wanted[static_cast<std::size_t>(me)];
  mail all(on, what);
  std::vector<std::byte*> from(wanted.size(), nullptr);
  const auto place_of = [&](index_t number) { return cells + bytes_of(own, number - mine.begin); };
  for (int rank = 0; rank < on.count(); ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    const number_range theirs = common(parts, me, wanted[at]);
    if (rank == me) {
      each_own_run(parts, me, theirs,
                   [&](const grid_box& run, index_t number) { pack(own, run, place_of(number)); });
      continue;
    }
    if (theirs.count() > 0) {
      std::byte* end = all.to(rank, bytes_of(own, theirs.count()));
      each_own_run(parts, me, theirs,
                   [&](const grid_box& run, index_t) { end = pack(own, run, end); });
    }
    const number_range needed = common(parts, rank, mine);
    if (needed.count() > 0) from[at] = all.from(rank, bytes_of(own, needed.count()));
  }
  all.exchange();
  for (int rank = 0; rank < on.count(); ++rank) {
    const std::byte* next = from[static_cast<std::size_t>(rank)];
    if (next == nullptr) continue;
    each_run(parts, rank, common(parts, rank, mine),
             [&](const index_t(&)[3], index_t number, index_t count) {
               std::memcpy(place_of(number), next, bytes_of(own, count));
               next += bytes_of(own, count);
             });
  }
}

void deliver_cells(const ranks& on, const field_parts& parts, const std::vector<number_range>& had,
                   const std::byte* cells, const held_cells& own, const std::string& what) {
  const int me = on.rank();
  const number_range& mine = had[static_cast<std::size_t>(me)];
  mail all(on, what);
  std::vector<std::byte*> from(had.size(), nullptr);
  const auto place_of = [&](index_t number) { return cells + bytes_of(own, number - mine.begin); };
  for (int rank = 0; rank < on.count(); ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    const number_range needed = common(parts, me, had[at]);
    if (rank == me) {
      each_own_run(parts, me, needed, [&](const grid_box& run, index_t number) {
        unpack(own, run, place_of(number));
      });
      continue;
    }
    if (needed.count() > 0) from[at] = all.from(rank, bytes_of(own, needed.count()));
    const number_range theirs = common(parts, rank, mine);
    if (theirs.count() == 0) continue;
    std::byte* end = all.to(rank, bytes_of(own, theirs.count()));
    each_run(parts, rank, theirs, [&](const index_t(&)[3], index_t number, index_t count) {
      std::memcpy(end, place_of(number), bytes_of(own, count));
      end += bytes_of(own, count);
    });
  }
  all.exchange();
  for (int rank = 0; rank < on.count(); ++rank) {
    const std::byte* next = from[static_cast<std::size_t>(rank)];
    if (next == nullptr) continue;
    each_own_run(parts, me, common(parts, me, had[static_cast<std::size_t>(rank)]),
                 [&](const grid_box& run, index_t) { next = unpack(own, run, next); });
  }
}

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
// A code of its own, with its own decomposition, padded blocks and halo exchange, whose fields Teff
// advances where they are. Ranks are threads here; with MPI the code's own parts would be messages.
#include <barrier>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <vector>

#include <teff/teff.hpp>

using namespace teff;
using namespace teff::fd2;

// ---- the code as it was: a plate, cut along y where it suits the code

constexpr index_t nx = 300, ny = 200, halo = 3;
constexpr double k = 0.125;  // lam dt / dx^2

struct strip {
  index_t begin, end;            // own rows, in numbers of the plate
  index_t first, last;           // rows with those of the halo: no plate, no halo
  std::vector<double> T, T_new;  // rows of nx values

  strip(index_t own_begin, index_t own_end)
      : begin(own_begin),
        end(own_end),
        first(std::max<index_t>(0, begin - halo)),
        last(std::min(ny, end + halo)),
        T(static_cast<std::size_t>(nx * (last - first))),
        T_new(T) {}

  double* row(index_t y) { return &T[static_cast<std::size_t>(nx * (y - first))]; }
  double& at(std::vector<double>& field, index_t x, index_t y) const {
    return field[static_cast<std::size_t>(x + nx * (y - first))];
  }

  void start() {
    for (index_t y = begin; y < end; ++y)
      for (index_t x = 0; x < nx; ++x)
        at(T, x, y) = 1.0 / (1.0 + 0.01 * static_cast<double>((x - 150) * (x - 150)) +
                             0.02 * static_cast<double>((y - 90) * (y - 90)));
  }

  void step() {
    T_new = T;
    for (index_t y = std::max<index_t>(1, begin); y < std::min(ny - 1, end); ++y)
      for (index_t x = 1; x < nx - 1; ++x) {
        const auto second = [](double before, double here, double after) {
          return (after - here) - (here - before);
        };
        at(T_new, x, y) = at(T, x, y) + k * (second(at(T, x - 1, y), at(T, x, y), at(T, x + 1, y)) +
                                             second(at(T, x, y - 1), at(T, x, y), at(T, x, y + 1)));
      }
    std::swap(T, T_new);
  }
};

struct plate {
  std::vector<strip> blocks;
  std::barrier<> all;

  explicit plate(const std::vector<index_t>& borders)
      : all(static_cast<std::ptrdiff_t>(borders.size()) - 1) {
    for (std::size_t i = 0; i + 1 < borders.size(); ++i)
      blocks.emplace_back(borders[i], borders[i + 1]);
  }

  /// Halo rows from whoever owns them.
  void exchange(int rank) {
    all.arrive_and_wait();
    strip& mine = blocks[static_cast<std::size_t>(rank)];
    for (strip& other : blocks)
      for (index_t y = std::max(mine.first, other.begin); y < std::min(mine.last, other.end); ++y)
        if (&other != &mine) std::memcpy(mine.row(y), other.row(y), nx * sizeof(double));
    all.arrive_and_wait();
  }
};

// ---- the same plate, advanced by Teff

auto heat() {
  return timestep([](auto T) { return update(inn(T), inn(T) + k * (d2_xi(T) + d2_yi(T))); });
}

void check_equal(const plate& one, const plate& other, const char* how) {
  for (std::size_t i = 0; i < one.blocks.size(); ++i) {
    const strip &a = one.blocks[i], &b = other.blocks[i];
    const index_t from = nx * (a.begin - a.first), count = nx * (a.end - a.begin);
    if (std::memcmp(a.T.data() + from, b.T.data() + from,
                    static_cast<std::size_t>(count) * sizeof(double)) != 0)
      throw error("strip " + std::to_string(i) + " has other bits than the code's, " + how);
  }
}

int main() try {
  const index_t steps = 100;
  const std::vector<index_t> borders{0, 40, 110, 200};  // a code's own reasons
  plate by_itself(borders), by_teff(borders), by_both(borders);
  for (plate* one : {&by_itself, &by_teff, &by_both})
    for (strip& part : one->blocks) part.start();

  run_on(cpu_ranks(3), [&](const ranks& r) {
    const int rank = r.rank();
    for (index_t s = 0; s < steps; ++s) {
      by_itself.exchange(rank);
      by_itself.blocks[static_cast<std::size_t>(rank)].step();
    }

    strip& mine = by_teff.blocks[static_cast<std::size_t>(rank)];
    const own_cells own{.x = {0, nx}, .y = {mine.begin, mine.end}};
    grid g({nx, ny}, {.on = r, .own = own});
    const auto adopt = [&](strip& part, const adopt_options& how) {
      const index_t rows = part.last - part.first;
      return g.adopt(wrap(stream(device::cpu()), part.T.data(), {nx, rows}, {1, nx}), own, halo,
                     how);
    };
    const double* const before = mine.T.data();
    const auto T = adopt(mine, {.label = "T"});
    const auto run = iterate(heat(), steps, T);  // an exchange every 3 steps: so wide is the halo
    if (mine.T.data() != before || T.own().data() != mine.row(mine.begin))
      throw error("the field is not where it was");

    strip& other = by_both.blocks[static_cast<std::size_t>(rank)];
    iterate(heat(), steps,
            adopt(other, {.label = "T", .exchange = [&] { by_both.exchange(rank); }}));
    if (g.is_root()) std::cout << run << '\n';
  });

  check_equal(by_itself, by_teff, "where Teff exchanges");
  check_equal(by_itself, by_both, "where the code does");
  std::cout << "the bits of the code's own loop\n";
} catch (const error& e) {
  std::cerr << e.what() << '\n';
  return e.exit_status();
}

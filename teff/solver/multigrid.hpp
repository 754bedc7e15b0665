// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <teff/solver/conductances.hpp>
#include <teff/solver/multigrid_plan.hpp>
#include <teff/stencil/iterate.hpp>

/// Geometric multigrid for cells that exchange by conductances: the cycle, as a solver's step and
/// as a preconditioner.
namespace teff::inline TEFF_MODE {

namespace conduction {

/// A step of Jacobi's method, weighted: the first one by `first`, the second by `second`.
namespace in2d {
template <class R>
auto smoothing(R first, R second, const boundary& sides) {
  return timestep([=](auto u, auto f, auto gx, auto gy) {
    auto weight = first + (second - first) * step_index;
    return update(inn(u), inn(u) + weight * ((f - outflow(u, gx, gy)) / diagonal(gx, gy)), sides);
  });
}
template <class R>
auto even_smoothing(R first, R second, const boundary& sides, R cx, R cy) {
  const R _diagonal = 1 / (2 * (cx + cy));
  const R start = first * _diagonal, more = (second - first) * _diagonal;
  return timestep([=](auto u, auto f) {
    return update(inn(u), inn(u) + (start + more * step_index) * (f - even_outflow(u, cx, cy)),
                  sides);
  });
}
}  // namespace in2d
namespace in3d {
template <class R>
auto smoothing(R first, R second, const boundary& sides) {
  return timestep([=](auto u, auto f, auto gx, auto gy, auto gz) {
    auto weight = first + (second - first) * step_index;
    return update(inn(u), inn(u) + weight * ((f - outflow(u, gx, gy, gz)) / diagonal(gx, gy, gz)),
                  sides);
  });
}
template <class R>
auto even_smoothing(R first, R second, const boundary& sides, R cx, R cy, R cz) {
  const R _diagonal = 1 / (2 * (cx + cy + cz));
  const R start = first * _diagonal, more = (second - first) * _diagonal;
  return timestep([=](auto u, auto f) {
    return update(inn(u), inn(u) + (start + more * step_index) * (f - even_outflow(u, cx, cy, cz)),
                  sides);
  });
}
}  // namespace in3d
}  // namespace conduction

/// Levels of cells, each of pairs of the one before it along the dims that exchange strongest (all
/// of them, where they are alike), down to a single cell: any extents will do.
/// A V-cycle smooths twice on the way down and twice on the way up, by the four steps of a
/// Chebyshev polynomial of Jacobi's method; the sum of the residuals of a pair is the pair's
/// right-hand side, its solution is interpolated linearly.
/// @source Trottenberg, Oosterlee, Schueller, Multigrid (2001); Briggs, Henson, McCormick, A
/// Multigrid Tutorial (2000)
/// @order the same bits on any number of threads, and on a GPU
template <rounded::real R, int N>
class multigrid {
 public:
  /// @param is_singular all sides are closed or periodic: solutions differ by a constant
  explicit multigrid(conductances<R, N> faces, bool is_singular) : is_singular_(is_singular) {
    levels_.reserve(static_cast<std::size_t>(runtime::most_levels(faces.cells().n, N)));
    while (add_level(faces)) {
    }
  }

  /// @shape the cells and one beyond each side, which is 0, or (periodic) repeats; the solution
  array<R, N>& u() { return levels_.front().u; }
  /// @shape the cells
  array<R, N>& f() { return levels_.front().f; }
  const conductances<R, N>& faces() const { return levels_.front().faces; }
  index_t levels() const { return static_cast<index_t>(levels_.size()); }

  /// A V-cycle for outflow(u) = f.
  /// @traffic per_cycle()
  /// @sync asynchronous on the stream of u
  void cycle() { cycle(0); }
  /// f - outflow(u). @traffic reads u, f and, but for even ones, the conductances; writes the
  /// residual
  const array<R, N>& residual() {
    repeat();
    compute_residual(levels_.front());
    return levels_.front().r;
  }
  /// Sets u beyond periodic sides.
  void repeat() { detail::repeat(u(), faces().is_periodic); }

  /// Of a V-cycle, all levels, each statement once through memory; two smoothing steps are one.
  traffic per_cycle() const {
    traffic all;
    const auto add = [&](const array<R, N>& a, int reads, int writes) {
      all.read_bytes += reads * static_cast<double>(bytes(a));
      all.write_bytes += writes * static_cast<double>(bytes(a));
    };
    for (const level& l : levels_) {
      if (!l.faces.is_even())  // smoothing twice, the residual
        for (const array<R, N>& g : l.faces.of) add(g, 3, 0);
      add(l.u, 4, 3);
      add(l.f, 3, 0);
      add(l.r, 1, 1);
      for (const pairing<R, N>& p : l.pairs) {
        add(p.to_low, 1, 0);
        add(p.to_high, 1, 0);
      }
      for (const array<R, N>& between : l.between) add(between, 1, 1);
    }
    all.cells = static_cast<double>(levels_.front().f.size());
    return all;
  }

 private:
  struct level {
    conductances<R, N> faces;
    array<R, N> u, f, r;
    runtime::smoothing_weights weights;
    std::vector<pairing<R, N>> pairs;  // to the next level, one dim after the other: z, y, x
    std::vector<array<R, N>> between;  // u where only some dims are paired
  };

  static array<R, N> padded(const stream& on, extents<N> cells, const char* label) {
    for (int d = 0; d < N; ++d) cells[d] += 2;
    return zeros<R>(on, cells, label);
  }

  /// Takes the level's faces and leaves the next one's. @returns whether there is one
  bool add_level(conductances<R, N>& faces) {
    const extents<N> cells = faces.cells();
    const stream on = faces.of[0].on();
    double strength[3] = {};
    for (int d = 0; d < N; ++d) strength[d] = faces.mean(d);
    const runtime::pairing_plan plan = runtime::planned_pairing(cells.n, strength, N);
    levels_.push_back({std::move(faces),
                       padded(on, cells, "u"),
                       array<R, N>(on, cells, "f"),
                       array<R, N>(on, cells, "r"),
                       plan.weights,
                       {},
                       {}});
    level& made = levels_.back();
    const conductances<R, N>* finer = &made.faces;
    for (int d = N - 1; d >= 0; --d) {
      if (!plan.pairs_up[d]) continue;
      auto [coarse, how] = paired(*finer, d);
      if (!made.pairs.empty()) made.between.push_back(padded(on, finer->cells(), "u"));
      made.pairs.push_back(std::move(how));
      faces = std::move(coarse);
      finer = &faces;
    }
    return !made.pairs.empty();
  }

  void cycle(std::size_t number) {
    level& here = levels_[number];
    if (here.pairs.empty()) return solve_cell(here);
    const runtime::smoothing_weights& w = here.weights;
    smooth(here, w.of[0], w.of[2]);
    compute_residual(here);
    level& next = levels_[number + 1];
    add_up(next.f, {here.r}, here.pairs, 0);
    fill(next.u, 0);
    cycle(number + 1);
    interpolate(here, next.u, here.pairs.size());
    smooth(here, w.of[1], w.of[3]);
  }

  void smooth(level& l, double first, double second) {
    const conductances<R, N>& g = l.faces;
    boundary sides;
    sides.x = g.is_periodic[0] ? periodic : side{};
    sides.y = g.is_periodic[1] ? periodic : side{};
    const R a = static_cast<R>(first), b = static_cast<R>(second);
    using namespace conduction;
    if constexpr (N == 2) {
      if (g.is_even())
        iterate(in2d::even_smoothing(a, b, sides, g.even[0], g.even[1]), 2, l.u, l.f);
      else
        iterate(in2d::smoothing(a, b, sides), 2, l.u, l.f, g.of[0], g.of[1]);
    } else {
      sides.z = g.is_periodic[2] ? periodic : side{};
      if (g.is_even())
        iterate(in3d::even_smoothing(a, b, sides, g.even[0], g.even[1], g.even[2]), 2, l.u, l.f);
      else
        iterate(in3d::smoothing(a, b, sides), 2, l.u, l.f, g.of[0], g.of[1], g.of[2]);
    }
  }
  /// here.r = here.f - outflow(here.u)
  static void compute_residual(level& here) {
    if (here.faces.is_even())
      here.r = here.f - here.faces.even_outflow(here.u);
    else
      here.r = here.f - here.faces.outflow(here.u);
  }

  void solve_cell(level& l) {
    if (is_singular_)
      fill(l.u, 0);
    else
      detail::inner(l.u) = l.f / l.faces.diagonal();
    detail::repeat(l.u, l.faces.is_periodic);
  }

  /// target = the sum of all cells of a pair, over the dims that are paired.
  static void add_up(const array_ref<R, N>& target, const std::vector<array_ref<R, N>>& cells,
                     const std::vector<pairing<R, N>>& pairs, std::size_t paired_dims) {
    if (paired_dims == pairs.size()) return assign_sum(target, cells);
    const int d = pairs[paired_dims].dim;
    const index_t n = cells.front().extent(d), whole_pairs = n / 2;
    std::vector<array_ref<R, N>> both, last;
    for (const array_ref<R, N>& c : cells) {
      both.push_back(detail::part(c, d, 0, 2 * whole_pairs, 2));
      both.push_back(detail::part(c, d, 1, 2 * whole_pairs, 2));
      if (n % 2 == 1) last.push_back(detail::plane(c, d, n - 1));
    }
    if (whole_pairs > 0)
      add_up(detail::part(target, d, 0, whole_pairs), both, pairs, paired_dims + 1);
    if (n % 2 == 1) add_up(detail::plane(target, d, whole_pairs), last, pairs, paired_dims + 1);
  }
  static void assign_sum(const array_ref<R, N>& t, const std::vector<array_ref<R, N>>& c) {
    switch (c.size()) {
      case 1:
        t = c[0];
        break;
      case 2:
        t = c[0] + c[1];
        break;
      case 4:
        t = (c[0] + c[1]) + (c[2] + c[3]);
        break;
      default:
        t = ((c[0] + c[1]) + (c[2] + c[3])) + ((c[4] + c[5]) + (c[6] + c[7]));
    }
  }

  /// Adds to u what the next level found: along one dim after the other, x first.
  static void interpolate(level& to, const array_ref<R, N>& from, std::size_t paired_dims) {
    const std::size_t one = paired_dims - 1;
    const bool is_last = one == 0;
    const array<R, N>& target = is_last ? to.u : to.between[one - 1];
    from_pairs(target, from, to.pairs[one], is_last);
    if (is_last) return;
    detail::repeat(target, to.faces.is_periodic);
    interpolate(to, target, one);
  }
  static void from_pairs(const array_ref<R, N>& target, const array_ref<R, N>& from,
                         const pairing<R, N>& how, bool adds) {
    const int d = how.dim;
    const array_ref<R, N> cells = detail::inner(target), own = detail::inner(from);
    const index_t n = cells.extent(d);
    for (const bool is_upper : {false, true}) {
      const index_t count = is_upper ? n / 2 : ceil_div(n, 2);
      const auto first = [&](const array_ref<R, N>& a) { return detail::part(a, d, 0, count); };
      interpolate_cells(detail::part(cells, d, is_upper ? 1 : 0, n, 2), first(own),
                        first(is_upper ? how.to_high : how.to_low),
                        first(detail::moved_by_one(own, d, is_upper)), adds);
    }
  }
  static void interpolate_cells(const array_ref<R, N>& t, const array_ref<R, N>& own,
                                const array_ref<R, N>& weight, const array_ref<R, N>& next,
                                bool adds) {
    if (adds)
      t = t + (own + weight * (next - own));
    else
      t = own + weight * (next - own);
  }

  bool is_singular_;
  std::vector<level> levels_;
};

}  // namespace teff::inline TEFF_MODE

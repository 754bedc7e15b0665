// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <teff/solver/between_levels.hpp>
#include <teff/solver/conductances.hpp>
#include <teff/solver/multigrid_kernels.hpp>
#include <teff/solver/multigrid_plan.hpp>
#include <teff/solver/paired_kernel.hpp>
#include <teff/solver/separable_cycles.hpp>
#include <teff/solver/smoothing.hpp>

/// Geometric multigrid for cells that exchange by conductances: the cycle, as a solver's step and
/// as a preconditioner.
namespace teff::inline TEFF_MODE {

/// By what a V-cycle is made: statements and time steps, or (GPUs) kernels of its own.
struct cycles_on_device {
  static constexpr bool has_kernels = is_cuda_unit;
  /// Also where conductances are arrays.
  static constexpr bool takes_arrays = true;
  static bool uses_kernels(device dev) { return dev.is_cuda(); }
  /// Levels of fewer cells smooth by a launch a step; larger ones by a time step, which may go
  /// through memory once for two.
  static constexpr index_t cells_of_time_steps = index_t{1} << 22;
  /// The first level of no more cells, and those below it, are one launch.
  static constexpr index_t cells_of_one_block = 5000;
  /// Of a grid of blocks; more rows of tiles go on along z.
  static constexpr index_t most_blocks_along_y = 65535;
};

/// The same where conductances are always factors: half of the kernels need not be compiled.
struct separable_cycles_on_device : cycles_on_device {
  static constexpr bool takes_arrays = false;
};

/// Levels of cells, each of pairs of the one before it along the dims that exchange strongest (all
/// of them, where they are alike), down to a single cell: any extents will do.
/// A V-cycle smooths twice on the way down and twice on the way up, by the four steps of a
/// Chebyshev polynomial of Jacobi's method; the sum of the residuals of a pair is the pair's
/// right-hand side, its solution is interpolated linearly.
/// @source Trottenberg, Oosterlee, Schueller, Multigrid (2001); Briggs, Henson, McCormick, A
/// Multigrid Tutorial (2000)
/// @order the same bits on any number of threads, and on a GPU
/// @tparam Way for tests
template <rounded::real R, int N, class Way = cycles_on_device>
class multigrid {
 public:
  /// @param is_singular all sides are closed or periodic: solutions differ by a constant
  explicit multigrid(conductances<R, N> faces, bool is_singular) : is_singular_(is_singular) {
    if constexpr (Way::has_kernels)
      if (faces.factors && Way::uses_kernels(faces.on().dev())) {
        separable_ = std::make_unique<detail::separable_cycles<R, N, Way>>(
            faces.on(), *faces.factors, faces.even, is_singular);
        faces_.emplace(std::move(faces));
        return;
      }
    levels_.reserve(static_cast<std::size_t>(runtime::most_levels(faces.cells().n, N)));
    while (add_level(faces)) {
    }
    if constexpr (has_array_kernels)
      if (uses_kernels()) gather_coarse_levels();
  }

  /// @shape the cells and one beyond each side, which is 0, or (periodic) repeats; the solution
  array_ref<R, N> u() const { return separable_ ? separable_->u() : levels_.front().u; }
  /// @shape the cells
  array_ref<R, N> f() const { return separable_ ? separable_->f() : levels_.front().f; }
  const conductances<R, N>& faces() const { return separable_ ? *faces_ : levels_.front().faces; }
  index_t levels() const {
    return separable_ ? separable_->levels() : static_cast<index_t>(levels_.size());
  }

  /// A V-cycle for outflow(u) = f.
  /// @traffic per_cycle()
  /// @sync asynchronous on the stream of u
  void cycle() {
    if constexpr (Way::has_kernels)
      if (separable_) return separable_->cycle();
    cycle(0);
  }
  /// V-cycles, at least one, until `most` are made or the rule ends them. On a GPU it ends them by
  /// itself: the cycles beyond that change nothing. @returns norms of the residuals that they left
  /// @sync waits once
  std::vector<double> cycles(index_t most, const runtime::cycle_rule& rule) {
    if constexpr (Way::has_kernels && N == 2)
      if (separable_) {
        separable_->begin(rule);
        for (index_t made = 0; made < most; ++made) {
          separable_->cycle();
          separable_->look_at(residual_norm());
        }
        return separable_->end();
      }
    cycle();
    return {residual_norm()};
  }
  /// f - outflow(u). @traffic reads u, f and, but for even ones, the conductances; writes the
  /// residual
  const array<R, N>& residual() {
    repeat();
    if (!r_) r_.emplace(f().on(), f().shape(), "residual");
    store_residual(*r_, f(), u(), faces());
    return *r_;
  }
  /// Its 2-norm; nothing is stored. @sync converting it waits
  scalar<R> residual_norm() {
    repeat();
    return faces().is_even() ? norm2(f() - faces().even_outflow(u()))
                             : norm2(f() - faces().outflow(u()));
  }
  /// Sets u beyond periodic sides.
  void repeat() { detail::repeat(u(), faces().is_periodic); }

  /// Of a V-cycle, all levels, each statement once through memory; two smoothing steps are one.
  /// (Cells beyond periodic sides are left out.)
  traffic per_cycle() const {
    if (separable_) return separable_->per_cycle();
    traffic all;
    const auto add = [&](const array<R, N>& a, int reads, int writes) {
      all.read_bytes += reads * static_cast<double>(bytes(a));
      all.write_bytes += writes * static_cast<double>(bytes(a));
    };
    const bool fused = uses_kernels();
    for (const level& l : levels_) {
      const bool is_last = l.pairs.empty();
      if (!l.faces.is_even())  // smoothing twice, the residual; the last level's solution
        for (const array<R, N>& g : l.faces.arrays()) add(g, is_last ? 1 : 3, 0);
      add(l.u, is_last ? 0 : 4, is_last ? 1 : 3);
      add(l.f, is_last ? 1 : 3, 0);
      if (&l != &levels_.front()) {  // set by the level before it, which interpolates
        add(l.f, 0, 1);
        add(l.u, fused ? 1 : 2, 1);
      }
      if (!fused && !is_last) add(l.r, 1, 1);
      for (const pairing<R, N>& p : l.pairs) {
        add(p.to_low, 1, 0);
        add(p.to_high, 1, 0);
      }
      for (const array<R, N>& between : l.between) add(between, 2, 1);
    }
    all.cells = static_cast<double>(levels_.front().f.size());
    return all;
  }

 private:
  static constexpr bool has_array_kernels = Way::has_kernels && Way::takes_arrays;
  struct level {
    conductances<R, N> faces;
    array<R, N> u, f, r;
    array<R, N> other;  // of kernels: u between two steps
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
    const stream on = faces.on();
    const auto strength = faces.strengths();
    const runtime::pairing_plan plan = runtime::planned_pairing(cells.n, strength.data(), N);
    levels_.push_back({std::move(faces),
                       padded(on, cells, "u"),
                       array<R, N>(on, cells, "f"),
                       array<R, N>(on, Way::uses_kernels(on.dev()) ? extents<N>{} : cells, "r"),
                       Way::uses_kernels(on.dev()) ? padded(on, cells, "u between two steps")
                                                   : array<R, N>(on, extents<N>{}, "none"),
                       plan.weights,
                       {},
                       {}});
    level& made = levels_.back();
    const conductances<R, N>* finer = &made.faces;
    for (int d = N - 1; d >= 0; --d) {
      if (!plan.pairs_up[d]) continue;
      auto [coarse, how] = next_faces(*finer, d);
      if (!made.pairs.empty() && !Way::uses_kernels(on.dev()))
        made.between.push_back(padded(on, finer->cells(), "u"));
      made.pairs.push_back(std::move(how));
      faces = std::move(coarse);
      finer = &faces;
    }
    return !made.pairs.empty();
  }

  static std::pair<conductances<R, N>, pairing<R, N>> next_faces(const conductances<R, N>& fine,
                                                                 int dim) {
    if constexpr (Way::takes_arrays) {
      if constexpr (Way::has_kernels)
        if (!fine.factors && Way::uses_kernels(fine.on().dev()))
          return detail::paired_by_kernel(fine, dim);
      if (!fine.factors) return paired(fine, dim);
    }
    return paired_factors(fine, dim);
  }

  void cycle(std::size_t number) {
    level& here = levels_[number];
    if constexpr (has_array_kernels)
      if (uses_kernels() && levels_.size() > 1) return cycle_by_kernels(number);
    if (here.pairs.empty()) return solve_cell(here);
    const runtime::smoothing_weights& w = here.weights;
    smooth(here, w.of[0], w.of[2]);
    store_residual(here.r, here.f, here.u, here.faces);
    level& next = levels_[number + 1];
    detail::add_up<R, N>(next.f, {here.r}, here.pairs, 0);
    fill(next.u, 0);
    cycle(number + 1);
    interpolate(here, next.u, here.pairs.size());
    smooth(here, w.of[1], w.of[3]);
  }

  void smooth(level& l, double first, double second) {
    detail::smooth_twice<R, N>(l.faces, l.u, l.f, first, second);
  }
  static void store_residual(const array_ref<R, N>& to, const array_ref<R, N>& f,
                             const array_ref<R, N>& u, const conductances<R, N>& faces) {
    if (faces.is_even())
      to = f - faces.even_outflow(u);
    else
      to = f - faces.outflow(u);
  }

  void solve_cell(level& l) {
    if (is_singular_)
      fill(l.u, 0);
    else
      detail::inner(l.u) = l.f / l.faces.diagonal();
    detail::repeat(l.u, l.faces.is_periodic);
  }

  /// Adds to u what the next level found: along one dim after the other, x first.
  static void interpolate(level& to, const array_ref<R, N>& from, std::size_t paired_dims) {
    const std::size_t one = paired_dims - 1;
    const bool is_last = one == 0;
    const array<R, N>& target = is_last ? to.u : to.between[one - 1];
    detail::from_pairs<R, N>(target, from, to.pairs[one], is_last);
    if (is_last) return;
    detail::repeat(target, to.faces.is_periodic);
    interpolate(to, target, one);
  }
  bool uses_kernels() const { return Way::uses_kernels(f().on().dev()); }

  // ---- by kernels

  static detail::level_in_kernels<R, N> in_kernels(const level& l) { return {l.faces, l.pairs}; }
  static detail::cells_in_kernels<R> inner_cells(const array<R, N>& padded) {
    return detail::cells_in_kernels<R>(detail::inner(padded));
  }
  static auto smoothed(const level& l, const array<R, N>& u, R weight) {
    const conductances<R, N>& g = l.faces;
    if constexpr (N == 2)
      return conduction::in2d::smoothed(u, l.f, weight, g.arrays()[0], g.arrays()[1]);
    else
      return conduction::in3d::smoothed(u, l.f, weight, g.arrays()[0], g.arrays()[1],
                                        g.arrays()[2]);
  }
  /// Where conductances are even numbers, the weight has the diagonal in it.
  static auto even_smoothed(const level& l, const array<R, N>& u, R weight) {
    const R(&c)[N] = l.faces.even;
    if constexpr (N == 2)
      return conduction::in2d::even_smoothed(u, l.f, weight, c[0], c[1]);
    else
      return conduction::in3d::even_smoothed(u, l.f, weight, c[0], c[1], c[2]);
  }
  /// Reads and writes in bytes, of a launch over a level.
  static launch_options moving(const level& l, int reads, int writes, int conductances_read) {
    index_t faces = 0;
    if (!l.faces.is_even())
      for (const array<R, N>& g : l.faces.arrays()) faces += bytes(g);
    return {.reads = reads * bytes(l.f) + conductances_read * faces, .writes = writes * bytes(l.f)};
  }
  template <class E>
  static void store_cells(const level& l, const E& e, const array<R, N>& to) {
    const auto lowered = e.lower(lowering{});
    launch(l.u.on(), l.f.shape(), moving(l, 2, 1, 1),
           detail::store_cell<R, N, std::remove_const_t<decltype(lowered)>>{in_kernels(l), lowered,
                                                                            inner_cells(to)});
  }
  void smooth_by_kernels(level& l, double first, double second) {
    if (l.f.size() >= Way::cells_of_time_steps) return smooth(l, first, second);
    const R a = static_cast<R>(first), b = static_cast<R>(second);
    if (l.faces.is_even()) {
      R sum = 0;
      for (const R c : l.faces.even) sum += c;
      const R _diagonal = 1 / (2 * sum), start = a * _diagonal, more = (b - a) * _diagonal;
      store_cells(l, even_smoothed(l, l.u, start), l.other);
      store_cells(l, even_smoothed(l, l.other, start + more), l.u);
    } else {
      store_cells(l, smoothed(l, l.u, a), l.other);
      store_cells(l, smoothed(l, l.other, a + (b - a)), l.u);
    }
  }
  template <class E>
  static void sum_up_residuals(const level& l, const level& next, const E& residual) {
    const auto lowered = residual.lower(lowering{});
    launch(l.u.on(), next.f.shape(), moving(l, 2, 0, 1),
           detail::go_down<R, N, std::remove_const_t<decltype(lowered)>>{
               in_kernels(l), in_kernels(next), lowered, detail::cells_in_kernels<R>(next.f),
               inner_cells(next.u)});
  }
  void cycle_by_kernels(std::size_t number) {
    level& here = levels_[number];
    if (number == first_coarse_) return cycle_in_one_block();
    if (number == 0) repeat();  // kernels keep it up
    level& next = levels_[number + 1];
    const runtime::smoothing_weights& w = here.weights;
    smooth_by_kernels(here, w.of[0], w.of[2]);
    if (here.faces.is_even())
      sum_up_residuals(here, next, here.f - here.faces.even_outflow(here.u));
    else
      sum_up_residuals(here, next, here.f - here.faces.outflow(here.u));
    cycle_by_kernels(number + 1);
    launch(here.u.on(), here.f.shape(), moving(here, 2, 1, 0),
           detail::go_up<R, N>{in_kernels(here), inner_cells(next.u), inner_cells(here.u)});
    smooth_by_kernels(here, w.of[1], w.of[3]);
  }

  static auto coarse(const level& l) {
    const auto step = [&](const array<R, N>& u, double first, double second) {
      const R a = static_cast<R>(first);
      const R weight = &u == &l.u ? a : a + (static_cast<R>(second) - a);
      return smoothed(l, u, weight).lower(lowering{});
    };
    const double(&w)[4] = l.weights.of;
    const auto residual = (l.f - l.faces.outflow(l.u)).lower(lowering{});
    const auto solution = (l.f / l.faces.diagonal()).lower(lowering{});
    return detail::coarse_level<R, N, decltype(step(l.u, 0, 0)),
                                std::remove_const_t<decltype(residual)>,
                                std::remove_const_t<decltype(solution)>>{
        in_kernels(l),
        inner_cells(l.u),
        inner_cells(l.other),
        detail::cells_in_kernels<R>(l.f),
        {step(l.u, w[0], w[2]), step(l.other, w[0], w[2]), step(l.u, w[1], w[3]),
         step(l.other, w[1], w[3])},
        residual,
        solution};
  }
  using coarse_type = decltype(coarse(std::declval<const level&>()));
  void gather_coarse_levels() {
    first_coarse_ = 1;  // (The first level may be even, which has other formulas.)
    while (first_coarse_ < levels_.size() &&
           levels_[first_coarse_].f.size() > Way::cells_of_one_block)
      ++first_coarse_;
    if (first_coarse_ >= levels_.size()) return;
    std::vector<coarse_type> table;
    for (std::size_t l = first_coarse_; l < levels_.size(); ++l)
      table.push_back(coarse(levels_[l]));
    const stream& on = levels_.front().u.on();
    const std::size_t size = table.size() * sizeof(coarse_type);
    coarse_ = std::make_unique<memory_block>(on, on.dev(), size, "coarse levels");
    copy_bytes(on, coarse_->data(), table.data(), size);
    on.synchronize();
  }
  void cycle_in_one_block() {
    launch_blocks(levels_.front().u.on(), {.blocks = {1}},
                  detail::coarse_cycle<R, N, coarse_type>{
                      static_cast<const coarse_type*>(coarse_->data()),
                      static_cast<int>(levels_.size() - first_coarse_), is_singular_});
  }

  bool is_singular_;
  std::vector<level> levels_;  ///< none where separable_ has them
  std::unique_ptr<detail::separable_cycles<R, N, Way>> separable_;
  std::optional<conductances<R, N>> faces_;  ///< of separable_
  std::optional<array<R, N>> r_;
  std::size_t first_coarse_ = 0;
  std::unique_ptr<memory_block> coarse_;  ///< a table of them, on the device
};

}  // namespace teff::inline TEFF_MODE

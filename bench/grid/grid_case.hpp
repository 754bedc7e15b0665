// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <omp.h>

#include <teff/array/same_bits.hpp>
#include <teff/grid/gather.hpp>
#include <teff/grid/grid.hpp>
#include <teff/grid/iterate.hpp>
#include <teff/lab/shape_budget.hpp>

#include <bench/grid/standing_ranks.hpp>
#include <bench/stencil/step_case.hpp>

/// Cases that are a time step on a grid of several ranks, checked against one rank and serial
/// loops.
namespace teff::bench {

/// What the ranks of a case run on; GPUs have them by turns.
inline rank_devices devices_of(const lab::setting& where) {
  rank_devices all = cpu_ranks(where.ranks > 0 ? where.ranks : lab::default_ranks(where.dev));
  if (where.dev.is_cuda())
    for (std::size_t rank = 0; rank < all.size(); ++rank)
      all[rank] = device::cuda(static_cast<int>(rank) % cuda_device_count());
  return all;
}

/// The fields of a Problem (step_case.hpp) on a grid; its shape is that of the whole.
template <class Problem>
class grid_fields : public lab::prepared_case {
  using T = typename Problem::value_type;
  static constexpr int N = Problem::rank;

  struct part {
    grid<N> of;
    std::vector<grid_array<T, N>> fields;
  };

 public:
  explicit grid_fields(const lab::setting& where)
      : where_(where),
        whole_(where),
        ranks_(devices_of(where), where.threads_of_rank),
        parts_(static_cast<std::size_t>(ranks_.count())) {
    extents<N> n;
    for (int d = 0; d < N; ++d) n[d] = where.shape[static_cast<std::size_t>(d)];
    ranks_.run([&](const ranks& mine) {
      grid<N> g(n, {.on = mine});
      auto made = std::make_unique<part>(part{g, {}});
      for (int f = 0; f < Problem::fields; ++f) {
        std::array<int, N> more;
        const std::vector<index_t> of_field = whole_.problem().extents(f);
        for (int d = 0; d < N; ++d)
          more[static_cast<std::size_t>(d)] =
              static_cast<int>(of_field[static_cast<std::size_t>(d)] - n[d]);
        made->fields.push_back(g.template array<T>("field " + std::to_string(f), more));
      }
      if (g.is_root()) {
        use_.count = mine.count();
        use_.threads = omp_get_max_threads();
        use_.devices =
            whole_.on().dev().is_cuda() ? std::min(mine.count(), cuda_device_count()) : 1;
        use_.cuts = g.cuts();
        use_.transport = mine.through().name();
      }
      part_of(mine) = std::move(made);
    });
  }
  ~grid_fields() override {
    try {
      ranks_.run([&](const ranks& mine) { part_of(mine).reset(); });
    } catch (const std::exception&) {  // they have ended before
    }
  }

  stream on() const override { return whole_.on(); }
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override;

  /// Every rank takes its cells.
  void reset() {
    ranks_.run([&](const ranks& mine) {
      for (int f = 0; f < Problem::fields; ++f) {
        const grid_array<T, N>& field = part_of(mine)->fields[static_cast<std::size_t>(f)];
        copy(field.own(), own_of(whole_.start(), f, field));
        field.own().on().synchronize();
      }
    });
  }
  /// All ranks make the steps. @returns the root's report
  grid_report run(const iterate_options& options) {
    return run(options, std::make_integer_sequence<int, Problem::fields>{});
  }
  /// Compares the bits of all ranks' cells with those of one rank that takes one step per pass, and
  /// these with serial loops. What one rank gives is kept: it is the same for all variants.
  /// @param most_looped cells that loops may compute; where there are more, they show on a smaller
  /// grid, and in fewer steps, that one rank does as they do
  lab::check_result check(int steps, double most_looped = 1e9) {
    if (steps != known_steps_) learn(steps, most_looped);
    lab::check_result found = one_rank_;
    if (!found.ok) return found;
    if (has_known_bits()) {
      found.same_bits_as = "one rank, stepwise";
    } else {
      found.ok = false;
      found.reason = "its bits differ from those of one rank";
    }
    return found;
  }
  const traffic& ideal() const { return whole_.ideal(); }
  /// Who has the grid.
  const lab::rank_use& use() const { return use_; }

 private:
  std::unique_ptr<part>& part_of(const ranks& mine) {
    return parts_[static_cast<std::size_t>(mine.rank())];
  }
  using host_fields = typename step_fields<Problem>::host_fields;

  static void step_by_step(step_fields<Problem>& fields, int steps) {
    fields.reset();
    (void)fields.run(fields.step(), {.steps = steps, .schedule = schedule::stepwise});
  }
  void learn(int steps, double most_looped) {
    step_by_step(whole_, steps);
    known_.clear();
    for (int f = 0; f < Problem::evolving; ++f) known_.push_back(to_host(whole_.field(f)));
    known_steps_ = steps;
    if (steps * lab::cells_of(where_.shape) <= most_looped) {
      one_rank_ = whole_.check(steps);
      return;
    }
    const int looped = std::min(steps, 16);
    lab::setting where = where_;
    where.shape = lab::shape_that_fits(where.shape, 1, 1, most_looped / looped);
    step_fields<Problem> smaller(where);
    step_by_step(smaller, looped);
    one_rank_ = smaller.check(looped);
    one_rank_.reference +=
        " of " + lab::shape_text(where.shape) + ", " + std::to_string(looped) + " steps";
  }
  bool has_known_bits() {
    std::atomic<bool> is_same = true;
    ranks_.run([&](const ranks& mine) {
      for (int f = 0; f < Problem::evolving; ++f) {
        const grid_array<T, N>& field = part_of(mine)->fields[static_cast<std::size_t>(f)];
        const array_ref<T, N> cells = detail::on_host(field.own());
        if (!has_same_cells(cells.view(), own_of(known_, f, field).view())) is_same = false;
      }
    });
    return is_same;
  }
  static bool has_same_cells(const view<T, N>& a, const view<T, N>& b) {
    index_t n[3] = {1, 1, 1}, of_a[3] = {}, of_b[3] = {}, differing = 0;
    for (int d = 0; d < N; ++d) {
      n[d] = a.shape[d];
      of_a[d] = a.strides[d];
      of_b[d] = b.strides[d];
    }
#pragma omp parallel for collapse(2) schedule(static) reduction(+ : differing)
    for (index_t z = 0; z < n[2]; ++z)
      for (index_t y = 0; y < n[1]; ++y)
        for (index_t x = 0; x < n[0]; ++x)
          differing += has_same_bits(a.data[x * of_a[0] + y * of_a[1] + z * of_a[2]],
                                     b.data[x * of_b[0] + y * of_b[1] + z * of_b[2]])
                           ? 0
                           : 1;
    return differing == 0;
  }
  /// Of values of the whole, this rank's; they are only read.
  static array_ref<T, N> own_of(const host_fields& values, int f, const grid_array<T, N>& field) {
    extents<N> strides;
    index_t stride = 1, first = 0;
    for (int d = 0; d < N; ++d) {
      strides[d] = stride;
      first += field.first()[d] * stride;
      stride *= field.extent(d);
    }
    T* const cells = const_cast<T*>(values[static_cast<std::size_t>(f)].data());
    return wrap(stream(device::cpu()), cells + first, field.own().shape(), strides);
  }
  template <int... F>
  grid_report run(const iterate_options& options, std::integer_sequence<int, F...>) {
    std::optional<grid_report> of_root;
    ranks_.run([&](const ranks& mine) {
      const auto& fields = part_of(mine)->fields;
      grid_report report = iterate(whole_.step(), options, fields[F]...);
      if (mine.is_root()) of_root.emplace(std::move(report));
    });
    return *of_root;
  }

  lab::setting where_;
  step_fields<Problem> whole_;
  host_fields known_;  // what one rank gives after so many steps
  int known_steps_ = 0;
  lab::check_result one_rank_;  // that, by serial loops
  standing_ranks ranks_;
  std::vector<std::unique_ptr<part>> parts_;  // by rank
  lab::rank_use use_;
};

/// A run on the grid: by one schedule, or by that which Teff chooses.
template <class Problem>
class grid_loop : public lab::experiment {
 public:
  grid_loop(grid_fields<Problem>& fields, const iterate_options& options)
      : fields_(fields), options_(options) {
    constexpr int multiple = 16;
    steps_ = steps_of_run(schedule::temporal, fields.on().dev(), fields.ideal().cells, multiple);
    if (fields.on().dev().is_cuda()) steps_ = steps_with(of_a_run, fields.ideal().cells, multiple);
    options_.steps = steps_;
  }
  void reset() override { fields_.reset(); }
  void run() override { last_ = fields_.run(options_); }
  lab::check_result check() override { return fields_.check(steps_); }
  bool is_repeatable() const override { return false; }  // every run goes on from the last
  lab::workload work() const override {
    const traffic& ideal = fields_.ideal();
    const int depth = last_ ? last_->depth() : 1;
    return {ideal, ideal.a_eff_bytes() / depth, steps_, depth};
  }
  std::optional<lab::rank_use> ranks() const override {
    lab::rank_use use = fields_.use();
    if (last_) {
      use.exchange_every = static_cast<int>(last_->exchange_every());
      use.exchange_s = last_->exchange_s() / steps_;
      use.hidden = last_->hidden_share();
    }
    return use;
  }

 private:
  /// Cells that ranks on GPUs compute: a tenth of a second, so that what a run begins with does not
  /// count.
  static constexpr double of_a_run = 1.5e11;
  static int steps_with(double computed, double cells, int multiple) {
    constexpr double most = 1 << 14;
    return std::max(static_cast<int>(std::min(computed / cells, most)) / multiple, 1) * multiple;
  }

  grid_fields<Problem>& fields_;
  iterate_options options_;
  int steps_ = 0;
  std::optional<grid_report> last_;
};

template <class Problem>
std::unique_ptr<lab::experiment> grid_fields<Problem>::make(const std::string& variant,
                                                            const lab::tuning& how) {
  iterate_options options;
  options.exchange_every = how.exchange_every;
  if (variant == "one-rank") return make_step_loop(whole_, whole_.step(), schedule::temporal, 0);
  if (variant == "each-step") options.exchange_every = 1;
  if (variant == "seldom") options.schedule = schedule::stepwise;
  if (variant == "each-step" || variant == "seldom" || variant == "deep")
    return std::make_unique<grid_loop<Problem>>(*this, options);
  throw error("no variant '" + variant + "' of a step on a grid");
}

/// In f64 and f32. @tparam Problem by type
template <template <class> class Problem>
std::unique_ptr<lab::prepared_case> prepare_on_grid(const lab::setting& where) {
  return for_type<f64, f32>(where.type, [&](auto example) {
    return make_prepared<grid_fields<Problem<decltype(example)>>>(where);
  });
}

/// The variants of such a case; `best` is "deep".
inline std::vector<lab::variant> grid_variants() {
  return {{.name = "one-rank",
           .about = "the same step over plain arrays, several steps per pass, on all cores: what "
                    "ranks are to reach together"},
          {.name = "each-step",
           .about = "halos exchanged before every step, one step per pass",
           .gain = "a message to each neighbour and a wait for all of them every step, however few "
                   "cells it brings; on small grids that wait is most of the time"},
          {.name = "seldom",
           .about = "wide halos, exchanged every k steps; one step per pass",
           .takes = lab::knob::exchange,
           .gain = "as many bytes, a k-th of the waits: what memory moves in a step is the limit "
                   "now; cells of halos are computed twice"},
          {.name = "deep",
           .about = "wide halos, exchanged every k steps; several steps per pass",
           .takes = lab::knob::exchange,
           .gain = "passes of several steps between exchanges, so memory moves once for all of "
                   "them; the limit is arithmetic on large grids, the exchange on small ones"}};
}

/// @param shape of the whole, by default @param arrays of such a shape that it holds
inline lab::bench_case grid_case(std::string name, std::string about,
                                 const std::vector<index_t>& shape, int arrays) {
  const int dims = static_cast<int>(shape.size());
  const std::string extents = dims == 2 ? "two" : "three";
  return {.name = std::move(name),
          .about = std::move(about),
          .axes = "a shape of " + extents + " extents, of the whole grid",
          .types = {"f64", "f32"},
          .least_rank = dims,
          .most_rank = dims,
          .cpu_shape = shape,
          .cuda_shape = shape,
          .arrays = arrays,
          .best = "deep",
          .is_in_lab = false,
          .is_on_ranks = true,
          .variants = grid_variants()};
}

}  // namespace teff::bench

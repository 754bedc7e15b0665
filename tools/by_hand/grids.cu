// SPDX-License-Identifier: MIT
// Time steps on a grid that the GPUs of a machine share, one rank (a thread) each: one rank, two,
// and so on, of one grid (strong) or of a part each (weak). It is `teff scale` for grids too large
// to be made, and compared with loops, on the host: fields are filled on the GPUs, and after some
// steps the sum, the largest and the norm of each field must have the bits that one rank alone
// gives. Writes JSON to stdout. Arguments: cases, or none for all.
//   nvcc -std=c++20 -O3 --extended-lambda --expt-relaxed-constexpr -fmad=false -arch=sm_90 -I. \
//     -DCOMMIT=$(git rev-parse --short HEAD) \
//     -Xcompiler=-fopenmp,-ffp-contract=off,-march=x86-64-v3 tools/by_hand/grids.cu \
//     libteff.a -lboost_context -ldl -lgomp
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/grid/grid.hpp>
#include <teff/grid/grid_random.hpp>
#include <teff/grid/grid_reduce.hpp>
#include <teff/grid/iterate.hpp>

#include "timing.hpp"

using namespace teff;

namespace {

/// 2-D heat with a coefficient by cell.
struct heat2 {
  static constexpr int N = 2, fields = 2;
  static constexpr std::array<std::array<int, 2>, 2> more{};
  static auto step() {
    using namespace fd2;
    return timestep([](auto T, auto Ci) {
      return update(inn(T), inn(T) + 0.2 * (inn(Ci) * (d2_xi(T) + d2_yi(T))));
    });
  }
};
/// The mean of four neighbours: two arrays, as NVIDIA's Jacobi examples.
struct jacobi {
  static constexpr int N = 2, fields = 1;
  static constexpr std::array<std::array<int, 2>, 1> more{};
  static auto step() {
    using namespace fd2;
    return timestep([](auto T) {
      const auto t = around<1>(T);
      return update(t(), 0.25 * ((at<-1, 0>(t) + at<1, 0>(t)) + (at<0, -1>(t) + at<0, 1>(t))));
    });
  }
};
/// Fluid pressure by the accelerated pseudo-transient method: three unknowns, staggered.
struct pressure2 {
  static constexpr int N = 2, fields = 3;
  static constexpr std::array<std::array<int, 2>, 3> more{{{0, 0}, {1, 0}, {0, 1}}};
  static auto step() {
    using namespace fd2;
    return timestep([](auto P, auto qx, auto qy) {
      return stages(update(inn_x(qx), inn_x(qx) - 0.1 * (inn_x(qx) + 0.4 * d_xa(P))),
                    update(inn_y(qy), inn_y(qy) - 0.1 * (inn_y(qy) + 0.4 * d_ya(P))),
                    update(P, P - 0.4 * (d_xa(qx) + d_ya(qy))));
    });
  }
};
struct heat3 {
  static constexpr int N = 3, fields = 2;
  static constexpr std::array<std::array<int, 3>, 2> more{};
  static auto step() {
    using namespace fd3;
    return timestep([](auto T, auto Ci) {
      return update(inn(T), inn(T) + 0.1 * (inn(Ci) * (d2_xi(T) + d2_yi(T) + d2_zi(T))));
    });
  }
};

struct measured {
  double s = 0, exchange_s = 0;  // of a step
  index_t exchange_every = 0;
  int depth = 0;
  std::optional<double> hidden;  // of the exchanges' time
};

/// To the driver, so that what comes has new pages, as in a program of its own: on those that
/// others left, 16384^2 on two H200 took 335 to 343 us a step, not 298 to 302.
void give_back_memory() {
  for (int r = 0; r < cuda_device_count(); ++r)
    runtime::with_current_device(device::cuda(r), [&] {
      cudaMemPool_t pool = nullptr;
      cudaDeviceSynchronize();
      cudaDeviceGetDefaultMemPool(&pool, r);
      cudaMemPoolTrimTo(pool, 0);
    });
}

template <class Case, class T>
class on_gpus {
 public:
  /// @param cuts parts along each dim; 0: chosen
  /// @param exchange_every steps; 0: chosen
  explicit on_gpus(int ranks, std::array<int, 3> cuts = {}, index_t exchange_every = 0)
      : cuts_(cuts) {
    for (int r = 0; r < ranks; ++r) places_.push_back(device::cuda(r));
    options_.exchange_every = exchange_every;
  }

  explicit on_gpus(rank_devices places) : places_(std::move(places)) {}

  /// The bits of what a short run leaves.
  std::vector<std::uint64_t> left(const extents<Case::N>& n) const {
    std::vector<std::uint64_t> bits;
    with_fields(n, [&](const auto& g, auto&... all) {
      (void)iterate(Case::step(), of(75), all...);
      const auto add = [&](const auto& a) {
        for (const double one : {static_cast<double>(sum(a)), static_cast<double>(max_abs(a)),
                                 static_cast<double>(norm2(a))})
          if (g.is_root()) bits.push_back(std::bit_cast<std::uint64_t>(one));
      };
      (add(all), ...);
    });
    return bits;
  }
  /// The median of five runs.
  measured timed(const extents<Case::N>& n, index_t steps) const {
    measured found;
    with_fields(n, [&](const auto& g, auto&... all) {
      std::vector<double> seconds;
      for (int turn = 0; turn < 6; ++turn) {
        const auto report = iterate(Case::step(), of(steps), all...);
        if (turn > 0) seconds.push_back(report.time_s() / static_cast<double>(steps));
        if (g.is_root())
          found = {0, report.exchange_s() / static_cast<double>(steps), report.exchange_every(),
                   report.depth(), report.hidden_share()};
      }
      if (g.is_root()) found.s = by_hand::median(seconds);
    });
    return found;
  }

 private:
  iterate_options of(index_t steps) const {
    iterate_options options = options_;
    options.steps = steps;
    return options;
  }
  template <class F>
  void with_fields(const extents<Case::N>& n, const F& f) const {
    give_back_memory();
    run_on(places_, [&](const ranks& mine) { with_fields_of(mine, n, f); });
  }
  template <class F>
  void with_fields_of(const ranks& mine, const extents<Case::N>& n, const F& f) const {
    const grid<Case::N> g(n, {.on = mine, .cuts = cuts_});
    [&]<int... I>(std::integer_sequence<int, I...>) {
      std::array<grid_array<T, Case::N>, Case::fields> all{
          g.template array<T>("field " + std::to_string(I), Case::more[I])...};
      (fill_random(all[I], I + 1), ...);
      f(g, all[I]...);
    }
    (std::make_integer_sequence<int, Case::fields>{});
  }

  rank_devices places_;
  std::array<int, 3> cuts_{};
  iterate_options options_{};
};

bool is_first = true;

template <class Case, class T>
void print_row(const char* name, const char* scaling, const extents<Case::N>& whole, int ranks,
               const std::string& cuts, index_t steps, const measured& now, double efficiency,
               bool is_same) {
  std::printf(
      "%s\n    {\"case\": \"%s\", \"type\": \"%s\", \"scaling\": \"%s\", \"whole\": \"%s\", "
      "\"ranks\": %d, \"cuts\": \"%s\", \"steps\": %lld, \"steps_per_pass\": %d, "
      "\"exchange_every\": %lld, \"us_per_step\": %.3f, \"us_in_exchanges\": %.3f, "
      "\"hidden\": %s, \"gcells_per_s\": %.1f, \"efficiency\": %.4f, \"has_bits_of_one_rank\": %s}",
      is_first ? "" : ",", name, type_name<T>(), scaling, extents_text(whole).c_str(), ranks,
      cuts.c_str(), static_cast<long long>(steps), now.depth,
      static_cast<long long>(now.exchange_every), now.s * 1e6, now.exchange_s * 1e6,
      now.hidden ? std::to_string(*now.hidden).c_str() : "null",
      static_cast<double>(whole.size()) / now.s * 1e-9, efficiency, is_same ? "true" : "false");
  std::fflush(stdout);
  is_first = false;
}

/// A tenth of a second, about, in whole periods.
index_t steps_of(index_t cells) {
  return std::clamp<index_t>(100'000'000'000 / cells / 64 * 64, 128, 16384);
}

/// The median of what some turns took; all else as the last one had it.
measured median_of(const std::vector<measured>& turns) {
  std::vector<double> seconds, exchanges, hidden;
  for (const measured& one : turns) {
    seconds.push_back(one.s);
    exchanges.push_back(one.exchange_s);
    if (one.hidden) hidden.push_back(*one.hidden);
  }
  measured all = turns.back();
  all.s = by_hand::median(seconds);
  all.exchange_s = by_hand::median(exchanges);
  if (all.hidden) all.hidden = by_hand::median(hidden);
  return all;
}

/// Numbers of ranks in three turns, as a GPU's clock follows what it made before; one rank on the
/// first GPU, and on the last one, which may be slower.
/// @param n of the whole (strong), or of a part (weak)
template <class Case, class T>
void measure(const char* name, bool is_weak, const extents<Case::N>& n) {
  const int last = cuda_device_count() - 1;
  std::vector<rank_devices> places;
  for (int ranks = 1; ranks <= last + 1; ranks *= 2) {
    places.emplace_back();
    for (int r = 0; r < ranks; ++r) places.back().push_back(device::cuda(r));
  }
  if (last > 0) places.push_back({device::cuda(last)});
  const auto whole_of = [&](std::size_t i) {
    extents<Case::N> whole = n;
    if (is_weak) whole[Case::N - 1] *= static_cast<index_t>(places[i].size());
    return whole;
  };
  std::vector<std::vector<measured>> turns(places.size());
  for (int turn = 0; turn < 3; ++turn)
    for (std::size_t i = 0; i < places.size(); ++i)
      turns[i].push_back(
          on_gpus<Case, T>(places[i]).timed(whole_of(i), steps_of(whole_of(i).size())));
  const double one_s = median_of(turns.front()).s;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto ranks = static_cast<int>(places[i].size());
    const measured now = median_of(turns[i]);
    const bool is_same = on_gpus<Case, T>(places[i]).left(whole_of(i)) ==
                         on_gpus<Case, T>(1).left(whole_of(i));
    const bool is_last = i > 0 && ranks == 1;
    print_row<Case, T>(name,
                       is_last   ? "the last GPU alone"
                       : is_weak ? "weak"
                                 : "strong",
                       whole_of(i), ranks, "", steps_of(whole_of(i).size()), now,
                       one_s / now.s * (is_weak ? 1.0 : 1.0 / ranks), is_same);
  }
}

/// All devices, a part of n cells each: steps between exchanges as chosen and as asked for.
template <class Case, class T>
void sweep_periods(const char* name, const extents<Case::N>& n) {
  const int ranks = cuda_device_count();
  extents<Case::N> whole = n;
  whole[Case::N - 1] *= ranks;
  const index_t steps = steps_of(whole.size());
  const auto left = on_gpus<Case, T>(1).left(whole);
  double chosen_s = 0;
  for (const index_t every : {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}) {
    const on_gpus<Case, T> on(ranks, {}, every);
    const measured now = on.timed(whole, steps);
    if (every == 0) chosen_s = now.s;
    print_row<Case, T>(name, every == 0 ? "chosen period" : "period", whole, ranks, "", steps, now,
                       chosen_s / now.s, on.left(whole) == left);
  }
}

/// All devices, one whole: every process grid, an exchange every step and as often as is chosen.
template <class Case, class T>
void sweep_cuts(const char* name, const extents<Case::N>& whole) {
  const int ranks = cuda_device_count();
  const index_t steps = steps_of(whole.size());
  const auto left = on_gpus<Case, T>(1).left(whole);
  for (const index_t every : {1, 0})
    for (int x = 1; x <= ranks; ++x)
      for (int y = 1; x * y <= ranks; ++y) {
        const int z = ranks / (x * y);
        if (x * y * z != ranks || (Case::N == 2 && z > 1)) continue;
        const on_gpus<Case, T> on(ranks, {x, y, Case::N == 2 ? 0 : z}, every);
        const measured now = on.timed(whole, steps);
        print_row<Case, T>(name, every == 0 ? "cuts" : "cuts, an exchange every step", whole, ranks,
                           std::to_string(x) + "x" + std::to_string(y) +
                               (Case::N == 2 ? "" : "x" + std::to_string(z)),
                           steps, now, 0, on.left(whole) == left);
      }
}

/// Each device alone: they are not equally fast.
template <class Case, class T>
void measure_each(const char* name, const extents<Case::N>& n) {
  for (int r = 0; r < cuda_device_count(); ++r) {
    const measured now =
        on_gpus<Case, T>(rank_devices{device::cuda(r)}).timed(n, steps_of(n.size()));
    print_row<Case, T>(name, ("GPU " + std::to_string(r) + " alone").c_str(), n, 1, "",
                       steps_of(n.size()), now, 0, true);
  }
}

/// One rank's grid beside plain arrays, in turns.
template <class Case, class T>
void measure_one_rank(const char* name, const extents<Case::N>& n, index_t steps) {
  std::vector<double> plain_s, grid_s;
  run_on({device::cuda(0)}, [&](const ranks& mine) {
    const grid<Case::N> g(n, {.on = mine});
    [&]<int... I>(std::integer_sequence<int, I...>) {
      std::array<grid_array<T, Case::N>, Case::fields> on_grid{
          g.template array<T>("field " + std::to_string(I), Case::more[I])...};
      (fill_random(on_grid[I], I + 1), ...);
      std::array<array<T, Case::N>, Case::fields> plain{
          array<T, Case::N>(device::cuda(0), on_grid[I].shape(), "field " + std::to_string(I))...};
      (fill_random(plain[I], I + 1), ...);
      for (int turn = 0; turn < 10; ++turn) {
        const double a = iterate(Case::step(), {.steps = steps}, plain[I]...).time_s();
        const double b = iterate(Case::step(), {.steps = steps}, on_grid[I]...).time_s();
        if (turn == 0) continue;
        plain_s.push_back(a / static_cast<double>(steps));
        grid_s.push_back(b / static_cast<double>(steps));
      }
    }
    (std::make_integer_sequence<int, Case::fields>{});
  });
  const double plain = by_hand::median(plain_s), one = by_hand::median(grid_s);
  std::printf(
      "%s\n    {\"case\": \"%s\", \"type\": \"%s\", \"scaling\": \"one rank\", \"whole\": \"%s\", "
      "\"steps\": %lld, \"us_per_step\": %.4f, \"us_per_step_on_arrays\": %.4f, "
      "\"of_arrays\": %.4f}",
      is_first ? "" : ",", name, type_name<T>(), extents_text(n).c_str(),
      static_cast<long long>(steps), one * 1e6, plain * 1e6, one / plain);
  std::fflush(stdout);
  is_first = false;
}

}  // namespace

int main(int count, char** names) {
  const auto is_wanted = [&](const std::string& name) {
    return count == 1 || std::find(names + 1, names + count, name) != names + count;
  };
  std::printf("{\"device\": \"%s\", \"devices\": %d, \"commit\": \"%s\", \"rows\": [",
              describe(device::cuda(0)).name.c_str(), cuda_device_count(), BY_HAND_TEXT(COMMIT));
  for (const index_t n : {2048, 4096, 8192, 16384}) {
    if (is_wanted("weak")) measure<heat2, double>("heat2", true, {n, n});
    if (is_wanted("strong") && n < 16384) measure<heat2, double>("heat2", false, {n, n});
    if (is_wanted("jacobi")) measure<jacobi, float>("jacobi", false, {n, n});
  }
  if (is_wanted("heat3"))
    for (const index_t n : {256, 512}) measure<heat3, double>("heat3", true, {n, n, n});
  if (is_wanted("periods")) {
    for (const index_t n : {1024, 2048, 4096, 8192}) sweep_periods<heat2, double>("heat2", {n, n});
  }
  if (is_wanted("periods3"))
    for (const index_t n : {256, 512}) sweep_periods<heat3, double>("heat3", {n, n, n});
  if (is_wanted("cuts")) {
    sweep_cuts<heat2, double>("heat2", {8192, 8192});
    sweep_cuts<heat3, double>("heat3", {512, 512, 512});
  }
  if (is_wanted("each")) {
    measure_each<heat2, double>("heat2", {4096, 4096});
    measure_each<heat3, double>("heat3", {512, 512, 512});
  }
  if (is_wanted("one")) {
    measure_one_rank<heat2, double>("heat2", {16384, 16384}, 128);
    measure_one_rank<heat2, double>("heat2", {127, 127}, 20000);
    measure_one_rank<pressure2, double>("pressure2", {127, 127}, 20000);
  }
  if (is_wanted("pressure2")) measure<pressure2, double>("pressure2", true, {8191, 8191});
  std::printf("]}\n");
}

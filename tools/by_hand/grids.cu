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
#include <string>
#include <utility>
#include <vector>

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
};

template <class Case, class T>
class on_gpus {
 public:
  explicit on_gpus(int ranks) {
    for (int r = 0; r < ranks; ++r) places_.push_back(device::cuda(r));
  }

  /// The bits of what a short run leaves.
  std::vector<std::uint64_t> left(const extents<Case::N>& n) const {
    std::vector<std::uint64_t> bits;
    with_fields(n, [&](const auto& g, auto&... all) {
      (void)iterate(Case::step(), 75, all...);
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
        const auto report = iterate(Case::step(), steps, all...);
        if (turn > 0) seconds.push_back(report.time_s() / static_cast<double>(steps));
        if (g.is_root())
          found = {0, report.exchange_s() / static_cast<double>(steps), report.exchange_every(),
                   report.depth()};
      }
      if (g.is_root()) found.s = by_hand::median(seconds);
    });
    return found;
  }

 private:
  template <class F>
  void with_fields(const extents<Case::N>& n, const F& f) const {
    run_on(places_, [&](const ranks& mine) {
      const grid<Case::N> g(n, {.on = mine});
      [&]<int... I>(std::integer_sequence<int, I...>) {
        std::array<grid_array<T, Case::N>, Case::fields> all{
            g.template array<T>("field " + std::to_string(I), Case::more[I])...};
        (fill_random(all[I], I + 1), ...);
        f(g, all[I]...);
      }
      (std::make_integer_sequence<int, Case::fields>{});
    });
  }

  rank_devices places_;
};

bool is_first = true;

/// @param n of the whole (strong), or of a part (weak)
template <class Case, class T>
void measure(const char* name, bool is_weak, const extents<Case::N>& n) {
  const index_t cells = n.size();
  measured one;
  for (int ranks = 1; ranks <= cuda_device_count(); ranks *= 2) {
    extents<Case::N> whole = n;
    if (is_weak) whole[Case::N - 1] *= ranks;
    // A tenth of a second, about.
    const index_t steps = std::clamp<index_t>(100'000'000'000 / whole.size() / 64 * 64, 128, 16384);
    const on_gpus<Case, T> on(ranks);
    const bool is_same = on.left(whole) == on_gpus<Case, T>(1).left(whole);
    const measured now = on.timed(whole, steps);
    if (ranks == 1) one = now;
    const double gain = one.s / now.s * (is_weak ? 1.0 : 1.0 / ranks);
    std::printf(
        "%s\n    {\"case\": \"%s\", \"type\": \"%s\", \"scaling\": \"%s\", \"whole\": \"%s\", "
        "\"ranks\": %d, \"steps\": %lld, \"steps_per_pass\": %d, \"exchange_every\": %lld, "
        "\"us_per_step\": %.3f, \"us_in_exchanges\": %.3f, \"gcells_per_s\": %.1f, "
        "\"efficiency\": %.4f, \"has_bits_of_one_rank\": %s}",
        is_first ? "" : ",", name, type_name<T>(), is_weak ? "weak" : "strong",
        extents_text(whole).c_str(), ranks, static_cast<long long>(steps), now.depth,
        static_cast<long long>(now.exchange_every), now.s * 1e6, now.exchange_s * 1e6,
        static_cast<double>(is_weak ? cells * ranks : cells) / now.s * 1e-9, gain,
        is_same ? "true" : "false");
    std::fflush(stdout);
    is_first = false;
  }
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
  if (is_wanted("pressure2")) measure<pressure2, double>("pressure2", true, {8191, 8191});
  std::printf("]}\n");
}

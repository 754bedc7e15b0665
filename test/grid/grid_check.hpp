// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <doctest/doctest.h>
#include <string>
#include <utility>
#include <vector>

#include <teff/grid/grid.hpp>
#include <teff/grid/iterate.hpp>
#include <teff/grid/transport/checked_transport.hpp>

#include "../devices.hpp"
#include "../generator.hpp"
#include "faulty_transport.hpp"

/// A run on a grid beside the same run over whole arrays: all bits must be equal. The ranks are
/// threads; with TEFF_TEST_JOB=1 they are the processes of this job (tools/test_mpi.py), which all
/// make the same cases.
namespace teff::inline TEFF_MODE::test {

inline bool is_of_job() {
  static const bool is = std::getenv("TEFF_TEST_JOB") != nullptr;
  return is;
}

template <class V>
bool have_same_bits(const std::vector<V>& a, const std::vector<V>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(V)) == 0);
}

/// Where a run's ranks are: those of GPUs take turns, so that one GPU has several.
inline rank_devices places_of_ranks(int count, bool are_gpus) {
  rank_devices all = cpu_ranks(count);
  const auto gpus = static_cast<std::size_t>(are_gpus ? cuda_device_count() : 0);
  for (std::size_t rank = 0; gpus > 0 && rank < all.size(); ++rank)
    all[rank] = device::cuda(static_cast<int>(rank % gpus));
  return all;
}

/// A run, and how it is cut.
template <int N>
struct grid_case {
  extents<N> n;
  std::array<int, 3> cuts{1, 1, 1};
  int ranks = 1;
  iterate_options first, then;  // one run after the other
  index_t told_every = 0;       // steps of the first one, after which its first field is changed

  /// @param least cells along each dim @param of_part and of a part
  grid_case(generator& g, index_t least, index_t of_part) {
    for (int d = 0; d < N; ++d) n[d] = g.between(least, N == 3 ? 14 : 40);
    if (is_of_job()) cut_for_job(g, of_part);
    for (int tries = 0; tries < 3 && !is_of_job(); ++tries) {
      const auto dim = static_cast<std::size_t>(g.between(0, N - 1));
      const int more = static_cast<int>(g.between(1, 4));
      if (ranks * more > 8 || cuts[dim] * more * of_part > n[static_cast<int>(dim)]) continue;
      cuts[dim] *= more;
      ranks *= more;
    }
    first.steps = g.between(0, 12);
    first.exchange_every = g.between(0, 6);
    if (g.chance(50)) first.schedule = g.chance(50) ? schedule::stepwise : schedule::temporal;
    if (first.schedule == schedule::temporal) first.depth = static_cast<int>(g.between(0, 5));
    if (g.chance(30)) first.check_every = g.between(1, 5);
    if (g.chance(30)) told_every = g.between(1, 4);
    then = first;
    then.steps = g.between(0, 3);
    then.first_step = first.steps;
    then.exchange_every = g.between(0, 3);
  }
  /// Into one part for each rank of the job, along one dim or two.
  void cut_for_job(generator& g, index_t of_part) {
    ranks = runtime::ranks_for({}, nullptr).count();
    int left = ranks;
    for (const int more : {left % 2 == 0 && g.chance(50) ? 2 : 1, left}) {
      const auto dim = static_cast<std::size_t>(g.between(0, N - 1));
      const int by = std::min(more, left);
      cuts[dim] *= by;
      left /= by;
      index_t& cells = n[static_cast<int>(dim)];
      cells = std::max(cells, cuts[dim] * of_part);
    }
  }
  std::string text(const std::string& name) const {
    std::string all = name + " on " + extents_text(n) + ", cut";
    for (int d = 0; d < N; ++d) all += " " + std::to_string(cuts[static_cast<std::size_t>(d)]);
    return all + ", " + std::to_string(first.steps) + " steps, exchange every " +
           std::to_string(first.exchange_every) + ", schedule " + schedule_name(first.schedule) +
           " " + std::to_string(first.depth) + ", then " + std::to_string(then.steps) + " every " +
           std::to_string(then.exchange_every) + ", told every " + std::to_string(told_every);
  }
  /// The two runs. @param field the first one
  template <class Field>
  std::array<iterate_options, 2> runs_over(Field& field) const {
    std::array<iterate_options, 2> both{first, then};
    using V = typename Field::value_type;
    if (told_every > 0)
      both[0].on_step = {told_every, [&](index_t done) {
                           field *= static_cast<V>(1) + static_cast<V>(done) / V(64);
                         }};
    return both;
  }
};

/// What is left after a run: cells by field, and the residual if there is one.
template <class V>
struct grid_outcome {
  std::vector<std::vector<V>> cells;
  std::vector<double> residuals;
};

template <class V, int N, int M, class Step>
grid_outcome<V> on_arrays(device dev, const grid_case<N>& c, const Step& step,
                          const std::array<std::array<int, N>, M>& more,
                          const std::vector<std::vector<V>>& given) {
  std::vector<array<V, N>> all;
  all.reserve(M);
  for (std::size_t f = 0; f < M; ++f) {
    extents<N> n = c.n;
    for (int d = 0; d < N; ++d) n[d] += more[f][static_cast<std::size_t>(d)];
    all.emplace_back(dev, n);
    all.back() = from_host(given[f]);
  }
  grid_outcome<V> left;
  for (const iterate_options& options : c.runs_over(all[0])) {
    const auto report = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return iterate(step, options, all[I]...);
    }
    (std::make_index_sequence<M>{});
    if (report.residual()) left.residuals.push_back(*report.residual());
  }
  for (const auto& one : all) left.cells.push_back(to_host(one));
  return left;
}

template <class V, int N, int M, class Step>
grid_outcome<V> on_ranks(const rank_devices& places, const grid_case<N>& c, const Step& step,
                         const std::array<std::array<int, N>, M>& more,
                         const std::vector<std::vector<V>>& given) {
  grid_outcome<V> left;
  const auto run = [&](const grid_options& options) {
    const grid<N> g(c.n, options);
    std::vector<grid_array<V, N>> all;
    all.reserve(M);
    for (std::size_t f = 0; f < M; ++f) {
      all.push_back(g.template array<V>("f" + std::to_string(f), more[f]));
      array<V, N> whole(device::cpu(), all.back().shape());
      whole = from_host(given[f]);
      scatter(all.back(), whole);
    }
    for (const iterate_options& options : c.runs_over(all[0])) {
      const auto report = [&]<std::size_t... I>(std::index_sequence<I...>) {
        return iterate(step, options, all[I]...);
      }
      (std::make_index_sequence<M>{});
      if (g.is_root() && report.residual()) left.residuals.push_back(*report.residual());
    }
    for (const auto& one : all) {
      const array<V, N> whole = gather(one);
      if (g.is_root()) left.cells.push_back(to_host(whole));
    }
  };
  if (is_of_job())
    run({.cuts = c.cuts});
  else
    run_on(places, [&](const ranks& plain) {
      // (Checked messages are on the host, so that those of a GPU are staged.)
      const bool stays_on_gpu = places.front().is_cuda() && c.first.steps % 2 == 0;
      const ranks checked(std::make_shared<runtime::checked_transport>(transport_of(plain)),
                          plain.dev());
      run({.on = stays_on_gpu ? plain : checked, .cuts = c.cuts});
    });
  return left;
}

/// Random grids, cuts, steps and exchanges.
/// @param more cells of each field than the grid's @param least cells along a dim
/// @param prepare (fields, extents): makes of random cells what the step needs
template <class V, int N, int M, class Step, class Prepare>
void check_on_grid(const char* name, const Step& step,
                   const std::array<std::array<int, N>, M>& more, index_t least, int cases,
                   const Prepare& prepare) {
  generator g(name);
  for (int round = 0; round < (is_long() ? 10 * cases : generator::rounds(cases)); ++round) {
    // (Of a field that is shorter than the grid a part of one cell would have none.)
    index_t of_part = 1;
    for (const auto& field : more)
      for (const int by : field) of_part = std::max<index_t>(of_part, 1 - by);
    const grid_case<N> c(g, least, of_part);
    std::vector<std::vector<V>> given(M);
    for (std::size_t f = 0; f < M; ++f) {
      index_t cells = 1;
      for (int d = 0; d < N; ++d) cells *= c.n[d] + more[f][static_cast<std::size_t>(d)];
      for (index_t i = 0; i < cells; ++i)
        given[f].push_back(std::is_integral_v<V> ? static_cast<V>(g.between(0, 1))
                                                 : static_cast<V>(0.5 + g.uniform()));
    }
    prepare(given, c.n);
    g.count();
    for (const device dev : test_devices()) {
      if (is_of_job() && !(dev == default_device())) continue;  // where its parts are
      const auto whole = on_arrays<V, N, M>(dev, c, step, more, given);
      const auto parts =
          on_ranks<V, N, M>(places_of_ranks(c.ranks, dev.is_cuda()), c, step, more, given);
      if (is_of_job() && !runtime::ranks_for({}, nullptr).is_root()) continue;
      for (std::size_t f = 0; f < M; ++f)
        if (!have_same_bits(whole.cells[f], parts.cells[f]))
          FAIL_CHECK(c.text(name) << " on " << dev.name() << ": field " << f << " differs");
      if (!have_same_bits(whole.residuals, parts.residuals))
        FAIL_CHECK(c.text(name) << " on " << dev.name() << ": a residual differs");
    }
  }
}
template <class V, int N, int M, class Step>
void check_on_grid(const char* name, const Step& step,
                   const std::array<std::array<int, N>, M>& more, index_t least, int cases) {
  check_on_grid<V, N, M>(name, step, more, least, cases, [](auto&, const auto&) {});
}

}  // namespace teff::inline TEFF_MODE::test

// SPDX-License-Identifier: MIT
#include <type_traits>

#include <teff/algo/scan/four_runs.hpp>
#include <teff/kernel/four_doubles.hpp>

namespace teff::runtime {

namespace {

/// Cells v to v + 3 of four runs: columns[i] holds cell v + i of each.
template <class T>
void load_columns(four_doubles (&columns)[4], const T* const* from, index_t v) {
  for (int r = 0; r < 4; ++r) columns[r] = load_four(from[r] + v);
  transpose_four(columns);
}

}  // namespace

template <int Runs, class T>
void add_up_runs(double (&sums)[Runs], const T* const (&from)[Runs], index_t count) {
  index_t v = 0;
  if constexpr (Runs > 1) {
    four_doubles sum[Runs / 4];
    for (int g = 0; g < Runs / 4; ++g) sum[g] = load_four(sums + 4 * g);
    for (; v + 4 <= count; v += 4)
      for (int g = 0; g < Runs / 4; ++g) {
        four_doubles columns[4];
        load_columns(columns, from + 4 * g, v);
        for (const four_doubles& column : columns) sum[g] += column;
      }
    for (int g = 0; g < Runs / 4; ++g) store_four(sums + 4 * g, sum[g]);
  }
  for (; v < count; ++v)
    for (int r = 0; r < Runs; ++r) sums[r] += static_cast<double>(from[r][v]);
}

template <int Runs, class T, class To>
void scan_runs(double (&sums)[Runs], const T* const (&from)[Runs], To* const (&to)[Runs],
               index_t count, bool is_exclusive) {
  // A sum and its next cell: what is kept.
  const auto add = [is_exclusive](auto& sum, const auto& cell) {
    const auto before = sum;
    sum += cell;
    return is_exclusive ? before : sum;
  };
  index_t v = 0;
  if constexpr (Runs == 4) {
    four_doubles sum = load_four(sums);
    for (; v + 4 <= count; v += 4) {
      four_doubles columns[4];
      load_columns(columns, from, v);
      for (four_doubles& column : columns) column = add(sum, column);
      transpose_four(columns);
      for (int r = 0; r < 4; ++r) store_four(to[r] + v, columns[r]);
    }
    store_four(sums, sum);
  }
  for (int r = 0; r < Runs; ++r) {
    index_t at = v;
    double sum = sums[r];
    if constexpr (Runs == 1 && !(std::is_same_v<T, double> && std::is_same_v<To, double>))
      for (; at + 4 <= count; at += 4) {  // A conversion takes an addition's place: four in one.
        four_doubles cells = load_four(from[r] + at);
        for (int l = 0; l < 4; ++l) {
          const double cell = cells[l];
          cells[l] = add(sum, cell);
        }
        store_four(to[r] + at, cells);
      }
    for (; at < count; ++at)
      to[r][at] = static_cast<To>(add(sum, static_cast<double>(from[r][at])));
    sums[r] = sum;
  }
}

template void add_up_runs(double (&)[1], const double* const (&)[1], index_t);
template void add_up_runs(double (&)[1], const float* const (&)[1], index_t);
template void add_up_runs(double (&)[4], const double* const (&)[4], index_t);
template void add_up_runs(double (&)[4], const float* const (&)[4], index_t);
template void add_up_runs(double (&)[8], const double* const (&)[8], index_t);
template void add_up_runs(double (&)[8], const float* const (&)[8], index_t);
template void scan_runs(double (&)[1], const double* const (&)[1], double* const (&)[1], index_t,
                        bool);
template void scan_runs(double (&)[1], const double* const (&)[1], float* const (&)[1], index_t,
                        bool);
template void scan_runs(double (&)[1], const float* const (&)[1], double* const (&)[1], index_t,
                        bool);
template void scan_runs(double (&)[1], const float* const (&)[1], float* const (&)[1], index_t,
                        bool);
template void scan_runs(double (&)[4], const double* const (&)[4], double* const (&)[4], index_t,
                        bool);
template void scan_runs(double (&)[4], const double* const (&)[4], float* const (&)[4], index_t,
                        bool);
template void scan_runs(double (&)[4], const float* const (&)[4], double* const (&)[4], index_t,
                        bool);
template void scan_runs(double (&)[4], const float* const (&)[4], float* const (&)[4], index_t,
                        bool);

}  // namespace teff::runtime

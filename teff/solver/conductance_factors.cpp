// SPDX-License-Identifier: MIT
#include <numeric>

#include <teff/base/conversion.hpp>
#include <teff/solver/conductance_factors.hpp>

namespace teff::runtime {

namespace {

using numbers = std::vector<double>;

std::size_t as_size(index_t n) {
  return static_cast<std::size_t>(n);
}

/// Factors along the dim of pairs, of conductances across it: each cell's is shared out.
numbers shared_out(const numbers& fine, const pair_weights& w, bool is_periodic) {
  const std::size_t n = fine.size(), pairs = w.to_low.size();
  numbers g(pairs);
  for (std::size_t c = 0; c < pairs; ++c) {
    const bool has_upper = 2 * c + 1 < n;
    g[c] = (1 - w.to_low[c]) * fine[2 * c];
    if (has_upper) g[c] += (1 - w.to_high[c]) * fine[2 * c + 1];
    if (c + 1 < pairs) g[c] += w.to_low[c + 1] * fine[2 * c + 2];
    if (c > 0) g[c] += w.to_high[c - 1] * fine[2 * c - 1];
  }
  if (is_periodic && pairs > 0) {
    g[pairs - 1] += w.to_low[0] * fine[0];
    if (n % 2 == 0) g[0] += w.to_high[pairs - 1] * fine[n - 1];
  }
  return g;
}

}  // namespace

conductance_factors::conductance_factors(const index_t* cells, int dims) : rank(dims) {
  for (int d = 0; d < dims; ++d)
    for (int e = 0; e < dims; ++e) of[d][e].assign(as_size(cells[e] + (d == e ? 1 : 0)), 1.0);
}

double conductance_factors::mean(int dim) const {
  if (cells(dim) < 2) return 0;
  double product = 1;
  for (int e = 0; e < rank; ++e) {
    const numbers& f = of[dim][e];
    const std::size_t outer = e == dim ? 1 : 0;  // faces between two cells
    const auto last = f.end() - static_cast<std::ptrdiff_t>(outer);
    product *= std::accumulate(f.begin() + static_cast<std::ptrdiff_t>(outer), last, 0.0) /
               static_cast<double>(f.size() - 2 * outer);
  }
  return product;
}

pair_weights pair_up(conductance_factors& factors, int dim) {
  const numbers& g = factors.of[dim][dim];
  const std::size_t n = g.size() - 1, pairs = (n + 1) / 2;
  const bool is_periodic = factors.is_periodic[dim];
  numbers half(pairs), along(pairs + 1);
  for (std::size_t c = 0; c < n / 2; ++c) half[c] = 0.5 / g[2 * c + 1];
  const auto in_a_row = [](double face, double low, double high) {
    return face / (1 + face * (low + high));
  };
  for (std::size_t c = 1; c < pairs; ++c) along[c] = in_a_row(g[2 * c], half[c - 1], half[c]);
  if (pairs > 0 && is_periodic) {
    along[0] = pairs == 1 ? 0 : in_a_row(g[0], half[pairs - 1], half[0]);
    along[pairs] = along[0];
  } else if (pairs > 0) {
    along[0] = in_a_row(g[0], 0, half[0]);
    along[pairs] = in_a_row(g[n], half[pairs - 1], 0);
  }
  pair_weights w{numbers(pairs), numbers(pairs)};
  for (std::size_t c = 0; c < pairs; ++c) {
    w.to_low[c] = half[c] * along[c];
    w.to_high[c] = half[c] * along[c + 1];
  }
  for (int d = 0; d < factors.rank; ++d)
    factors.of[d][dim] = d == dim ? along : shared_out(factors.of[d][dim], w, is_periodic);
  return w;
}

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "../layout.hpp"
#include "../message.hpp"

/// The finite-difference operators from the definitions of ParallelStencil's macros (its module
/// FiniteDifferences): there an operator's operand is indexed in every dim in one of four ways.
///   a   ix                      all cells
///   i   ix + 1                  inner cells: two fewer
///   s   ix and ix + 1           both of two neighbours: one fewer
///   m   ix, ix + 1 and ix + 2   a window about the inner cell: two fewer
namespace teff::inline TEFF_MODE::test {

enum class fd_kind { difference, second_difference, mean, harmonic, inner, largest, smallest };

struct fd_definition {
  fd_kind kind;
  std::string dims;  ///< one letter for each dim

  index_t shrink(int d) const {
    const char c = dims[static_cast<std::size_t>(d)];
    return c == 'a' ? 0 : c == 's' ? 1 : 2;
  }
};

/// What the definition gives at (i, j, k) of its result; `at(i, j, k)` reads the operand.
template <class T, class At>
T fd_value(const fd_definition& f, const At& at, index_t i, index_t j, index_t k) {
  const index_t cell[3] = {i, j, k};
  // The operand where dims s and m have the given offset, 0 by default, and dims i and a their own.
  const auto read = [&](const index_t(&offset)[3]) {
    index_t x[3] = {i, j, k};
    for (std::size_t d = 0; d < f.dims.size(); ++d)
      x[d] = cell[d] + (f.dims[d] == 'i' ? 1 : offset[d]);
    return static_cast<T>(at(x[0], x[1], x[2]));
  };
  const auto moving = f.dims.find_first_of("sm");
  const std::size_t d = moving == std::string::npos ? 0 : moving;
  switch (f.kind) {
    case fd_kind::inner:
      return read({0, 0, 0});
    case fd_kind::difference: {
      index_t next[3] = {0, 0, 0};
      next[d] = 1;
      return read(next) - read({0, 0, 0});
    }
    case fd_kind::second_difference: {
      index_t middle[3] = {0, 0, 0}, next[3] = {0, 0, 0};
      middle[d] = 1;
      next[d] = 2;
      return (read(next) - read(middle)) - (read(middle) - read({0, 0, 0}));
    }
    case fd_kind::mean:
    case fd_kind::harmonic: {
      T sum = 0, count = 0;
      index_t offset[3];
      const auto most = [&](std::size_t dim) {
        return dim < f.dims.size() && f.dims[dim] == 's' ? index_t{1} : index_t{0};
      };
      for (offset[2] = 0; offset[2] <= most(2); ++offset[2])
        for (offset[1] = 0; offset[1] <= most(1); ++offset[1])
          for (offset[0] = 0; offset[0] <= most(0); ++offset[0]) {
            sum += f.kind == fd_kind::mean ? read(offset) : T(1) / read(offset);
            count += 1;
          }
      return f.kind == fd_kind::mean ? sum / count : count / sum;
    }
    case fd_kind::largest:
    case fd_kind::smallest: {
      index_t centre[3] = {0, 0, 0};
      for (std::size_t dim = 0; dim < f.dims.size(); ++dim) centre[dim] = 1;
      T result = read(centre);
      for (std::size_t dim = 0; dim < f.dims.size(); ++dim)
        for (const index_t to : {index_t{0}, index_t{2}}) {
          index_t offset[3] = {centre[0], centre[1], centre[2]};
          offset[dim] = to;
          result = f.kind == fd_kind::largest ? std::max(result, read(offset))
                                              : std::min(result, read(offset));
        }
      return result;
    }
  }
  return 0;
}

/// Generated cases of `target = op(A)`: any layouts, result extents from 0 on, cells outside
/// untouched.
template <class T, int N, class Op>
void check_fd(generator& g, device dev, const std::string& name, const fd_definition& f,
              const Op& op) {
  // Differences, choices of a cell and exact halves agree to the bit; sums may be added in another
  // order.
  const bool exact = f.kind != fd_kind::mean && f.kind != fd_kind::harmonic;
  const T tolerance = 16 * std::numeric_limits<T>::epsilon();
  for (int round = 0; round < generator::rounds(dev.is_cpu() ? 60 : 20); ++round) {
    const extents<N> result = random_extents<N>(g);
    extents<N> operand = result;
    for (int d = 0; d < N; ++d) operand[d] += f.shrink(d);
    auto A = random_placed<T, N>(g, dev, operand, role::source);
    for (T& v : A.host) v += T(3);  // away from 0, which has no inverse
    A.memory = from_host(A.host);
    const auto to = random_placed<T, N>(g, dev, result, role::target);

    to.cells = op(A.cells);

    std::vector<T> got = to_host(to.memory), expected = to.host;
    to.where.each([&](index_t i, index_t j, index_t k) {
      const auto read = [&](index_t x, index_t y, index_t z) { return A.at(x, y, z); };
      const std::size_t cell = to.where.at(i, j, k);
      const T value = fd_value<T>(f, read, i, j, k);
      // Within the tolerance the result is taken as right; the rest must agree to the bit.
      const bool close = std::abs(got[cell] - value) <= tolerance * std::abs(value);
      expected[cell] = !exact && close ? got[cell] : value;
    });
    const std::string bad = difference(got, expected);
    if (!bad.empty())
      FAIL_CHECK(name << " of " << extents_text(operand) << " " << std::string(type_name<T>())
                      << " on " << dev.name() << ": " << bad);
    g.count();
  }
  // One cell too few along any dim.
  for (int d = 0; d < N; ++d) {
    if (f.shrink(d) == 0) continue;
    extents<N> operand;
    for (int e = 0; e < N; ++e) operand[e] = f.shrink(e) + 2;
    operand[d] = f.shrink(d) - 1;
    const array<T, N> A(dev, operand, "A"), to(dev, operand);
    CHECK(contains(message_of([&] { to = op(A); }), "too few cells"));
    CHECK(contains(message_of([&] { to = op(A); }), "along dim " + std::to_string(d)));
  }
}

}  // namespace teff::inline TEFF_MODE::test

#define CHECK_FD(kind, dims, op) check_fd<T, N>(g, dev, #op, {fd_kind::kind, dims}, op)

// SPDX-License-Identifier: MIT
#pragma once

#include "../layout.hpp"

namespace teff::inline TEFF_MODE::test {

/// Generated cases of one statement over a target A and sources B and C of the same extents, each
/// lying anyhow in memory: `statement(A, B, C)` runs it, `value(b, c, i, j, k)` says what each cell
/// must become. Every bit of the target's block is compared, so cells outside the target too.
template <class T, int N, class Statement, class Value>
void check_statement(generator& g, device dev, const std::string& what, int rounds,
                     const Statement& statement, const Value& value) {
  for (int round = 0; round < generator::rounds(rounds); ++round) {
    const extents<N> e = random_extents<N>(g);
    const auto A = random_placed<T, N>(g, dev, e, role::target);
    const auto B = random_placed<T, N>(g, dev, e, role::source);
    const auto C = random_placed<T, N>(g, dev, e, role::source);
    std::vector<T> expected = A.host;
    A.where.each([&](index_t i, index_t j, index_t k) {
      expected[A.where.at(i, j, k)] = static_cast<T>(value(B.at(i, j, k), C.at(i, j, k), i, j, k));
    });
    statement(A.cells, B.cells, C.cells);
    std::string bad = A.differs(expected);
    if (bad.empty()) bad = B.differs(B.host);
    if (bad.empty()) bad = C.differs(C.host);
    if (!bad.empty())
      FAIL_CHECK(what << ", round " << round << " of " << extents_text(e) << " on " << dev.name()
                      << ": " << bad);
    g.count();
  }
}

/// One statement over contiguous arrays with these values in B and C.
template <class Result, class B, class C, class Statement>
std::vector<Result> result_of(device dev, const std::vector<B>& b, const std::vector<C>& c,
                              const Statement& statement) {
  const auto n = static_cast<index_t>(b.size());
  array<B, 1> in_b(dev, {n}, "B");
  array<C, 1> in_c(dev, {n}, "C");
  array<Result, 1> out(dev, {n}, "A");
  in_b = from_host(b);
  in_c = from_host(c);
  out = from_host(std::vector<Result>(b.size(), poison<Result>()));
  statement(static_cast<const array_ref<Result, 1>&>(out),
            static_cast<const array_ref<B, 1>&>(in_b), static_cast<const array_ref<C, 1>&>(in_c));
  return to_host(out);
}

}  // namespace teff::inline TEFF_MODE::test

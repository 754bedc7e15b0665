// SPDX-License-Identifier: MIT
#include <limits>

#include <teff/algo/fill.hpp>
#include <teff/algo/matmul.hpp>

#include "../layout.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// Whole numbers, so that every order of adding gives the same; none is 0, whose product has a
/// sign.
template <class T>
placed<T, 2> random_matrix(generator& g, const stream& on, index_t m, index_t n, role as) {
  auto p = random_placed<T, 2>(g, on, extents<2>(m, n), as);
  if (as == role::target) return p;
  for (T& v : p.host) v = static_cast<T>(g.between(1, 100) * (g.chance(50) ? 1 : -1));
  p.memory = from_host(p.host);
  return p;
}

template <class T>
void check_matmul(generator& g, device dev, int rounds) {
  for (int round = 0; round < generator::rounds(rounds); ++round) {
    const auto extent = [&] { return g.chance(3) ? 0 : g.chance(10) ? 1 : g.between(2, 40); };
    const index_t m = extent(), n = extent(), k = extent();
    const auto A = random_matrix<T>(g, dev, m, k, role::source);
    const auto B = random_matrix<T>(g, dev, k, n, role::source);
    const auto C = random_matrix<T>(g, dev, m, n, role::target);
    std::vector<T> expected = C.host;
    for (index_t i = 0; i < m; ++i)
      for (index_t j = 0; j < n; ++j) {
        T sum{};
        for (index_t l = 0; l < k; ++l) sum += A.at(i, l) * B.at(l, j);
        expected[C.where.at(i, j, 0)] = sum;
      }
    matmul(C.cells, A.cells, B.cells);
    const std::string wrong = C.differs(expected);
    if (!wrong.empty())
      FAIL_CHECK(std::string(type_name<T>()) << ", " << m << "x" << k << " times " << k << "x" << n
                                             << " on " << dev.name() << ": " << wrong);
    g.count();
  }
}

}  // namespace

TEST_CASE("matmul of any strides against loops (generated)") {
  generator g("matmul");
  for (const device dev : test_devices()) {
    if (const std::string why = blas::why_missing(dev.kind()); !why.empty()) {
      MESSAGE("skipped on " << dev.name() << ": " << why);
      continue;
    }
    check_matmul<f64>(g, dev, 400);
    check_matmul<f32>(g, dev, 400);
    array<f64, 2> A(dev, {2, 3}, "A"), B(dev, {3, 1}, "B");
    A = from_host(std::vector<f64>{1, 2, 3, 4, 5, 6});
    B = from_host(std::vector<f64>{1, 10, 100});
    CHECK(to_host(matmul(A, B)) == std::vector<f64>{531, 642});
    CHECK(to_host(matmul(B.t(), A.t())) == std::vector<f64>{531, 642});
  }
}

TEST_CASE("the transpose of the vendors' libraries") {
  for (const device dev : test_devices()) {
    if (!blas::has_transpose(dev.kind())) {
      MESSAGE("skipped on " << dev.name());
      continue;
    }
    array<f32, 2> A(dev, {2, 3}, "A"), B(dev, {3, 2}, "B");
    A = from_host(std::vector<f32>{1, 2, 3, 4, 5, 6});
    fill(B, std::numeric_limits<f32>::quiet_NaN());
    blas::transpose(dev, 2, 3, A.data(), B.data());
    CHECK(to_host(B) == std::vector<f32>{1, 3, 5, 2, 4, 6});
  }
}

TEST_CASE("matmul: errors") {
  const array<f64, 2> A(device::cpu(), {4, 5}, "A"), B(device::cpu(), {4, 5}, "B");
  CHECK(
      message_of([&] { (void)matmul(A, B); }) ==
      "matmul: (m, k) cells times (k, n) make (m, n); A is array 'A' of 4x5 f64, B is array 'B' of "
      "4x5 f64, C is an array of 4x5 f64");
  const array<f64, 2> square(device::cpu(), {5, 5}, "square");
  CHECK(contains(message_of([&] { matmul(A, A, square); }),
                 "the target, array 'A' of 4x5 f64, overlaps an operand, array 'A'"));
  CHECK(contains(message_of([&] { matmul(square, A.t(), square(range(0, 4), whole)); }),
                 "overlaps an operand, array 'square' of 4x5 f64"));
}

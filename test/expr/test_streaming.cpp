// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <type_traits>
#include <vector>

#include <teff/array/array.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/statement.hpp>

#include "../generator.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// Cells [first, last) of a row that begins `offset` cells after a line of the cache, of what
/// `made` makes of an array and is to give the array itself.
template <bool FetchesAhead, class T, class F>
void check_part(index_t offset, index_t first, index_t last, const std::vector<T>& source,
                const F& made) {
  array<T, 1> target(device::cpu(), {static_cast<index_t>(source.size()) + offset}, "A");
  target = T(-1);
  array<T, 1> from(device::cpu(), {static_cast<index_t>(source.size())}, "B");
  from = from_host(source);
  const auto lowered = made(as_node(from)).lower(lowering{});
  const device_target<T> to{target.data() + offset, {1, 0, 0}};
  detail::rows_ahead rows;
  rows.add(region_of(from));
  detail::evaluate_streaming<FetchesAhead>(to, lowered, rows, first, last, 0, 0);
  int wrong = 0;
  for (index_t i = 0; i < target.size(); ++i) {
    const index_t cell = i - offset;
    const bool written = cell >= first && cell < last;
    wrong += target.data()[i] != (written ? source[static_cast<std::size_t>(cell)] : T(-1)) ? 1 : 0;
  }
  CAPTURE(offset);
  CAPTURE(first);
  CAPTURE(last);
  CHECK(wrong == 0);
}

template <class T>
void check_all(generator& random) {
  std::vector<T> source(600);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<T>(i % 100);
  for (int n = 0; n < generator::rounds(400); ++n) {
    random.count();
    const index_t a = random.between(0, 600), b = random.between(0, 600);
    const index_t first = a < b ? a : b, last = a < b ? b : a, offset = random.between(0, 70);
    const auto check_both = [&](const auto& made) {
      check_part<false>(offset, first, last, source, made);
      check_part<true>(offset, first, last, source, made);
    };
    check_both([](const auto& copied) { return copied; });
    check_both([](const auto& computed) { return T(1) * computed; });
    if constexpr (std::is_floating_point_v<T>)  // by several lines at once
      check_both([](const auto& computed) { return computed * exp(T(0) * computed); });
  }
}

template <bool HasNeighbours, class E>
index_t lines(const E& e) {
  return detail::lines_at_once<HasNeighbours, std::remove_cvref_t<decltype(e.lower(lowering{}))>>;
}

}  // namespace

TEST_CASE("streaming: stores past the caches write all cells of their part and no others") {
  generator random("stores past the caches");
  check_all<f64>(random);
  check_all<f32>(random);
  check_all<u8>(random);
}

TEST_CASE("streaming: several lines at once where neighbours go into functions of the C library") {
  const array<f64, 1> A(device::cpu(), {8});
  const auto plain = [](f64 v) { return v; };
  using fd1::d2;
  CHECK(lines<true>(d2(A) / sqrt(fd1::inn(A)) / 3.0 / 4.0 / 5.0 / 6.0) == 1);
  CHECK(lines<true>(d2(A) * exp(fd1::inn(A))) == 8);
  CHECK(lines<true>(d2(exp(A))) == 8);
  CHECK(lines<true>(map(plain, d2(A)) + pow(fd1::inn(A), 1.5)) == 8);
  CHECK(lines<false>(exp(A)) == 1);
}

TEST_CASE("streaming: rows that are fetched ahead count once, whatever the offsets along x") {
  const array<f64, 3> A(device::cpu(), {100, 20, 10}), B(device::cpu(), {100, 20, 10});
  detail::rows_ahead rows;
  for (const index_t y : {0, 1, 2})
    for (const index_t x : {0, 1, 2}) {
      rows.add(region_of(A(range(x, x + 98), range(y, y + 18), range(1, 9))));
      rows.add(region_of(B(range(x, x + 98), range(1, 19), range(y, y + 8))));
    }
  CHECK(rows.count() == 6);
  for (index_t z = 0; z < 10; ++z)  // a full list takes no more
    for (const index_t y : {0, 1}) rows.add(region_of(A(whole, range(y, y + 1), range(z, z + 1))));
  CHECK(rows.count() == 16);
}

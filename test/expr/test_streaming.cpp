// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "../generator.hpp"

#include <vector>

#include <teff/array/array.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/statement.hpp>

using namespace teff;
using namespace teff::test;

namespace {

/// Cells [first, last) of a row that begins `offset` cells after a line of the cache.
template <index_t Block, class T>
void check_part(index_t offset, index_t first, index_t last, const std::vector<T>& source) {
  array<T, 1> target(device::cpu(), {static_cast<index_t>(source.size()) + offset}, "A");
  target = T(-1);
  array<T, 1> from(device::cpu(), {static_cast<index_t>(source.size())}, "B");
  from = from_host(source);
  const auto lowered = as_node(from).lower(lowering{});
  const device_target<T> to{target.data() + offset, {1, 0, 0}};
  detail::evaluate_streaming<Block>(to, lowered, first, last, 0, 0);
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
    check_part<64 / static_cast<index_t>(sizeof(T))>(offset, first, last, source);
    check_part<512 / static_cast<index_t>(sizeof(T))>(offset, first, last, source);
  }
}

}  // namespace

TEST_CASE("streaming: stores past the caches write all cells of their part and no others") {
  generator random("stores past the caches");
  check_all<f64>(random);
  check_all<f32>(random);
  check_all<u8>(random);
}

// SPDX-License-Identifier: MIT
#include <cstdint>
#include <doctest/doctest.h>

#include <teff/expr/statement_launch.hpp>

using namespace teff;

namespace {

const void* address(std::uintptr_t bytes) {
  return reinterpret_cast<const void*>(bytes);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace

TEST_CASE("blocks of a statement begin where a sector does: so many cells before a row's first") {
  const index_t alike[3] = {1, 512, 512 * 512}, apart[3] = {1, 510, 510 * 510};
  CHECK(runtime::most_shift(address(1024), alike, 8, 32) == 0);
  CHECK(runtime::most_shift(address(1024 + 8), alike, 8, 32) == 1);
  CHECK(runtime::most_shift(address(1024 + 24), alike, 8, 32) == 3);
  CHECK(runtime::most_shift(address(1024 + 4), alike, 4, 32) == 1);
  CHECK(runtime::most_shift(address(1024 + 8), apart, 8, 32) == 3);
  CHECK(runtime::most_shift(address(1024), apart, 4, 32) == 7);
  CHECK(runtime::most_shift(address(1024 + 8), apart, 8, 1) == 0);
}

TEST_CASE("blocks begin before a row where that takes no more of them, or where they must") {
  const runtime::statement_share share{1, 4, 1, 64, 2, 2};
  runtime::statement_shape where;
  where.n[0] = where.n[1] = where.n[2] = 510;
  const auto one = runtime::launches_of(share, where, 1, false, 510);
  CHECK(one.begins_with_sector);
  CHECK(one.blocks[0] == 8);
  const auto three = runtime::launches_of(share, where, 3, false, 510);
  CHECK_FALSE(three.begins_with_sector);
  CHECK(three.blocks[0] == 8);
  const auto forced = runtime::launches_of(share, where, 3, true, 510);
  CHECK(forced.begins_with_sector);
  CHECK(forced.blocks[0] == 9);
}

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/statement.hpp>
#include <teff/io/any_field.hpp>
#include <teff/io/region_copy.hpp>

using namespace teff;

namespace {

/// A(i, j, k) = i + 10 j + 100 k.
array<i32, 3> numbered() {
  array<i32, 3> A(device::cpu(), {5, 4, 3}, "A");
  A = ix + 10 * iy + 100 * iz;
  return A;
}

/// Parts of one array in every way that strides can be.
std::vector<array_ref<i32, 3>> parts_of(const array<i32, 3>& A) {
  return {A,
          A(range(1, 4), whole, range(0, 2)),
          A(range(0, 5, 2), range(0, 4, 3), range(0, 3, 2)),
          flip(A, 0),
          flip(flip(A, 2), 1)(range(0, 2), whole, whole),
          transposed(A),
          transposed(flip(A, 1))(range(0, 3, 2), range(1, 3), range(0, 5, 4)),
          A(range(2, 3), range(1, 2), whole),
          A(range(2, 2), whole, whole)};
}

}  // namespace

TEST_CASE("any field: cells of any strides, to the host and back") {
  const array<i32, 3> A = numbered();
  for (const array_ref<i32, 3>& part : parts_of(A)) {
    const std::vector<i32> expected = to_host(part);
    std::vector<i32> found(expected.size(), -1);
    io::copy_to_host(reinterpret_cast<char*>(found.data()), part);
    CHECK(found == expected);

    const auto B = full(device::cpu(), {5, 4, 3}, -7);
    const view<i32, 3> v = part.view();
    view<i32, 3> cells = v;  // in B where v is in A
    cells.data = B.data() + (v.data - A.data());
    const array_ref<i32, 3> there(B.handle(), cells);
    io::copy_from_host(there, reinterpret_cast<const char*>(found.data()));
    CHECK(to_host(there) == expected);
    const std::vector<i32> all = to_host(B);
    CHECK(std::count(all.begin(), all.end(), -7) ==
          static_cast<std::ptrdiff_t>(all.size() - expected.size()));
  }
}

TEST_CASE("any field: what is made of copies to and from a GPU finds the same cells") {
  const stream on(device::cpu());  // whose copies are those of a GPU's, in one memory
  const array<i32, 3> A = numbered();
  for (const array_ref<i32, 3>& part : parts_of(A)) {
    if (part.size() == 0) continue;
    const std::vector<i32> expected = to_host(part);
    std::vector<i32> found(expected.size(), -1);
    const region there = region_of(part), here = io::packed_at(found.data(), there);
    io::fetch_cells(on, here, there);
    CHECK(found == expected);

    const auto B = full(device::cpu(), {5, 4, 3}, -7);
    region target = there;
    target.first = B.data() + (part.data() - A.data());
    io::send_cells(on, target, here);
    io::fetch_cells(on, io::packed_at(found.data(), there), target);
    CHECK(found == expected);
    const std::vector<i32> all = to_host(B);
    CHECK(std::count(all.begin(), all.end(), -7) ==
          static_cast<std::ptrdiff_t>(all.size() - expected.size()));
  }
}

TEST_CASE("any field: a slice far apart is not fetched with all that lies between") {
  const auto A = full(device::cpu(), {1000, 3}, 1.0);
  double found[3] = {};
  const region there = region_of(A(7, whole));
  io::fetch_cells(stream(device::cpu()), io::packed_at(found, there), there);
  CHECK(found[2] == 1);
}

TEST_CASE("any field: it keeps the cells of an array that goes") {
  io::named_field f{"T", full(device::cpu(), {3}, i64{4})};
  const io::field_bytes bytes = io::on_host(f);
  CHECK(bytes.name == "T");
  CHECK(bytes.type == "i64");
  CHECK(bytes.shape == std::vector<index_t>{3});
  CHECK(bytes.cells == std::string("\4\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0", 24));
}

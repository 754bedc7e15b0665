// SPDX-License-Identifier: MIT
#include <teff/algo/copy.hpp>
#include <teff/algo/fill.hpp>
#include <teff/algo/reduce.hpp>

#include "../layout.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("streams: statements wait for what they read and for who reads what they write") {
  const index_t n = is_quick() ? 1000 : 1000003;
  for (const device dev : test_devices()) {
    const stream one = stream::create(dev), two = stream::create(dev);
    CHECK_FALSE(one == two);
    CHECK_FALSE(one == stream(dev));
    CHECK(stream(dev) == stream(dev));
    array<f64, 1> A = zeros<f64>(one, {n}, "A"), B = zeros<f64>(two, {n}, "B");
    for (int round = 0; round < 12; ++round) {
      B = A + 1;  // on two, after what one does to A
      A = 2 * B;  // on one, after that; and B's next statement waits for this read
    }
    array<f64, 1> C(dev, {n});
    C = A - B;  // the default stream
    const auto a = to_host(A), b = to_host(B), c = to_host(C);
    f64 x = 0, y = 0;
    for (int round = 0; round < 12; ++round) y = x + 1, x = 2 * y;
    for (const std::size_t i : {std::size_t{0}, a.size() / 2, a.size() - 1}) {
      CHECK(a[i] == x);
      CHECK(b[i] == y);
      CHECK(c[i] == x - y);
    }
    const f64 total = sum(A + B);
    CHECK(total == static_cast<f64>(n) * (x + y));
  }
}

TEST_CASE("streams: a temporary's memory is not reused too early") {
  const index_t n = is_quick() ? 1000 : 500009;
  for (const device dev : test_devices()) {
    const stream one = stream::create(dev), two = stream::create(dev);
    array<f64, 1> result(two, {n});
    result = 0.0;
    for (int round = 1; round <= 30; ++round) {
      array<f64, 1> temporary(one, {n});
      temporary = static_cast<f64>(round);
      result = result + temporary;  // on two; temporary goes before it has run
    }
    const auto h = to_host(result);
    CHECK(h.front() == 465);
    CHECK(h.back() == 465);
  }
}

TEST_CASE("streams: on the CPU work is done when the call returns") {
  const stream s = stream::create(device::cpu());
  CHECK(s.native() == nullptr);
  CHECK(s.dev() == device::cpu());
  array<i32, 1> A(s, {4});
  A = 7;
  CHECK(A.data()[3] == 7);
  s.synchronize();
  s.wait_for(stream(device::cpu()));
}

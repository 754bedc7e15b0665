// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <stdexcept>

#include <teff/algo/fill.hpp>
#include <teff/expr/operation.hpp>

#include "../message.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("operation: other streams are released at its end, and where its work throws") {
  const device dev = device::cpu();
  const stream one = stream::create(dev), two = stream::create(dev), three = stream::create(dev);
  const array<f64, 1> A = zeros<f64>(one, {10}, "A"), B = zeros<f64>(two, {10}, "B"),
                      C = zeros<f64>(three, {10}, "C");
  const auto no_facts = [] { return detail::operation_facts{}; };
  for (const bool throws : {false, true}) {
    detail::operation<f64, 1> found(A);
    found.reads(A);  // its own stream need not wait
    CHECK(found.others().size() == 0);
    found.reads(B);
    found.reads(B);
    found.reads(C);
    CHECK(found.others().size() == 2);
    const auto work = [&] {
      CHECK(found.others().size() == 2);  // they wait for what is enqueued here
      if (throws) throw std::runtime_error("in the middle");
    };
    if (throws)
      CHECK_THROWS_WITH(found.run("test", no_facts, work), "in the middle");
    else
      found.run("test", no_facts, work);
    CHECK(found.others().size() == 0);
  }
}

TEST_CASE("operation: of no cells nothing is done") {
  const array<f64, 1> A(device::cpu(), {0});
  detail::operation<f64, 1> found(A);
  found.run(
      "test", [] { return detail::operation_facts{}; }, [] { FAIL("work on no cells"); });
}

TEST_CASE("operation: plain C++ says that it has no kernel, and what to do") {
  const std::string said = message_of([] { runtime::throw_no_kernel("a scan", device::cpu()); });
  CHECK(said.starts_with("a scan on "));
  CHECK(contains(said, "has no kernel; compile it with nvcc"));
}

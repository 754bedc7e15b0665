// SPDX-License-Identifier: MIT
#include <teff/algo/copy.hpp>
#include <teff/algo/fill.hpp>

#include "../layout.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// Copies between arrays that lie anyhow, from one place to another.
template <class T, int N>
void check_copies(generator& g, const stream& to, const stream& from, int rounds) {
  for (int round = 0; round < generator::rounds(rounds); ++round) {
    const extents<N> e = random_extents<N>(g);
    const auto source = random_placed<T, N>(g, from, e, role::source);
    const auto target = random_placed<T, N>(g, to, e, role::target);
    copy(target.cells, source.cells);
    std::vector<T> expected = target.host;
    target.where.each([&](index_t i, index_t j, index_t k) {
      expected[target.where.at(i, j, k)] = source.at(i, j, k);
    });
    const std::string bad = target.differs(expected);
    if (!bad.empty())
      FAIL_CHECK("copy from " << from.dev().name() << " to " << to.dev().name() << " of "
                              << extents_text(e) << ": " << bad);
    g.count();
  }
}

}  // namespace

TEST_CASE("copy: any layouts, between any two devices (generated)") {
  generator g("copies");
  for (const device to : test_devices())
    for (const device from : test_devices()) {
      const int rounds = to.is_cpu() && from.is_cpu() ? 300 : 60;
      check_copies<f64, 1>(g, to, from, rounds);
      check_copies<f32, 2>(g, stream::create(to), from, rounds);
      check_copies<u8, 3>(g, to, stream::create(from), rounds);
    }
}

TEST_CASE("copy: page-locked host memory to a GPU and back") {
  for (const device dev : test_devices()) {
    if (dev.is_cpu()) continue;
    const index_t n = is_quick() ? 1001 : 1000001;
    array<f64, 1> here(device::cpu_pinned(), {n}, "here"), back(device::cpu_pinned(), {n}, "back");
    array<f64, 1> there(dev, {n}, "there");
    for (int round = 1; round <= 5; ++round) {
      here = static_cast<f64>(round) + 0.5 * ix;
      copy(there, here);
      there = 2 * there;
      copy(back, there);
      back.on().synchronize();
      stream(dev).synchronize();
      CHECK(back.data()[0] == 2 * round);
      CHECK(back.data()[n - 1] == 2 * round + static_cast<f64>(n - 1));
    }
  }
}

TEST_CASE("copy: extents must match, overlap is refused") {
  for (const device dev : test_devices()) {
    array<f64, 2> A = zeros<f64>(dev, {4, 3}, "A"), B = zeros<f64>(dev, {3, 4}, "B");
    CHECK(contains(message_of([&] { copy(A, B); }), "A is 4x3, B is 3x4"));
    CHECK(contains(message_of([&] { copy(A(range(0, 3), whole), A(range(1, 4), whole)); }),
                   "racy statement"));
    copy(A, A);
    copy(A, transposed(B));
    array<f64, 2> other(device::cpu(), {5, 5}, "other");
    CHECK(contains(message_of([&] { copy(other, A); }), "other is 5x5, A is 4x3"));
  }
}

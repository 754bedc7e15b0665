// SPDX-License-Identifier: MIT
#include <teff/algo/copy.hpp>
#include <teff/algo/fill.hpp>

#include "../message.hpp"
#include "along_dim.hpp"

using namespace teff;
using namespace teff::test;

/// What reads its own target gives what a second array would hold, or is refused. (Scans of an
/// array in place are among the cases of test_scan.cpp.)
namespace {

struct larger_of {
  template <class T>
  TEFF_INLINE T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct itself {
  template <class A>
  const A& operator()(const A& a, const A&) const {
    return a;
  }
};
struct twice_and_other {
  template <class A>
  auto operator()(const A& a, const A& b) const {
    return 2 * a + b;
  }
};

/// Scans Of(A, C) into A against the same into a second array that lies alike.
/// @tparam Backend the kernels of a device, or those of a GPU in the emulator
template <class T, int N, class Op, class Of, class Backend = detail::scan_on_device>
void check_in_place(generator& g, device dev, int rounds) {
  for (int round = 0; round < generator::rounds(rounds); ++round) {
    extents<N> e = edge_extents<N>(g, 3000);
    auto dim = static_cast<int>(g.between(0, N - 1));
    if (g.chance(5)) {  // one long row
      e = N == 1 ? extents<N>{} : e;
      for (int d = 0; d < N; ++d) e[d] = d == 0 ? g.between(60000, 80000) : 1;
      dim = 0;
    }
    placed<T, N> A = random_placed<T, N>(g, dev, e, role::target, g.chance(50));
    const placed<T, N> C = random_placed<T, N>(g, dev, e, role::source, g.chance(50));
    for (T& v : A.host) v = g.value<T>();
    A.memory = from_host(A.host);
    const array<T, 1> block = A.memory;  // a copy
    const array_ref<T, N> B = [&] {
      view<T, N> cells = A.cells.view();
      cells.data = block.data() + A.where.first;
      return array_ref<T, N>(block.on(), block.block(), cells, nullptr);
    }();
    const bool exclusive = g.chance(60), has_init = exclusive || g.chance(50);
    const detail::scan_start<T> start{g.value<T>(), has_init, exclusive};
    for (const bool is_in_place : {false, true}) {
      const array_ref<T, N>& target = is_in_place ? A.cells : B;
      detail::scan_along<Op>(target, as_node(Of{}(A.cells, C.cells)), dim, "scan", start,
                             Backend{target.on()});
    }
    const std::string wrong = A.differs(to_host(block));
    if (!wrong.empty())
      FAIL_CHECK("in place, " << extents_text(e) << " " << std::string(type_name<T>())
                              << " along dim " << dim
                              << (exclusive ? " exclusive on " : " inclusive on ") << dev.name()
                              << ": " << wrong);
    g.count();
  }
}

}  // namespace

TEST_CASE("scans in place: arrays and expressions of the target (generated)") {
  generator g("scans in place");
  for (const device dev : test_devices()) {
    check_in_place<f64, 2, ops::sum, twice_and_other>(g, dev, 400);
    check_in_place<f32, 3, ops::sum, itself>(g, dev, 400);
    check_in_place<u8, 2, larger_of, itself>(g, dev, 200);
    check_in_place<i64, 1, ops::sum, itself>(g, dev, 100);
    array<bool, 2> A(dev, {7, 300}), B(dev, {7, 300});
    A = iy == 40 * ix;
    const array<bool, 2> before = A;
    scan(B, A, 1, larger_of{}, {.init = false, .exclusive = true});
    scan(A, A, 1, larger_of{}, {.init = false, .exclusive = true});
    CHECK(all(A == B));
    CHECK(any(A != before));
  }
  check_in_place<f64, 2, ops::sum, twice_and_other, scan_in_blocks>(g, device::cpu(), 100);
}

TEST_CASE("in place: what reads its target at other cells is refused") {
  for (const device dev : test_devices()) {
    array<f64, 1> v = full(dev, {12}, 1.0, "v");
    array<f64, 2> S = full(dev, {5, 5}, 1.0, "S");
    const auto of_v = [&](const auto& e) {
      return message_of([&] { scan(v, e, 0, ops::sum{}, {.init = 1.0, .exclusive = true}); });
    };
    const auto of_S = [&](const auto& e) { return message_of([&] { cumsum(S, e, 1); }); };
    const auto windows = [&](index_t from) {  // 3 cells each, the next one begins a cell further
      return wrap_strided<f64, 2>(dev, v.data() + from, {3, 4}, {1, 1}, "windows");
    };
    const char* const racy = "reads the same memory at other cells through array 'v'";
    CHECK(of_v(v) == "");
    CHECK(contains(of_v(flip(v, 0)), racy));
    CHECK(contains(of_v(2 * v + flip(v, 0)), racy));
    CHECK(contains(of_v(v * scalar<f64>(v(range(3, 4)))), racy));
    CHECK(contains(of_v(v + along<0>(v)), racy));
    CHECK(contains(of_S(S.t()), "through array 'S'"));
    CHECK(contains(of_S(S + along<0>(S(whole, 2))), "through array 'S'"));
    CHECK(contains(message_of([&] { cumsum(windows(0), windows(0), 0); }),
                   "some of its cells share memory"));
    const array_ref<f64, 2> block = wrap_strided<f64, 2>(dev, v.data(), {3, 4}, {1, 3}, "block");
    CHECK(contains(message_of([&] { cumsum(block, windows(6), 0); }), "through array 'windows'"));
    // Statements and copies follow the same rule.
    CHECK(message_of([&] { copy(v, v); }) == "");
    CHECK(contains(message_of([&] { copy(v, flip(v, 0)); }), racy));
    CHECK(contains(message_of([&] { S = S.t(); }), "through array 'S'"));
    CHECK(contains(message_of([&] { v(range(1, 12)) = v(range(1, 12)) + v(range(0, 11)); }), racy));
    CHECK(contains(message_of([&] { v = v / scalar<f64>(v(range(0, 1))); }), racy));
  }
}

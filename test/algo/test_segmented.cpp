// SPDX-License-Identifier: MIT
#include <limits>

#include <omp.h>

#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/algo/segmented.hpp>
#include <teff/algo/segmented/warps.hpp>

#include "../layout.hpp"
#include "../message.hpp"
#include "ways_taken.hpp"

using namespace teff;
using namespace teff::test;

namespace {

struct larger_of {
  static constexpr const char* name = "larger";
  template <class T>
  TEFF_INLINE T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

/// Associative, but not commutative: only the right order gives the right result. Acts on 64-bit
/// integers that stand for the map t -> a t + b, modulo 2^16.
struct compose_maps {
  static constexpr const char* name = "composed maps";
  TEFF_INLINE i64 operator()(i64 f, i64 g) const {
    const i64 a = f >> 16 & 0xffff, b = f & 0xffff, c = g >> 16 & 0xffff, d = g & 0xffff;
    return (a * c & 0xffff) << 16 | ((c * b + d) & 0xffff);
  }
};
constexpr i64 identity_map = i64{1} << 16;

/// What the documentation says: pieces of 64 columns from the neutral value on, then 32 results at
/// a time.
template <class A, class Op>
A combined_by_tree(const std::vector<A>& columns, Op op, A neutral) {
  std::vector<A> level;
  for (std::size_t at = 0; at < columns.size(); at += 64) {
    A value = neutral;
    for (std::size_t c = at; c < columns.size() && c < at + 64; ++c) value = op(value, columns[c]);
    level.push_back(value);
  }
  while (level.size() > 1) {
    std::vector<A> above;
    for (std::size_t at = 0; at < level.size(); at += 32) {
      A value = level[at];
      for (std::size_t p = at + 1; p < level.size() && p < at + 32; ++p)
        value = op(value, level[p]);
      above.push_back(value);
    }
    level = above;
  }
  return level.empty() ? neutral : level[0];
}

/// How the columns of a bag are cut up.
const char* way_of_bag(std::size_t columns) {
  if (columns == 0) return "empty";
  const std::size_t pieces = (columns + 63) / 64;
  return pieces == 1 ? "one piece" : pieces <= 32 ? "a node of pieces" : "several levels";
}

std::vector<range> random_bags(generator& g, index_t columns, bool sorted) {
  std::vector<range> bags;
  const index_t count = g.chance(10) ? 0 : g.between(1, 25);
  index_t at = sorted ? g.between(0, std::min<index_t>(columns, 2)) : 0;
  for (index_t b = 0; b < count; ++b) {
    if (!sorted) at = g.between(0, columns);
    const index_t left = columns - at;
    const index_t most = g.chance(70) ? std::min<index_t>(left, 6) : left;
    const index_t least = left > 2048 && g.chance(35) ? 2048 : 0;  // of several levels
    const index_t end = at + (g.chance(20) ? 0 : g.between(least, std::max(least, most)));
    bags.push_back(range(at, end));
    if (sorted) at = end;
  }
  return bags;
}

template <class I>
array<I, 1> offsets_of(const stream& on, const std::vector<range>& bags) {
  std::vector<I> offsets{bags.empty() ? I{0} : static_cast<I>(bags[0].start)};
  for (const range& b : bags) offsets.push_back(static_cast<I>(b.stop));
  array<I, 1> result(on, {offsets.size()}, "offsets");
  result = from_host(offsets);
  return result;
}

/// `run` reduces bags of X into O, both somewhere in memory: the result must have the bits of the
/// documented order, and nothing else may change.
template <class R, class T, class A, class Op, class Run>
void check_bags(generator& g, ways_taken& taken, const stream& on, Op op, A neutral,
                const Run& run) {
  const bool has_long_bags = g.chance(25);
  const index_t D = g.chance(5)     ? 0
                    : has_long_bags ? g.between(1, 5)
                    : g.chance(60)  ? g.between(1, 20)
                                    : g.between(20, 300);
  const index_t N = g.chance(5) ? 0 : has_long_bags ? g.between(2100, 6000) : g.between(1, 300);
  const bool as_offsets = g.chance(40);
  const auto bags = random_bags(g, N, as_offsets);
  const auto X = random_placed<T, 2>(g, on, {D, N}, role::source);
  const auto O = random_placed<R, 2>(g, on, {D, bags.size()}, role::target);
  segmented_options<R> options;
  std::vector<R> empty(static_cast<std::size_t>(D));
  if (g.chance(50)) {
    for (R& v : empty) v = g.value<R>();
    array<R, 1> column(on, {D}, "empty");
    column = from_host(empty);
    options.empty_column = flip(column, 0);
    std::reverse(empty.begin(), empty.end());
  } else {
    for (R& v : empty) v = static_cast<R>(neutral);
  }
  run(O.cells, X.cells, bags, as_offsets, options);
  std::string what = Op::name;
  what += " of bags of ";
  what += type_name<T>();
  std::vector<R> expected = O.host;
  for (index_t b = 0; b < static_cast<index_t>(bags.size()); ++b)
    for (index_t d = 0; d < D; ++d) {
      const range& bag = bags[static_cast<std::size_t>(b)];
      std::vector<A> values;
      for (index_t n = bag.start; n < bag.stop; ++n) values.push_back(static_cast<A>(X.at(d, n)));
      if (d == 0) taken.count(what, way_of_bag(values.size()));
      expected[O.where.at(d, b, 0)] = values.empty()
                                          ? empty[static_cast<std::size_t>(d)]
                                          : static_cast<R>(combined_by_tree(values, op, neutral));
    }
  const std::string bad = O.differs(expected);
  if (!bad.empty())
    FAIL_CHECK(bags.size() << " bags of " << extents_text(X.cells.shape()) << " "
                           << std::string(type_name<T>()) << " on " << on.dev().name() << ": "
                           << bad);
  g.count();
}

/// Through the face: bags in all their forms.
template <class R, class T>
void check_sums(generator& g, ways_taken& taken, const stream& on, int rounds) {
  using A = detail::sum_accumulator<T>;
  for (int round = 0; round < generator::rounds(rounds); ++round)
    check_bags<R, T>(
        g, taken, on, ops::sum{}, A{},
        [&](const auto& O, const auto& X, const auto& bags, bool sorted, const auto& options) {
          if (sorted && g.chance(50))
            segmented_sum(O, X, offsets_of<i64>(on, bags), options);
          else if (sorted)
            segmented_sum(O, X, offsets_of<i32>(device::cpu(), bags), options);
          else if (g.chance(50))
            segmented_sum(O, X, bags, options);
          else
            segmented_sum(O, X, bag_list(on, bags), options);
        });
}

/// The kernel of a GPU in the emulator, which takes the bags as they are.
template <class R, class T, class A, class Op>
void check_emulated(generator& g, ways_taken& taken, Op op, A neutral, int rounds) {
  for (int round = 0; round < generator::rounds(rounds); ++round)
    check_bags<R, T>(
        g, taken, device::cpu(), op, neutral,
        [&](const auto& O, const auto& X, const auto& bags, bool, const auto& options) {
          const emulation order(
              {.seed = g.next(), .resident_blocks = static_cast<int>(g.between(1, 6))});
          if (O.size() == 0) return;
          const detail::segmented_call<R, T, A, Op> call{
              O.view(),
              {X.data(), X.shape(), {X.stride(0), X.stride(1)}},
              options.empty_column ? options.empty_column->data() : nullptr,
              options.empty_column ? options.empty_column->stride(0) : 0,
              neutral,
              op};
          detail::segmented_warps(device::cpu(), call, bag_list(device::cpu(), bags));
        });
}

}  // namespace

TEST_CASE("segmented_sum: a tiny case by hand, bags in every form") {
  for (const device dev : test_devices()) {
    array<f32, 2> X(dev, {2, 5}, "X"), O(dev, {2, 3}, "O");
    X = from_host(std::vector<f32>{1, 10, 2, 20, 3, 30, 4, 40, 5, 50});
    const std::vector<range> bags{range(0, 2), range(2, 2), range(2, 5)};
    const std::vector<f32> sums{3, 30, 0, 0, 12, 120};
    segmented_sum(O, X, bags);
    CHECK(to_host(O) == sums);
    array<i32, 1> offsets(dev, {4}, "offsets");
    offsets = from_host(std::vector<i32>{0, 2, 2, 5});
    O = -1.0f;
    segmented_sum(O, X, offsets);
    CHECK(to_host(O) == sums);
    array<f32, 1> empty(dev, {2}, "empty");
    empty = from_host(std::vector<f32>{7, 8});
    const bag_list ready(dev, bags);
    for (int again = 0; again < 3; ++again) {
      O = -1.0f;
      segmented_sum(O, X, ready, {.empty_column = empty});
      CHECK(to_host(O) == std::vector<f32>{3, 30, 7, 8, 12, 120});
    }
    segmented_reduce(O, X, {range(3, 5), range(0, 5), range(1, 1)}, larger_of{}, -1.0f);
    CHECK(to_host(O) == std::vector<f32>{5, 50, 5, 50, -1, -1});
  }
}

TEST_CASE("segmented_sum: types; f32 adds in f64, i32 in i64") {
  for (const device dev : test_devices()) {
    array<f32, 2> X = full(dev, {3, 3}, 1e8f), O(dev, {3, 1}, "O");
    X(whole, 1) = 1.0f;
    X(whole, 2) = -1e8f;
    segmented_sum(O, X, {range(0, 3)});
    CHECK(static_cast<f32>(O(0, 0)) == 1.0f);
    array<i32, 2> I = full(dev, {1, 3000}, i32{2000000});
    array<i64, 2> wide(dev, {1, 1});
    array<i32, 2> narrow(dev, {1, 1});
    segmented_sum(wide, I, {range(0, 3000)});
    segmented_sum(narrow, I, {range(0, 3000)});
    CHECK(static_cast<i64>(wide(0, 0)) == 6000000000);
    CHECK(static_cast<i32>(narrow(0, 0)) == static_cast<i32>(6000000000));
  }
}

TEST_CASE(
    "segmented_sum: any bags, strides and types, the bits of the documented order (generated)") {
  generator g("segmented sums");
  ways_taken taken;
  for (const device dev : test_devices()) {
    const int rounds = dev.is_cpu() ? 1000 : 80;
    check_sums<f64, f64>(g, taken, dev, rounds);
    check_sums<f32, f32>(g, taken, dev, rounds);
    check_sums<f32, f32>(g, taken, stream::create(dev), rounds / 3);
    check_sums<i64, i32>(g, taken, dev, rounds);
    check_sums<i64, i64>(g, taken, dev, rounds);
  }
  const int fewest = taken.fewest(4);
  CHECK((is_quick() || fewest >= 100));
}

TEST_CASE("segmented_reduce: operations that do not commute (generated)") {
  generator g("segmented reductions");
  ways_taken taken;
  for (const device dev : test_devices())
    for (int round = 0; round < generator::rounds(dev.is_cpu() ? 1000 : 80); ++round) {
      check_bags<i64, i64>(
          g, taken, dev, compose_maps{}, identity_map,
          [&](const auto& O, const auto& X, const auto& bags, bool, const auto& options) {
            segmented_reduce(O, X, bags, compose_maps{}, identity_map, options);
          });
      check_bags<f32, f32>(
          g, taken, dev, larger_of{}, -1e30f,
          [&](const auto& O, const auto& X, const auto& bags, bool, const auto& options) {
            segmented_reduce(O, X, bags, larger_of{}, -1e30f, options);
          });
    }
  const int fewest = taken.fewest(4);
  CHECK((is_quick() || fewest >= 100));
}

TEST_CASE("segmented kernels in the emulator: the same bits (generated)") {
  generator g("emulated segmented sums");
  ways_taken taken;
  check_emulated<f32, f32>(g, taken, ops::sum{}, f64{}, 60);
  check_emulated<f64, f64>(g, taken, ops::sum{}, f64{}, 60);
  check_emulated<i64, i32>(g, taken, ops::sum{}, i64{}, 60);
  check_emulated<i64, i64>(g, taken, compose_maps{}, identity_map, 60);
  check_emulated<f32, f32>(g, taken, larger_of{}, -1e30f, 60);
  CHECK((is_quick() || taken.fewest(4) > 0));
}

TEST_CASE("segmented kernels in the emulator: aligned columns, bags of several levels") {
  const stream on = device::cpu();
  for (const index_t D : {4, 64, 128, 132, 260}) {
    const index_t N = 64 * 33 + 5;
    const auto X = random<f32>(on, {D, D < 10 ? 30 * N : N}, 3);
    const std::vector<range> bags{range(0, 3), range(3, 3), range(3, N), range(7, 7 + 65),
                                  range(0, X.extent(1))};
    array<f32, 2> O(on, {D, bags.size()}, "O"), P(on, {D, bags.size()}, "P");
    O = P = std::numeric_limits<f32>::quiet_NaN();
    segmented_sum(O, X, bags);
    const bag_list ready(on, bags);
    using call = detail::segmented_call<f32, f32, f64, ops::sum>;
    const call what{P.view(), {X.data(), X.shape(), {X.stride(0), X.stride(1)}}, nullptr, 0, 0.0,
                    {}};
    for (int again = 0; again < 2; ++again) {  // the counters are as they were
      P = std::numeric_limits<f32>::quiet_NaN();
      detail::segmented_warps(on, what, ready);
      CHECK(difference(to_host(P), to_host(O)) == "");
    }
  }
}

TEST_CASE("segmented_sum: the same bits for any number of threads, and beside other bags") {
  const int threads = omp_get_max_threads();
  for (const device dev : test_devices()) {
    const index_t N = is_quick() ? 3000 : 20000;
    const auto X = random<f32>(dev, {128, N}, 5);
    std::vector<range> bags;
    for (index_t at = 0, length = 1; at + length <= N;
         at += length, length = length % 37 + length % 5 * 300 + 1)
      bags.push_back(range(at, at + length));
    array<f32, 2> O(dev, {128, bags.size()}, "O");
    std::vector<f32> first;
    for (const int use : {1, 2, 5}) {
      omp_set_num_threads(use);
      segmented_sum(O, X, bags);
      if (first.empty()) first = to_host(O);
      CHECK(difference(to_host(O), first) == "");
    }
    omp_set_num_threads(threads);
    array<f32, 2> one(dev, {128, 1}, "one");
    for (std::size_t b = 0; b < bags.size(); b += bags.size() / 5 + 1) {
      segmented_sum(one, X, std::vector<range>{bags[b]});
      CHECK(difference(to_host(one), to_host(O(whole, range(b, b + 1)))) == "");
    }
    if (dev.is_cuda()) {
      const auto Y = random<f32>(device::cpu(), {128, N}, 5);
      array<f32, 2> here(device::cpu(), {128, bags.size()});
      segmented_sum(here, Y, bags);
      CHECK(difference(to_host(here), first) == "");
    }
  }
}

TEST_CASE("segmented_sum: errors name bags, arguments and extents") {
  for (const device dev : test_devices()) {
    array<f32, 2> X = zeros<f32>(dev, {4, 10}, "X"), O = zeros<f32>(dev, {4, 2}, "O");
    const auto message = [&](const std::vector<range>& bags) {
      return message_of([&] { segmented_sum(O, X, bags); });
    };
    CHECK(contains(message({range(0, 3)}), "array 'O' of 4x2 f32, expected 4x1 for 1 bags"));
    CHECK(contains(message({range(0, 3), range(4, 11)}),
                   "bag 1 ends at column 11, beyond array 'X' of 4x10 f32, which has 10 columns"));
    CHECK(contains(message({range(0, 3), range(5, 4)}), "bag 1 is no range of columns: [5, 4)"));
    CHECK(contains(message({range(0, 3), range(0, 6, 2)}), "bag 1 has a step of 2"));
    array<i64, 1> offsets(dev, {3}, "offsets");
    offsets = from_host(std::vector<i64>{0, 5, 3});
    CHECK(
        contains(message_of([&] { segmented_sum(O, X, offsets); }), "not sorted: offsets[1] is 5"));
    array<f32, 2> wrong = zeros<f32>(dev, {3, 2}, "wrong");
    CHECK(contains(message_of([&] {
                     segmented_sum(wrong, X, {range(0, 1), range(1, 2)});
                   }),
                   "expected 4x2"));
    CHECK(
        message_of([&] {
          segmented_sum(X(whole, range(0, 2)), X, {range(0, 1), range(1, 2)});
        }) ==
        "segmented_sum: the target, array 'X' of 4x2 f32, overlaps the columns, array 'X' of 4x10 "
        "f32; write to a second array");
    const array_ref<f32, 2> square = X(whole, range(0, 2));  // in place
    CHECK(contains(message_of([&] {
                     segmented_sum(square, square, {range(0, 2), range(0, 2)});
                   }),
                   "overlaps the columns, array 'X' of 4x2 f32"));
    CHECK(contains(message_of([&] {
                     segmented_sum(O, X, {range(0, 1), range(1, 2)}, {.empty_column = O(whole, 1)});
                   }),
                   "overlaps empty_column, array 'O' of 4 f32"));
    array<f32, 1> empty = zeros<f32>(dev, {3}, "none");
    CHECK(contains(message_of([&] {
                     segmented_sum(O, X, {range(0, 1), range(1, 2)}, {.empty_column = empty});
                   }),
                   "empty_column, array 'none' of 3 f32"));
    if (dev.is_cuda()) {
      array<f32, 2> here = zeros<f32>(device::cpu(), {4, 2}, "here");
      const std::vector<range> bags{range(0, 1), range(1, 2)};
      CHECK(contains(message_of([&] { segmented_sum(here, X, bags); }),
                     "arrays on different devices"));
      CHECK(contains(message_of([&] { segmented_sum(here, X, bag_list(dev, bags)); }),
                     "the bags are on cuda:0"));
    }
  }
}

// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <teff/algo/fill.hpp>
#include <teff/algo/reduce.hpp>

#include "along_dim.hpp"
#include "reduction_ways.hpp"
#include "ways_taken.hpp"

using namespace teff;
using namespace teff::test;

/// Every way in which a reduction is cut up, for every operation and type.
namespace {

template <class T>
f64 total_of(const std::vector<T>& column) {
  f64 total = 0;
  for (const T v : column) total += static_cast<f64>(v);
  return total;
}
template <class T>
f64 squares_of(const std::vector<T>& column) {
  f64 total = 0;
  for (const T v : column) total += static_cast<f64>(v) * static_cast<f64>(v);
  return total;
}

/// Few values, so that there are ties; now and then not a number.
template <class T>
T tied(generator& g) {
  if constexpr (std::is_floating_point_v<T>)
    if (g.chance(1)) return std::numeric_limits<T>::quiet_NaN();
  return static_cast<T>(g.between(-4, 4));
}
/// The smallest or largest; what is not a number before all others; the first of equal ones.
template <bool Least, class T>
std::size_t first_extreme(const std::vector<T>& column) {
  std::size_t best = 0;
  for (std::size_t l = 1; l < column.size(); ++l) {
    const T a = column[best], b = column[l];
    if (a != a) break;
    if (b != b || (Least ? b < a : b > a)) best = l;
  }
  return best;
}

// Each operation on T: its values, whose reduction has no rounding; what Teff is asked; what it
// must give.

template <class T>
struct a_sum {
  static constexpr const char* name = "sum";
  static T value(generator& g) { return whole_number<T>(g); }
  static auto of(const auto& A, auto... dim) { return sum(A, dim...); }
  static auto expected(const std::vector<T>& column) {
    return static_cast<detail::sum_result<T>>(total_of(column));
  }
};
template <class T>
struct a_product {
  static constexpr const char* name = "prod";
  static T value(generator& g) {  // products of ten thousand fit in 64 bits
    return static_cast<T>(g.between(0, 999) == 0 ? 2 : g.chance(50) ? 1 : -1);
  }
  static auto of(const auto& A, auto... dim) { return prod(A, dim...); }
  static auto expected(const std::vector<T>& column) {
    f64 total = 1;
    for (const T v : column) total *= static_cast<f64>(v);
    return static_cast<detail::sum_result<T>>(total);
  }
};
template <class T>
struct a_mean : a_sum<T> {
  static constexpr const char* name = "mean";
  static auto of(const auto& A, auto... dim) { return mean(A, dim...); }
  static auto expected(const std::vector<T>& column) {
    return static_cast<ops::real_of<T>>(total_of(column) / static_cast<f64>(column.size()));
  }
};
template <class T>
struct a_dot : a_sum<T> {
  static constexpr const char* name = "dot";
  static auto of(const auto& A, auto... dim) { return dot(A, A, dim...); }
  static auto expected(const std::vector<T>& column) {
    return static_cast<detail::sum_result<T>>(squares_of(column));
  }
};
template <class T>
struct a_norm2 : a_sum<T> {
  static constexpr const char* name = "norm2";
  static auto of(const auto& A, auto... dim) { return norm2(A, dim...); }
  static auto expected(const std::vector<T>& column) {
    return static_cast<ops::real_of<T>>(std::sqrt(squares_of(column)));
  }
};
template <class T>
struct a_max_abs {
  static constexpr const char* name = "max_abs";
  static T value(generator& g) { return tied<T>(g); }
  static auto of(const auto& A, auto... dim) { return max_abs(A, dim...); }
  static auto expected(std::vector<T> column) {
    for (T& v : column) v = static_cast<T>(std::abs(v));
    return column[first_extreme<false>(column)];
  }
};
template <class T>
struct a_min : a_max_abs<T> {
  static constexpr const char* name = "min";
  static auto of(const auto& A, auto... dim) { return min(A, dim...); }
  static auto expected(const std::vector<T>& column) { return column[first_extreme<true>(column)]; }
};
template <class T>
struct a_max : a_max_abs<T> {
  static constexpr const char* name = "max";
  static auto of(const auto& A, auto... dim) { return max(A, dim...); }
  static auto expected(const std::vector<T>& column) {
    return column[first_extreme<false>(column)];
  }
};
template <class T>
struct an_argmin : a_max_abs<T> {
  static constexpr const char* name = "argmin";
  static auto of(const auto& A, auto... dim) { return argmin(A, dim...); }
  static auto expected(const std::vector<T>& column) {
    return static_cast<index_t>(first_extreme<true>(column));
  }
};
template <class T>
struct an_argmax : a_max_abs<T> {
  static constexpr const char* name = "argmax";
  static auto of(const auto& A, auto... dim) { return argmax(A, dim...); }
  static auto expected(const std::vector<T>& column) {
    return static_cast<index_t>(first_extreme<false>(column));
  }
};
template <class T>
struct an_any {
  static constexpr const char* name = "any";
  static T value(generator& g) { return static_cast<T>(g.between(0, 999)); }
  static auto of(const auto& A, auto... dim) { return any(A > 998, dim...); }
  static bool expected(const std::vector<T>& column) {
    return std::ranges::any_of(column, [](T v) { return v > 998; });
  }
};
template <class T>
struct an_all : an_any<T> {
  static constexpr const char* name = "all";
  static auto of(const auto& A, auto... dim) { return all(A <= 998, dim...); }
  static bool expected(const std::vector<T>& column) { return !an_any<T>::expected(column); }
};
/// An operation of a user's own.
struct larger_of_two {
  template <class T>
  TEFF_INLINE T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
template <class T>
struct a_reduce : a_sum<T> {
  static constexpr const char* name = "reduce";
  static auto of(const auto& A, auto... dim) { return reduce(larger_of_two{}, A, -1000, dim...); }
  static T expected(const std::vector<T>& column) { return std::ranges::max(column); }
};

/// Of arrays and device scalars, also of bool.
template <class R>
std::vector<R> values_of(const auto& result) {
  if constexpr (requires { result.shape(); }) {
    array<R, std::remove_cvref_t<decltype(result)>::rank> values(result.on(), result.shape());
    values = result;
    return to_host(values);
  } else {
    return {static_cast<R>(result)};
  }
}

/// Some cells, and the columns that they form along a dim.
template <class T>
struct reduction_case {
  long_dim chosen;
  placed<T, 3> p;
  std::vector<std::vector<T>> columns;
  std::vector<T> cells;

  reduction_case(generator& g, device dev, int turn, T (*value)(generator&))
      : chosen(long_dim_of_turn(g, turn)),
        p(random_placed<T, 3>(g, dev, chosen.e, role::source, chosen.is_contiguous)) {
    for (T& v : p.host) v = value(g);
    p.memory = from_host(p.host);
    each_column<3>(chosen.e, chosen.dim, [&](const index_t* first, const index_t* step) {
      std::vector<T>& column = columns.emplace_back();
      for (index_t at = 0; at < chosen.e[chosen.dim]; ++at)
        column.push_back(
            p.at(first[0] + at * step[0], first[1] + at * step[1], first[2] + at * step[2]));
    });
    p.where.each([&](index_t i, index_t j, index_t k) { cells.push_back(p.at(i, j, k)); });
  }
  std::string text() const {
    return extents_text(p.cells.shape()) + " cells on " + p.cells.dev().name();
  }
};

template <class R>
void compare(const std::vector<R>& got, const std::vector<R>& expected, const std::string& what,
             const std::string& way, const std::string& where) {
  const std::string wrong = difference(got, expected);
  if (!wrong.empty()) FAIL_CHECK(what << ", " << way << ", " << where << ": " << wrong);
}

template <template <class> class Operation, class T>
void check_operation(generator& g, ways_taken& taken) {
  using operation = Operation<T>;
  using expected_type = decltype(operation::expected({}));
  using R = std::conditional_t<std::is_same_v<expected_type, bool>, u8, expected_type>;
  const std::string what = std::string(operation::name) + " of " + type_name<T>();
  const auto check = [&](const auto& result, const std::vector<R>& expected, const auto& c,
                         const std::string& way) {
    compare(values_of<R>(result), expected, what, way, c.text());
    taken.count(what, way);
  };
  for (const device dev : test_devices())
    for (int round = 0; round < turns_along * generator::rounds(dev.is_cpu() ? 100 : 20); ++round) {
      const reduction_case<T> c(g, dev, round % turns_along, &operation::value);
      std::vector<R> of_columns;
      for (const auto& column : c.columns) of_columns.push_back(operation::expected(column));
      check(operation::of(c.p.cells, c.chosen.dim), of_columns, c,
            way_along(c.chosen, is_contiguous(c.p.where)));
      check(operation::of(c.p.cells), {static_cast<R>(operation::expected(c.cells))}, c,
            way_of_all(c.p.cells.size()));
      g.count();
    }
}

template <template <class> class... Operations>
void check_operations(const char* name) {
  generator g(name);
  ways_taken taken;
  const auto of_type = [&]<class T>(T) { (check_operation<Operations, T>(g, taken), ...); };
  of_type(f64{});
  of_type(i32{});
  if constexpr (!is_cuda_unit) {  // nvcc takes 10 s for each of them
    of_type(f32{});
    of_type(i64{});
  }
  const int fewest = taken.fewest(ways_along + 2);
  CHECK((is_quick() || fewest >= 100));
}

}  // namespace

TEST_CASE("sums of every kind: every way and type, against loops (generated)") {
  check_operations<a_sum, a_product, a_mean, a_dot, a_norm2>("sums of every kind");
}

TEST_CASE("extremes and their places: every way and type, against loops (generated)") {
  check_operations<a_min, a_max, a_max_abs, an_argmin, an_argmax>("extremes");
}

TEST_CASE("any, all, reduce: every way and type, against loops (generated)") {
  check_operations<an_any, an_all, a_reduce>("any, all, reduce");
}

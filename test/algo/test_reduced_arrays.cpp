// SPDX-License-Identifier: MIT
#include <cstring>
#include <doctest/doctest.h>

#include <teff/algo/random.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/array/slice.hpp>

using namespace teff;

namespace {

template <class T>
runtime::array_cells<T> cells_of(const array_ref<T, 2>& a) {
  return {a.data(), {a.stride(0), a.stride(1), 0}};
}
template <class T>
bool has_same_bits_as(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Programs that nvcc compiles reduce arrays on the CPU by this.
template <class T>
void check_reductions(const array_ref<T, 2>& a, const array_ref<T, 2>& b) {
  using runtime::combined_values, runtime::combining;
  detail::statement_shape where;
  for (int d = 0; d < 2; ++d) where.n[d] = a.extent(d);
  where.has_unit_stride = a.stride(0) == 1 && b.stride(0) == 1;
  const auto reduced = [&](combining how, combined_values of, auto neutral) {
    return runtime::reduced_on_cpu(how, of, cells_of(a), cells_of(b), where, neutral);
  };
  const T high = detail::highest<T>(), low = detail::lowest<T>();
  CHECK(has_same_bits_as(static_cast<T>(reduced(combining::sum, combined_values::cells, 0.0)),
                         static_cast<T>(sum(a))));
  CHECK(has_same_bits_as(reduced(combining::smaller, combined_values::cells, high),
                         static_cast<T>(min(a))));
  CHECK(has_same_bits_as(reduced(combining::larger, combined_values::cells, low),
                         static_cast<T>(max(a))));
  CHECK(has_same_bits_as(reduced(combining::larger, combined_values::magnitudes, T(0)),
                         static_cast<T>(max_abs(a))));
  CHECK(
      has_same_bits_as(reduced(combining::larger, combined_values::magnitudes_of_differences, T(0)),
                       static_cast<T>(max_abs(a - b))));
}

template <class T>
void check_layouts() {
  array<T, 2> a = random<T>(device::cpu(), {301, 67}, 1);
  const array<T, 2> b = random<T>(device::cpu(), {301, 67}, 2);
  a -= T(0.5);
  check_reductions<T>(a, b);
  check_reductions<T>(a(range(1, 300, 3), range(2, 60)), b(range(1, 300, 3), range(2, 60)));
}

}  // namespace

TEST_CASE("reductions of arrays' cells as data have the bits of expressions") {
  check_layouts<f64>();
  check_layouts<f32>();
}

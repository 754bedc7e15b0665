// SPDX-License-Identifier: MIT
#include <string>

#include <teff/base/error.hpp>
#include <teff/expr/functions.hpp>
#include <teff/stencil/rows/row_operations.hpp>

/// Each operation as a loop of its own: of a cell it does what it does in a formula of C++.
namespace teff::runtime {

namespace {

struct same {
  template <class T>
  TEFF_INLINE T operator()(T a) const {
    return a;
  }
};
struct product_plus {
  template <class T>
  TEFF_INLINE T operator()(T a, T b, T c) const {
    return rounded::fused_multiply_add(a, b, c);
  }
};
struct product_minus {
  template <class T>
  TEFF_INLINE T operator()(T a, T b, T c) const {
    return rounded::fused_multiply_add(a, b, -c);
  }
};
struct minus_product {
  template <class T>
  TEFF_INLINE T operator()(T a, T b, T c) const {
    return rounded::fused_multiply_add(-a, b, c);
  }
};

template <class T>
const T* cells_at(const void* operand) {
  return static_cast<const T*>(operand);
}
// (A result may lie where an operand of its type is: cell by cell, one is read before it is
// written.)
template <class F, class To, class A = To>
void one(void* to, const void* const* of, index_t cells) {
  auto* const t = static_cast<To*>(to);
  const auto* const a = cells_at<A>(of[0]);
  TEFF_SIMD
  for (index_t i = 0; i < cells; ++i) t[i] = F{}(a[i]);
}
template <class F, class To, class A = To>
void two(void* to, const void* const* of, index_t cells) {
  auto* const t = static_cast<To*>(to);
  const auto *const a = cells_at<A>(of[0]), *const b = cells_at<A>(of[1]);
  TEFF_SIMD
  for (index_t i = 0; i < cells; ++i) t[i] = F{}(a[i], b[i]);
}
template <class F, class To, class A = To>
void three(void* to, const void* const* of, index_t cells) {
  auto* const t = static_cast<To*>(to);
  const auto* const a = cells_at<A>(of[0]);
  const auto *const b = cells_at<To>(of[1]), *const c = cells_at<To>(of[2]);
  TEFF_SIMD
  for (index_t i = 0; i < cells; ++i) t[i] = F{}(a[i], b[i], c[i]);
}

/// What f gives for a value of this type.
template <class F>
row_loop by_type(cell_type type, const F& f) {
  switch (type) {
    case cell_type::f64:
      return f(f64{});
    case cell_type::f32:
      return f(f32{});
    case cell_type::i64:
      return f(i64{});
    case cell_type::i32:
      return f(i32{});
    default:
      return f(u8{});
  }
}
row_loop conversion(cell_type from, cell_type to) {
  return by_type(from, [&](auto a) {
    return by_type(to, [&](auto t) -> row_loop {
      return one<ops::converted<decltype(t)>, decltype(t), decltype(a)>;
    });
  });
}

/// Of real values; nullptr where it is none of these.
template <class T>
row_loop of_reals(row_operation what) {
  using enum row_operation;
  switch (what) {
    case divide:
      return two<ops::divided_by, T>;
    case add_product:
      return three<product_plus, T>;
    case subtract_from_product:
      return three<product_minus, T>;
    case subtract_product:
      return three<minus_product, T>;
    case power:
      return two<ops::power, T>;
    case square_root:
      return one<ops::square_root, T>;
    case exponential:
      return one<ops::exponential, T>;
    case logarithm:
      return one<ops::logarithm, T>;
    case sine:
      return one<ops::sine, T>;
    case cosine:
      return one<ops::cosine, T>;
    case hyperbolic_tangent:
      return one<ops::hyperbolic_tangent, T>;
    case floor:
      return one<ops::floored, T>;
    default:
      return nullptr;
  }
}

/// Of any values; nullptr likewise. (Those of u8 are what maxloc and minloc compare.)
template <class T>
row_loop of_all(row_operation what) {
  using enum row_operation;
  switch (what) {
    case copy:
      return one<same, T>;
    case where:
      return three<ops::choice, T, i32>;
    case minimum:
      return two<ops::smaller, T>;
    case maximum:
      return two<ops::larger, T>;
    default:
      return nullptr;
  }
}

/// Of any but u8, which meet as i32.
template <class T>
row_loop of_numbers(row_operation what) {
  using enum row_operation;
  switch (what) {
    case add:
      return two<ops::plus, T>;
    case subtract:
      return two<ops::minus, T>;
    case multiply:
      return two<ops::times, T>;
    case negate:
      return one<ops::negate, T>;
    case absolute:
      return one<ops::magnitude, T>;
    case less:
      return two<ops::less, i32, T>;
    case less_equal:
      return two<ops::less_equal, i32, T>;
    case equal:
      return two<ops::equal, i32, T>;
    case not_equal:
      return two<ops::not_equal, i32, T>;
    default:
      return nullptr;
  }
}

row_loop of_conditions(row_operation what) {
  using enum row_operation;
  return what == both       ? two<ops::both, i32>
         : what == either   ? two<ops::either, i32>
         : what == opposite ? one<ops::logical_not, i32>
                            : nullptr;
}

}  // namespace

row_loop row_loop_of(row_operation what, cell_type type, cell_type to) {
  if (what == row_operation::convert) return conversion(type, to);
  const row_loop found = by_type(type, [&](auto value) -> row_loop {
    using T = decltype(value);
    row_loop made = of_all<T>(what);
    if constexpr (!std::same_as<T, u8>) made = made ? made : of_numbers<T>(what);
    if constexpr (rounded::real<T>) made = made ? made : of_reals<T>(what);
    if constexpr (std::same_as<T, i32>) made = made ? made : of_conditions(what);
    return made;
  });
  if (found == nullptr)
    throw error(failure::usage, "a row's program has operation " +
                                    std::to_string(static_cast<int>(what)) + " of type " +
                                    std::to_string(static_cast<int>(type)) + ", which is none");
  return found;
}

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/copy.hpp>
#include <teff/algo/gemv.hpp>
#include <teff/algo/matmul.hpp>
#include <teff/algo/random.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/algo/scan.hpp>
#include <teff/algo/segmented.hpp>
#include <teff/algo/transpose.hpp>
#include <teff/capi/algorithms.hpp>

/// The table of algorithms.hpp for cells of type T.
namespace teff::inline TEFF_MODE::detail {

template <class T>
struct algorithms_of {
  using whole_sum = sum_result<T>;
  static constexpr bool is_real = std::floating_point<T>;

  static auto cells(const teff_array* a) { return as_ref<T, 3>(a, "the array"); }

  /// f(e, dims...) gives a reduction of e with cells of type R.
  template <class R, class E, class F>
  static void reduce_to(const teff_array* target, const capi::reduced_dims& dims, const E& e,
                        const F& f) {
    if (dims.count == 0) {
      const auto to = as_ref<R, 3>(target, "the target");
      if (to.size() != 1)
        throw error(failure::usage, "the target of a reduction of all cells has one cell, got " +
                                        capi::described(*target));
      to = f(e);
    } else if (dims.count == 1) {
      as_ref<R, 2>(target, "the target") = f(e, dims.dim[0]);
    } else {
      as_ref<R, 1>(target, "the target") = f(e, dims.dim[0], dims.dim[1]);
    }
  }
  /// Of those whose partial results are no cells: along one dim, or of all.
  template <class R, class E, class F>
  static void reduce_one_to(const teff_array* target, const capi::reduced_dims& dims, const E& e,
                            const F& f) {
    if (dims.count == 2)
      throw error(failure::usage, "argmin and argmax are of all cells or along one dim, got two");
    if (dims.count == 0)
      as_ref<R, 1>(target, "the target") = f(e);
    else
      as_ref<R, 2>(target, "the target") = f(e, dims.dim[0]);
  }

  static void reduce(teff_reduction what, const teff_array* target, const teff_array* array,
                     const capi::reduced_dims& dims) {
    const auto A = cells(array);
    using of_mean = ops::real_of<T>;
    using of_max_abs =
        typename std::remove_cvref_t<decltype(map(ops::full_magnitude{}, A))>::value_type;
    switch (what) {
      case teff_sum:
        return reduce_to<whole_sum>(target, dims, A,
                                    [](const auto&... of) { return teff::sum(of...); });
      case teff_prod:
        return reduce_to<whole_sum>(target, dims, A,
                                    [](const auto&... of) { return teff::prod(of...); });
      case teff_min:
        return reduce_to<T>(target, dims, A, [](const auto&... of) { return teff::min(of...); });
      case teff_max:
        return reduce_to<T>(target, dims, A, [](const auto&... of) { return teff::max(of...); });
      case teff_max_abs:
        return reduce_to<of_max_abs>(target, dims, A,
                                     [](const auto&... of) { return teff::max_abs(of...); });
      case teff_mean:
        return reduce_to<of_mean>(target, dims, A,
                                  [](const auto&... of) { return teff::mean(of...); });
      case teff_norm2:
        return reduce_to<of_mean>(target, dims, A,
                                  [](const auto&... of) { return teff::norm2(of...); });
      case teff_argmin:
        return reduce_one_to<i64>(target, dims, A,
                                  [](const auto&... of) { return teff::argmin(of...); });
      case teff_argmax:
        return reduce_one_to<i64>(target, dims, A,
                                  [](const auto&... of) { return teff::argmax(of...); });
      case teff_any:
        return reduce_to<u8>(target, dims, A != 0,
                             [](const auto&... of) { return teff::any(of...); });
      case teff_all:
        return reduce_to<u8>(target, dims, A != 0,
                             [](const auto&... of) { return teff::all(of...); });
    }
    throw error(failure::usage, "there is no reduction number " + std::to_string(what));
  }

  static void dot(const teff_array* target, const teff_array* a, const teff_array* b) {
    as_ref<whole_sum, 1>(target, "the target") = teff::dot(cells(a), cells(b));
  }

  static void cumsum(const teff_array* target, const teff_array* array, int dim) {
    if constexpr (!is_real && !std::same_as<T, i64>)
      if (target->type == teff_i64)
        return teff::cumsum(as_ref<i64, 3>(target, "the target"), cells(array), dim);
    teff::cumsum(as_ref<T, 3>(target, "the target"), cells(array), dim);
  }

  static void scan(const teff_array* target, const teff_array* array,
                   const capi::scan_request& how) {
    scan_options<T> options{.exclusive = how.is_exclusive};
    if (how.init != nullptr) options.init = given<T>(*static_cast<const T*>(how.init));
    const auto B = as_ref<T, 3>(target, "the target");
    const auto A = cells(array);
    switch (how.operation) {
      case teff_add:
        return teff::scan(B, A, how.dim, ops::sum{}, options);
      case teff_multiply:
        return teff::scan(B, A, how.dim, ops::times{}, options);
      case teff_minimum:
        return teff::scan(B, A, how.dim, ops::smaller{}, options);
      case teff_maximum:
        return teff::scan(B, A, how.dim, ops::larger{}, options);
    }
    throw error(failure::usage, "there is no operation number " + std::to_string(how.operation));
  }

  static void permute(const teff_array* target, const teff_array* array, const int* order) {
    if (array->rank == 2)
      return teff::permute(as_ref<T, 2>(target, "the target"), as_ref<T, 2>(array, "the array"),
                           {order[0], order[1]});
    teff::permute(as_ref<T, 3>(target, "the target"), cells(array), {order[0], order[1], order[2]});
  }

  static void copy(const teff_array* target, const teff_array* array) {
    teff::copy(as_ref<T, 3>(target, "the target"), cells(array));
  }

  static void segmented_sum(const teff_array* target, const teff_array* array,
                            const teff_array* offsets) {
    if constexpr (sizeof(T) >= 4) {
      const auto X = as_ref<T, 2>(array, "the array");
      const auto to = [&](const auto& bags) {
        if constexpr (!std::same_as<T, whole_sum>)
          if (target->type == teff_i64)
            return teff::segmented_sum(as_ref<whole_sum, 2>(target, "the target"), X, bags);
        teff::segmented_sum(as_ref<T, 2>(target, "the target"), X, bags);
      };
      if (offsets->type == teff_i32) return to(as_ref<i32, 1>(offsets, "the offsets"));
      to(as_ref<i64, 1>(offsets, "the offsets"));
    }
  }

  static void gemv(double alpha, const teff_array* A, const teff_array* x, double beta,
                   const teff_array* y) {
    if constexpr (is_real)
      teff::gemv<T>(static_cast<T>(alpha), as_ref<T, 2>(A, "A"), as_ref<T, 1>(x, "x"),
                    static_cast<T>(beta), as_ref<T, 1>(y, "y"));
  }
  static void matmul(const teff_array* C, const teff_array* A, const teff_array* B) {
    if constexpr (is_real)
      teff::matmul(as_ref<T, 2>(C, "C"), as_ref<T, 2>(A, "A"), as_ref<T, 2>(B, "B"));
  }
  static void random(const teff_array* target, uint64_t seed, bool is_normal) {
    if constexpr (is_real) {
      const auto to = cells(target);
      if (is_normal)
        fill_random_normal(to, seed);
      else
        fill_random(to, seed);
    }
  }

  static constexpr capi::algorithms table() {
    capi::algorithms all{};
    all.reduce = reduce;
    all.dot = dot;
    all.cumsum = cumsum;
    all.scan = scan;
    all.permute = permute;
    all.copy = copy;
    if (sizeof(T) >= 4) all.segmented_sum = segmented_sum;
    if (is_real) {
      all.gemv = gemv;
      all.matmul = matmul;
      all.random = random;
    }
    return all;
  }
};

}  // namespace teff::inline TEFF_MODE::detail

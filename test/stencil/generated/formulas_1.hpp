// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#pragma once

#include "../formula_oracle.hpp"

namespace teff::inline TEFF_MODE::test {

using namespace teff::fd2;

struct formula_08 {
  static constexpr int fields = 3, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      return update(around<1>(T)(),
                    minimum(maximum(around<1>(T)() + 0.45 * (((((at<0, 0>(around<1>(T)) + av_ya(d_ya(av_xa(d_xa(T))))) - where(iy < 3, av_yi(harm_ya(T)), 0.3)) + av_yi(av_ya(C))) * (harm_xa(av(av_ya(D))) + 0.01 * iy)) - around<1>(T)()), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(times(plus(minus(plus(value(T(i + 1, j + 1)), scaled_sum(V(0.5), minus(value(scaled_sum(V(0.5), minus(value(T(i + 1, j + 1)), value(T(i + 0, j + 1))), minus(value(T(i + 2, j + 1)), value(T(i + 1, j + 1))))), value(scaled_sum(V(0.5), minus(value(T(i + 1, j + 0)), value(T(i + 0, j + 0))), minus(value(T(i + 2, j + 0)), value(T(i + 1, j + 0)))))), minus(value(scaled_sum(V(0.5), minus(value(T(i + 1, j + 2)), value(T(i + 0, j + 2))), minus(value(T(i + 2, j + 2)), value(T(i + 1, j + 2))))), value(scaled_sum(V(0.5), minus(value(T(i + 1, j + 1)), value(T(i + 0, j + 1))), minus(value(T(i + 2, j + 1)), value(T(i + 1, j + 1)))))))), (static_cast<double>(j + 1) < 3 ? value(scaled_sum(V(0.5), inverse_sum(V(2), T(i + 1, j + 0), T(i + 1, j + 1)), inverse_sum(V(2), T(i + 1, j + 1), T(i + 1, j + 2)))) : V(0.3))), scaled_sum(V(0.5), scaled_sum(V(0.5), C(i + 1, j + 0), C(i + 1, j + 1)), scaled_sum(V(0.5), C(i + 1, j + 1), C(i + 1, j + 2)))), plus(inverse_sum(V(2), scaled_sum(V(0.25), scaled_sum(V(0.5), D(i + 0, j + 0), D(i + 0, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 0, j + 1), D(i + 0, j + 2)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2))), scaled_sum(V(0.25), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 2, j + 0), D(i + 2, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2)), scaled_sum(V(0.5), D(i + 2, j + 1), D(i + 2, j + 2)))), times(V(0.01), static_cast<double>(j + 1)))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_09 {
  static constexpr int fields = 1, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = false;
  static auto step() {
    return timestep([=](auto T) {
      return update(around<1>(T)(),
                    minimum(maximum(around<1>(T)() + 0.45 * (where(sin(abs(harm_ya(av(av_xa(T))))) < (inn((T - T)) + inn((T * T))), where((at<1, -1>(around<1>(T)) / (1.5 + av(av(T)))) < (harm_yi(av_ya(T)) * d2_yi(T)), harm_yi(av_ya(T)), 0.25), 1.1) - around<1>(T)()), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus((value(std::sin(value(magnitude(inverse_sum(V(2), scaled_sum(V(0.25), scaled_sum(V(0.5), T(i + 0, j + 0), T(i + 1, j + 0)), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 2, j + 0)), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 2, j + 1))), scaled_sum(V(0.25), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 2, j + 1)), scaled_sum(V(0.5), T(i + 0, j + 2), T(i + 1, j + 2)), scaled_sum(V(0.5), T(i + 1, j + 2), T(i + 2, j + 2)))))))) < value(plus(value(minus(T(i + 1, j + 1), T(i + 1, j + 1))), value(times(T(i + 1, j + 1), T(i + 1, j + 1))))) ? value((value(divided(value(T(i + 2, j + 0)), plus(V(1.5), scaled_sum(V(0.25), scaled_sum(V(0.25), T(i + 0, j + 0), T(i + 1, j + 0), T(i + 0, j + 1), T(i + 1, j + 1)), scaled_sum(V(0.25), T(i + 1, j + 0), T(i + 2, j + 0), T(i + 1, j + 1), T(i + 2, j + 1)), scaled_sum(V(0.25), T(i + 0, j + 1), T(i + 1, j + 1), T(i + 0, j + 2), T(i + 1, j + 2)), scaled_sum(V(0.25), T(i + 1, j + 1), T(i + 2, j + 1), T(i + 1, j + 2), T(i + 2, j + 2)))))) < value(times(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2))), minus(minus(value(T(i + 1, j + 2)), value(T(i + 1, j + 1))), minus(value(T(i + 1, j + 1)), value(T(i + 1, j + 0)))))) ? value(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2)))) : V(0.25))) : V(1.1)), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_10 {
  static constexpr int fields = 2, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * ((at<0, 0>(around<1>((maximum(T, 1.1) + (C + 0.25)))) * where(ix < 7, (at<0, -1>(around<1>(C)) / (1.5 + inn_x(av_ya(av_ya(C))))), 0.3)) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(times(value(plus(largest(value(T(i + 1, j + 1)), V(1.1)), plus(C(i + 1, j + 1), V(0.25)))), (static_cast<double>(i + 1) < 7 ? value(divided(value(C(i + 1, j + 0)), plus(V(1.5), value(scaled_sum(V(0.5), scaled_sum(V(0.5), C(i + 1, j + 0), C(i + 1, j + 1)), scaled_sum(V(0.5), C(i + 1, j + 1), C(i + 1, j + 2))))))) : V(0.3))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_11 {
  static constexpr int fields = 3, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (maxloc((((T * D) * (D + 0.3)) * ((D + T) + (C * C)))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(largest(times(times(times(T(i + 1, j + 1), D(i + 1, j + 1)), plus(D(i + 1, j + 1), V(0.3))), plus(plus(D(i + 1, j + 1), T(i + 1, j + 1)), times(C(i + 1, j + 1), C(i + 1, j + 1)))), times(times(times(T(i + 0, j + 1), D(i + 0, j + 1)), plus(D(i + 0, j + 1), V(0.3))), plus(plus(D(i + 0, j + 1), T(i + 0, j + 1)), times(C(i + 0, j + 1), C(i + 0, j + 1)))), times(times(times(T(i + 2, j + 1), D(i + 2, j + 1)), plus(D(i + 2, j + 1), V(0.3))), plus(plus(D(i + 2, j + 1), T(i + 2, j + 1)), times(C(i + 2, j + 1), C(i + 2, j + 1)))), times(times(times(T(i + 1, j + 0), D(i + 1, j + 0)), plus(D(i + 1, j + 0), V(0.3))), plus(plus(D(i + 1, j + 0), T(i + 1, j + 0)), times(C(i + 1, j + 0), C(i + 1, j + 0)))), times(times(times(T(i + 1, j + 2), D(i + 1, j + 2)), plus(D(i + 1, j + 2), V(0.3))), plus(plus(D(i + 1, j + 2), T(i + 1, j + 2)), times(C(i + 1, j + 2), C(i + 1, j + 2))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_12 {
  static constexpr int fields = 1, frame_x = 0, frame_y = 0;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T) {
      return update(T,
                    minimum(maximum(T + 0.45 * (sq((((T - 0.7) * 1.1) - ((T - T) - (T * T)))) - T), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 0, j + 0), times(V(0.45), minus(times_value(minus(times(minus(T(i + 0, j + 0), V(0.7)), V(1.1)), minus(minus(T(i + 0, j + 0), T(i + 0, j + 0)), times(T(i + 0, j + 0), T(i + 0, j + 0)))), minus(times(minus(T(i + 0, j + 0), V(0.7)), V(1.1)), minus(minus(T(i + 0, j + 0), T(i + 0, j + 0)), times(T(i + 0, j + 0), T(i + 0, j + 0))))), T(i + 0, j + 0))))), V(0.25)), V(2));
  }
};

struct formula_13 {
  static constexpr int fields = 2, frame_x = 0, frame_y = 0;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      return update(T,
                    minimum(maximum(T + 0.45 * (((((T - T) * (T - 1.25)) * ((T - 1.9) + (T * T))) * (((C + T) * 1.9) / (1.5 + C))) - T), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 0, j + 0), times(V(0.45), minus(times(times(times(minus(T(i + 0, j + 0), T(i + 0, j + 0)), minus(T(i + 0, j + 0), V(1.25))), plus(minus(T(i + 0, j + 0), V(1.9)), times(T(i + 0, j + 0), T(i + 0, j + 0)))), divided(times(plus(C(i + 0, j + 0), T(i + 0, j + 0)), V(1.9)), plus(V(1.5), C(i + 0, j + 0)))), T(i + 0, j + 0))))), V(0.25)), V(2));
  }
};

struct formula_14 {
  static constexpr int fields = 3, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (sqrt(abs((where(maxloc(D) < (harm_xi(av_xa(T)) + d2_xa(harm_ya(av_ya(T)))), av_xi(av_xa(D)), 0.3) - at<0, 1>(around<1>((C + C)))))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(root(minus((value(largest(D(i + 1, j + 1), D(i + 0, j + 1), D(i + 2, j + 1), D(i + 1, j + 0), D(i + 1, j + 2))) < value(plus(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 2, j + 1))), minus(minus(value(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 2, j + 0), T(i + 2, j + 1)), scaled_sum(V(0.5), T(i + 2, j + 1), T(i + 2, j + 2)))), value(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2))))), minus(value(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2)))), value(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 0, j + 0), T(i + 0, j + 1)), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 0, j + 2)))))))) ? value(scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 0, j + 1), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 2, j + 1)))) : V(0.3)), value(plus(C(i + 1, j + 2), C(i + 1, j + 2))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_15 {
  static constexpr int fields = 1, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (d2_ya(av_xa(harm_xa(T))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(minus(minus(value(scaled_sum(V(0.5), inverse_sum(V(2), T(i + 0, j + 2), T(i + 1, j + 2)), inverse_sum(V(2), T(i + 1, j + 2), T(i + 2, j + 2)))), value(scaled_sum(V(0.5), inverse_sum(V(2), T(i + 0, j + 1), T(i + 1, j + 1)), inverse_sum(V(2), T(i + 1, j + 1), T(i + 2, j + 1))))), minus(value(scaled_sum(V(0.5), inverse_sum(V(2), T(i + 0, j + 1), T(i + 1, j + 1)), inverse_sum(V(2), T(i + 1, j + 1), T(i + 2, j + 1)))), value(scaled_sum(V(0.5), inverse_sum(V(2), T(i + 0, j + 0), T(i + 1, j + 0)), inverse_sum(V(2), T(i + 1, j + 0), T(i + 2, j + 0)))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

}  // namespace teff::inline TEFF_MODE::test

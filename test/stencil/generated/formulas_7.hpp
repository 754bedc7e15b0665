// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#pragma once

#include "../formula_oracle.hpp"

namespace teff::inline TEFF_MODE::test {

using namespace teff::fd2;

struct formula_56 {
  static constexpr int fields = 3, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      return update(around<1>(T)(),
                    minimum(maximum(around<1>(T)() + 0.45 * (where(harm_xi(av_xa(D)) < harm_xi(av_xa(C)), at<0, -1>(around<1>((C + T))), 0.3) - around<1>(T)()), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus((value(inverse_sum(V(2), scaled_sum(V(0.5), D(i + 0, j + 1), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 2, j + 1)))) < value(inverse_sum(V(2), scaled_sum(V(0.5), C(i + 0, j + 1), C(i + 1, j + 1)), scaled_sum(V(0.5), C(i + 1, j + 1), C(i + 2, j + 1)))) ? value(value(plus(C(i + 1, j + 0), T(i + 1, j + 0)))) : V(0.3)), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_57 {
  static constexpr int fields = 1, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = false;
  static auto step() {
    return timestep([=](auto T) {
      return update(around<1>(T)(),
                    minimum(maximum(around<1>(T)() + 0.45 * (d_yi((d_ya((T + T)) * sq(cos(av_ya(T))))) - around<1>(T)()), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(minus(value(times(minus(value(plus(T(i + 1, j + 2), T(i + 1, j + 2))), value(plus(T(i + 1, j + 1), T(i + 1, j + 1)))), times_value(std::cos(value(scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2)))), std::cos(value(scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2))))))), value(times(minus(value(plus(T(i + 1, j + 1), T(i + 1, j + 1))), value(plus(T(i + 1, j + 0), T(i + 1, j + 0)))), times_value(std::cos(value(scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)))), std::cos(value(scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)))))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_58 {
  static constexpr int fields = 2, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (at<0, -1>(around<1>((((C + 1.25) * (C - 0.7)) + ((C - T) / (1.5 + C))))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(value(plus(times(plus(C(i + 1, j + 0), V(1.25)), minus(C(i + 1, j + 0), V(0.7))), divided(minus(C(i + 1, j + 0), T(i + 1, j + 0)), plus(V(1.5), C(i + 1, j + 0))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_59 {
  static constexpr int fields = 3, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      (void)C;
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (inn(((sq(D) - 1.1) - ((D * 1.9) * (T - 0.25)))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)C;
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(value(minus(minus(times_value(D(i + 1, j + 1), D(i + 1, j + 1)), V(1.1)), times(times(D(i + 1, j + 1), V(1.9)), minus(T(i + 1, j + 1), V(0.25))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_60 {
  static constexpr int fields = 1, frame_x = 0, frame_y = 0;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T) {
      return update(T,
                    minimum(maximum(T + 0.45 * (abs(where(((T * T) - 1.25) < ((T + T) - (T * T)), (T - T), 0.25)) - T), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 0, j + 0), times(V(0.45), minus(magnitude((value(minus(times(T(i + 0, j + 0), T(i + 0, j + 0)), V(1.25))) < value(minus(plus(T(i + 0, j + 0), T(i + 0, j + 0)), times(T(i + 0, j + 0), T(i + 0, j + 0)))) ? value(minus(T(i + 0, j + 0), T(i + 0, j + 0))) : V(0.25))), T(i + 0, j + 0))))), V(0.25)), V(2));
  }
};

struct formula_61 {
  static constexpr int fields = 2, frame_x = 0, frame_y = 0;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      return update(T,
                    minimum(maximum(T + 0.45 * (((((C - C) + (C - T)) * sqrt(abs((C + 1.9)))) - (((C * 1.1) - (C - T)) * ((T - C) * where(C < C, T, 0.3)))) - T), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 0, j + 0), times(V(0.45), minus(minus(times(plus(minus(C(i + 0, j + 0), C(i + 0, j + 0)), minus(C(i + 0, j + 0), T(i + 0, j + 0))), root(plus(C(i + 0, j + 0), V(1.9)))), times(minus(times(C(i + 0, j + 0), V(1.1)), minus(C(i + 0, j + 0), T(i + 0, j + 0))), times(minus(T(i + 0, j + 0), C(i + 0, j + 0)), (value(C(i + 0, j + 0)) < value(C(i + 0, j + 0)) ? value(T(i + 0, j + 0)) : V(0.3))))), T(i + 0, j + 0))))), V(0.25)), V(2));
  }
};

struct formula_62 {
  static constexpr int fields = 3, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * ((((sqrt(abs(av_xa(harm(av_ya(T))))) - sq(d_xa(d2_ya(d_xa(D))))) / (1.5 + maxloc(C))) + (((harm_yi(av_ya(T)) * d_yi(harm_ya(D))) + 0.01 * iy) - where(iy < 7, av_xa(harm_xa(av_ya(av_ya(D)))), 0.3))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(plus(divided(minus(root(scaled_sum(V(0.5), inverse_sum(V(4), scaled_sum(V(0.5), T(i + 0, j + 0), T(i + 0, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 0, j + 2)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2))), inverse_sum(V(4), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 2, j + 0), T(i + 2, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2)), scaled_sum(V(0.5), T(i + 2, j + 1), T(i + 2, j + 2))))), times_value(minus(value(minus(minus(value(minus(value(D(i + 2, j + 2)), value(D(i + 1, j + 2)))), value(minus(value(D(i + 2, j + 1)), value(D(i + 1, j + 1))))), minus(value(minus(value(D(i + 2, j + 1)), value(D(i + 1, j + 1)))), value(minus(value(D(i + 2, j + 0)), value(D(i + 1, j + 0))))))), value(minus(minus(value(minus(value(D(i + 1, j + 2)), value(D(i + 0, j + 2)))), value(minus(value(D(i + 1, j + 1)), value(D(i + 0, j + 1))))), minus(value(minus(value(D(i + 1, j + 1)), value(D(i + 0, j + 1)))), value(minus(value(D(i + 1, j + 0)), value(D(i + 0, j + 0)))))))), minus(value(minus(minus(value(minus(value(D(i + 2, j + 2)), value(D(i + 1, j + 2)))), value(minus(value(D(i + 2, j + 1)), value(D(i + 1, j + 1))))), minus(value(minus(value(D(i + 2, j + 1)), value(D(i + 1, j + 1)))), value(minus(value(D(i + 2, j + 0)), value(D(i + 1, j + 0))))))), value(minus(minus(value(minus(value(D(i + 1, j + 2)), value(D(i + 0, j + 2)))), value(minus(value(D(i + 1, j + 1)), value(D(i + 0, j + 1))))), minus(value(minus(value(D(i + 1, j + 1)), value(D(i + 0, j + 1)))), value(minus(value(D(i + 1, j + 0)), value(D(i + 0, j + 0)))))))))), plus(V(1.5), largest(C(i + 1, j + 1), C(i + 0, j + 1), C(i + 2, j + 1), C(i + 1, j + 0), C(i + 1, j + 2)))), minus(plus(times(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2))), minus(value(inverse_sum(V(2), D(i + 1, j + 1), D(i + 1, j + 2))), value(inverse_sum(V(2), D(i + 1, j + 0), D(i + 1, j + 1))))), times(V(0.01), static_cast<double>(j + 1))), (static_cast<double>(j + 1) < 7 ? value(scaled_sum(V(0.5), inverse_sum(V(2), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 0, j + 0), D(i + 0, j + 1)), scaled_sum(V(0.5), D(i + 0, j + 1), D(i + 0, j + 2))), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2)))), inverse_sum(V(2), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2))), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 2, j + 0), D(i + 2, j + 1)), scaled_sum(V(0.5), D(i + 2, j + 1), D(i + 2, j + 2)))))) : V(0.3)))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_63 {
  static constexpr int fields = 1, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (abs(av_yi(abs((d_ya(T) + harm_ya(T))))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(magnitude(scaled_sum(V(0.5), magnitude(plus(minus(value(T(i + 1, j + 1)), value(T(i + 1, j + 0))), inverse_sum(V(2), T(i + 1, j + 0), T(i + 1, j + 1)))), magnitude(plus(minus(value(T(i + 1, j + 2)), value(T(i + 1, j + 1))), inverse_sum(V(2), T(i + 1, j + 1), T(i + 1, j + 2)))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

}  // namespace teff::inline TEFF_MODE::test

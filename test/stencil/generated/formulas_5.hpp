// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#pragma once

#include "../formula_oracle.hpp"

namespace teff::inline TEFF_MODE::test {

using namespace teff::fd2;

struct formula_40 {
  static constexpr int fields = 2, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      (void)C;
      return update(around<1>(T)(),
                    minimum(maximum(around<1>(T)() + 0.45 * (harm_xa(av(av_ya(T))) - around<1>(T)()), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)C;
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(inverse_sum(V(2), scaled_sum(V(0.25), scaled_sum(V(0.5), T(i + 0, j + 0), T(i + 0, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 0, j + 2)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2))), scaled_sum(V(0.25), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 2, j + 0), T(i + 2, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2)), scaled_sum(V(0.5), T(i + 2, j + 1), T(i + 2, j + 2)))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_41 {
  static constexpr int fields = 3, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      (void)C;
      (void)D;
      return update(around<1>(T)(),
                    minimum(maximum(around<1>(T)() + 0.45 * ((harm_xa(inn_y(av_xa(T))) * av_ya(d_xa((d_xa(harm_ya(T)) * av(T))))) - around<1>(T)()), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)C;
    (void)D;
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(times(inverse_sum(V(2), value(scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 1, j + 1))), value(scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 2, j + 1)))), scaled_sum(V(0.5), minus(value(times(minus(value(inverse_sum(V(2), T(i + 2, j + 0), T(i + 2, j + 1))), value(inverse_sum(V(2), T(i + 1, j + 0), T(i + 1, j + 1)))), scaled_sum(V(0.25), T(i + 1, j + 0), T(i + 2, j + 0), T(i + 1, j + 1), T(i + 2, j + 1)))), value(times(minus(value(inverse_sum(V(2), T(i + 1, j + 0), T(i + 1, j + 1))), value(inverse_sum(V(2), T(i + 0, j + 0), T(i + 0, j + 1)))), scaled_sum(V(0.25), T(i + 0, j + 0), T(i + 1, j + 0), T(i + 0, j + 1), T(i + 1, j + 1))))), minus(value(times(minus(value(inverse_sum(V(2), T(i + 2, j + 1), T(i + 2, j + 2))), value(inverse_sum(V(2), T(i + 1, j + 1), T(i + 1, j + 2)))), scaled_sum(V(0.25), T(i + 1, j + 1), T(i + 2, j + 1), T(i + 1, j + 2), T(i + 2, j + 2)))), value(times(minus(value(inverse_sum(V(2), T(i + 1, j + 1), T(i + 1, j + 2))), value(inverse_sum(V(2), T(i + 0, j + 1), T(i + 0, j + 2)))), scaled_sum(V(0.25), T(i + 0, j + 1), T(i + 1, j + 1), T(i + 0, j + 2), T(i + 1, j + 2))))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_42 {
  static constexpr int fields = 1, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * ((where(minloc((T + T)) < av_xi((av_xa(T) - av_xa(T))), (at<1, 1>(around<1>(T)) - at<0, 0>(around<1>(T))), 1.9) - d_yi(harm_ya(T))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(minus((value(smallest(plus(T(i + 1, j + 1), T(i + 1, j + 1)), plus(T(i + 0, j + 1), T(i + 0, j + 1)), plus(T(i + 2, j + 1), T(i + 2, j + 1)), plus(T(i + 1, j + 0), T(i + 1, j + 0)), plus(T(i + 1, j + 2), T(i + 1, j + 2)))) < value(scaled_sum(V(0.5), minus(scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 1, j + 1))), minus(scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 2, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 2, j + 1))))) ? value(minus(value(T(i + 2, j + 2)), value(T(i + 1, j + 1)))) : V(1.9)), minus(value(inverse_sum(V(2), T(i + 1, j + 1), T(i + 1, j + 2))), value(inverse_sum(V(2), T(i + 1, j + 0), T(i + 1, j + 1))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_43 {
  static constexpr int fields = 2, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      (void)C;
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (harm_ya(av_ya(inn_x(T))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)C;
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(inverse_sum(V(2), scaled_sum(V(0.5), value(T(i + 1, j + 0)), value(T(i + 1, j + 1))), scaled_sum(V(0.5), value(T(i + 1, j + 1)), value(T(i + 1, j + 2)))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_44 {
  static constexpr int fields = 3, frame_x = 0, frame_y = 0;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      return update(T,
                    minimum(maximum(T + 0.45 * (((((D - C) - (C * T)) * ((C + D) * sq(C))) - (sq(sqrt(abs(D))) * ((T * 1.25) - (C + C)))) - T), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 0, j + 0), times(V(0.45), minus(minus(times(minus(minus(D(i + 0, j + 0), C(i + 0, j + 0)), times(C(i + 0, j + 0), T(i + 0, j + 0))), times(plus(C(i + 0, j + 0), D(i + 0, j + 0)), times_value(C(i + 0, j + 0), C(i + 0, j + 0)))), times(times_value(root(D(i + 0, j + 0)), root(D(i + 0, j + 0))), minus(times(T(i + 0, j + 0), V(1.25)), plus(C(i + 0, j + 0), C(i + 0, j + 0))))), T(i + 0, j + 0))))), V(0.25)), V(2));
  }
};

struct formula_45 {
  static constexpr int fields = 1, frame_x = 0, frame_y = 0;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T) {
      return update(T,
                    minimum(maximum(T + 0.45 * (((((T - 0.25) * minimum(T, 1.1)) * ((T - 0.25) * (T / (1.5 + T)))) * ((sqrt(abs(T)) - (T - T)) * 0.25)) - T), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 0, j + 0), times(V(0.45), minus(times(times(times(minus(T(i + 0, j + 0), V(0.25)), smallest(value(T(i + 0, j + 0)), V(1.1))), times(minus(T(i + 0, j + 0), V(0.25)), divided(T(i + 0, j + 0), plus(V(1.5), T(i + 0, j + 0))))), times(minus(root(T(i + 0, j + 0)), minus(T(i + 0, j + 0), T(i + 0, j + 0))), V(0.25))), T(i + 0, j + 0))))), V(0.25)), V(2));
  }
};

struct formula_46 {
  static constexpr int fields = 2, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * ((((harm_yi(av_ya(T)) * (d2_ya(inn_x(C)) * harm_xa(av_xa(av_ya(av_ya(C)))))) * 0.3) - at<-1, 1>(around<1>(((C * T) + where(C < C, C, 1.25))))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(minus(times(times(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2))), times(minus(minus(value(value(C(i + 1, j + 2))), value(value(C(i + 1, j + 1)))), minus(value(value(C(i + 1, j + 1))), value(value(C(i + 1, j + 0))))), inverse_sum(V(2), scaled_sum(V(0.5), scaled_sum(V(0.5), scaled_sum(V(0.5), C(i + 0, j + 0), C(i + 0, j + 1)), scaled_sum(V(0.5), C(i + 0, j + 1), C(i + 0, j + 2))), scaled_sum(V(0.5), scaled_sum(V(0.5), C(i + 1, j + 0), C(i + 1, j + 1)), scaled_sum(V(0.5), C(i + 1, j + 1), C(i + 1, j + 2)))), scaled_sum(V(0.5), scaled_sum(V(0.5), scaled_sum(V(0.5), C(i + 1, j + 0), C(i + 1, j + 1)), scaled_sum(V(0.5), C(i + 1, j + 1), C(i + 1, j + 2))), scaled_sum(V(0.5), scaled_sum(V(0.5), C(i + 2, j + 0), C(i + 2, j + 1)), scaled_sum(V(0.5), C(i + 2, j + 1), C(i + 2, j + 2))))))), V(0.3)), value(plus(times(C(i + 0, j + 2), T(i + 0, j + 2)), (value(C(i + 0, j + 2)) < value(C(i + 0, j + 2)) ? value(C(i + 0, j + 2)) : V(1.25))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_47 {
  static constexpr int fields = 3, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (where(at<-1, 1>(around<1>(((D + D) - where(T < D, T, 0.7)))) < inn_x(harm_ya(av_ya(D))), where(ix < 3, sq(at<1, 0>(around<1>(C))), 0.3), 0.25) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus((value(value(minus(plus(D(i + 0, j + 2), D(i + 0, j + 2)), (value(T(i + 0, j + 2)) < value(D(i + 0, j + 2)) ? value(T(i + 0, j + 2)) : V(0.7))))) < value(value(inverse_sum(V(2), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2))))) ? value((static_cast<double>(i + 1) < 3 ? value(times_value(value(C(i + 2, j + 1)), value(C(i + 2, j + 1)))) : V(0.3))) : V(0.25)), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

}  // namespace teff::inline TEFF_MODE::test

// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#pragma once

#include "../formula_oracle.hpp"

namespace teff::inline TEFF_MODE::test {

using namespace teff::fd2;

struct formula_16 {
  static constexpr int fields = 2, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      (void)C;
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (where(harm_yi(av_ya(T)) < (harm_ya(av_xa(av_xa(av_ya(T)))) - (sqrt(abs(inn_x(d_ya(harm_ya(T))))) + abs(d_ya(harm_yi(T))))), minimum(at<-1, -1>(around<1>(T)), 1.9), 1.9) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)C;
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus((value(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2)))) < value(minus(inverse_sum(V(2), scaled_sum(V(0.5), scaled_sum(V(0.5), scaled_sum(V(0.5), T(i + 0, j + 0), T(i + 0, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1))), scaled_sum(V(0.5), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 2, j + 0), T(i + 2, j + 1)))), scaled_sum(V(0.5), scaled_sum(V(0.5), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 0, j + 2)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2))), scaled_sum(V(0.5), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2)), scaled_sum(V(0.5), T(i + 2, j + 1), T(i + 2, j + 2))))), plus(root(value(minus(value(inverse_sum(V(2), T(i + 1, j + 1), T(i + 1, j + 2))), value(inverse_sum(V(2), T(i + 1, j + 0), T(i + 1, j + 1)))))), magnitude(minus(value(inverse_sum(V(2), T(i + 1, j + 1), T(i + 1, j + 2))), value(inverse_sum(V(2), T(i + 1, j + 0), T(i + 1, j + 1)))))))) ? value(smallest(value(value(T(i + 0, j + 0))), V(1.9))) : V(1.9)), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_17 {
  static constexpr int fields = 3, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (inn(sqrt(abs(((D * C) * (C - D))))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(value(root(times(times(D(i + 1, j + 1), C(i + 1, j + 1)), minus(C(i + 1, j + 1), D(i + 1, j + 1))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_18 {
  static constexpr int fields = 1, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (inn_y(minimum((d2_xa(T) + av_xa(d_xa(T))), 1.25)) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(value(smallest(value(plus(minus(minus(value(T(i + 2, j + 1)), value(T(i + 1, j + 1))), minus(value(T(i + 1, j + 1)), value(T(i + 0, j + 1)))), scaled_sum(V(0.5), minus(value(T(i + 1, j + 1)), value(T(i + 0, j + 1))), minus(value(T(i + 2, j + 1)), value(T(i + 1, j + 1)))))), V(1.25))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_19 {
  static constexpr int fields = 2, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      (void)C;
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (harm_xi(av_xa(T)) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)C;
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 2, j + 1))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_20 {
  static constexpr int fields = 3, frame_x = 1, frame_y = 0;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      (void)C;
      return update(inn_x(T),
                    minimum(maximum(inn_x(T) + 0.45 * (harm_xa(av_xa(D)) - inn_x(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)C;
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 0), times(V(0.45), minus(inverse_sum(V(2), scaled_sum(V(0.5), D(i + 0, j + 0), D(i + 1, j + 0)), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 2, j + 0))), T(i + 1, j + 0))))), V(0.25)), V(2));
  }
};

struct formula_21 {
  static constexpr int fields = 1, frame_x = 1, frame_y = 0;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T) {
      return update(inn_x(T),
                    minimum(maximum(inn_x(T) + 0.45 * ((minimum(((d2_xa(T) * 0.7) - harm_xa(av_xa(T))), 1.25) * harm_xa(av_xa(T))) - inn_x(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 0), times(V(0.45), minus(times(smallest(value(minus(times(minus(minus(value(T(i + 2, j + 0)), value(T(i + 1, j + 0))), minus(value(T(i + 1, j + 0)), value(T(i + 0, j + 0)))), V(0.7)), inverse_sum(V(2), scaled_sum(V(0.5), T(i + 0, j + 0), T(i + 1, j + 0)), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 2, j + 0))))), V(1.25)), inverse_sum(V(2), scaled_sum(V(0.5), T(i + 0, j + 0), T(i + 1, j + 0)), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 2, j + 0)))), T(i + 1, j + 0))))), V(0.25)), V(2));
  }
};

struct formula_22 {
  static constexpr int fields = 2, frame_x = 0, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      return update(inn_y(T),
                    minimum(maximum(inn_y(T) + 0.45 * (harm_ya(av_ya(C)) - inn_y(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 0, j + 1), times(V(0.45), minus(inverse_sum(V(2), scaled_sum(V(0.5), C(i + 0, j + 0), C(i + 0, j + 1)), scaled_sum(V(0.5), C(i + 0, j + 1), C(i + 0, j + 2))), T(i + 0, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_23 {
  static constexpr int fields = 3, frame_x = 0, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      return update(inn_y(T),
                    minimum(maximum(inn_y(T) + 0.45 * (inn_y((abs((T * C)) - ((D + 1.1) - where(iy < 7, C, 0.3)))) - inn_y(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 0, j + 1), times(V(0.45), minus(value(minus(magnitude(times(T(i + 0, j + 1), C(i + 0, j + 1))), minus(plus(D(i + 0, j + 1), V(1.1)), (static_cast<double>(j + 1) < 7 ? value(C(i + 0, j + 1)) : V(0.3))))), T(i + 0, j + 1))))), V(0.25)), V(2));
  }
};

}  // namespace teff::inline TEFF_MODE::test

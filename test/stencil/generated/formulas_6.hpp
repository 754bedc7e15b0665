// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#pragma once

#include "../formula_oracle.hpp"

namespace teff::inline TEFF_MODE::test {

using namespace teff::fd2;

struct formula_48 {
  static constexpr int fields = 1, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * ((harm_xi(av_xa(T)) - (where(harm_xa(inn_y(av_xa(T))) < (d2_yi(T) * at<-1, 1>(around<1>(T))), inn_y(harm_xa(av_xa(T))), 0.3) / (1.5 + av_ya(inn_x(av_ya(T)))))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(minus(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 2, j + 1))), divided((value(inverse_sum(V(2), value(scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 1, j + 1))), value(scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 2, j + 1))))) < value(times(minus(minus(value(T(i + 1, j + 2)), value(T(i + 1, j + 1))), minus(value(T(i + 1, j + 1)), value(T(i + 1, j + 0)))), value(T(i + 0, j + 2)))) ? value(value(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 2, j + 1))))) : V(0.3)), plus(V(1.5), scaled_sum(V(0.5), value(scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1))), value(scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2))))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_49 {
  static constexpr int fields = 2, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = false;
  static auto step() {
    return timestep([=](auto T, auto C) {
      (void)C;
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (av(tanh(d_xa((d_ya(T) + d_ya(T))))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)C;
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(scaled_sum(V(0.25), std::tanh(value(minus(value(plus(minus(value(T(i + 1, j + 1)), value(T(i + 1, j + 0))), minus(value(T(i + 1, j + 1)), value(T(i + 1, j + 0))))), value(plus(minus(value(T(i + 0, j + 1)), value(T(i + 0, j + 0))), minus(value(T(i + 0, j + 1)), value(T(i + 0, j + 0)))))))), std::tanh(value(minus(value(plus(minus(value(T(i + 2, j + 1)), value(T(i + 2, j + 0))), minus(value(T(i + 2, j + 1)), value(T(i + 2, j + 0))))), value(plus(minus(value(T(i + 1, j + 1)), value(T(i + 1, j + 0))), minus(value(T(i + 1, j + 1)), value(T(i + 1, j + 0)))))))), std::tanh(value(minus(value(plus(minus(value(T(i + 1, j + 2)), value(T(i + 1, j + 1))), minus(value(T(i + 1, j + 2)), value(T(i + 1, j + 1))))), value(plus(minus(value(T(i + 0, j + 2)), value(T(i + 0, j + 1))), minus(value(T(i + 0, j + 2)), value(T(i + 0, j + 1)))))))), std::tanh(value(minus(value(plus(minus(value(T(i + 2, j + 2)), value(T(i + 2, j + 1))), minus(value(T(i + 2, j + 2)), value(T(i + 2, j + 1))))), value(plus(minus(value(T(i + 1, j + 2)), value(T(i + 1, j + 1))), minus(value(T(i + 1, j + 2)), value(T(i + 1, j + 1))))))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_50 {
  static constexpr int fields = 3, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (av_yi(av_ya(((D - T) * (C * C)))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(scaled_sum(V(0.5), scaled_sum(V(0.5), times(minus(D(i + 1, j + 0), T(i + 1, j + 0)), times(C(i + 1, j + 0), C(i + 1, j + 0))), times(minus(D(i + 1, j + 1), T(i + 1, j + 1)), times(C(i + 1, j + 1), C(i + 1, j + 1)))), scaled_sum(V(0.5), times(minus(D(i + 1, j + 1), T(i + 1, j + 1)), times(C(i + 1, j + 1), C(i + 1, j + 1))), times(minus(D(i + 1, j + 2), T(i + 1, j + 2)), times(C(i + 1, j + 2), C(i + 1, j + 2))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_51 {
  static constexpr int fields = 1, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (sqrt(abs((d_xa(av_xa(d_ya(harm_ya(T)))) / (1.5 + av_ya(av_xa(av_xa(av_ya(T)))))))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(root(divided(minus(value(scaled_sum(V(0.5), minus(value(inverse_sum(V(2), T(i + 1, j + 1), T(i + 1, j + 2))), value(inverse_sum(V(2), T(i + 1, j + 0), T(i + 1, j + 1)))), minus(value(inverse_sum(V(2), T(i + 2, j + 1), T(i + 2, j + 2))), value(inverse_sum(V(2), T(i + 2, j + 0), T(i + 2, j + 1)))))), value(scaled_sum(V(0.5), minus(value(inverse_sum(V(2), T(i + 0, j + 1), T(i + 0, j + 2))), value(inverse_sum(V(2), T(i + 0, j + 0), T(i + 0, j + 1)))), minus(value(inverse_sum(V(2), T(i + 1, j + 1), T(i + 1, j + 2))), value(inverse_sum(V(2), T(i + 1, j + 0), T(i + 1, j + 1))))))), plus(V(1.5), scaled_sum(V(0.5), scaled_sum(V(0.5), scaled_sum(V(0.5), scaled_sum(V(0.5), T(i + 0, j + 0), T(i + 0, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1))), scaled_sum(V(0.5), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 2, j + 0), T(i + 2, j + 1)))), scaled_sum(V(0.5), scaled_sum(V(0.5), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 0, j + 2)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2))), scaled_sum(V(0.5), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2)), scaled_sum(V(0.5), T(i + 2, j + 1), T(i + 2, j + 2)))))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_52 {
  static constexpr int fields = 2, frame_x = 1, frame_y = 0;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      return update(inn_x(T),
                    minimum(maximum(inn_x(T) + 0.45 * ((where(d_xa(harm_xa(C)) < (harm_xa(av_xa(T)) - d2_xa(C)), (inn_x(C) + harm_xa(av_xa(C))), 1.9) + 0.01 * iy) - inn_x(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 0), times(V(0.45), minus(plus((value(minus(value(inverse_sum(V(2), C(i + 1, j + 0), C(i + 2, j + 0))), value(inverse_sum(V(2), C(i + 0, j + 0), C(i + 1, j + 0))))) < value(minus(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 0, j + 0), T(i + 1, j + 0)), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 2, j + 0))), minus(minus(value(C(i + 2, j + 0)), value(C(i + 1, j + 0))), minus(value(C(i + 1, j + 0)), value(C(i + 0, j + 0)))))) ? value(plus(value(C(i + 1, j + 0)), inverse_sum(V(2), scaled_sum(V(0.5), C(i + 0, j + 0), C(i + 1, j + 0)), scaled_sum(V(0.5), C(i + 1, j + 0), C(i + 2, j + 0))))) : V(1.9)), times(V(0.01), static_cast<double>(j + 0))), T(i + 1, j + 0))))), V(0.25)), V(2));
  }
};

struct formula_53 {
  static constexpr int fields = 3, frame_x = 1, frame_y = 0;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      (void)D;
      return update(inn_x(T),
                    minimum(maximum(inn_x(T) + 0.45 * (inn_x(maximum(((C - 0.25) * 0.7), 0.7)) - inn_x(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)D;
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 0), times(V(0.45), minus(value(largest(value(times(minus(C(i + 1, j + 0), V(0.25)), V(0.7))), V(0.7))), T(i + 1, j + 0))))), V(0.25)), V(2));
  }
};

struct formula_54 {
  static constexpr int fields = 1, frame_x = 0, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T) {
      return update(inn_y(T),
                    minimum(maximum(inn_y(T) + 0.45 * (d_ya(av_ya(((T - T) - 0.25))) - inn_y(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 0, j + 1), times(V(0.45), minus(minus(value(scaled_sum(V(0.5), minus(minus(T(i + 0, j + 1), T(i + 0, j + 1)), V(0.25)), minus(minus(T(i + 0, j + 2), T(i + 0, j + 2)), V(0.25)))), value(scaled_sum(V(0.5), minus(minus(T(i + 0, j + 0), T(i + 0, j + 0)), V(0.25)), minus(minus(T(i + 0, j + 1), T(i + 0, j + 1)), V(0.25))))), T(i + 0, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_55 {
  static constexpr int fields = 2, frame_x = 0, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      return update(inn_y(T),
                    minimum(maximum(inn_y(T) + 0.45 * ((harm_ya(av_ya(T)) + (harm_ya(av_ya(C)) / (1.5 + av_ya(av_ya(C))))) - inn_y(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 0, j + 1), times(V(0.45), minus(plus(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 0, j + 0), T(i + 0, j + 1)), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 0, j + 2))), divided(inverse_sum(V(2), scaled_sum(V(0.5), C(i + 0, j + 0), C(i + 0, j + 1)), scaled_sum(V(0.5), C(i + 0, j + 1), C(i + 0, j + 2))), plus(V(1.5), scaled_sum(V(0.5), scaled_sum(V(0.5), C(i + 0, j + 0), C(i + 0, j + 1)), scaled_sum(V(0.5), C(i + 0, j + 1), C(i + 0, j + 2)))))), T(i + 0, j + 1))))), V(0.25)), V(2));
  }
};

}  // namespace teff::inline TEFF_MODE::test

// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#pragma once

#include "../formula_oracle.hpp"

namespace teff::inline TEFF_MODE::test {

using namespace teff::fd2;

struct formula_00 {
  static constexpr int fields = 2, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (((av_xi((av_xa(C) - 0.25)) + harm_xi(av_xa(C))) - d2_xa(harm_ya(av_ya(T)))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(minus(plus(scaled_sum(V(0.5), minus(scaled_sum(V(0.5), C(i + 0, j + 1), C(i + 1, j + 1)), V(0.25)), minus(scaled_sum(V(0.5), C(i + 1, j + 1), C(i + 2, j + 1)), V(0.25))), inverse_sum(V(2), scaled_sum(V(0.5), C(i + 0, j + 1), C(i + 1, j + 1)), scaled_sum(V(0.5), C(i + 1, j + 1), C(i + 2, j + 1)))), minus(minus(value(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 2, j + 0), T(i + 2, j + 1)), scaled_sum(V(0.5), T(i + 2, j + 1), T(i + 2, j + 2)))), value(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2))))), minus(value(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2)))), value(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 0, j + 0), T(i + 0, j + 1)), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 0, j + 2))))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_01 {
  static constexpr int fields = 2, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (abs((av_xi(minimum(d_xa(C), 1.25)) + harm_xi(av_xa(C)))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(magnitude(plus(scaled_sum(V(0.5), smallest(value(minus(value(C(i + 1, j + 1)), value(C(i + 0, j + 1)))), V(1.25)), smallest(value(minus(value(C(i + 2, j + 1)), value(C(i + 1, j + 1)))), V(1.25))), inverse_sum(V(2), scaled_sum(V(0.5), C(i + 0, j + 1), C(i + 1, j + 1)), scaled_sum(V(0.5), C(i + 1, j + 1), C(i + 2, j + 1))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_02 {
  static constexpr int fields = 3, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      (void)C;
      (void)D;
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (where(iy < 3, harm_xa(av_xa(inn_y(T))), 0.3) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)C;
    (void)D;
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus((static_cast<double>(j + 1) < 3 ? value(inverse_sum(V(2), scaled_sum(V(0.5), value(T(i + 0, j + 1)), value(T(i + 1, j + 1))), scaled_sum(V(0.5), value(T(i + 1, j + 1)), value(T(i + 2, j + 1))))) : V(0.3)), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_03 {
  static constexpr int fields = 1, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (inn_y(inn_x(minimum((T * 0.25), 1.1))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(value(value(smallest(value(times(T(i + 1, j + 1), V(0.25))), V(1.1)))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_04 {
  static constexpr int fields = 2, frame_x = 1, frame_y = 0;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      return update(inn_x(T),
                    minimum(maximum(inn_x(T) + 0.45 * (inn_x((((T - C) + 1.25) - 0.3)) - inn_x(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 0), times(V(0.45), minus(value(minus(plus(minus(T(i + 1, j + 0), C(i + 1, j + 0)), V(1.25)), V(0.3))), T(i + 1, j + 0))))), V(0.25)), V(2));
  }
};

struct formula_05 {
  static constexpr int fields = 3, frame_x = 1, frame_y = 0;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      return update(inn_x(T),
                    minimum(maximum(inn_x(T) + 0.45 * (inn_x(maximum(((D * 0.25) - (C - T)), 0.25)) - inn_x(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 0), times(V(0.45), minus(value(largest(value(minus(times(D(i + 1, j + 0), V(0.25)), minus(C(i + 1, j + 0), T(i + 1, j + 0)))), V(0.25))), T(i + 1, j + 0))))), V(0.25)), V(2));
  }
};

struct formula_06 {
  static constexpr int fields = 1, frame_x = 0, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T) {
      return update(inn_y(T),
                    minimum(maximum(inn_y(T) + 0.45 * (inn_y(where(sq((T * 0.25)) < ((T * T) + (T - T)), (T * T), 1.25)) - inn_y(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 0, j + 1), times(V(0.45), minus(value((value(times_value(times(T(i + 0, j + 1), V(0.25)), times(T(i + 0, j + 1), V(0.25)))) < value(plus(times(T(i + 0, j + 1), T(i + 0, j + 1)), minus(T(i + 0, j + 1), T(i + 0, j + 1)))) ? value(times(T(i + 0, j + 1), T(i + 0, j + 1))) : V(1.25))), T(i + 0, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_07 {
  static constexpr int fields = 2, frame_x = 0, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      return update(inn_y(T),
                    minimum(maximum(inn_y(T) + 0.45 * ((inn_y(((C / (1.5 + T)) / (1.5 + C))) * (harm_ya(av_ya(C)) - 0.3)) - inn_y(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 0, j + 1), times(V(0.45), minus(times(value(divided(divided(C(i + 0, j + 1), plus(V(1.5), T(i + 0, j + 1))), plus(V(1.5), C(i + 0, j + 1)))), minus(inverse_sum(V(2), scaled_sum(V(0.5), C(i + 0, j + 0), C(i + 0, j + 1)), scaled_sum(V(0.5), C(i + 0, j + 1), C(i + 0, j + 2))), V(0.3))), T(i + 0, j + 1))))), V(0.25)), V(2));
  }
};

}  // namespace teff::inline TEFF_MODE::test

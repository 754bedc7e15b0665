// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#pragma once

#include "formula_oracle.hpp"

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
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus((static_cast<double>(j + 0) < 3 ? value(inverse_sum(V(2), scaled_sum(V(0.5), value(T(i + 0, j + 1)), value(T(i + 1, j + 1))), scaled_sum(V(0.5), value(T(i + 1, j + 1)), value(T(i + 2, j + 1))))) : V(0.3)), T(i + 1, j + 1))))), V(0.25)), V(2));
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
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(times(plus(minus(plus(value(T(i + 1, j + 1)), scaled_sum(V(0.5), minus(value(scaled_sum(V(0.5), minus(value(T(i + 1, j + 1)), value(T(i + 0, j + 1))), minus(value(T(i + 2, j + 1)), value(T(i + 1, j + 1))))), value(scaled_sum(V(0.5), minus(value(T(i + 1, j + 0)), value(T(i + 0, j + 0))), minus(value(T(i + 2, j + 0)), value(T(i + 1, j + 0)))))), minus(value(scaled_sum(V(0.5), minus(value(T(i + 1, j + 2)), value(T(i + 0, j + 2))), minus(value(T(i + 2, j + 2)), value(T(i + 1, j + 2))))), value(scaled_sum(V(0.5), minus(value(T(i + 1, j + 1)), value(T(i + 0, j + 1))), minus(value(T(i + 2, j + 1)), value(T(i + 1, j + 1)))))))), (static_cast<double>(j + 0) < 3 ? value(scaled_sum(V(0.5), inverse_sum(V(2), T(i + 1, j + 0), T(i + 1, j + 1)), inverse_sum(V(2), T(i + 1, j + 1), T(i + 1, j + 2)))) : V(0.3))), scaled_sum(V(0.5), scaled_sum(V(0.5), C(i + 1, j + 0), C(i + 1, j + 1)), scaled_sum(V(0.5), C(i + 1, j + 1), C(i + 1, j + 2)))), plus(inverse_sum(V(2), scaled_sum(V(0.25), scaled_sum(V(0.5), D(i + 0, j + 0), D(i + 0, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 0, j + 1), D(i + 0, j + 2)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2))), scaled_sum(V(0.25), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 2, j + 0), D(i + 2, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2)), scaled_sum(V(0.5), D(i + 2, j + 1), D(i + 2, j + 2)))), times(V(0.01), static_cast<double>(j + 0)))), T(i + 1, j + 1))))), V(0.25)), V(2));
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
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(times(value(plus(largest(value(T(i + 1, j + 1)), V(1.1)), plus(C(i + 1, j + 1), V(0.25)))), (static_cast<double>(i + 0) < 7 ? value(divided(value(C(i + 1, j + 0)), plus(V(1.5), value(scaled_sum(V(0.5), scaled_sum(V(0.5), C(i + 1, j + 0), C(i + 1, j + 1)), scaled_sum(V(0.5), C(i + 1, j + 1), C(i + 1, j + 2))))))) : V(0.3))), T(i + 1, j + 1))))), V(0.25)), V(2));
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

struct formula_24 {
  static constexpr int fields = 1, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T) {
      return update(around<1>(T)(),
                    minimum(maximum(around<1>(T)() + 0.45 * (at<-1, -1>(around<1>((((T * T) - (T - T)) / (1.5 + T)))) - around<1>(T)()), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(value(divided(minus(times(T(i + 0, j + 0), T(i + 0, j + 0)), minus(T(i + 0, j + 0), T(i + 0, j + 0))), plus(V(1.5), T(i + 0, j + 0)))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_25 {
  static constexpr int fields = 2, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      (void)C;
      return update(around<1>(T)(),
                    minimum(maximum(around<1>(T)() + 0.45 * ((harm_xa(av_xa(inn_y(T))) + 1.1) - around<1>(T)()), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)C;
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(plus(inverse_sum(V(2), scaled_sum(V(0.5), value(T(i + 0, j + 1)), value(T(i + 1, j + 1))), scaled_sum(V(0.5), value(T(i + 1, j + 1)), value(T(i + 2, j + 1)))), V(1.1)), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_26 {
  static constexpr int fields = 3, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * ((abs(av_yi(d_ya(C))) * (av(av_ya(av_xa(D))) + (where(inn_y(harm_xa(av_xa(C))) < minloc(D), harm_xi(av_xa(D)), 0.7) - at<0, 0>(around<1>(T))))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(times(magnitude(scaled_sum(V(0.5), minus(value(C(i + 1, j + 1)), value(C(i + 1, j + 0))), minus(value(C(i + 1, j + 2)), value(C(i + 1, j + 1))))), plus(scaled_sum(V(0.25), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 0, j + 0), D(i + 1, j + 0)), scaled_sum(V(0.5), D(i + 0, j + 1), D(i + 1, j + 1))), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 2, j + 0)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 2, j + 1))), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 0, j + 1), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 0, j + 2), D(i + 1, j + 2))), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 2, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 2), D(i + 2, j + 2)))), minus((value(value(inverse_sum(V(2), scaled_sum(V(0.5), C(i + 0, j + 1), C(i + 1, j + 1)), scaled_sum(V(0.5), C(i + 1, j + 1), C(i + 2, j + 1))))) < value(smallest(D(i + 1, j + 1), D(i + 0, j + 1), D(i + 2, j + 1), D(i + 1, j + 0), D(i + 1, j + 2))) ? value(inverse_sum(V(2), scaled_sum(V(0.5), D(i + 0, j + 1), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 2, j + 1)))) : V(0.7)), value(T(i + 1, j + 1))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_27 {
  static constexpr int fields = 1, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (minloc((((T / (1.5 + T)) - (T - T)) - 1.9)) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(smallest(minus(minus(divided(T(i + 1, j + 1), plus(V(1.5), T(i + 1, j + 1))), minus(T(i + 1, j + 1), T(i + 1, j + 1))), V(1.9)), minus(minus(divided(T(i + 0, j + 1), plus(V(1.5), T(i + 0, j + 1))), minus(T(i + 0, j + 1), T(i + 0, j + 1))), V(1.9)), minus(minus(divided(T(i + 2, j + 1), plus(V(1.5), T(i + 2, j + 1))), minus(T(i + 2, j + 1), T(i + 2, j + 1))), V(1.9)), minus(minus(divided(T(i + 1, j + 0), plus(V(1.5), T(i + 1, j + 0))), minus(T(i + 1, j + 0), T(i + 1, j + 0))), V(1.9)), minus(minus(divided(T(i + 1, j + 2), plus(V(1.5), T(i + 1, j + 2))), minus(T(i + 1, j + 2), T(i + 1, j + 2))), V(1.9))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_28 {
  static constexpr int fields = 2, frame_x = 0, frame_y = 0;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      return update(T,
                    minimum(maximum(T + 0.45 * ((where(ix < 3, ((T * C) * (C + C)), 0.3) - (((T * C) + (C + C)) - 1.9)) - T), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 0, j + 0), times(V(0.45), minus(minus((static_cast<double>(i + 0) < 3 ? value(times(times(T(i + 0, j + 0), C(i + 0, j + 0)), plus(C(i + 0, j + 0), C(i + 0, j + 0)))) : V(0.3)), minus(plus(times(T(i + 0, j + 0), C(i + 0, j + 0)), plus(C(i + 0, j + 0), C(i + 0, j + 0))), V(1.9))), T(i + 0, j + 0))))), V(0.25)), V(2));
  }
};

struct formula_29 {
  static constexpr int fields = 3, frame_x = 0, frame_y = 0;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      return update(T,
                    minimum(maximum(T + 0.45 * (((((C - 1.9) - (D * D)) * ((T * 1.25) - 1.1)) - 1.1) - T), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 0, j + 0), times(V(0.45), minus(minus(times(minus(minus(C(i + 0, j + 0), V(1.9)), times(D(i + 0, j + 0), D(i + 0, j + 0))), minus(times(T(i + 0, j + 0), V(1.25)), V(1.1))), V(1.1)), T(i + 0, j + 0))))), V(0.25)), V(2));
  }
};

struct formula_30 {
  static constexpr int fields = 1, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (d2_xi(((where(ix < 3, T, 0.3) * (T + T)) * (where(ix < 7, T, 0.3) - (T - 0.7)))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(minus(minus(value(times(times((static_cast<double>(i + 2) < 3 ? value(T(i + 2, j + 1)) : V(0.3)), plus(T(i + 2, j + 1), T(i + 2, j + 1))), minus((static_cast<double>(i + 2) < 7 ? value(T(i + 2, j + 1)) : V(0.3)), minus(T(i + 2, j + 1), V(0.7))))), value(times(times((static_cast<double>(i + 1) < 3 ? value(T(i + 1, j + 1)) : V(0.3)), plus(T(i + 1, j + 1), T(i + 1, j + 1))), minus((static_cast<double>(i + 1) < 7 ? value(T(i + 1, j + 1)) : V(0.3)), minus(T(i + 1, j + 1), V(0.7)))))), minus(value(times(times((static_cast<double>(i + 1) < 3 ? value(T(i + 1, j + 1)) : V(0.3)), plus(T(i + 1, j + 1), T(i + 1, j + 1))), minus((static_cast<double>(i + 1) < 7 ? value(T(i + 1, j + 1)) : V(0.3)), minus(T(i + 1, j + 1), V(0.7))))), value(times(times((static_cast<double>(i + 0) < 3 ? value(T(i + 0, j + 1)) : V(0.3)), plus(T(i + 0, j + 1), T(i + 0, j + 1))), minus((static_cast<double>(i + 0) < 7 ? value(T(i + 0, j + 1)) : V(0.3)), minus(T(i + 0, j + 1), V(0.7))))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_31 {
  static constexpr int fields = 2, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      (void)C;
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (maximum(((harm(av_ya(av_xa(T))) - harm(av_ya(av_xa(T)))) - 1.9), 1.25) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)C;
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(largest(value(minus(minus(inverse_sum(V(4), scaled_sum(V(0.5), scaled_sum(V(0.5), T(i + 0, j + 0), T(i + 1, j + 0)), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 1, j + 1))), scaled_sum(V(0.5), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 2, j + 0)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 2, j + 1))), scaled_sum(V(0.5), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 0, j + 2), T(i + 1, j + 2))), scaled_sum(V(0.5), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 2, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 2), T(i + 2, j + 2)))), inverse_sum(V(4), scaled_sum(V(0.5), scaled_sum(V(0.5), T(i + 0, j + 0), T(i + 1, j + 0)), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 1, j + 1))), scaled_sum(V(0.5), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 2, j + 0)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 2, j + 1))), scaled_sum(V(0.5), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 0, j + 2), T(i + 1, j + 2))), scaled_sum(V(0.5), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 2, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 2), T(i + 2, j + 2))))), V(1.9))), V(1.25)), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_32 {
  static constexpr int fields = 3, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (((((harm(av_xa(av_ya(D))) * at<0, 0>(around<1>(T))) + 0.01 * iy) + (av_xa(d_xa(harm_ya(av_ya(D)))) * (inn_y(av_xa(av_xa(T))) / (1.5 + av_xa(av(av_ya(D))))))) - (where(iy < 3, inn(T), 0.3) * where(ix < 3, (d_xi(harm_xa(C)) + d2_xi(D)), 0.3))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(minus(plus(plus(times(inverse_sum(V(4), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 0, j + 0), D(i + 0, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1))), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 2, j + 0), D(i + 2, j + 1))), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 0, j + 1), D(i + 0, j + 2)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2))), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2)), scaled_sum(V(0.5), D(i + 2, j + 1), D(i + 2, j + 2)))), value(T(i + 1, j + 1))), times(V(0.01), static_cast<double>(j + 0))), times(scaled_sum(V(0.5), minus(value(inverse_sum(V(2), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2)))), value(inverse_sum(V(2), scaled_sum(V(0.5), D(i + 0, j + 0), D(i + 0, j + 1)), scaled_sum(V(0.5), D(i + 0, j + 1), D(i + 0, j + 2))))), minus(value(inverse_sum(V(2), scaled_sum(V(0.5), D(i + 2, j + 0), D(i + 2, j + 1)), scaled_sum(V(0.5), D(i + 2, j + 1), D(i + 2, j + 2)))), value(inverse_sum(V(2), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2)))))), divided(value(scaled_sum(V(0.5), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 2, j + 1)))), plus(V(1.5), scaled_sum(V(0.5), scaled_sum(V(0.25), scaled_sum(V(0.5), D(i + 0, j + 0), D(i + 0, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 0, j + 1), D(i + 0, j + 2)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2))), scaled_sum(V(0.25), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 2, j + 0), D(i + 2, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2)), scaled_sum(V(0.5), D(i + 2, j + 1), D(i + 2, j + 2)))))))), times((static_cast<double>(j + 0) < 3 ? value(value(T(i + 1, j + 1))) : V(0.3)), (static_cast<double>(i + 0) < 3 ? value(plus(minus(value(inverse_sum(V(2), C(i + 1, j + 1), C(i + 2, j + 1))), value(inverse_sum(V(2), C(i + 0, j + 1), C(i + 1, j + 1)))), minus(minus(value(D(i + 2, j + 1)), value(D(i + 1, j + 1))), minus(value(D(i + 1, j + 1)), value(D(i + 0, j + 1)))))) : V(0.3)))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_33 {
  static constexpr int fields = 1, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (maxloc((where((T * 1.25) < sq(T), T, 1.1) + sqrt(abs((T * T))))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(largest(plus((value(times(T(i + 1, j + 1), V(1.25))) < value(times_value(T(i + 1, j + 1), T(i + 1, j + 1))) ? value(T(i + 1, j + 1)) : V(1.1)), root(times(T(i + 1, j + 1), T(i + 1, j + 1)))), plus((value(times(T(i + 0, j + 1), V(1.25))) < value(times_value(T(i + 0, j + 1), T(i + 0, j + 1))) ? value(T(i + 0, j + 1)) : V(1.1)), root(times(T(i + 0, j + 1), T(i + 0, j + 1)))), plus((value(times(T(i + 2, j + 1), V(1.25))) < value(times_value(T(i + 2, j + 1), T(i + 2, j + 1))) ? value(T(i + 2, j + 1)) : V(1.1)), root(times(T(i + 2, j + 1), T(i + 2, j + 1)))), plus((value(times(T(i + 1, j + 0), V(1.25))) < value(times_value(T(i + 1, j + 0), T(i + 1, j + 0))) ? value(T(i + 1, j + 0)) : V(1.1)), root(times(T(i + 1, j + 0), T(i + 1, j + 0)))), plus((value(times(T(i + 1, j + 2), V(1.25))) < value(times_value(T(i + 1, j + 2), T(i + 1, j + 2))) ? value(T(i + 1, j + 2)) : V(1.1)), root(times(T(i + 1, j + 2), T(i + 1, j + 2))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_34 {
  static constexpr int fields = 2, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (inn_x(d_ya(harm_ya(C))) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(value(minus(value(inverse_sum(V(2), C(i + 1, j + 1), C(i + 1, j + 2))), value(inverse_sum(V(2), C(i + 1, j + 0), C(i + 1, j + 1))))), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_35 {
  static constexpr int fields = 3, frame_x = 1, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      return update(inn(T),
                    minimum(maximum(inn(T) + 0.45 * (where(harm_yi(av_ya(D)) < (where((d2_ya(inn_x(T)) * harm_xi(av_xa(C))) < d2_xi(D), d2_xi(T), 1.25) * av_xi(d_xa(C))), (av_xi(harm_xa(T)) - 0.25), 1.1) - inn(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus((value(inverse_sum(V(2), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2)))) < value(times((value(times(minus(minus(value(value(T(i + 1, j + 2))), value(value(T(i + 1, j + 1)))), minus(value(value(T(i + 1, j + 1))), value(value(T(i + 1, j + 0))))), inverse_sum(V(2), scaled_sum(V(0.5), C(i + 0, j + 1), C(i + 1, j + 1)), scaled_sum(V(0.5), C(i + 1, j + 1), C(i + 2, j + 1))))) < value(minus(minus(value(D(i + 2, j + 1)), value(D(i + 1, j + 1))), minus(value(D(i + 1, j + 1)), value(D(i + 0, j + 1))))) ? value(minus(minus(value(T(i + 2, j + 1)), value(T(i + 1, j + 1))), minus(value(T(i + 1, j + 1)), value(T(i + 0, j + 1))))) : V(1.25)), scaled_sum(V(0.5), minus(value(C(i + 1, j + 1)), value(C(i + 0, j + 1))), minus(value(C(i + 2, j + 1)), value(C(i + 1, j + 1)))))) ? value(minus(scaled_sum(V(0.5), inverse_sum(V(2), T(i + 0, j + 1), T(i + 1, j + 1)), inverse_sum(V(2), T(i + 1, j + 1), T(i + 2, j + 1))), V(0.25))) : V(1.1)), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_36 {
  static constexpr int fields = 1, frame_x = 1, frame_y = 0;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T) {
      return update(inn_x(T),
                    minimum(maximum(inn_x(T) + 0.45 * (d2_xa((where(iy < 3, (T * T), 0.3) - (where(T < T, T, 1.1) * where(T < T, T, 0.25)))) - inn_x(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 0), times(V(0.45), minus(minus(minus(value(minus((static_cast<double>(j + 0) < 3 ? value(times(T(i + 2, j + 0), T(i + 2, j + 0))) : V(0.3)), times((value(T(i + 2, j + 0)) < value(T(i + 2, j + 0)) ? value(T(i + 2, j + 0)) : V(1.1)), (value(T(i + 2, j + 0)) < value(T(i + 2, j + 0)) ? value(T(i + 2, j + 0)) : V(0.25))))), value(minus((static_cast<double>(j + 0) < 3 ? value(times(T(i + 1, j + 0), T(i + 1, j + 0))) : V(0.3)), times((value(T(i + 1, j + 0)) < value(T(i + 1, j + 0)) ? value(T(i + 1, j + 0)) : V(1.1)), (value(T(i + 1, j + 0)) < value(T(i + 1, j + 0)) ? value(T(i + 1, j + 0)) : V(0.25)))))), minus(value(minus((static_cast<double>(j + 0) < 3 ? value(times(T(i + 1, j + 0), T(i + 1, j + 0))) : V(0.3)), times((value(T(i + 1, j + 0)) < value(T(i + 1, j + 0)) ? value(T(i + 1, j + 0)) : V(1.1)), (value(T(i + 1, j + 0)) < value(T(i + 1, j + 0)) ? value(T(i + 1, j + 0)) : V(0.25))))), value(minus((static_cast<double>(j + 0) < 3 ? value(times(T(i + 0, j + 0), T(i + 0, j + 0))) : V(0.3)), times((value(T(i + 0, j + 0)) < value(T(i + 0, j + 0)) ? value(T(i + 0, j + 0)) : V(1.1)), (value(T(i + 0, j + 0)) < value(T(i + 0, j + 0)) ? value(T(i + 0, j + 0)) : V(0.25))))))), T(i + 1, j + 0))))), V(0.25)), V(2));
  }
};

struct formula_37 {
  static constexpr int fields = 2, frame_x = 1, frame_y = 0;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C) {
      return update(inn_x(T),
                    minimum(maximum(inn_x(T) + 0.45 * ((inn_x((minimum(C, 1.25) - (C * T))) * d2_xa(((C + 1.1) + (C * T)))) - inn_x(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 1, j + 0), times(V(0.45), minus(times(value(minus(smallest(value(C(i + 1, j + 0)), V(1.25)), times(C(i + 1, j + 0), T(i + 1, j + 0)))), minus(minus(value(plus(plus(C(i + 2, j + 0), V(1.1)), times(C(i + 2, j + 0), T(i + 2, j + 0)))), value(plus(plus(C(i + 1, j + 0), V(1.1)), times(C(i + 1, j + 0), T(i + 1, j + 0))))), minus(value(plus(plus(C(i + 1, j + 0), V(1.1)), times(C(i + 1, j + 0), T(i + 1, j + 0)))), value(plus(plus(C(i + 0, j + 0), V(1.1)), times(C(i + 0, j + 0), T(i + 0, j + 0))))))), T(i + 1, j + 0))))), V(0.25)), V(2));
  }
};

struct formula_38 {
  static constexpr int fields = 3, frame_x = 0, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T, auto C, auto D) {
      (void)C;
      return update(inn_y(T),
                    minimum(maximum(inn_y(T) + 0.45 * (where(iy < 7, harm_ya(av_ya(D)), 0.3) - inn_y(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, const reader<V>& C, const reader<V>& D, index_t i, index_t j) {
    (void)C;
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 0, j + 1), times(V(0.45), minus((static_cast<double>(j + 0) < 7 ? value(inverse_sum(V(2), scaled_sum(V(0.5), D(i + 0, j + 0), D(i + 0, j + 1)), scaled_sum(V(0.5), D(i + 0, j + 1), D(i + 0, j + 2)))) : V(0.3)), T(i + 0, j + 1))))), V(0.25)), V(2));
  }
};

struct formula_39 {
  static constexpr int fields = 1, frame_x = 0, frame_y = 1;
  static constexpr bool same_everywhere = true;
  static auto step() {
    return timestep([=](auto T) {
      return update(inn_y(T),
                    minimum(maximum(inn_y(T) + 0.45 * (d2_ya((((T + 0.7) / (1.5 + T)) * ((T * 0.25) / (1.5 + T)))) - inn_y(T)), 0.25), 2));
    });
  }
  template <class V>
  static V cell(const reader<V>& T, index_t i, index_t j) {
    (void)i, (void)j;
    return smallest(largest(value(plus(T(i + 0, j + 1), times(V(0.45), minus(minus(minus(value(times(divided(plus(T(i + 0, j + 2), V(0.7)), plus(V(1.5), T(i + 0, j + 2))), divided(times(T(i + 0, j + 2), V(0.25)), plus(V(1.5), T(i + 0, j + 2))))), value(times(divided(plus(T(i + 0, j + 1), V(0.7)), plus(V(1.5), T(i + 0, j + 1))), divided(times(T(i + 0, j + 1), V(0.25)), plus(V(1.5), T(i + 0, j + 1)))))), minus(value(times(divided(plus(T(i + 0, j + 1), V(0.7)), plus(V(1.5), T(i + 0, j + 1))), divided(times(T(i + 0, j + 1), V(0.25)), plus(V(1.5), T(i + 0, j + 1))))), value(times(divided(plus(T(i + 0, j + 0), V(0.7)), plus(V(1.5), T(i + 0, j + 0))), divided(times(T(i + 0, j + 0), V(0.25)), plus(V(1.5), T(i + 0, j + 0))))))), T(i + 0, j + 1))))), V(0.25)), V(2));
  }
};

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
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus((value(value(minus(plus(D(i + 0, j + 2), D(i + 0, j + 2)), (value(T(i + 0, j + 2)) < value(D(i + 0, j + 2)) ? value(T(i + 0, j + 2)) : V(0.7))))) < value(value(inverse_sum(V(2), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2))))) ? value((static_cast<double>(i + 0) < 3 ? value(times_value(value(C(i + 2, j + 1)), value(C(i + 2, j + 1)))) : V(0.3))) : V(0.25)), T(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

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
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(plus(divided(minus(root(scaled_sum(V(0.5), inverse_sum(V(4), scaled_sum(V(0.5), T(i + 0, j + 0), T(i + 0, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 0, j + 2)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2))), inverse_sum(V(4), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 2, j + 0), T(i + 2, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2)), scaled_sum(V(0.5), T(i + 2, j + 1), T(i + 2, j + 2))))), times_value(minus(value(minus(minus(value(minus(value(D(i + 2, j + 2)), value(D(i + 1, j + 2)))), value(minus(value(D(i + 2, j + 1)), value(D(i + 1, j + 1))))), minus(value(minus(value(D(i + 2, j + 1)), value(D(i + 1, j + 1)))), value(minus(value(D(i + 2, j + 0)), value(D(i + 1, j + 0))))))), value(minus(minus(value(minus(value(D(i + 1, j + 2)), value(D(i + 0, j + 2)))), value(minus(value(D(i + 1, j + 1)), value(D(i + 0, j + 1))))), minus(value(minus(value(D(i + 1, j + 1)), value(D(i + 0, j + 1)))), value(minus(value(D(i + 1, j + 0)), value(D(i + 0, j + 0)))))))), minus(value(minus(minus(value(minus(value(D(i + 2, j + 2)), value(D(i + 1, j + 2)))), value(minus(value(D(i + 2, j + 1)), value(D(i + 1, j + 1))))), minus(value(minus(value(D(i + 2, j + 1)), value(D(i + 1, j + 1)))), value(minus(value(D(i + 2, j + 0)), value(D(i + 1, j + 0))))))), value(minus(minus(value(minus(value(D(i + 1, j + 2)), value(D(i + 0, j + 2)))), value(minus(value(D(i + 1, j + 1)), value(D(i + 0, j + 1))))), minus(value(minus(value(D(i + 1, j + 1)), value(D(i + 0, j + 1)))), value(minus(value(D(i + 1, j + 0)), value(D(i + 0, j + 0)))))))))), plus(V(1.5), largest(C(i + 1, j + 1), C(i + 0, j + 1), C(i + 2, j + 1), C(i + 1, j + 0), C(i + 1, j + 2)))), minus(plus(times(inverse_sum(V(2), scaled_sum(V(0.5), T(i + 1, j + 0), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 1, j + 2))), minus(value(inverse_sum(V(2), D(i + 1, j + 1), D(i + 1, j + 2))), value(inverse_sum(V(2), D(i + 1, j + 0), D(i + 1, j + 1))))), times(V(0.01), static_cast<double>(j + 0))), (static_cast<double>(j + 0) < 7 ? value(scaled_sum(V(0.5), inverse_sum(V(2), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 0, j + 0), D(i + 0, j + 1)), scaled_sum(V(0.5), D(i + 0, j + 1), D(i + 0, j + 2))), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2)))), inverse_sum(V(2), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2))), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 2, j + 0), D(i + 2, j + 1)), scaled_sum(V(0.5), D(i + 2, j + 1), D(i + 2, j + 2)))))) : V(0.3)))), T(i + 1, j + 1))))), V(0.25)), V(2));
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

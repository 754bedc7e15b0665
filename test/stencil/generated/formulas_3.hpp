// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#pragma once

#include "../formula_oracle.hpp"

namespace teff::inline TEFF_MODE::test {

using namespace teff::fd2;

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

}  // namespace teff::inline TEFF_MODE::test

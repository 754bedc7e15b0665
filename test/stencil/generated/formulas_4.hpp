// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#pragma once

#include "../formula_oracle.hpp"

namespace teff::inline TEFF_MODE::test {

using namespace teff::fd2;

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
    return smallest(largest(value(plus(T(i + 1, j + 1), times(V(0.45), minus(minus(plus(plus(times(inverse_sum(V(4), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 0, j + 0), D(i + 0, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1))), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 2, j + 0), D(i + 2, j + 1))), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 0, j + 1), D(i + 0, j + 2)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2))), scaled_sum(V(0.5), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2)), scaled_sum(V(0.5), D(i + 2, j + 1), D(i + 2, j + 2)))), value(T(i + 1, j + 1))), times(V(0.01), static_cast<double>(j + 1))), times(scaled_sum(V(0.5), minus(value(inverse_sum(V(2), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2)))), value(inverse_sum(V(2), scaled_sum(V(0.5), D(i + 0, j + 0), D(i + 0, j + 1)), scaled_sum(V(0.5), D(i + 0, j + 1), D(i + 0, j + 2))))), minus(value(inverse_sum(V(2), scaled_sum(V(0.5), D(i + 2, j + 0), D(i + 2, j + 1)), scaled_sum(V(0.5), D(i + 2, j + 1), D(i + 2, j + 2)))), value(inverse_sum(V(2), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2)))))), divided(value(scaled_sum(V(0.5), scaled_sum(V(0.5), T(i + 0, j + 1), T(i + 1, j + 1)), scaled_sum(V(0.5), T(i + 1, j + 1), T(i + 2, j + 1)))), plus(V(1.5), scaled_sum(V(0.5), scaled_sum(V(0.25), scaled_sum(V(0.5), D(i + 0, j + 0), D(i + 0, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 0, j + 1), D(i + 0, j + 2)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2))), scaled_sum(V(0.25), scaled_sum(V(0.5), D(i + 1, j + 0), D(i + 1, j + 1)), scaled_sum(V(0.5), D(i + 2, j + 0), D(i + 2, j + 1)), scaled_sum(V(0.5), D(i + 1, j + 1), D(i + 1, j + 2)), scaled_sum(V(0.5), D(i + 2, j + 1), D(i + 2, j + 2)))))))), times((static_cast<double>(j + 1) < 3 ? value(value(T(i + 1, j + 1))) : V(0.3)), (static_cast<double>(i + 1) < 3 ? value(plus(minus(value(inverse_sum(V(2), C(i + 1, j + 1), C(i + 2, j + 1))), value(inverse_sum(V(2), C(i + 0, j + 1), C(i + 1, j + 1)))), minus(minus(value(D(i + 2, j + 1)), value(D(i + 1, j + 1))), minus(value(D(i + 1, j + 1)), value(D(i + 0, j + 1)))))) : V(0.3)))), T(i + 1, j + 1))))), V(0.25)), V(2));
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
    return smallest(largest(value(plus(T(i + 0, j + 1), times(V(0.45), minus((static_cast<double>(j + 1) < 7 ? value(inverse_sum(V(2), scaled_sum(V(0.5), D(i + 0, j + 0), D(i + 0, j + 1)), scaled_sum(V(0.5), D(i + 0, j + 1), D(i + 0, j + 2)))) : V(0.3)), T(i + 0, j + 1))))), V(0.25)), V(2));
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

}  // namespace teff::inline TEFF_MODE::test

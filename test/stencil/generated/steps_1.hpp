// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#pragma once

#include "../formula_oracle.hpp"

namespace teff::inline TEFF_MODE::test {

using namespace teff::fd2;

struct step_08 {
  static constexpr int count = 3, slot[] = {2, 1, 0};
  static constexpr int sees[] = {0, 1, 2};
  static constexpr int frame[][2] = {{1, 0}, {0, 1}, {0, 1}}, longer[][2] = {{0, 0}, {1, 1}, {0, 1}};
  static auto step() {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn_x(R), minimum(maximum(inn_x(R) + 0.45 * (av_xa(av_xa(R)) - inn_x(R)), 0.25), 2)),
                    update(inn_y(Q), minimum(maximum(inn_y(Q) + 0.45 * (((d_ya(harm_ya(Q)) - (inn_y(Q) * 0.25)) - inn_y((Q + Q))) - inn_y(Q)), 0.25), 2)),
                    update(inn_y(P), minimum(maximum(inn_y(P) + 0.45 * (inn_y((where(iy < 5, P, 0.3) * 1.25)) - inn_y(P)), 0.25), 2)));
    });
  }
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn_x(R), minimum(maximum(inn_x(R) + 0.45 * (av_xa(av_xa(R)) - inn_x(R)), 0.25), 2), sides[0]),
                    update(inn_y(Q), minimum(maximum(inn_y(Q) + 0.45 * (((d_ya(harm_ya(Q)) - (inn_y(Q) * 0.25)) - inn_y((Q + Q))) - inn_y(Q)), 0.25), 2), sides[1]),
                    update(inn_y(P), minimum(maximum(inn_y(P) + 0.45 * (inn_y((where(iy < 5, P, 0.3) * 1.25)) - inn_y(P)), 0.25), 2), sides[2]));
    });
  }
  template <int K, class V>
  static V cell(const reader<V>& P, const reader<V>& Q, const reader<V>& R, index_t i, index_t j) {
    (void)P, (void)Q, (void)R, (void)i, (void)j;
    if constexpr (K == 0) return smallest(largest(value(plus(R(i + 1, j + 0), times(V(0.45), minus(scaled_sum(V(0.5), scaled_sum(V(0.5), R(i + 0, j + 0), R(i + 1, j + 0)), scaled_sum(V(0.5), R(i + 1, j + 0), R(i + 2, j + 0))), R(i + 1, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 1) return smallest(largest(value(plus(Q(i + 0, j + 1), times(V(0.45), minus(minus(minus(minus(value(inverse_sum(V(2), Q(i + 0, j + 1), Q(i + 0, j + 2))), value(inverse_sum(V(2), Q(i + 0, j + 0), Q(i + 0, j + 1)))), times(value(Q(i + 0, j + 1)), V(0.25))), value(plus(Q(i + 0, j + 1), Q(i + 0, j + 1)))), Q(i + 0, j + 1))))), V(0.25)), V(2));
    else if constexpr (K == 2) return smallest(largest(value(plus(P(i + 0, j + 1), times(V(0.45), minus(value(times((static_cast<double>(j + 1) < 5 ? value(P(i + 0, j + 1)) : V(0.3)), V(1.25))), P(i + 0, j + 1))))), V(0.25)), V(2));
  }
};

struct step_09 {
  static constexpr int count = 4, slot[] = {1, 2, 0, 0};
  static constexpr int sees[] = {0, 0, 0, 3};
  static constexpr int frame[][2] = {{1, 0}, {1, 1}, {1, 0}, {0, 0}}, longer[][2] = {{0, 0}, {1, 0}, {0, 1}};
  static auto step() {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(together(update(inn_x(Q), minimum(maximum(inn_x(Q) + 0.45 * ((av((R - R)) + d_xa(P)) - inn_x(Q)), 0.25), 2)),
                    update(inn(R), minimum(maximum(inn(R) + 0.45 * (d_xi((d_xa(R) + d_xa(R))) - inn(R)), 0.25), 2)),
                    update(inn_x(P), minimum(maximum(inn_x(P) + 0.45 * (av_ya(inn_x((R - R))) - inn_x(P)), 0.25), 2))),
                    update(P, minimum(maximum(P + 0.45 * (av_ya((where(ix < 5, R, 0.3) - (R + 1.9))) - P), 0.25), 2)));
    });
  }
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(together(update(inn_x(Q), minimum(maximum(inn_x(Q) + 0.45 * ((av((R - R)) + d_xa(P)) - inn_x(Q)), 0.25), 2), sides[0]),
                    update(inn(R), minimum(maximum(inn(R) + 0.45 * (d_xi((d_xa(R) + d_xa(R))) - inn(R)), 0.25), 2), sides[1]),
                    update(inn_x(P), minimum(maximum(inn_x(P) + 0.45 * (av_ya(inn_x((R - R))) - inn_x(P)), 0.25), 2), sides[2])),
                    update(P, minimum(maximum(P + 0.45 * (av_ya((where(ix < 5, R, 0.3) - (R + 1.9))) - P), 0.25), 2), sides[3]));
    });
  }
  template <int K, class V>
  static V cell(const reader<V>& P, const reader<V>& Q, const reader<V>& R, index_t i, index_t j) {
    (void)P, (void)Q, (void)R, (void)i, (void)j;
    if constexpr (K == 0) return smallest(largest(value(plus(Q(i + 1, j + 0), times(V(0.45), minus(plus(scaled_sum(V(0.25), minus(R(i + 0, j + 0), R(i + 0, j + 0)), minus(R(i + 1, j + 0), R(i + 1, j + 0)), minus(R(i + 0, j + 1), R(i + 0, j + 1)), minus(R(i + 1, j + 1), R(i + 1, j + 1))), minus(value(P(i + 1, j + 0)), value(P(i + 0, j + 0)))), Q(i + 1, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 1) return smallest(largest(value(plus(R(i + 1, j + 1), times(V(0.45), minus(minus(value(plus(minus(value(R(i + 2, j + 1)), value(R(i + 1, j + 1))), minus(value(R(i + 2, j + 1)), value(R(i + 1, j + 1))))), value(plus(minus(value(R(i + 1, j + 1)), value(R(i + 0, j + 1))), minus(value(R(i + 1, j + 1)), value(R(i + 0, j + 1)))))), R(i + 1, j + 1))))), V(0.25)), V(2));
    else if constexpr (K == 2) return smallest(largest(value(plus(P(i + 1, j + 0), times(V(0.45), minus(scaled_sum(V(0.5), value(minus(R(i + 1, j + 0), R(i + 1, j + 0))), value(minus(R(i + 1, j + 1), R(i + 1, j + 1)))), P(i + 1, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 3) return smallest(largest(value(plus(P(i + 0, j + 0), times(V(0.45), minus(scaled_sum(V(0.5), minus((static_cast<double>(i + 0) < 5 ? value(R(i + 0, j + 0)) : V(0.3)), plus(R(i + 0, j + 0), V(1.9))), minus((static_cast<double>(i + 0) < 5 ? value(R(i + 0, j + 1)) : V(0.3)), plus(R(i + 0, j + 1), V(1.9)))), P(i + 0, j + 0))))), V(0.25)), V(2));
  }
};

struct step_10 {
  static constexpr int count = 4, slot[] = {1, 2, 2, 0};
  static constexpr int sees[] = {0, 1, 2, 3};
  static constexpr int frame[][2] = {{1, 0}, {0, 0}, {0, 0}, {1, 1}}, longer[][2] = {{0, 0}, {1, 1}, {0, 0}};
  static auto step() {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn_x(Q), minimum(maximum(inn_x(Q) + 0.45 * (where(iy < 5, where(ix < 5, av_xa(av_xa(Q)), 0.3), 0.3) - inn_x(Q)), 0.25), 2)),
                    update(R, minimum(maximum(R + 0.45 * (P - R), 0.25), 2)),
                    update(R, minimum(maximum(R + 0.45 * (d_xa(where(ix < 5, av_ya(Q), 0.3)) - R), 0.25), 2)),
                    update(inn(P), minimum(maximum(inn(P) + 0.45 * (minloc(d_ya(d_xa(Q))) - inn(P)), 0.25), 2)));
    });
  }
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn_x(Q), minimum(maximum(inn_x(Q) + 0.45 * (where(iy < 5, where(ix < 5, av_xa(av_xa(Q)), 0.3), 0.3) - inn_x(Q)), 0.25), 2), sides[0]),
                    update(R, minimum(maximum(R + 0.45 * (P - R), 0.25), 2), sides[1]),
                    update(R, minimum(maximum(R + 0.45 * (d_xa(where(ix < 5, av_ya(Q), 0.3)) - R), 0.25), 2), sides[2]),
                    update(inn(P), minimum(maximum(inn(P) + 0.45 * (minloc(d_ya(d_xa(Q))) - inn(P)), 0.25), 2), sides[3]));
    });
  }
  template <int K, class V>
  static V cell(const reader<V>& P, const reader<V>& Q, const reader<V>& R, index_t i, index_t j) {
    (void)P, (void)Q, (void)R, (void)i, (void)j;
    if constexpr (K == 0) return smallest(largest(value(plus(Q(i + 1, j + 0), times(V(0.45), minus((static_cast<double>(j + 0) < 5 ? value((static_cast<double>(i + 1) < 5 ? value(scaled_sum(V(0.5), scaled_sum(V(0.5), Q(i + 0, j + 0), Q(i + 1, j + 0)), scaled_sum(V(0.5), Q(i + 1, j + 0), Q(i + 2, j + 0)))) : V(0.3))) : V(0.3)), Q(i + 1, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 1) return smallest(largest(value(plus(R(i + 0, j + 0), times(V(0.45), minus(P(i + 0, j + 0), R(i + 0, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 2) return smallest(largest(value(plus(R(i + 0, j + 0), times(V(0.45), minus(minus(value((static_cast<double>(i + 1) < 5 ? value(scaled_sum(V(0.5), Q(i + 1, j + 0), Q(i + 1, j + 1))) : V(0.3))), value((static_cast<double>(i + 0) < 5 ? value(scaled_sum(V(0.5), Q(i + 0, j + 0), Q(i + 0, j + 1))) : V(0.3)))), R(i + 0, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 3) return smallest(largest(value(plus(P(i + 1, j + 1), times(V(0.45), minus(smallest(minus(value(minus(value(Q(i + 2, j + 2)), value(Q(i + 1, j + 2)))), value(minus(value(Q(i + 2, j + 1)), value(Q(i + 1, j + 1))))), minus(value(minus(value(Q(i + 1, j + 2)), value(Q(i + 0, j + 2)))), value(minus(value(Q(i + 1, j + 1)), value(Q(i + 0, j + 1))))), minus(value(minus(value(Q(i + 3, j + 2)), value(Q(i + 2, j + 2)))), value(minus(value(Q(i + 3, j + 1)), value(Q(i + 2, j + 1))))), minus(value(minus(value(Q(i + 2, j + 1)), value(Q(i + 1, j + 1)))), value(minus(value(Q(i + 2, j + 0)), value(Q(i + 1, j + 0))))), minus(value(minus(value(Q(i + 2, j + 3)), value(Q(i + 1, j + 3)))), value(minus(value(Q(i + 2, j + 2)), value(Q(i + 1, j + 2)))))), P(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct step_11 {
  static constexpr int count = 3, slot[] = {1, 0, 0};
  static constexpr int sees[] = {0, 0, 2};
  static constexpr int frame[][2] = {{0, 0}, {1, 0}, {1, 1}}, longer[][2] = {{0, 0}, {0, 0}, {0, 0}};
  static auto step() {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(together(update(Q, minimum(maximum(Q + 0.45 * (P - Q), 0.25), 2)),
                    update(inn_x(P), minimum(maximum(inn_x(P) + 0.45 * (d_xa(d_xa((P * Q))) - inn_x(P)), 0.25), 2))),
                    update(inn(P), minimum(maximum(inn(P) + 0.45 * ((minloc((P - 0.3)) + where(iy < 5, inn_y(av_xa(harm_xa(P))), 0.3)) - inn(P)), 0.25), 2)));
    });
  }
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(together(update(Q, minimum(maximum(Q + 0.45 * (P - Q), 0.25), 2), sides[0]),
                    update(inn_x(P), minimum(maximum(inn_x(P) + 0.45 * (d_xa(d_xa((P * Q))) - inn_x(P)), 0.25), 2), sides[1])),
                    update(inn(P), minimum(maximum(inn(P) + 0.45 * ((minloc((P - 0.3)) + where(iy < 5, inn_y(av_xa(harm_xa(P))), 0.3)) - inn(P)), 0.25), 2), sides[2]));
    });
  }
  template <int K, class V>
  static V cell(const reader<V>& P, const reader<V>& Q, const reader<V>& R, index_t i, index_t j) {
    (void)P, (void)Q, (void)R, (void)i, (void)j;
    if constexpr (K == 0) return smallest(largest(value(plus(Q(i + 0, j + 0), times(V(0.45), minus(P(i + 0, j + 0), Q(i + 0, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 1) return smallest(largest(value(plus(P(i + 1, j + 0), times(V(0.45), minus(minus(value(minus(value(times(P(i + 2, j + 0), Q(i + 2, j + 0))), value(times(P(i + 1, j + 0), Q(i + 1, j + 0))))), value(minus(value(times(P(i + 1, j + 0), Q(i + 1, j + 0))), value(times(P(i + 0, j + 0), Q(i + 0, j + 0)))))), P(i + 1, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 2) return smallest(largest(value(plus(P(i + 1, j + 1), times(V(0.45), minus(plus(smallest(minus(P(i + 1, j + 1), V(0.3)), minus(P(i + 0, j + 1), V(0.3)), minus(P(i + 2, j + 1), V(0.3)), minus(P(i + 1, j + 0), V(0.3)), minus(P(i + 1, j + 2), V(0.3))), (static_cast<double>(j + 1) < 5 ? value(value(scaled_sum(V(0.5), inverse_sum(V(2), P(i + 0, j + 1), P(i + 1, j + 1)), inverse_sum(V(2), P(i + 1, j + 1), P(i + 2, j + 1))))) : V(0.3))), P(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct step_12 {
  static constexpr int count = 3, slot[] = {1, 0, 2};
  static constexpr int sees[] = {0, 1, 2};
  static constexpr int frame[][2] = {{1, 1}, {0, 0}, {1, 0}}, longer[][2] = {{0, 0}, {1, 0}, {0, 0}};
  static auto step() {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn(Q), minimum(maximum(inn(Q) + 0.45 * (av(av_ya(R)) - inn(Q)), 0.25), 2)),
                    update(P, minimum(maximum(P + 0.45 * (d_xa(where(iy < 5, (Q * Q), 0.3)) - P), 0.25), 2)),
                    update(inn_x(R), minimum(maximum(inn_x(R) + 0.45 * ((((harm_xa(harm_xa(R)) - 1.9) * where(iy < 5, inn_x(R), 0.3)) - (harm_xa(harm_xa(P)) * 1.9)) - inn_x(R)), 0.25), 2)));
    });
  }
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn(Q), minimum(maximum(inn(Q) + 0.45 * (av(av_ya(R)) - inn(Q)), 0.25), 2), sides[0]),
                    update(P, minimum(maximum(P + 0.45 * (d_xa(where(iy < 5, (Q * Q), 0.3)) - P), 0.25), 2), sides[1]),
                    update(inn_x(R), minimum(maximum(inn_x(R) + 0.45 * ((((harm_xa(harm_xa(R)) - 1.9) * where(iy < 5, inn_x(R), 0.3)) - (harm_xa(harm_xa(P)) * 1.9)) - inn_x(R)), 0.25), 2), sides[2]));
    });
  }
  template <int K, class V>
  static V cell(const reader<V>& P, const reader<V>& Q, const reader<V>& R, index_t i, index_t j) {
    (void)P, (void)Q, (void)R, (void)i, (void)j;
    if constexpr (K == 0) return smallest(largest(value(plus(Q(i + 1, j + 1), times(V(0.45), minus(scaled_sum(V(0.25), scaled_sum(V(0.5), R(i + 0, j + 0), R(i + 0, j + 1)), scaled_sum(V(0.5), R(i + 1, j + 0), R(i + 1, j + 1)), scaled_sum(V(0.5), R(i + 0, j + 1), R(i + 0, j + 2)), scaled_sum(V(0.5), R(i + 1, j + 1), R(i + 1, j + 2))), Q(i + 1, j + 1))))), V(0.25)), V(2));
    else if constexpr (K == 1) return smallest(largest(value(plus(P(i + 0, j + 0), times(V(0.45), minus(minus(value((static_cast<double>(j + 0) < 5 ? value(times(Q(i + 1, j + 0), Q(i + 1, j + 0))) : V(0.3))), value((static_cast<double>(j + 0) < 5 ? value(times(Q(i + 0, j + 0), Q(i + 0, j + 0))) : V(0.3)))), P(i + 0, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 2) return smallest(largest(value(plus(R(i + 1, j + 0), times(V(0.45), minus(minus(times(minus(inverse_sum(V(2), inverse_sum(V(2), R(i + 0, j + 0), R(i + 1, j + 0)), inverse_sum(V(2), R(i + 1, j + 0), R(i + 2, j + 0))), V(1.9)), (static_cast<double>(j + 0) < 5 ? value(value(R(i + 1, j + 0))) : V(0.3))), times(inverse_sum(V(2), inverse_sum(V(2), P(i + 0, j + 0), P(i + 1, j + 0)), inverse_sum(V(2), P(i + 1, j + 0), P(i + 2, j + 0))), V(1.9))), R(i + 1, j + 0))))), V(0.25)), V(2));
  }
};

struct step_13 {
  static constexpr int count = 3, slot[] = {0, 2, 1};
  static constexpr int sees[] = {0, 1, 1};
  static constexpr int frame[][2] = {{1, 1}, {0, 1}, {0, 0}}, longer[][2] = {{0, 0}, {1, 1}, {0, 1}};
  static auto step() {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn(P), minimum(maximum(inn(P) + 0.45 * (av_xa(d_xa((harm_ya(harm_ya(harm_ya(av_xa(Q)))) + inn_y(P)))) - inn(P)), 0.25), 2)),
                    together(update(inn_y(R), minimum(maximum(inn_y(R) + 0.45 * (av_xa(inn_y(Q)) - inn_y(R)), 0.25), 2)),
                    update(Q, minimum(maximum(Q + 0.45 * (Q - Q), 0.25), 2))));
    });
  }
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn(P), minimum(maximum(inn(P) + 0.45 * (av_xa(d_xa((harm_ya(harm_ya(harm_ya(av_xa(Q)))) + inn_y(P)))) - inn(P)), 0.25), 2), sides[0]),
                    together(update(inn_y(R), minimum(maximum(inn_y(R) + 0.45 * (av_xa(inn_y(Q)) - inn_y(R)), 0.25), 2), sides[1]),
                    update(Q, minimum(maximum(Q + 0.45 * (Q - Q), 0.25), 2), sides[2])));
    });
  }
  template <int K, class V>
  static V cell(const reader<V>& P, const reader<V>& Q, const reader<V>& R, index_t i, index_t j) {
    (void)P, (void)Q, (void)R, (void)i, (void)j;
    if constexpr (K == 0) return smallest(largest(value(plus(P(i + 1, j + 1), times(V(0.45), minus(scaled_sum(V(0.5), minus(value(plus(inverse_sum(V(2), inverse_sum(V(2), inverse_sum(V(2), scaled_sum(V(0.5), Q(i + 1, j + 0), Q(i + 2, j + 0)), scaled_sum(V(0.5), Q(i + 1, j + 1), Q(i + 2, j + 1))), inverse_sum(V(2), scaled_sum(V(0.5), Q(i + 1, j + 1), Q(i + 2, j + 1)), scaled_sum(V(0.5), Q(i + 1, j + 2), Q(i + 2, j + 2)))), inverse_sum(V(2), inverse_sum(V(2), scaled_sum(V(0.5), Q(i + 1, j + 1), Q(i + 2, j + 1)), scaled_sum(V(0.5), Q(i + 1, j + 2), Q(i + 2, j + 2))), inverse_sum(V(2), scaled_sum(V(0.5), Q(i + 1, j + 2), Q(i + 2, j + 2)), scaled_sum(V(0.5), Q(i + 1, j + 3), Q(i + 2, j + 3))))), value(P(i + 1, j + 1)))), value(plus(inverse_sum(V(2), inverse_sum(V(2), inverse_sum(V(2), scaled_sum(V(0.5), Q(i + 0, j + 0), Q(i + 1, j + 0)), scaled_sum(V(0.5), Q(i + 0, j + 1), Q(i + 1, j + 1))), inverse_sum(V(2), scaled_sum(V(0.5), Q(i + 0, j + 1), Q(i + 1, j + 1)), scaled_sum(V(0.5), Q(i + 0, j + 2), Q(i + 1, j + 2)))), inverse_sum(V(2), inverse_sum(V(2), scaled_sum(V(0.5), Q(i + 0, j + 1), Q(i + 1, j + 1)), scaled_sum(V(0.5), Q(i + 0, j + 2), Q(i + 1, j + 2))), inverse_sum(V(2), scaled_sum(V(0.5), Q(i + 0, j + 2), Q(i + 1, j + 2)), scaled_sum(V(0.5), Q(i + 0, j + 3), Q(i + 1, j + 3))))), value(P(i + 0, j + 1))))), minus(value(plus(inverse_sum(V(2), inverse_sum(V(2), inverse_sum(V(2), scaled_sum(V(0.5), Q(i + 2, j + 0), Q(i + 3, j + 0)), scaled_sum(V(0.5), Q(i + 2, j + 1), Q(i + 3, j + 1))), inverse_sum(V(2), scaled_sum(V(0.5), Q(i + 2, j + 1), Q(i + 3, j + 1)), scaled_sum(V(0.5), Q(i + 2, j + 2), Q(i + 3, j + 2)))), inverse_sum(V(2), inverse_sum(V(2), scaled_sum(V(0.5), Q(i + 2, j + 1), Q(i + 3, j + 1)), scaled_sum(V(0.5), Q(i + 2, j + 2), Q(i + 3, j + 2))), inverse_sum(V(2), scaled_sum(V(0.5), Q(i + 2, j + 2), Q(i + 3, j + 2)), scaled_sum(V(0.5), Q(i + 2, j + 3), Q(i + 3, j + 3))))), value(P(i + 2, j + 1)))), value(plus(inverse_sum(V(2), inverse_sum(V(2), inverse_sum(V(2), scaled_sum(V(0.5), Q(i + 1, j + 0), Q(i + 2, j + 0)), scaled_sum(V(0.5), Q(i + 1, j + 1), Q(i + 2, j + 1))), inverse_sum(V(2), scaled_sum(V(0.5), Q(i + 1, j + 1), Q(i + 2, j + 1)), scaled_sum(V(0.5), Q(i + 1, j + 2), Q(i + 2, j + 2)))), inverse_sum(V(2), inverse_sum(V(2), scaled_sum(V(0.5), Q(i + 1, j + 1), Q(i + 2, j + 1)), scaled_sum(V(0.5), Q(i + 1, j + 2), Q(i + 2, j + 2))), inverse_sum(V(2), scaled_sum(V(0.5), Q(i + 1, j + 2), Q(i + 2, j + 2)), scaled_sum(V(0.5), Q(i + 1, j + 3), Q(i + 2, j + 3))))), value(P(i + 1, j + 1)))))), P(i + 1, j + 1))))), V(0.25)), V(2));
    else if constexpr (K == 1) return smallest(largest(value(plus(R(i + 0, j + 1), times(V(0.45), minus(scaled_sum(V(0.5), value(Q(i + 0, j + 1)), value(Q(i + 1, j + 1))), R(i + 0, j + 1))))), V(0.25)), V(2));
    else if constexpr (K == 2) return smallest(largest(value(plus(Q(i + 0, j + 0), times(V(0.45), minus(Q(i + 0, j + 0), Q(i + 0, j + 0))))), V(0.25)), V(2));
  }
};

struct step_14 {
  static constexpr int count = 4, slot[] = {0, 2, 1, 0};
  static constexpr int sees[] = {0, 1, 2, 3};
  static constexpr int frame[][2] = {{1, 0}, {1, 0}, {0, 0}, {1, 1}}, longer[][2] = {{0, 0}, {0, 0}, {0, 1}};
  static auto step() {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn_x(P), minimum(maximum(inn_x(P) + 0.45 * (av_xa((av(R) + 0.7)) - inn_x(P)), 0.25), 2)),
                    update(inn_x(R), minimum(maximum(inn_x(R) + 0.45 * (av_xa(harm_xa(R)) - inn_x(R)), 0.25), 2)),
                    update(Q, minimum(maximum(Q + 0.45 * (av_ya(((R + R) + 1.9)) - Q), 0.25), 2)),
                    update(inn(P), minimum(maximum(inn(P) + 0.45 * (inn_y(inn_x(where(ix < 5, Q, 0.3))) - inn(P)), 0.25), 2)));
    });
  }
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn_x(P), minimum(maximum(inn_x(P) + 0.45 * (av_xa((av(R) + 0.7)) - inn_x(P)), 0.25), 2), sides[0]),
                    update(inn_x(R), minimum(maximum(inn_x(R) + 0.45 * (av_xa(harm_xa(R)) - inn_x(R)), 0.25), 2), sides[1]),
                    update(Q, minimum(maximum(Q + 0.45 * (av_ya(((R + R) + 1.9)) - Q), 0.25), 2), sides[2]),
                    update(inn(P), minimum(maximum(inn(P) + 0.45 * (inn_y(inn_x(where(ix < 5, Q, 0.3))) - inn(P)), 0.25), 2), sides[3]));
    });
  }
  template <int K, class V>
  static V cell(const reader<V>& P, const reader<V>& Q, const reader<V>& R, index_t i, index_t j) {
    (void)P, (void)Q, (void)R, (void)i, (void)j;
    if constexpr (K == 0) return smallest(largest(value(plus(P(i + 1, j + 0), times(V(0.45), minus(scaled_sum(V(0.5), plus(scaled_sum(V(0.25), R(i + 0, j + 0), R(i + 1, j + 0), R(i + 0, j + 1), R(i + 1, j + 1)), V(0.7)), plus(scaled_sum(V(0.25), R(i + 1, j + 0), R(i + 2, j + 0), R(i + 1, j + 1), R(i + 2, j + 1)), V(0.7))), P(i + 1, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 1) return smallest(largest(value(plus(R(i + 1, j + 0), times(V(0.45), minus(scaled_sum(V(0.5), inverse_sum(V(2), R(i + 0, j + 0), R(i + 1, j + 0)), inverse_sum(V(2), R(i + 1, j + 0), R(i + 2, j + 0))), R(i + 1, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 2) return smallest(largest(value(plus(Q(i + 0, j + 0), times(V(0.45), minus(scaled_sum(V(0.5), plus(plus(R(i + 0, j + 0), R(i + 0, j + 0)), V(1.9)), plus(plus(R(i + 0, j + 1), R(i + 0, j + 1)), V(1.9))), Q(i + 0, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 3) return smallest(largest(value(plus(P(i + 1, j + 1), times(V(0.45), minus(value(value((static_cast<double>(i + 1) < 5 ? value(Q(i + 1, j + 1)) : V(0.3)))), P(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct step_15 {
  static constexpr int count = 2, slot[] = {2, 0};
  static constexpr int sees[] = {0, 0};
  static constexpr int frame[][2] = {{0, 1}, {0, 1}}, longer[][2] = {{0, 0}, {1, 1}, {0, 1}};
  static auto step() {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(together(update(inn_y(R), minimum(maximum(inn_y(R) + 0.45 * (av_ya(av_ya(R)) - inn_y(R)), 0.25), 2)),
                    update(inn_y(P), minimum(maximum(inn_y(P) + 0.45 * ((av_ya(av(harm_ya(Q))) - (d_ya(harm_ya(P)) + harm_ya(inn_y(R)))) - inn_y(P)), 0.25), 2))));
    });
  }
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(together(update(inn_y(R), minimum(maximum(inn_y(R) + 0.45 * (av_ya(av_ya(R)) - inn_y(R)), 0.25), 2), sides[0]),
                    update(inn_y(P), minimum(maximum(inn_y(P) + 0.45 * ((av_ya(av(harm_ya(Q))) - (d_ya(harm_ya(P)) + harm_ya(inn_y(R)))) - inn_y(P)), 0.25), 2), sides[1])));
    });
  }
  template <int K, class V>
  static V cell(const reader<V>& P, const reader<V>& Q, const reader<V>& R, index_t i, index_t j) {
    (void)P, (void)Q, (void)R, (void)i, (void)j;
    if constexpr (K == 0) return smallest(largest(value(plus(R(i + 0, j + 1), times(V(0.45), minus(scaled_sum(V(0.5), scaled_sum(V(0.5), R(i + 0, j + 0), R(i + 0, j + 1)), scaled_sum(V(0.5), R(i + 0, j + 1), R(i + 0, j + 2))), R(i + 0, j + 1))))), V(0.25)), V(2));
    else if constexpr (K == 1) return smallest(largest(value(plus(P(i + 0, j + 1), times(V(0.45), minus(minus(scaled_sum(V(0.5), scaled_sum(V(0.25), inverse_sum(V(2), Q(i + 0, j + 0), Q(i + 0, j + 1)), inverse_sum(V(2), Q(i + 1, j + 0), Q(i + 1, j + 1)), inverse_sum(V(2), Q(i + 0, j + 1), Q(i + 0, j + 2)), inverse_sum(V(2), Q(i + 1, j + 1), Q(i + 1, j + 2))), scaled_sum(V(0.25), inverse_sum(V(2), Q(i + 0, j + 1), Q(i + 0, j + 2)), inverse_sum(V(2), Q(i + 1, j + 1), Q(i + 1, j + 2)), inverse_sum(V(2), Q(i + 0, j + 2), Q(i + 0, j + 3)), inverse_sum(V(2), Q(i + 1, j + 2), Q(i + 1, j + 3)))), plus(minus(value(inverse_sum(V(2), P(i + 0, j + 1), P(i + 0, j + 2))), value(inverse_sum(V(2), P(i + 0, j + 0), P(i + 0, j + 1)))), inverse_sum(V(2), value(R(i + 0, j + 1)), value(R(i + 0, j + 2))))), P(i + 0, j + 1))))), V(0.25)), V(2));
  }
};

}  // namespace teff::inline TEFF_MODE::test

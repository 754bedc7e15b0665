// SPDX-License-Identifier: MIT
// Written by write_formulas.py; change that.
// clang-format off
#pragma once

#include "../formula_oracle.hpp"

namespace teff::inline TEFF_MODE::test {

using namespace teff::fd2;

struct step_00 {
  static constexpr int count = 3, slot[] = {0, 1, 2};
  static constexpr int sees[] = {0, 1, 2};
  static constexpr int frame[][2] = {{1, 1}, {1, 0}, {0, 1}}, longer[][2] = {{0, 0}, {0, 0}, {0, 1}};
  static auto step() {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn(P), minimum(maximum(inn(P) + 0.45 * ((av_yi((av_ya(Q) * av_ya(P))) - where(ix < 5, (maxloc(P) + harm_xa(harm_ya(av_xa(harm_ya(harm_ya(R)))))), 0.3)) - inn(P)), 0.25), 2)),
                    update(inn_x(Q), minimum(maximum(inn_x(Q) + 0.45 * (inn_x(d_ya((R - 1.1))) - inn_x(Q)), 0.25), 2)),
                    update(inn_y(R), minimum(maximum(inn_y(R) + 0.45 * (d_ya((av_ya(R) + Q)) - inn_y(R)), 0.25), 2)));
    });
  }
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn(P), minimum(maximum(inn(P) + 0.45 * ((av_yi((av_ya(Q) * av_ya(P))) - where(ix < 5, (maxloc(P) + harm_xa(harm_ya(av_xa(harm_ya(harm_ya(R)))))), 0.3)) - inn(P)), 0.25), 2), sides[0]),
                    update(inn_x(Q), minimum(maximum(inn_x(Q) + 0.45 * (inn_x(d_ya((R - 1.1))) - inn_x(Q)), 0.25), 2), sides[1]),
                    update(inn_y(R), minimum(maximum(inn_y(R) + 0.45 * (d_ya((av_ya(R) + Q)) - inn_y(R)), 0.25), 2), sides[2]));
    });
  }
  template <int K, class V>
  static V cell(const reader<V>& P, const reader<V>& Q, const reader<V>& R, index_t i, index_t j) {
    (void)P, (void)Q, (void)R, (void)i, (void)j;
    if constexpr (K == 0) return smallest(largest(value(plus(P(i + 1, j + 1), times(V(0.45), minus(minus(scaled_sum(V(0.5), times(scaled_sum(V(0.5), Q(i + 1, j + 0), Q(i + 1, j + 1)), scaled_sum(V(0.5), P(i + 1, j + 0), P(i + 1, j + 1))), times(scaled_sum(V(0.5), Q(i + 1, j + 1), Q(i + 1, j + 2)), scaled_sum(V(0.5), P(i + 1, j + 1), P(i + 1, j + 2)))), (static_cast<double>(i + 1) < 5 ? value(plus(largest(P(i + 1, j + 1), P(i + 0, j + 1), P(i + 2, j + 1), P(i + 1, j + 0), P(i + 1, j + 2)), inverse_sum(V(2), inverse_sum(V(2), scaled_sum(V(0.5), inverse_sum(V(2), inverse_sum(V(2), R(i + 0, j + 0), R(i + 0, j + 1)), inverse_sum(V(2), R(i + 0, j + 1), R(i + 0, j + 2))), inverse_sum(V(2), inverse_sum(V(2), R(i + 1, j + 0), R(i + 1, j + 1)), inverse_sum(V(2), R(i + 1, j + 1), R(i + 1, j + 2)))), scaled_sum(V(0.5), inverse_sum(V(2), inverse_sum(V(2), R(i + 0, j + 1), R(i + 0, j + 2)), inverse_sum(V(2), R(i + 0, j + 2), R(i + 0, j + 3))), inverse_sum(V(2), inverse_sum(V(2), R(i + 1, j + 1), R(i + 1, j + 2)), inverse_sum(V(2), R(i + 1, j + 2), R(i + 1, j + 3))))), inverse_sum(V(2), scaled_sum(V(0.5), inverse_sum(V(2), inverse_sum(V(2), R(i + 1, j + 0), R(i + 1, j + 1)), inverse_sum(V(2), R(i + 1, j + 1), R(i + 1, j + 2))), inverse_sum(V(2), inverse_sum(V(2), R(i + 2, j + 0), R(i + 2, j + 1)), inverse_sum(V(2), R(i + 2, j + 1), R(i + 2, j + 2)))), scaled_sum(V(0.5), inverse_sum(V(2), inverse_sum(V(2), R(i + 1, j + 1), R(i + 1, j + 2)), inverse_sum(V(2), R(i + 1, j + 2), R(i + 1, j + 3))), inverse_sum(V(2), inverse_sum(V(2), R(i + 2, j + 1), R(i + 2, j + 2)), inverse_sum(V(2), R(i + 2, j + 2), R(i + 2, j + 3)))))))) : V(0.3))), P(i + 1, j + 1))))), V(0.25)), V(2));
    else if constexpr (K == 1) return smallest(largest(value(plus(Q(i + 1, j + 0), times(V(0.45), minus(value(minus(value(minus(R(i + 1, j + 1), V(1.1))), value(minus(R(i + 1, j + 0), V(1.1))))), Q(i + 1, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 2) return smallest(largest(value(plus(R(i + 0, j + 1), times(V(0.45), minus(minus(value(plus(scaled_sum(V(0.5), R(i + 0, j + 1), R(i + 0, j + 2)), Q(i + 0, j + 1))), value(plus(scaled_sum(V(0.5), R(i + 0, j + 0), R(i + 0, j + 1)), Q(i + 0, j + 0)))), R(i + 0, j + 1))))), V(0.25)), V(2));
  }
};

struct step_01 {
  static constexpr int count = 3, slot[] = {1, 2, 1};
  static constexpr int sees[] = {0, 0, 2};
  static constexpr int frame[][2] = {{0, 1}, {0, 0}, {1, 0}}, longer[][2] = {{0, 0}, {0, 0}, {0, 1}};
  static auto step() {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(together(update(inn_y(Q), minimum(maximum(inn_y(Q) + 0.45 * (av_ya(inn_y((R - 0.25))) - inn_y(Q)), 0.25), 2)),
                    update(R, minimum(maximum(R + 0.45 * (((where(iy < 5, R, 0.3) * (R * R)) - R) - R), 0.25), 2))),
                    update(inn_x(Q), minimum(maximum(inn_x(Q) + 0.45 * (inn_x(av_ya((R - R))) - inn_x(Q)), 0.25), 2)));
    });
  }
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(together(update(inn_y(Q), minimum(maximum(inn_y(Q) + 0.45 * (av_ya(inn_y((R - 0.25))) - inn_y(Q)), 0.25), 2), sides[0]),
                    update(R, minimum(maximum(R + 0.45 * (((where(iy < 5, R, 0.3) * (R * R)) - R) - R), 0.25), 2), sides[1])),
                    update(inn_x(Q), minimum(maximum(inn_x(Q) + 0.45 * (inn_x(av_ya((R - R))) - inn_x(Q)), 0.25), 2), sides[2]));
    });
  }
  template <int K, class V>
  static V cell(const reader<V>& P, const reader<V>& Q, const reader<V>& R, index_t i, index_t j) {
    (void)P, (void)Q, (void)R, (void)i, (void)j;
    if constexpr (K == 0) return smallest(largest(value(plus(Q(i + 0, j + 1), times(V(0.45), minus(scaled_sum(V(0.5), value(minus(R(i + 0, j + 1), V(0.25))), value(minus(R(i + 0, j + 2), V(0.25)))), Q(i + 0, j + 1))))), V(0.25)), V(2));
    else if constexpr (K == 1) return smallest(largest(value(plus(R(i + 0, j + 0), times(V(0.45), minus(minus(times((static_cast<double>(j + 0) < 5 ? value(R(i + 0, j + 0)) : V(0.3)), times(R(i + 0, j + 0), R(i + 0, j + 0))), R(i + 0, j + 0)), R(i + 0, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 2) return smallest(largest(value(plus(Q(i + 1, j + 0), times(V(0.45), minus(value(scaled_sum(V(0.5), minus(R(i + 1, j + 0), R(i + 1, j + 0)), minus(R(i + 1, j + 1), R(i + 1, j + 1)))), Q(i + 1, j + 0))))), V(0.25)), V(2));
  }
};

struct step_02 {
  static constexpr int count = 2, slot[] = {1, 0};
  static constexpr int sees[] = {0, 1};
  static constexpr int frame[][2] = {{1, 0}, {0, 1}}, longer[][2] = {{0, 0}, {0, 0}, {0, 1}};
  static auto step() {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn_x(Q), minimum(maximum(inn_x(Q) + 0.45 * (((harm_xa(av_xa(P)) + 1.1) * av_xa(d_xa(Q))) - inn_x(Q)), 0.25), 2)),
                    update(inn_y(P), minimum(maximum(inn_y(P) + 0.45 * ((inn_y(av_ya(R)) + (where(ix < 5, inn_y(P), 0.3) * 0.7)) - inn_y(P)), 0.25), 2)));
    });
  }
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn_x(Q), minimum(maximum(inn_x(Q) + 0.45 * (((harm_xa(av_xa(P)) + 1.1) * av_xa(d_xa(Q))) - inn_x(Q)), 0.25), 2), sides[0]),
                    update(inn_y(P), minimum(maximum(inn_y(P) + 0.45 * ((inn_y(av_ya(R)) + (where(ix < 5, inn_y(P), 0.3) * 0.7)) - inn_y(P)), 0.25), 2), sides[1]));
    });
  }
  template <int K, class V>
  static V cell(const reader<V>& P, const reader<V>& Q, const reader<V>& R, index_t i, index_t j) {
    (void)P, (void)Q, (void)R, (void)i, (void)j;
    if constexpr (K == 0) return smallest(largest(value(plus(Q(i + 1, j + 0), times(V(0.45), minus(times(plus(inverse_sum(V(2), scaled_sum(V(0.5), P(i + 0, j + 0), P(i + 1, j + 0)), scaled_sum(V(0.5), P(i + 1, j + 0), P(i + 2, j + 0))), V(1.1)), scaled_sum(V(0.5), minus(value(Q(i + 1, j + 0)), value(Q(i + 0, j + 0))), minus(value(Q(i + 2, j + 0)), value(Q(i + 1, j + 0))))), Q(i + 1, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 1) return smallest(largest(value(plus(P(i + 0, j + 1), times(V(0.45), minus(plus(value(scaled_sum(V(0.5), R(i + 0, j + 1), R(i + 0, j + 2))), times((static_cast<double>(i + 0) < 5 ? value(value(P(i + 0, j + 1))) : V(0.3)), V(0.7))), P(i + 0, j + 1))))), V(0.25)), V(2));
  }
};

struct step_03 {
  static constexpr int count = 4, slot[] = {2, 1, 0, 0};
  static constexpr int sees[] = {0, 1, 1, 3};
  static constexpr int frame[][2] = {{1, 1}, {0, 0}, {1, 0}, {0, 0}}, longer[][2] = {{0, 0}, {1, 0}, {0, 0}};
  static auto step() {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn(R), minimum(maximum(inn(R) + 0.45 * ((where(ix < 5, where(iy < 5, av(av_xa(harm_ya(P))), 0.3), 0.3) + minloc(d_xa(Q))) - inn(R)), 0.25), 2)),
                    together(update(Q, minimum(maximum(Q + 0.45 * ((((Q - Q) - Q) + ((Q + Q) - 0.7)) - Q), 0.25), 2)),
                    update(inn_x(P), minimum(maximum(inn_x(P) + 0.45 * (inn_x(where(iy < 5, av_xa(Q), 0.3)) - inn_x(P)), 0.25), 2))),
                    update(P, minimum(maximum(P + 0.45 * (av_xa(((Q * 0.25) * (Q - Q))) - P), 0.25), 2)));
    });
  }
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn(R), minimum(maximum(inn(R) + 0.45 * ((where(ix < 5, where(iy < 5, av(av_xa(harm_ya(P))), 0.3), 0.3) + minloc(d_xa(Q))) - inn(R)), 0.25), 2), sides[0]),
                    together(update(Q, minimum(maximum(Q + 0.45 * ((((Q - Q) - Q) + ((Q + Q) - 0.7)) - Q), 0.25), 2), sides[1]),
                    update(inn_x(P), minimum(maximum(inn_x(P) + 0.45 * (inn_x(where(iy < 5, av_xa(Q), 0.3)) - inn_x(P)), 0.25), 2), sides[2])),
                    update(P, minimum(maximum(P + 0.45 * (av_xa(((Q * 0.25) * (Q - Q))) - P), 0.25), 2), sides[3]));
    });
  }
  template <int K, class V>
  static V cell(const reader<V>& P, const reader<V>& Q, const reader<V>& R, index_t i, index_t j) {
    (void)P, (void)Q, (void)R, (void)i, (void)j;
    if constexpr (K == 0) return smallest(largest(value(plus(R(i + 1, j + 1), times(V(0.45), minus(plus((static_cast<double>(i + 1) < 5 ? value((static_cast<double>(j + 1) < 5 ? value(scaled_sum(V(0.25), scaled_sum(V(0.5), inverse_sum(V(2), P(i + 0, j + 0), P(i + 0, j + 1)), inverse_sum(V(2), P(i + 1, j + 0), P(i + 1, j + 1))), scaled_sum(V(0.5), inverse_sum(V(2), P(i + 1, j + 0), P(i + 1, j + 1)), inverse_sum(V(2), P(i + 2, j + 0), P(i + 2, j + 1))), scaled_sum(V(0.5), inverse_sum(V(2), P(i + 0, j + 1), P(i + 0, j + 2)), inverse_sum(V(2), P(i + 1, j + 1), P(i + 1, j + 2))), scaled_sum(V(0.5), inverse_sum(V(2), P(i + 1, j + 1), P(i + 1, j + 2)), inverse_sum(V(2), P(i + 2, j + 1), P(i + 2, j + 2))))) : V(0.3))) : V(0.3)), smallest(minus(value(Q(i + 2, j + 1)), value(Q(i + 1, j + 1))), minus(value(Q(i + 1, j + 1)), value(Q(i + 0, j + 1))), minus(value(Q(i + 3, j + 1)), value(Q(i + 2, j + 1))), minus(value(Q(i + 2, j + 0)), value(Q(i + 1, j + 0))), minus(value(Q(i + 2, j + 2)), value(Q(i + 1, j + 2))))), R(i + 1, j + 1))))), V(0.25)), V(2));
    else if constexpr (K == 1) return smallest(largest(value(plus(Q(i + 0, j + 0), times(V(0.45), minus(plus(minus(minus(Q(i + 0, j + 0), Q(i + 0, j + 0)), Q(i + 0, j + 0)), minus(plus(Q(i + 0, j + 0), Q(i + 0, j + 0)), V(0.7))), Q(i + 0, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 2) return smallest(largest(value(plus(P(i + 1, j + 0), times(V(0.45), minus(value((static_cast<double>(j + 0) < 5 ? value(scaled_sum(V(0.5), Q(i + 1, j + 0), Q(i + 2, j + 0))) : V(0.3))), P(i + 1, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 3) return smallest(largest(value(plus(P(i + 0, j + 0), times(V(0.45), minus(scaled_sum(V(0.5), times(times(Q(i + 0, j + 0), V(0.25)), minus(Q(i + 0, j + 0), Q(i + 0, j + 0))), times(times(Q(i + 1, j + 0), V(0.25)), minus(Q(i + 1, j + 0), Q(i + 1, j + 0)))), P(i + 0, j + 0))))), V(0.25)), V(2));
  }
};

struct step_04 {
  static constexpr int count = 2, slot[] = {0, 1};
  static constexpr int sees[] = {0, 1};
  static constexpr int frame[][2] = {{1, 0}, {1, 1}}, longer[][2] = {{0, 0}, {0, 0}, {0, 1}};
  static auto step() {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn_x(P), minimum(maximum(inn_x(P) + 0.45 * (inn_x((harm_ya(R) + (Q * 1.25))) - inn_x(P)), 0.25), 2)),
                    update(inn(Q), minimum(maximum(inn(Q) + 0.45 * (((d2_yi(harm_ya(R)) * (harm_xa(av_ya(av_xa(av_ya(Q)))) + harm_ya(harm_xa(harm_xa(av_ya(av_ya(R))))))) + av(av(harm_ya(R)))) - inn(Q)), 0.25), 2)));
    });
  }
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn_x(P), minimum(maximum(inn_x(P) + 0.45 * (inn_x((harm_ya(R) + (Q * 1.25))) - inn_x(P)), 0.25), 2), sides[0]),
                    update(inn(Q), minimum(maximum(inn(Q) + 0.45 * (((d2_yi(harm_ya(R)) * (harm_xa(av_ya(av_xa(av_ya(Q)))) + harm_ya(harm_xa(harm_xa(av_ya(av_ya(R))))))) + av(av(harm_ya(R)))) - inn(Q)), 0.25), 2), sides[1]));
    });
  }
  template <int K, class V>
  static V cell(const reader<V>& P, const reader<V>& Q, const reader<V>& R, index_t i, index_t j) {
    (void)P, (void)Q, (void)R, (void)i, (void)j;
    if constexpr (K == 0) return smallest(largest(value(plus(P(i + 1, j + 0), times(V(0.45), minus(value(plus(inverse_sum(V(2), R(i + 1, j + 0), R(i + 1, j + 1)), times(Q(i + 1, j + 0), V(1.25)))), P(i + 1, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 1) return smallest(largest(value(plus(Q(i + 1, j + 1), times(V(0.45), minus(plus(times(minus(minus(value(inverse_sum(V(2), R(i + 1, j + 2), R(i + 1, j + 3))), value(inverse_sum(V(2), R(i + 1, j + 1), R(i + 1, j + 2)))), minus(value(inverse_sum(V(2), R(i + 1, j + 1), R(i + 1, j + 2))), value(inverse_sum(V(2), R(i + 1, j + 0), R(i + 1, j + 1))))), plus(inverse_sum(V(2), scaled_sum(V(0.5), scaled_sum(V(0.5), scaled_sum(V(0.5), Q(i + 0, j + 0), Q(i + 0, j + 1)), scaled_sum(V(0.5), Q(i + 1, j + 0), Q(i + 1, j + 1))), scaled_sum(V(0.5), scaled_sum(V(0.5), Q(i + 0, j + 1), Q(i + 0, j + 2)), scaled_sum(V(0.5), Q(i + 1, j + 1), Q(i + 1, j + 2)))), scaled_sum(V(0.5), scaled_sum(V(0.5), scaled_sum(V(0.5), Q(i + 1, j + 0), Q(i + 1, j + 1)), scaled_sum(V(0.5), Q(i + 2, j + 0), Q(i + 2, j + 1))), scaled_sum(V(0.5), scaled_sum(V(0.5), Q(i + 1, j + 1), Q(i + 1, j + 2)), scaled_sum(V(0.5), Q(i + 2, j + 1), Q(i + 2, j + 2))))), inverse_sum(V(2), inverse_sum(V(2), inverse_sum(V(2), scaled_sum(V(0.5), scaled_sum(V(0.5), R(i + 0, j + 0), R(i + 0, j + 1)), scaled_sum(V(0.5), R(i + 0, j + 1), R(i + 0, j + 2))), scaled_sum(V(0.5), scaled_sum(V(0.5), R(i + 1, j + 0), R(i + 1, j + 1)), scaled_sum(V(0.5), R(i + 1, j + 1), R(i + 1, j + 2)))), inverse_sum(V(2), scaled_sum(V(0.5), scaled_sum(V(0.5), R(i + 1, j + 0), R(i + 1, j + 1)), scaled_sum(V(0.5), R(i + 1, j + 1), R(i + 1, j + 2))), scaled_sum(V(0.5), scaled_sum(V(0.5), R(i + 2, j + 0), R(i + 2, j + 1)), scaled_sum(V(0.5), R(i + 2, j + 1), R(i + 2, j + 2))))), inverse_sum(V(2), inverse_sum(V(2), scaled_sum(V(0.5), scaled_sum(V(0.5), R(i + 0, j + 1), R(i + 0, j + 2)), scaled_sum(V(0.5), R(i + 0, j + 2), R(i + 0, j + 3))), scaled_sum(V(0.5), scaled_sum(V(0.5), R(i + 1, j + 1), R(i + 1, j + 2)), scaled_sum(V(0.5), R(i + 1, j + 2), R(i + 1, j + 3)))), inverse_sum(V(2), scaled_sum(V(0.5), scaled_sum(V(0.5), R(i + 1, j + 1), R(i + 1, j + 2)), scaled_sum(V(0.5), R(i + 1, j + 2), R(i + 1, j + 3))), scaled_sum(V(0.5), scaled_sum(V(0.5), R(i + 2, j + 1), R(i + 2, j + 2)), scaled_sum(V(0.5), R(i + 2, j + 2), R(i + 2, j + 3)))))))), scaled_sum(V(0.25), scaled_sum(V(0.25), inverse_sum(V(2), R(i + 0, j + 0), R(i + 0, j + 1)), inverse_sum(V(2), R(i + 1, j + 0), R(i + 1, j + 1)), inverse_sum(V(2), R(i + 0, j + 1), R(i + 0, j + 2)), inverse_sum(V(2), R(i + 1, j + 1), R(i + 1, j + 2))), scaled_sum(V(0.25), inverse_sum(V(2), R(i + 1, j + 0), R(i + 1, j + 1)), inverse_sum(V(2), R(i + 2, j + 0), R(i + 2, j + 1)), inverse_sum(V(2), R(i + 1, j + 1), R(i + 1, j + 2)), inverse_sum(V(2), R(i + 2, j + 1), R(i + 2, j + 2))), scaled_sum(V(0.25), inverse_sum(V(2), R(i + 0, j + 1), R(i + 0, j + 2)), inverse_sum(V(2), R(i + 1, j + 1), R(i + 1, j + 2)), inverse_sum(V(2), R(i + 0, j + 2), R(i + 0, j + 3)), inverse_sum(V(2), R(i + 1, j + 2), R(i + 1, j + 3))), scaled_sum(V(0.25), inverse_sum(V(2), R(i + 1, j + 1), R(i + 1, j + 2)), inverse_sum(V(2), R(i + 2, j + 1), R(i + 2, j + 2)), inverse_sum(V(2), R(i + 1, j + 2), R(i + 1, j + 3)), inverse_sum(V(2), R(i + 2, j + 2), R(i + 2, j + 3))))), Q(i + 1, j + 1))))), V(0.25)), V(2));
  }
};

struct step_05 {
  static constexpr int count = 4, slot[] = {1, 0, 1, 2};
  static constexpr int sees[] = {0, 0, 2, 3};
  static constexpr int frame[][2] = {{0, 0}, {0, 1}, {0, 1}, {0, 1}}, longer[][2] = {{0, 0}, {1, 0}, {0, 1}};
  static auto step() {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(together(update(Q, minimum(maximum(Q + 0.45 * ((where(ix < 5, (Q * Q), 0.3) - where(iy < 5, (Q + Q), 0.3)) - Q), 0.25), 2)),
                    update(inn_y(P), minimum(maximum(inn_y(P) + 0.45 * ((av_ya(av_ya(P)) - 1.9) - inn_y(P)), 0.25), 2))),
                    update(inn_y(Q), minimum(maximum(inn_y(Q) + 0.45 * ((harm_ya(harm_ya(Q)) + d2_ya((Q * Q))) - inn_y(Q)), 0.25), 2)),
                    update(inn_y(R), minimum(maximum(inn_y(R) + 0.45 * (where(iy < 5, av(Q), 0.3) - inn_y(R)), 0.25), 2)));
    });
  }
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(together(update(Q, minimum(maximum(Q + 0.45 * ((where(ix < 5, (Q * Q), 0.3) - where(iy < 5, (Q + Q), 0.3)) - Q), 0.25), 2), sides[0]),
                    update(inn_y(P), minimum(maximum(inn_y(P) + 0.45 * ((av_ya(av_ya(P)) - 1.9) - inn_y(P)), 0.25), 2), sides[1])),
                    update(inn_y(Q), minimum(maximum(inn_y(Q) + 0.45 * ((harm_ya(harm_ya(Q)) + d2_ya((Q * Q))) - inn_y(Q)), 0.25), 2), sides[2]),
                    update(inn_y(R), minimum(maximum(inn_y(R) + 0.45 * (where(iy < 5, av(Q), 0.3) - inn_y(R)), 0.25), 2), sides[3]));
    });
  }
  template <int K, class V>
  static V cell(const reader<V>& P, const reader<V>& Q, const reader<V>& R, index_t i, index_t j) {
    (void)P, (void)Q, (void)R, (void)i, (void)j;
    if constexpr (K == 0) return smallest(largest(value(plus(Q(i + 0, j + 0), times(V(0.45), minus(minus((static_cast<double>(i + 0) < 5 ? value(times(Q(i + 0, j + 0), Q(i + 0, j + 0))) : V(0.3)), (static_cast<double>(j + 0) < 5 ? value(plus(Q(i + 0, j + 0), Q(i + 0, j + 0))) : V(0.3))), Q(i + 0, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 1) return smallest(largest(value(plus(P(i + 0, j + 1), times(V(0.45), minus(minus(scaled_sum(V(0.5), scaled_sum(V(0.5), P(i + 0, j + 0), P(i + 0, j + 1)), scaled_sum(V(0.5), P(i + 0, j + 1), P(i + 0, j + 2))), V(1.9)), P(i + 0, j + 1))))), V(0.25)), V(2));
    else if constexpr (K == 2) return smallest(largest(value(plus(Q(i + 0, j + 1), times(V(0.45), minus(plus(inverse_sum(V(2), inverse_sum(V(2), Q(i + 0, j + 0), Q(i + 0, j + 1)), inverse_sum(V(2), Q(i + 0, j + 1), Q(i + 0, j + 2))), minus(minus(value(times(Q(i + 0, j + 2), Q(i + 0, j + 2))), value(times(Q(i + 0, j + 1), Q(i + 0, j + 1)))), minus(value(times(Q(i + 0, j + 1), Q(i + 0, j + 1))), value(times(Q(i + 0, j + 0), Q(i + 0, j + 0)))))), Q(i + 0, j + 1))))), V(0.25)), V(2));
    else if constexpr (K == 3) return smallest(largest(value(plus(R(i + 0, j + 1), times(V(0.45), minus((static_cast<double>(j + 1) < 5 ? value(scaled_sum(V(0.25), Q(i + 0, j + 0), Q(i + 1, j + 0), Q(i + 0, j + 1), Q(i + 1, j + 1))) : V(0.3)), R(i + 0, j + 1))))), V(0.25)), V(2));
  }
};

struct step_06 {
  static constexpr int count = 4, slot[] = {2, 1, 1, 0};
  static constexpr int sees[] = {0, 1, 2, 3};
  static constexpr int frame[][2] = {{0, 0}, {0, 0}, {1, 0}, {1, 0}}, longer[][2] = {{0, 0}, {1, 1}, {0, 1}};
  static auto step() {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(R, minimum(maximum(R + 0.45 * (av_xa(Q) - R), 0.25), 2)),
                    update(Q, minimum(maximum(Q + 0.45 * (((Q + (Q - Q)) - ((Q * Q) - Q)) - Q), 0.25), 2)),
                    update(inn_x(Q), minimum(maximum(inn_x(Q) + 0.45 * (where(iy < 5, d_xa((av_xa(Q) - 0.7)), 0.3) - inn_x(Q)), 0.25), 2)),
                    update(inn_x(P), minimum(maximum(inn_x(P) + 0.45 * (inn_x(P) - inn_x(P)), 0.25), 2)));
    });
  }
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(R, minimum(maximum(R + 0.45 * (av_xa(Q) - R), 0.25), 2), sides[0]),
                    update(Q, minimum(maximum(Q + 0.45 * (((Q + (Q - Q)) - ((Q * Q) - Q)) - Q), 0.25), 2), sides[1]),
                    update(inn_x(Q), minimum(maximum(inn_x(Q) + 0.45 * (where(iy < 5, d_xa((av_xa(Q) - 0.7)), 0.3) - inn_x(Q)), 0.25), 2), sides[2]),
                    update(inn_x(P), minimum(maximum(inn_x(P) + 0.45 * (inn_x(P) - inn_x(P)), 0.25), 2), sides[3]));
    });
  }
  template <int K, class V>
  static V cell(const reader<V>& P, const reader<V>& Q, const reader<V>& R, index_t i, index_t j) {
    (void)P, (void)Q, (void)R, (void)i, (void)j;
    if constexpr (K == 0) return smallest(largest(value(plus(R(i + 0, j + 0), times(V(0.45), minus(scaled_sum(V(0.5), Q(i + 0, j + 0), Q(i + 1, j + 0)), R(i + 0, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 1) return smallest(largest(value(plus(Q(i + 0, j + 0), times(V(0.45), minus(minus(plus(Q(i + 0, j + 0), minus(Q(i + 0, j + 0), Q(i + 0, j + 0))), minus(times(Q(i + 0, j + 0), Q(i + 0, j + 0)), Q(i + 0, j + 0))), Q(i + 0, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 2) return smallest(largest(value(plus(Q(i + 1, j + 0), times(V(0.45), minus((static_cast<double>(j + 0) < 5 ? value(minus(value(minus(scaled_sum(V(0.5), Q(i + 1, j + 0), Q(i + 2, j + 0)), V(0.7))), value(minus(scaled_sum(V(0.5), Q(i + 0, j + 0), Q(i + 1, j + 0)), V(0.7))))) : V(0.3)), Q(i + 1, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 3) return smallest(largest(value(plus(P(i + 1, j + 0), times(V(0.45), minus(value(P(i + 1, j + 0)), P(i + 1, j + 0))))), V(0.25)), V(2));
  }
};

struct step_07 {
  static constexpr int count = 3, slot[] = {0, 2, 1};
  static constexpr int sees[] = {0, 1, 1};
  static constexpr int frame[][2] = {{1, 1}, {0, 0}, {1, 0}}, longer[][2] = {{0, 0}, {1, 0}, {0, 1}};
  static auto step() {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn(P), minimum(maximum(inn(P) + 0.45 * (av_ya(harm_ya(harm_xa(av(R)))) - inn(P)), 0.25), 2)),
                    together(update(R, minimum(maximum(R + 0.45 * ((((R + R) * R) - 0.7) - R), 0.25), 2)),
                    update(inn_x(Q), minimum(maximum(inn_x(Q) + 0.45 * (d2_xa(where(ix < 5, (Q + Q), 0.3)) - inn_x(Q)), 0.25), 2))));
    });
  }
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto P, auto Q, auto R) {
      (void)P, (void)Q, (void)R;
      return stages(update(inn(P), minimum(maximum(inn(P) + 0.45 * (av_ya(harm_ya(harm_xa(av(R)))) - inn(P)), 0.25), 2), sides[0]),
                    together(update(R, minimum(maximum(R + 0.45 * ((((R + R) * R) - 0.7) - R), 0.25), 2), sides[1]),
                    update(inn_x(Q), minimum(maximum(inn_x(Q) + 0.45 * (d2_xa(where(ix < 5, (Q + Q), 0.3)) - inn_x(Q)), 0.25), 2), sides[2])));
    });
  }
  template <int K, class V>
  static V cell(const reader<V>& P, const reader<V>& Q, const reader<V>& R, index_t i, index_t j) {
    (void)P, (void)Q, (void)R, (void)i, (void)j;
    if constexpr (K == 0) return smallest(largest(value(plus(P(i + 1, j + 1), times(V(0.45), minus(scaled_sum(V(0.5), inverse_sum(V(2), inverse_sum(V(2), scaled_sum(V(0.25), R(i + 0, j + 0), R(i + 1, j + 0), R(i + 0, j + 1), R(i + 1, j + 1)), scaled_sum(V(0.25), R(i + 1, j + 0), R(i + 2, j + 0), R(i + 1, j + 1), R(i + 2, j + 1))), inverse_sum(V(2), scaled_sum(V(0.25), R(i + 0, j + 1), R(i + 1, j + 1), R(i + 0, j + 2), R(i + 1, j + 2)), scaled_sum(V(0.25), R(i + 1, j + 1), R(i + 2, j + 1), R(i + 1, j + 2), R(i + 2, j + 2)))), inverse_sum(V(2), inverse_sum(V(2), scaled_sum(V(0.25), R(i + 0, j + 1), R(i + 1, j + 1), R(i + 0, j + 2), R(i + 1, j + 2)), scaled_sum(V(0.25), R(i + 1, j + 1), R(i + 2, j + 1), R(i + 1, j + 2), R(i + 2, j + 2))), inverse_sum(V(2), scaled_sum(V(0.25), R(i + 0, j + 2), R(i + 1, j + 2), R(i + 0, j + 3), R(i + 1, j + 3)), scaled_sum(V(0.25), R(i + 1, j + 2), R(i + 2, j + 2), R(i + 1, j + 3), R(i + 2, j + 3))))), P(i + 1, j + 1))))), V(0.25)), V(2));
    else if constexpr (K == 1) return smallest(largest(value(plus(R(i + 0, j + 0), times(V(0.45), minus(minus(times(plus(R(i + 0, j + 0), R(i + 0, j + 0)), R(i + 0, j + 0)), V(0.7)), R(i + 0, j + 0))))), V(0.25)), V(2));
    else if constexpr (K == 2) return smallest(largest(value(plus(Q(i + 1, j + 0), times(V(0.45), minus(minus(minus(value((static_cast<double>(i + 2) < 5 ? value(plus(Q(i + 2, j + 0), Q(i + 2, j + 0))) : V(0.3))), value((static_cast<double>(i + 1) < 5 ? value(plus(Q(i + 1, j + 0), Q(i + 1, j + 0))) : V(0.3)))), minus(value((static_cast<double>(i + 1) < 5 ? value(plus(Q(i + 1, j + 0), Q(i + 1, j + 0))) : V(0.3))), value((static_cast<double>(i + 0) < 5 ? value(plus(Q(i + 0, j + 0), Q(i + 0, j + 0))) : V(0.3))))), Q(i + 1, j + 0))))), V(0.25)), V(2));
  }
};

}  // namespace teff::inline TEFF_MODE::test

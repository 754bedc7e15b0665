// SPDX-License-Identifier: MIT
// Written by write_once_formulas.py; change that.
// clang-format off
#pragma once

#include <array>

#include "../formula_oracle.hpp"

namespace teff::inline TEFF_MODE::test {

using namespace teff::fd2;

struct once_03 {
  static constexpr int fields = 5, count = 2;
  static constexpr int slot[] = {3, 1};
  static constexpr int sees[] = {0, 0};
  static constexpr int frame[] = {4, 4};
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto A, auto B, auto C, auto D, auto E) {
      (void)A; (void)B; (void)C; (void)D; (void)E;
      auto e0 = once(av_ya(harm_ya(av(inn_x(av_ya(av_xa(maxloc(inn(E)))))))));
      auto e1 = once(e0);
      auto e2 = once(e1);
      auto e3 = once(harm_xa(av_ya(harm_xa(av_ya(E)))));
      auto e4 = once(e3);
      auto e5 = once((((e4 + inn_y(harm_xa(harm_xa(D)))) + av_ya(av_ya(inn_x(B)))) / (1.5 + av_xa(harm_xa(inn_y(C))))));
      (void)e0; (void)e1; (void)e2; (void)e3; (void)e4; (void)e5;
      return stages(together(update(around<4>(D)(), minimum(maximum(around<4>(D)() + 0.45 * ((e2 + (at<2, -1>(around<3>(e5)) + at<-2, 2>(around<3>(e5)))) - around<4>(D)()), 0.25), 2), sides[0]),
                    update(around<4>(B)(), minimum(maximum(around<4>(B)() + 0.45 * (e0 - around<4>(B)()), 0.25), 2), sides[1])));
    });
  }
  template <int K, class V>
  static V cell(const std::array<reader<V>, fields>& all, index_t i, index_t j) {
    const auto& A = all[0];
    const auto& B = all[1];
    const auto& C = all[2];
    const auto& D = all[3];
    const auto& E = all[4];
    (void)A; (void)B; (void)C; (void)D; (void)E;
    const auto e0 = [&](index_t i, index_t j) { (void)i, (void)j; return value(scaled_sum(V(0.5), inverse_sum(V(2), scaled_sum(V(0.25), value(scaled_sum(V(0.5), scaled_sum(V(0.5), largest(value(E(i + 3, j + 2)), value(E(i + 2, j + 2)), value(E(i + 4, j + 2)), value(E(i + 3, j + 1)), value(E(i + 3, j + 3))), largest(value(E(i + 4, j + 2)), value(E(i + 3, j + 2)), value(E(i + 5, j + 2)), value(E(i + 4, j + 1)), value(E(i + 4, j + 3)))), scaled_sum(V(0.5), largest(value(E(i + 3, j + 3)), value(E(i + 2, j + 3)), value(E(i + 4, j + 3)), value(E(i + 3, j + 2)), value(E(i + 3, j + 4))), largest(value(E(i + 4, j + 3)), value(E(i + 3, j + 3)), value(E(i + 5, j + 3)), value(E(i + 4, j + 2)), value(E(i + 4, j + 4)))))), value(scaled_sum(V(0.5), scaled_sum(V(0.5), largest(value(E(i + 4, j + 2)), value(E(i + 3, j + 2)), value(E(i + 5, j + 2)), value(E(i + 4, j + 1)), value(E(i + 4, j + 3))), largest(value(E(i + 5, j + 2)), value(E(i + 4, j + 2)), value(E(i + 6, j + 2)), value(E(i + 5, j + 1)), value(E(i + 5, j + 3)))), scaled_sum(V(0.5), largest(value(E(i + 4, j + 3)), value(E(i + 3, j + 3)), value(E(i + 5, j + 3)), value(E(i + 4, j + 2)), value(E(i + 4, j + 4))), largest(value(E(i + 5, j + 3)), value(E(i + 4, j + 3)), value(E(i + 6, j + 3)), value(E(i + 5, j + 2)), value(E(i + 5, j + 4)))))), value(scaled_sum(V(0.5), scaled_sum(V(0.5), largest(value(E(i + 3, j + 3)), value(E(i + 2, j + 3)), value(E(i + 4, j + 3)), value(E(i + 3, j + 2)), value(E(i + 3, j + 4))), largest(value(E(i + 4, j + 3)), value(E(i + 3, j + 3)), value(E(i + 5, j + 3)), value(E(i + 4, j + 2)), value(E(i + 4, j + 4)))), scaled_sum(V(0.5), largest(value(E(i + 3, j + 4)), value(E(i + 2, j + 4)), value(E(i + 4, j + 4)), value(E(i + 3, j + 3)), value(E(i + 3, j + 5))), largest(value(E(i + 4, j + 4)), value(E(i + 3, j + 4)), value(E(i + 5, j + 4)), value(E(i + 4, j + 3)), value(E(i + 4, j + 5)))))), value(scaled_sum(V(0.5), scaled_sum(V(0.5), largest(value(E(i + 4, j + 3)), value(E(i + 3, j + 3)), value(E(i + 5, j + 3)), value(E(i + 4, j + 2)), value(E(i + 4, j + 4))), largest(value(E(i + 5, j + 3)), value(E(i + 4, j + 3)), value(E(i + 6, j + 3)), value(E(i + 5, j + 2)), value(E(i + 5, j + 4)))), scaled_sum(V(0.5), largest(value(E(i + 4, j + 4)), value(E(i + 3, j + 4)), value(E(i + 5, j + 4)), value(E(i + 4, j + 3)), value(E(i + 4, j + 5))), largest(value(E(i + 5, j + 4)), value(E(i + 4, j + 4)), value(E(i + 6, j + 4)), value(E(i + 5, j + 3)), value(E(i + 5, j + 5))))))), scaled_sum(V(0.25), value(scaled_sum(V(0.5), scaled_sum(V(0.5), largest(value(E(i + 3, j + 3)), value(E(i + 2, j + 3)), value(E(i + 4, j + 3)), value(E(i + 3, j + 2)), value(E(i + 3, j + 4))), largest(value(E(i + 4, j + 3)), value(E(i + 3, j + 3)), value(E(i + 5, j + 3)), value(E(i + 4, j + 2)), value(E(i + 4, j + 4)))), scaled_sum(V(0.5), largest(value(E(i + 3, j + 4)), value(E(i + 2, j + 4)), value(E(i + 4, j + 4)), value(E(i + 3, j + 3)), value(E(i + 3, j + 5))), largest(value(E(i + 4, j + 4)), value(E(i + 3, j + 4)), value(E(i + 5, j + 4)), value(E(i + 4, j + 3)), value(E(i + 4, j + 5)))))), value(scaled_sum(V(0.5), scaled_sum(V(0.5), largest(value(E(i + 4, j + 3)), value(E(i + 3, j + 3)), value(E(i + 5, j + 3)), value(E(i + 4, j + 2)), value(E(i + 4, j + 4))), largest(value(E(i + 5, j + 3)), value(E(i + 4, j + 3)), value(E(i + 6, j + 3)), value(E(i + 5, j + 2)), value(E(i + 5, j + 4)))), scaled_sum(V(0.5), largest(value(E(i + 4, j + 4)), value(E(i + 3, j + 4)), value(E(i + 5, j + 4)), value(E(i + 4, j + 3)), value(E(i + 4, j + 5))), largest(value(E(i + 5, j + 4)), value(E(i + 4, j + 4)), value(E(i + 6, j + 4)), value(E(i + 5, j + 3)), value(E(i + 5, j + 5)))))), value(scaled_sum(V(0.5), scaled_sum(V(0.5), largest(value(E(i + 3, j + 4)), value(E(i + 2, j + 4)), value(E(i + 4, j + 4)), value(E(i + 3, j + 3)), value(E(i + 3, j + 5))), largest(value(E(i + 4, j + 4)), value(E(i + 3, j + 4)), value(E(i + 5, j + 4)), value(E(i + 4, j + 3)), value(E(i + 4, j + 5)))), scaled_sum(V(0.5), largest(value(E(i + 3, j + 5)), value(E(i + 2, j + 5)), value(E(i + 4, j + 5)), value(E(i + 3, j + 4)), value(E(i + 3, j + 6))), largest(value(E(i + 4, j + 5)), value(E(i + 3, j + 5)), value(E(i + 5, j + 5)), value(E(i + 4, j + 4)), value(E(i + 4, j + 6)))))), value(scaled_sum(V(0.5), scaled_sum(V(0.5), largest(value(E(i + 4, j + 4)), value(E(i + 3, j + 4)), value(E(i + 5, j + 4)), value(E(i + 4, j + 3)), value(E(i + 4, j + 5))), largest(value(E(i + 5, j + 4)), value(E(i + 4, j + 4)), value(E(i + 6, j + 4)), value(E(i + 5, j + 3)), value(E(i + 5, j + 5)))), scaled_sum(V(0.5), largest(value(E(i + 4, j + 5)), value(E(i + 3, j + 5)), value(E(i + 5, j + 5)), value(E(i + 4, j + 4)), value(E(i + 4, j + 6))), largest(value(E(i + 5, j + 5)), value(E(i + 4, j + 5)), value(E(i + 6, j + 5)), value(E(i + 5, j + 4)), value(E(i + 5, j + 6)))))))), inverse_sum(V(2), scaled_sum(V(0.25), value(scaled_sum(V(0.5), scaled_sum(V(0.5), largest(value(E(i + 3, j + 3)), value(E(i + 2, j + 3)), value(E(i + 4, j + 3)), value(E(i + 3, j + 2)), value(E(i + 3, j + 4))), largest(value(E(i + 4, j + 3)), value(E(i + 3, j + 3)), value(E(i + 5, j + 3)), value(E(i + 4, j + 2)), value(E(i + 4, j + 4)))), scaled_sum(V(0.5), largest(value(E(i + 3, j + 4)), value(E(i + 2, j + 4)), value(E(i + 4, j + 4)), value(E(i + 3, j + 3)), value(E(i + 3, j + 5))), largest(value(E(i + 4, j + 4)), value(E(i + 3, j + 4)), value(E(i + 5, j + 4)), value(E(i + 4, j + 3)), value(E(i + 4, j + 5)))))), value(scaled_sum(V(0.5), scaled_sum(V(0.5), largest(value(E(i + 4, j + 3)), value(E(i + 3, j + 3)), value(E(i + 5, j + 3)), value(E(i + 4, j + 2)), value(E(i + 4, j + 4))), largest(value(E(i + 5, j + 3)), value(E(i + 4, j + 3)), value(E(i + 6, j + 3)), value(E(i + 5, j + 2)), value(E(i + 5, j + 4)))), scaled_sum(V(0.5), largest(value(E(i + 4, j + 4)), value(E(i + 3, j + 4)), value(E(i + 5, j + 4)), value(E(i + 4, j + 3)), value(E(i + 4, j + 5))), largest(value(E(i + 5, j + 4)), value(E(i + 4, j + 4)), value(E(i + 6, j + 4)), value(E(i + 5, j + 3)), value(E(i + 5, j + 5)))))), value(scaled_sum(V(0.5), scaled_sum(V(0.5), largest(value(E(i + 3, j + 4)), value(E(i + 2, j + 4)), value(E(i + 4, j + 4)), value(E(i + 3, j + 3)), value(E(i + 3, j + 5))), largest(value(E(i + 4, j + 4)), value(E(i + 3, j + 4)), value(E(i + 5, j + 4)), value(E(i + 4, j + 3)), value(E(i + 4, j + 5)))), scaled_sum(V(0.5), largest(value(E(i + 3, j + 5)), value(E(i + 2, j + 5)), value(E(i + 4, j + 5)), value(E(i + 3, j + 4)), value(E(i + 3, j + 6))), largest(value(E(i + 4, j + 5)), value(E(i + 3, j + 5)), value(E(i + 5, j + 5)), value(E(i + 4, j + 4)), value(E(i + 4, j + 6)))))), value(scaled_sum(V(0.5), scaled_sum(V(0.5), largest(value(E(i + 4, j + 4)), value(E(i + 3, j + 4)), value(E(i + 5, j + 4)), value(E(i + 4, j + 3)), value(E(i + 4, j + 5))), largest(value(E(i + 5, j + 4)), value(E(i + 4, j + 4)), value(E(i + 6, j + 4)), value(E(i + 5, j + 3)), value(E(i + 5, j + 5)))), scaled_sum(V(0.5), largest(value(E(i + 4, j + 5)), value(E(i + 3, j + 5)), value(E(i + 5, j + 5)), value(E(i + 4, j + 4)), value(E(i + 4, j + 6))), largest(value(E(i + 5, j + 5)), value(E(i + 4, j + 5)), value(E(i + 6, j + 5)), value(E(i + 5, j + 4)), value(E(i + 5, j + 6))))))), scaled_sum(V(0.25), value(scaled_sum(V(0.5), scaled_sum(V(0.5), largest(value(E(i + 3, j + 4)), value(E(i + 2, j + 4)), value(E(i + 4, j + 4)), value(E(i + 3, j + 3)), value(E(i + 3, j + 5))), largest(value(E(i + 4, j + 4)), value(E(i + 3, j + 4)), value(E(i + 5, j + 4)), value(E(i + 4, j + 3)), value(E(i + 4, j + 5)))), scaled_sum(V(0.5), largest(value(E(i + 3, j + 5)), value(E(i + 2, j + 5)), value(E(i + 4, j + 5)), value(E(i + 3, j + 4)), value(E(i + 3, j + 6))), largest(value(E(i + 4, j + 5)), value(E(i + 3, j + 5)), value(E(i + 5, j + 5)), value(E(i + 4, j + 4)), value(E(i + 4, j + 6)))))), value(scaled_sum(V(0.5), scaled_sum(V(0.5), largest(value(E(i + 4, j + 4)), value(E(i + 3, j + 4)), value(E(i + 5, j + 4)), value(E(i + 4, j + 3)), value(E(i + 4, j + 5))), largest(value(E(i + 5, j + 4)), value(E(i + 4, j + 4)), value(E(i + 6, j + 4)), value(E(i + 5, j + 3)), value(E(i + 5, j + 5)))), scaled_sum(V(0.5), largest(value(E(i + 4, j + 5)), value(E(i + 3, j + 5)), value(E(i + 5, j + 5)), value(E(i + 4, j + 4)), value(E(i + 4, j + 6))), largest(value(E(i + 5, j + 5)), value(E(i + 4, j + 5)), value(E(i + 6, j + 5)), value(E(i + 5, j + 4)), value(E(i + 5, j + 6)))))), value(scaled_sum(V(0.5), scaled_sum(V(0.5), largest(value(E(i + 3, j + 5)), value(E(i + 2, j + 5)), value(E(i + 4, j + 5)), value(E(i + 3, j + 4)), value(E(i + 3, j + 6))), largest(value(E(i + 4, j + 5)), value(E(i + 3, j + 5)), value(E(i + 5, j + 5)), value(E(i + 4, j + 4)), value(E(i + 4, j + 6)))), scaled_sum(V(0.5), largest(value(E(i + 3, j + 6)), value(E(i + 2, j + 6)), value(E(i + 4, j + 6)), value(E(i + 3, j + 5)), value(E(i + 3, j + 7))), largest(value(E(i + 4, j + 6)), value(E(i + 3, j + 6)), value(E(i + 5, j + 6)), value(E(i + 4, j + 5)), value(E(i + 4, j + 7)))))), value(scaled_sum(V(0.5), scaled_sum(V(0.5), largest(value(E(i + 4, j + 5)), value(E(i + 3, j + 5)), value(E(i + 5, j + 5)), value(E(i + 4, j + 4)), value(E(i + 4, j + 6))), largest(value(E(i + 5, j + 5)), value(E(i + 4, j + 5)), value(E(i + 6, j + 5)), value(E(i + 5, j + 4)), value(E(i + 5, j + 6)))), scaled_sum(V(0.5), largest(value(E(i + 4, j + 6)), value(E(i + 3, j + 6)), value(E(i + 5, j + 6)), value(E(i + 4, j + 5)), value(E(i + 4, j + 7))), largest(value(E(i + 5, j + 6)), value(E(i + 4, j + 6)), value(E(i + 6, j + 6)), value(E(i + 5, j + 5)), value(E(i + 5, j + 7)))))))))); };
    const auto e1 = [&](index_t i, index_t j) { (void)i, (void)j; return value(e0(i + 0, j + 0)); };
    const auto e2 = [&](index_t i, index_t j) { (void)i, (void)j; return value(e1(i + 0, j + 0)); };
    const auto e3 = [&](index_t i, index_t j) { (void)i, (void)j; return value(inverse_sum(V(2), scaled_sum(V(0.5), inverse_sum(V(2), scaled_sum(V(0.5), E(i + 0, j + 0), E(i + 0, j + 1)), scaled_sum(V(0.5), E(i + 1, j + 0), E(i + 1, j + 1))), inverse_sum(V(2), scaled_sum(V(0.5), E(i + 0, j + 1), E(i + 0, j + 2)), scaled_sum(V(0.5), E(i + 1, j + 1), E(i + 1, j + 2)))), scaled_sum(V(0.5), inverse_sum(V(2), scaled_sum(V(0.5), E(i + 1, j + 0), E(i + 1, j + 1)), scaled_sum(V(0.5), E(i + 2, j + 0), E(i + 2, j + 1))), inverse_sum(V(2), scaled_sum(V(0.5), E(i + 1, j + 1), E(i + 1, j + 2)), scaled_sum(V(0.5), E(i + 2, j + 1), E(i + 2, j + 2)))))); };
    const auto e4 = [&](index_t i, index_t j) { (void)i, (void)j; return value(e3(i + 0, j + 0)); };
    const auto e5 = [&](index_t i, index_t j) { (void)i, (void)j; return value(divided(plus(plus(e4(i + 0, j + 0), value(inverse_sum(V(2), inverse_sum(V(2), D(i + 0, j + 1), D(i + 1, j + 1)), inverse_sum(V(2), D(i + 1, j + 1), D(i + 2, j + 1))))), scaled_sum(V(0.5), scaled_sum(V(0.5), value(B(i + 1, j + 0)), value(B(i + 1, j + 1))), scaled_sum(V(0.5), value(B(i + 1, j + 1)), value(B(i + 1, j + 2))))), plus(V(1.5), scaled_sum(V(0.5), inverse_sum(V(2), value(C(i + 0, j + 1)), value(C(i + 1, j + 1))), inverse_sum(V(2), value(C(i + 1, j + 1)), value(C(i + 2, j + 1))))))); };
    (void)e0; (void)e1; (void)e2; (void)e3; (void)e4; (void)e5;
    if constexpr (K == 0) return smallest(largest(value(plus(D(i + 4, j + 4), times(V(0.45), minus(plus(e2(i + 0, j + 0), plus(value(e5(i + 5, j + 2)), value(e5(i + 1, j + 5)))), D(i + 4, j + 4))))), V(0.25)), V(2));
    else if constexpr (K == 1) return smallest(largest(value(plus(B(i + 4, j + 4), times(V(0.45), minus(e0(i + 0, j + 0), B(i + 4, j + 4))))), V(0.25)), V(2));
  }
};

struct once_04 {
  static constexpr int fields = 3, count = 3;
  static constexpr int slot[] = {1, 2, 0};
  static constexpr int sees[] = {0, 1, 2};
  static constexpr int frame[] = {1, 2, 3};
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto A, auto B, auto C) {
      (void)A; (void)B; (void)C;
      auto e0 = once(av_ya(av_xa(av(A))));
      auto e1 = once(((((A * 0.25) / (1.5 + B)) * B) / (1.5 + C)));
      auto e2 = once(((A + A) + e1));
      auto e3 = once(((e2 - A) / (1.5 + B)));
      (void)e0; (void)e1; (void)e2; (void)e3;
      return stages(update(around<1>(B)(), minimum(maximum(around<1>(B)() + 0.45 * ((once((e0 / (1.5 + inn_y(harm_xa(av_xa(A)))))) + (at<0, 1>(around<1>(e1)) - at<0, -1>(around<1>(e1)))) - around<1>(B)()), 0.25), 2), sides[0]),
                    update(around<2>(C)(), minimum(maximum(around<2>(C)() + 0.45 * ((av(once(av_xa(av_ya(inn(A))))) / (1.5 + av_ya(inn_y(harm_ya(inn_x(inn_x(A))))))) - around<2>(C)()), 0.25), 2), sides[1]),
                    update(around<3>(A)(), minimum(maximum(around<3>(A)() + 0.45 * (((at<-1, 0>(around<3>(e2)) + at<3, 0>(around<3>(e2))) + (at<1, 2>(around<3>(e3)) - at<2, 0>(around<3>(e3)))) - around<3>(A)()), 0.25), 2), sides[2]));
    });
  }
  template <int K, class V>
  static V cell(const std::array<reader<V>, fields>& all, index_t i, index_t j) {
    const auto& A = all[0];
    const auto& B = all[1];
    const auto& C = all[2];
    (void)A; (void)B; (void)C;
    const auto e0 = [&](index_t i, index_t j) { (void)i, (void)j; return value(scaled_sum(V(0.5), scaled_sum(V(0.5), scaled_sum(V(0.25), A(i + 0, j + 0), A(i + 1, j + 0), A(i + 0, j + 1), A(i + 1, j + 1)), scaled_sum(V(0.25), A(i + 1, j + 0), A(i + 2, j + 0), A(i + 1, j + 1), A(i + 2, j + 1))), scaled_sum(V(0.5), scaled_sum(V(0.25), A(i + 0, j + 1), A(i + 1, j + 1), A(i + 0, j + 2), A(i + 1, j + 2)), scaled_sum(V(0.25), A(i + 1, j + 1), A(i + 2, j + 1), A(i + 1, j + 2), A(i + 2, j + 2))))); };
    const auto e1 = [&](index_t i, index_t j) { (void)i, (void)j; return value(divided(times(divided(times(A(i + 0, j + 0), V(0.25)), plus(V(1.5), B(i + 0, j + 0))), B(i + 0, j + 0)), plus(V(1.5), C(i + 0, j + 0)))); };
    const auto e2 = [&](index_t i, index_t j) { (void)i, (void)j; return value(plus(plus(A(i + 0, j + 0), A(i + 0, j + 0)), e1(i + 0, j + 0))); };
    const auto e3 = [&](index_t i, index_t j) { (void)i, (void)j; return value(divided(minus(e2(i + 0, j + 0), A(i + 0, j + 0)), plus(V(1.5), B(i + 0, j + 0)))); };
    (void)e0; (void)e1; (void)e2; (void)e3;
    if constexpr (K == 0) return smallest(largest(value(plus(B(i + 1, j + 1), times(V(0.45), minus(plus(value(divided(e0(i + 0, j + 0), plus(V(1.5), value(inverse_sum(V(2), scaled_sum(V(0.5), A(i + 0, j + 1), A(i + 1, j + 1)), scaled_sum(V(0.5), A(i + 1, j + 1), A(i + 2, j + 1))))))), minus(value(e1(i + 1, j + 2)), value(e1(i + 1, j + 0)))), B(i + 1, j + 1))))), V(0.25)), V(2));
    else if constexpr (K == 1) return smallest(largest(value(plus(C(i + 2, j + 2), times(V(0.45), minus(divided(scaled_sum(V(0.25), value(scaled_sum(V(0.5), scaled_sum(V(0.5), value(A(i + 1, j + 1)), value(A(i + 1, j + 2))), scaled_sum(V(0.5), value(A(i + 2, j + 1)), value(A(i + 2, j + 2))))), value(scaled_sum(V(0.5), scaled_sum(V(0.5), value(A(i + 2, j + 1)), value(A(i + 2, j + 2))), scaled_sum(V(0.5), value(A(i + 3, j + 1)), value(A(i + 3, j + 2))))), value(scaled_sum(V(0.5), scaled_sum(V(0.5), value(A(i + 1, j + 2)), value(A(i + 1, j + 3))), scaled_sum(V(0.5), value(A(i + 2, j + 2)), value(A(i + 2, j + 3))))), value(scaled_sum(V(0.5), scaled_sum(V(0.5), value(A(i + 2, j + 2)), value(A(i + 2, j + 3))), scaled_sum(V(0.5), value(A(i + 3, j + 2)), value(A(i + 3, j + 3)))))), plus(V(1.5), scaled_sum(V(0.5), value(inverse_sum(V(2), value(value(A(i + 2, j + 1))), value(value(A(i + 2, j + 2))))), value(inverse_sum(V(2), value(value(A(i + 2, j + 2))), value(value(A(i + 2, j + 3)))))))), C(i + 2, j + 2))))), V(0.25)), V(2));
    else if constexpr (K == 2) return smallest(largest(value(plus(A(i + 3, j + 3), times(V(0.45), minus(plus(plus(value(e2(i + 2, j + 3)), value(e2(i + 6, j + 3))), minus(value(e3(i + 4, j + 5)), value(e3(i + 5, j + 3)))), A(i + 3, j + 3))))), V(0.25)), V(2));
  }
};

}  // namespace teff::inline TEFF_MODE::test

// SPDX-License-Identifier: MIT
// Written by write_once_formulas.py; change that.
// clang-format off
#pragma once

#include <array>

#include "../formula_oracle.hpp"

namespace teff::inline TEFF_MODE::test {

using namespace teff::fd2;

struct once_00 {
  static constexpr int fields = 2, count = 2;
  static constexpr int slot[] = {1, 0};
  static constexpr int sees[] = {0, 1};
  static constexpr int frame[] = {1, 3};
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto A, auto B) {
      (void)A; (void)B;
      auto e0 = once(av_xa(once(harm_ya(av_ya(harm_xa(B))))));
      auto e1 = once(((once(once(A)) + A) / (1.5 + A)));
      auto e2 = once(harm_ya(harm_ya(av_xa(harm_xa(B)))));
      auto e3 = once(e2);
      auto e4 = once((at<2, 2>(around<2>(e3)) + at<2, -2>(around<2>(e3))));
      (void)e0; (void)e1; (void)e2; (void)e3; (void)e4;
      return stages(update(around<1>(B)(), minimum(maximum(around<1>(B)() + 0.45 * ((e0 + (at<-1, 1>(around<1>(e1)) - at<0, 1>(around<1>(e1)))) - around<1>(B)()), 0.25), 2), sides[0]),
                    update(around<3>(A)(), minimum(maximum(around<3>(A)() + 0.45 * (e4 - around<3>(A)()), 0.25), 2), sides[1]));
    });
  }
  template <int K, class V>
  static V cell(const std::array<reader<V>, fields>& all, index_t i, index_t j) {
    const auto& A = all[0];
    const auto& B = all[1];
    (void)A; (void)B;
    const auto e0 = [&](index_t i, index_t j) { (void)i, (void)j; return value(scaled_sum(V(0.5), value(inverse_sum(V(2), scaled_sum(V(0.5), inverse_sum(V(2), B(i + 0, j + 0), B(i + 1, j + 0)), inverse_sum(V(2), B(i + 0, j + 1), B(i + 1, j + 1))), scaled_sum(V(0.5), inverse_sum(V(2), B(i + 0, j + 1), B(i + 1, j + 1)), inverse_sum(V(2), B(i + 0, j + 2), B(i + 1, j + 2))))), value(inverse_sum(V(2), scaled_sum(V(0.5), inverse_sum(V(2), B(i + 1, j + 0), B(i + 2, j + 0)), inverse_sum(V(2), B(i + 1, j + 1), B(i + 2, j + 1))), scaled_sum(V(0.5), inverse_sum(V(2), B(i + 1, j + 1), B(i + 2, j + 1)), inverse_sum(V(2), B(i + 1, j + 2), B(i + 2, j + 2))))))); };
    const auto e1 = [&](index_t i, index_t j) { (void)i, (void)j; return value(divided(plus(value(value(A(i + 0, j + 0))), A(i + 0, j + 0)), plus(V(1.5), A(i + 0, j + 0)))); };
    const auto e2 = [&](index_t i, index_t j) { (void)i, (void)j; return value(inverse_sum(V(2), inverse_sum(V(2), scaled_sum(V(0.5), inverse_sum(V(2), B(i + 0, j + 0), B(i + 1, j + 0)), inverse_sum(V(2), B(i + 1, j + 0), B(i + 2, j + 0))), scaled_sum(V(0.5), inverse_sum(V(2), B(i + 0, j + 1), B(i + 1, j + 1)), inverse_sum(V(2), B(i + 1, j + 1), B(i + 2, j + 1)))), inverse_sum(V(2), scaled_sum(V(0.5), inverse_sum(V(2), B(i + 0, j + 1), B(i + 1, j + 1)), inverse_sum(V(2), B(i + 1, j + 1), B(i + 2, j + 1))), scaled_sum(V(0.5), inverse_sum(V(2), B(i + 0, j + 2), B(i + 1, j + 2)), inverse_sum(V(2), B(i + 1, j + 2), B(i + 2, j + 2)))))); };
    const auto e3 = [&](index_t i, index_t j) { (void)i, (void)j; return value(e2(i + 0, j + 0)); };
    const auto e4 = [&](index_t i, index_t j) { (void)i, (void)j; return value(plus(value(e3(i + 4, j + 4)), value(e3(i + 4, j + 0)))); };
    (void)e0; (void)e1; (void)e2; (void)e3; (void)e4;
    if constexpr (K == 0) return smallest(largest(value(plus(B(i + 1, j + 1), times(V(0.45), minus(plus(e0(i + 0, j + 0), minus(value(e1(i + 0, j + 2)), value(e1(i + 1, j + 2)))), B(i + 1, j + 1))))), V(0.25)), V(2));
    else if constexpr (K == 1) return smallest(largest(value(plus(A(i + 3, j + 3), times(V(0.45), minus(e4(i + 0, j + 0), A(i + 3, j + 3))))), V(0.25)), V(2));
  }
};

struct once_01 {
  static constexpr int fields = 7, count = 1;
  static constexpr int slot[] = {6};
  static constexpr int sees[] = {0};
  static constexpr int frame[] = {2};
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto A, auto B, auto C, auto D, auto E, auto F, auto G) {
      (void)A; (void)B; (void)C; (void)D; (void)E; (void)F; (void)G;
      auto e0 = once((((((where(iy < 5, E, 0.3) / (1.5 + F)) - G) * D) * B) / (1.5 + E)));
      (void)e0;
      return stages(update(around<2>(G)(), minimum(maximum(around<2>(G)() + 0.45 * ((harm_xa(harm_xa(av_xa(harm_ya(harm_xa(inn_y(av_ya(A))))))) + (at<2, 1>(around<2>(e0)) - at<0, -1>(around<2>(e0)))) - around<2>(G)()), 0.25), 2), sides[0]));
    });
  }
  template <int K, class V>
  static V cell(const std::array<reader<V>, fields>& all, index_t i, index_t j) {
    const auto& A = all[0];
    const auto& B = all[1];
    const auto& C = all[2];
    const auto& D = all[3];
    const auto& E = all[4];
    const auto& F = all[5];
    const auto& G = all[6];
    (void)A; (void)B; (void)C; (void)D; (void)E; (void)F; (void)G;
    const auto e0 = [&](index_t i, index_t j) { (void)i, (void)j; return value(divided(times(times(minus(divided((static_cast<double>(j + 0) < 5 ? value(E(i + 0, j + 0)) : V(0.3)), plus(V(1.5), F(i + 0, j + 0))), G(i + 0, j + 0)), D(i + 0, j + 0)), B(i + 0, j + 0)), plus(V(1.5), E(i + 0, j + 0)))); };
    (void)e0;
    if constexpr (K == 0) return smallest(largest(value(plus(G(i + 2, j + 2), times(V(0.45), minus(plus(inverse_sum(V(2), inverse_sum(V(2), scaled_sum(V(0.5), inverse_sum(V(2), inverse_sum(V(2), value(scaled_sum(V(0.5), A(i + 0, j + 1), A(i + 0, j + 2))), value(scaled_sum(V(0.5), A(i + 1, j + 1), A(i + 1, j + 2)))), inverse_sum(V(2), value(scaled_sum(V(0.5), A(i + 0, j + 2), A(i + 0, j + 3))), value(scaled_sum(V(0.5), A(i + 1, j + 2), A(i + 1, j + 3))))), inverse_sum(V(2), inverse_sum(V(2), value(scaled_sum(V(0.5), A(i + 1, j + 1), A(i + 1, j + 2))), value(scaled_sum(V(0.5), A(i + 2, j + 1), A(i + 2, j + 2)))), inverse_sum(V(2), value(scaled_sum(V(0.5), A(i + 1, j + 2), A(i + 1, j + 3))), value(scaled_sum(V(0.5), A(i + 2, j + 2), A(i + 2, j + 3)))))), scaled_sum(V(0.5), inverse_sum(V(2), inverse_sum(V(2), value(scaled_sum(V(0.5), A(i + 1, j + 1), A(i + 1, j + 2))), value(scaled_sum(V(0.5), A(i + 2, j + 1), A(i + 2, j + 2)))), inverse_sum(V(2), value(scaled_sum(V(0.5), A(i + 1, j + 2), A(i + 1, j + 3))), value(scaled_sum(V(0.5), A(i + 2, j + 2), A(i + 2, j + 3))))), inverse_sum(V(2), inverse_sum(V(2), value(scaled_sum(V(0.5), A(i + 2, j + 1), A(i + 2, j + 2))), value(scaled_sum(V(0.5), A(i + 3, j + 1), A(i + 3, j + 2)))), inverse_sum(V(2), value(scaled_sum(V(0.5), A(i + 2, j + 2), A(i + 2, j + 3))), value(scaled_sum(V(0.5), A(i + 3, j + 2), A(i + 3, j + 3))))))), inverse_sum(V(2), scaled_sum(V(0.5), inverse_sum(V(2), inverse_sum(V(2), value(scaled_sum(V(0.5), A(i + 1, j + 1), A(i + 1, j + 2))), value(scaled_sum(V(0.5), A(i + 2, j + 1), A(i + 2, j + 2)))), inverse_sum(V(2), value(scaled_sum(V(0.5), A(i + 1, j + 2), A(i + 1, j + 3))), value(scaled_sum(V(0.5), A(i + 2, j + 2), A(i + 2, j + 3))))), inverse_sum(V(2), inverse_sum(V(2), value(scaled_sum(V(0.5), A(i + 2, j + 1), A(i + 2, j + 2))), value(scaled_sum(V(0.5), A(i + 3, j + 1), A(i + 3, j + 2)))), inverse_sum(V(2), value(scaled_sum(V(0.5), A(i + 2, j + 2), A(i + 2, j + 3))), value(scaled_sum(V(0.5), A(i + 3, j + 2), A(i + 3, j + 3)))))), scaled_sum(V(0.5), inverse_sum(V(2), inverse_sum(V(2), value(scaled_sum(V(0.5), A(i + 2, j + 1), A(i + 2, j + 2))), value(scaled_sum(V(0.5), A(i + 3, j + 1), A(i + 3, j + 2)))), inverse_sum(V(2), value(scaled_sum(V(0.5), A(i + 2, j + 2), A(i + 2, j + 3))), value(scaled_sum(V(0.5), A(i + 3, j + 2), A(i + 3, j + 3))))), inverse_sum(V(2), inverse_sum(V(2), value(scaled_sum(V(0.5), A(i + 3, j + 1), A(i + 3, j + 2))), value(scaled_sum(V(0.5), A(i + 4, j + 1), A(i + 4, j + 2)))), inverse_sum(V(2), value(scaled_sum(V(0.5), A(i + 3, j + 2), A(i + 3, j + 3))), value(scaled_sum(V(0.5), A(i + 4, j + 2), A(i + 4, j + 3)))))))), minus(value(e0(i + 4, j + 3)), value(e0(i + 2, j + 1)))), G(i + 2, j + 2))))), V(0.25)), V(2));
  }
};

struct once_02 {
  static constexpr int fields = 12, count = 1;
  static constexpr int slot[] = {3};
  static constexpr int sees[] = {0};
  static constexpr int frame[] = {3};
  static auto step(const std::array<boundary, count>& sides) {
    return timestep([=](auto A, auto B, auto C, auto D, auto E, auto F, auto G, auto H, auto M, auto N, auto P, auto Q) {
      (void)A; (void)B; (void)C; (void)D; (void)E; (void)F; (void)G; (void)H; (void)M; (void)N; (void)P; (void)Q;
      auto e0 = once(Q);
      auto e1 = (at<-1, -1>(around<1>(e0)) - at<-1, 0>(around<1>(e0)));
      auto e2 = (at<1, -1>(around<1>(e1)) + at<1, 1>(around<1>(e1)));
      auto e3 = once(((((((((e0 / (1.5 + H)) + N) - F) - B) + E) - H) * P) / (1.5 + B)));
      (void)e0; (void)e1; (void)e2; (void)e3;
      return stages(update(around<3>(D)(), minimum(maximum(around<3>(D)() + 0.45 * (((at<-1, 1>(around<1>(e2)) + at<1, -1>(around<1>(e2))) + (at<-2, 0>(around<3>(e3)) + at<-1, -1>(around<3>(e3)))) - around<3>(D)()), 0.25), 2), sides[0]));
    });
  }
  template <int K, class V>
  static V cell(const std::array<reader<V>, fields>& all, index_t i, index_t j) {
    const auto& A = all[0];
    const auto& B = all[1];
    const auto& C = all[2];
    const auto& D = all[3];
    const auto& E = all[4];
    const auto& F = all[5];
    const auto& G = all[6];
    const auto& H = all[7];
    const auto& M = all[8];
    const auto& N = all[9];
    const auto& P = all[10];
    const auto& Q = all[11];
    (void)A; (void)B; (void)C; (void)D; (void)E; (void)F; (void)G; (void)H; (void)M; (void)N; (void)P; (void)Q;
    const auto e0 = [&](index_t i, index_t j) { (void)i, (void)j; return value(Q(i + 0, j + 0)); };
    const auto e1 = [&](index_t i, index_t j) { (void)i, (void)j; return minus(value(e0(i + 0, j + 0)), value(e0(i + 0, j + 1))); };
    const auto e2 = [&](index_t i, index_t j) { (void)i, (void)j; return plus(value(e1(i + 2, j + 0)), value(e1(i + 2, j + 2))); };
    const auto e3 = [&](index_t i, index_t j) { (void)i, (void)j; return value(divided(times(minus(plus(minus(minus(plus(divided(e0(i + 0, j + 0), plus(V(1.5), H(i + 0, j + 0))), N(i + 0, j + 0)), F(i + 0, j + 0)), B(i + 0, j + 0)), E(i + 0, j + 0)), H(i + 0, j + 0)), P(i + 0, j + 0)), plus(V(1.5), B(i + 0, j + 0)))); };
    (void)e0; (void)e1; (void)e2; (void)e3;
    if constexpr (K == 0) return smallest(largest(value(plus(D(i + 3, j + 3), times(V(0.45), minus(plus(plus(value(e2(i + 0, j + 2)), value(e2(i + 2, j + 0))), plus(value(e3(i + 1, j + 3)), value(e3(i + 2, j + 2)))), D(i + 3, j + 3))))), V(0.25)), V(2));
  }
};

}  // namespace teff::inline TEFF_MODE::test

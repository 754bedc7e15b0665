// SPDX-License-Identifier: MIT
#pragma once

#include <teff/teff.hpp>

/// The steps of kernels.cuh as Teff's formulas.
namespace steps {
using namespace teff;
using namespace teff::fd2;

template <class T>
auto heat() {
  return timestep([](auto u) { return update(inn(u), inn(u) + T(0.2) * (d2_xi(u) + d2_yi(u))); });
}
template <class T>
auto nonlinear() {
  return timestep([](auto u) {
    auto lam = 1 + u * u;
    auto qx = av_xa(inn_y(lam)) * d_xi(u);
    auto qy = av_ya(inn_x(lam)) * d_yi(u);
    return update(inn(u), inn(u) + T(0.05) * (d_xa(qx) + d_ya(qy)));
  });
}
template <class T>
auto ice() {
  return timestep([](auto H, auto B, auto M) {
    auto S = H + B;
    auto gx = av_ya(d_xa(S));
    auto gy = av_xa(d_ya(S));
    auto h = av_xa(av_ya(H));
    auto D = T(0.05) * (sq(sq(h)) * h) * (sq(gx) + sq(gy));
    auto qx = av_ya(D) * d_xi(S);
    auto qy = av_xa(D) * d_yi(S);
    return update(inn(H), maximum(inn(H) + T(0.1) * (d_xa(qx) + d_ya(qy) + inn(M)), T(0)));
  });
}
template <class T>
auto gray_scott() {
  return timestep([](auto U, auto V) {
    auto R = inn(U) * sq(inn(V));
    return together(
        update(inn(U), inn(U) + (T(0.16) * (d2_xi(U) + d2_yi(U)) - R + T(0.035) * (1 - inn(U)))),
        update(inn(V), inn(V) + (T(0.08) * (d2_xi(V) + d2_yi(V)) + R - T(0.1) * inn(V))));
  });
}
template <class T>
auto periodic_gray_scott() {
  return timestep([](auto U, auto V) {
    const boundary round{.x = periodic, .y = periodic};
    auto R = inn(U) * sq(inn(V));
    return together(
        update(inn(U), inn(U) + (T(0.16) * (d2_xi(U) + d2_yi(U)) - R + T(0.035) * (1 - inn(U))),
               round),
        update(inn(V), inn(V) + (T(0.08) * (d2_xi(V) + d2_yi(V)) + R - T(0.1) * inn(V)), round));
  });
}
template <class T>
auto elastic() {
  return timestep([](auto vx, auto vy, auto xx, auto yy, auto xy, auto L, auto G) {
    const auto up_x = [](const auto& a) { return at<1, 0>(around<1>(a)) - around<1>(a)(); };
    const auto up_y = [](const auto& a) { return at<0, 1>(around<1>(a)) - around<1>(a)(); };
    const auto down_x = [](const auto& a) { return around<1>(a)() - at<-1, 0>(around<1>(a)); };
    const auto down_y = [](const auto& a) { return around<1>(a)() - at<0, -1>(around<1>(a)); };
    auto l = inn(L);
    auto g = inn(G);
    auto ex = up_x(vx);
    auto ey = up_y(vy);
    return stages(together(update(inn(xx), inn(xx) + T(0.3) * ((l + 2 * g) * ex + l * ey)),
                           update(inn(yy), inn(yy) + T(0.3) * ((l + 2 * g) * ey + l * ex)),
                           update(inn(xy), inn(xy) + T(0.3) * g * (down_y(vx) + down_x(vy)))),
                  together(update(inn(vx), inn(vx) + T(0.3) * (down_x(xx) + up_y(xy))),
                           update(inn(vy), inn(vy) + T(0.3) * (down_y(yy) + up_x(xy)))));
  });
}

}  // namespace steps

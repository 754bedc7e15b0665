// SPDX-License-Identifier: MIT
#pragma once

#include <teff/solver/diffusion.hpp>
#include <teff/teff.hpp>

#include "steps.hpp"

/// The steps of docs/measured.md that the lab does not ship: for each its formula, its fields in
/// order (`more` cells than the grid along each dim), how many of them evolve, and the arrays that
/// an ideal step moves.
namespace rows {
using namespace teff;

template <int N>
struct row_of {
  static constexpr int rank = N;
  index_t n;            ///< cells of the grid along each side
  double arrays;        ///< read and written by an ideal step, of n^N cells
  double level = 0.5;   ///< the fields begin between this and
  double spread = 0.5;  ///< this above it
};

struct nonlinear : row_of<2> {
  nonlinear() : row_of{8190, 2} {}
  static constexpr int evolve = 1;
  static constexpr int more[][2] = {{0, 0}};
  template <class T>
  static auto step() {
    return steps::nonlinear<T>();
  }
};
/// The same, the conductivity as a level of its own.
struct nonlinear_once : nonlinear {
  template <class T>
  static auto step() {
    using namespace teff::fd2;
    return timestep([](auto u) {
      auto lam = once(1 + u * u);
      auto qx = av_xa(inn_y(lam)) * d_xi(u);
      auto qy = av_ya(inn_x(lam)) * d_yi(u);
      return update(inn(u), inn(u) + T(0.05) * (d_xa(qx) + d_ya(qy)));
    });
  }
};
struct ice : row_of<2> {
  ice() : row_of{8190, 4} {}
  static constexpr int evolve = 1;
  static constexpr int more[][2] = {{0, 0}, {0, 0}, {0, 0}};
  template <class T>
  static auto step() {
    using namespace teff::fd2;
    return timestep([](auto H, auto B, auto M) {
      auto S = once(H + B);
      auto gx = av_ya(d_xa(S));
      auto gy = av_xa(d_ya(S));
      auto h = av_xa(av_ya(H));
      auto D = once(T(0.05) * (sq(sq(h)) * h) * (sq(gx) + sq(gy)));
      auto qx = av_ya(D) * d_xi(S);
      auto qy = av_xa(D) * d_yi(S);
      return update(inn(H), maximum(inn(H) + T(0.1) * (d_xa(qx) + d_ya(qy) + inn(M)), T(0)));
    });
  }
};
struct elastic : row_of<2> {
  elastic() : row_of{8190, 12, 0.1, 0.1} {}
  static constexpr int evolve = 5;
  static constexpr int more[][2] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
  template <class T>
  static auto step() {
    return steps::elastic<T>();
  }
};
struct gray_scott : row_of<2> {
  gray_scott() : row_of{8190, 4} {}
  static constexpr int evolve = 2;
  static constexpr int more[][2] = {{0, 0}, {0, 0}};
  template <class T>
  static auto step() {
    return steps::periodic_gray_scott<T>();
  }
};
/// The wave equation by two time levels, a known speed.
struct leapfrog : row_of<2> {
  leapfrog() : row_of{8190, 5} {}
  static constexpr int evolve = 2;
  static constexpr int more[][2] = {{0, 0}, {0, 0}, {0, 0}};
  template <class T>
  static auto step() {
    using namespace teff::fd2;
    return timestep([](auto U, auto W, auto C) {  // U now, W a step before
      return together(update(inn(U), 2 * inn(U) - inn(W) + inn(C) * (d2_xi(U) + d2_yi(U)) * T(0.1)),
                      update(inn(W), inn(U)));
    });
  }
};
struct stokes : row_of<2> {
  stokes() : row_of{8190, 18, 0.1, 0.1} {}
  static constexpr int evolve = 8;
  static constexpr int more[][2] = {{0, 0},   {1, 0},   {0, 1},   {0, 0}, {0, 0},
                                    {-1, -1}, {-1, -2}, {-2, -1}, {0, 0}, {0, 0}};
  template <class T>
  static auto step() {
    using namespace teff::fd2;
    return timestep([](auto P, auto Vx, auto Vy, auto Txx, auto Tyy, auto Txy, auto dVx, auto dVy,
                       auto eta, auto rho) {
      const T a = T(0.1), b = T(0.9), c = T(0.05);
      auto div = d_xa(Vx) + d_ya(Vy);
      auto Rx = (d_xi(Txx) - d_xi(P)) * a + d_ya(Txy) * a;
      auto Ry = (d_yi(Tyy) - d_yi(P)) * a + d_xa(Txy) * a + a * av_yi(rho);
      return stages(together(update(P, P - a * eta * div),
                             update(Txx, 2 * eta * (d_xa(Vx) - div * T(1.0 / 3))),
                             update(Tyy, 2 * eta * (d_ya(Vy) - div * T(1.0 / 3))),
                             update(Txy, av_xa(av_ya(eta)) * (d_yi(Vx) + d_xi(Vy)))),
                    together(update(dVx, b * dVx + Rx), update(dVy, b * dVy + Ry)),
                    together(update(inn(Vx), inn(Vx) + c / av_xi(eta) * dVx),
                             update(inn(Vy), inn(Vy) + c / av_yi(eta) * dVy)));
    });
  }
};
/// The sum of the cells R away along each dim.
template <int N, int R, class A>
auto cells_away(const A& a) {
  if constexpr (N == 2)
    return at<R, 0>(a) + at<-R, 0>(a) + at<0, R>(a) + at<0, -R>(a);
  else
    return at<R, 0, 0>(a) + at<-R, 0, 0>(a) + at<0, R, 0>(a) + at<0, -R, 0>(a) + at<0, 0, R>(a) +
           at<0, 0, -R>(a);
}
template <class T>
struct weights {
  static constexpr T of[] = {T(-2.8), T(1.6), T(-0.2), T(0.025), T(-0.0018)};
};
/// The star of an operator of order 8 and a known field.
template <int N, index_t Cells>
struct order8 : row_of<N> {
  order8() : row_of<N>{Cells, 3} {}
  static constexpr int evolve = 1;
  static constexpr int more[2][N] = {};
  template <class T>
  static auto step() {
    return timestep([](auto U, auto C) {
      const auto a = around<4>(U);
      using w = weights<T>;
      return update(a(),
                    a() + T(0.01) * around<4>(C)() *
                              (N * w::of[0] * a() + w::of[1] * cells_away<N, 1>(a) +
                               w::of[2] * cells_away<N, 2>(a) + w::of[3] * cells_away<N, 3>(a) +
                               w::of[4] * cells_away<N, 4>(a)));
    });
  }
};
using order8_2d = order8<2, 8192>;
using order8_3d = order8<3, 512>;
struct heat3 : row_of<3> {
  heat3() : row_of{512, 3} {}
  static constexpr int evolve = 1;
  static constexpr int more[][3] = {{0, 0, 0}, {0, 0, 0}};
  template <class T>
  static auto step(const boundary& sides = {}) {
    return diffusion::step3d(T(0.9), T(0.05), T(1.1), T(1), T(0.9), sides);
  }
};
/// Between walls that let no heat through.
struct insulated3 : heat3 {
  template <class T>
  static auto step() {
    const auto none = gradient(T(0));
    return heat3::step<T>({.x = none, .y = none, .z = none});
  }
};
struct star3 : row_of<3> {
  star3() : row_of{512, 2} {}
  static constexpr int evolve = 1;
  static constexpr int more[][3] = {{0, 0, 0}};
  template <class T>
  static auto step() {
    return timestep([](auto U) {
      const auto a = around<1>(U);
      return update(a(),
                    T(0.4) * a() + T(0.1) * (at<1, 0, 0>(a) + at<-1, 0, 0>(a) + at<0, 1, 0>(a) +
                                             at<0, -1, 0>(a) + at<0, 0, 1>(a) + at<0, 0, -1>(a)));
    });
  }
};
struct sound3 : row_of<3> {
  sound3() : row_of{511, 8, 0.1, 0.1} {}
  static constexpr int evolve = 4;
  static constexpr int more[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  template <class T>
  static auto step() {
    using namespace teff::fd3;
    return timestep([](auto P, auto Vx, auto Vy, auto Vz) {
      const T a = T(0.1);
      return stages(together(update(inn_x(Vx), inn_x(Vx) - a * d_xa(P)),
                             update(inn_y(Vy), inn_y(Vy) - a * d_ya(P)),
                             update(inn_z(Vz), inn_z(Vz) - a * d_za(P))),
                    update(P, P - a * (d_xa(Vx) + d_ya(Vy) + d_za(Vz))));
    });
  }
};
struct elastic3 : row_of<3> {
  elastic3() : row_of{512, 18, 0.1, 0.1} {}
  static constexpr int evolve = 9;
  static constexpr int more[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}, {0, 0, 0},
                                    {0, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
  template <class T>
  static auto step() {
    using namespace teff::fd3;
    return timestep([](auto Vx, auto Vy, auto Vz, auto Sx, auto Sy, auto Sz, auto Sxy, auto Sxz,
                       auto Syz) {
      const T a = T(0.1), l = T(0.1), m = T(0.05);
      return stages(
          together(
              update(inn_x(Vx), inn_x(Vx) + a * (d_xa(Sx) + d_ya(inn_x(Sxy)) + d_za(inn_x(Sxz)))),
              update(inn_y(Vy), inn_y(Vy) + a * (d_ya(Sy) + d_xa(inn_y(Sxy)) + d_za(inn_y(Syz)))),
              update(inn_z(Vz), inn_z(Vz) + a * (d_za(Sz) + d_xa(inn_z(Sxz)) + d_ya(inn_z(Syz))))),
          together(update(Sx, Sx + (l + m) * d_xa(Vx) + l * (d_ya(Vy) + d_za(Vz))),
                   update(Sy, Sy + (l + m) * d_ya(Vy) + l * (d_xa(Vx) + d_za(Vz))),
                   update(Sz, Sz + (l + m) * d_za(Vz) + l * (d_xa(Vx) + d_ya(Vy))),
                   update(inn_xy(Sxy), inn_xy(Sxy) + m * (d_ya(inn_x(Vx)) + d_xa(inn_y(Vy)))),
                   update(inn_xz(Sxz), inn_xz(Sxz) + m * (d_za(inn_x(Vx)) + d_xa(inn_z(Vz)))),
                   update(inn_yz(Syz), inn_yz(Syz) + m * (d_za(inn_y(Vy)) + d_ya(inn_z(Vz))))));
    });
  }
};

}  // namespace rows

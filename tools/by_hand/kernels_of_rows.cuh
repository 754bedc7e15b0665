// SPDX-License-Identifier: MIT
#pragma once

#include "kernels.cuh"
#include "steps_of_rows.hpp"

/// The steps of steps_of_rows.hpp as plain CUDA kernels, one cell a thread, as their authors would
/// write them: one kernel for all updates that see the same values, in place where no thread reads
/// what another writes. The numbers are those of the formulas.
namespace by_hand {

/// Cells that no other field of the kernel shares.
template <class T>
using field = T* __restrict__;

#define CELL2                                          \
  const int i = blockIdx.x * blockDim.x + threadIdx.x; \
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
#define CELL3 CELL2 const int k = blockIdx.z;
#define AT2(i, j) (static_cast<long>(i) + static_cast<long>(n) * (j))
#define AT3(i, j, k) \
  (static_cast<long>(i) + static_cast<long>(n) * ((j) + static_cast<long>(n) * (k)))

/// The cell whose value a cell has that stands beyond the inner ones: across the field, or beside
/// it.
__device__ inline int across(int i, int n) {
  return i < 1 ? n - 2 : i > n - 2 ? 1 : i;
}
__device__ inline int beside(int i, int n) {
  return i < 1 ? 1 : i > n - 2 ? n - 2 : i;
}

template <class T>
__global__ void periodic_gray_scott(field<const T> u, field<const T> v, field<T> u2, field<T> v2,
                                    int n) {
  CELL2
  if (i >= n || j >= n) return;
  const int x = across(i, n), y = across(j, n);
  const T U = u[AT2(x, y)], V = v[AT2(x, y)], r = U * V * V;
  const auto spread = [&](const T* a, T c) {
    return (a[AT2(x + 1, y)] - 2 * c + a[AT2(x - 1, y)]) +
           (a[AT2(x, y + 1)] - 2 * c + a[AT2(x, y - 1)]);
  };
  u2[AT2(i, j)] = U + (T(0.16) * spread(u, U) - r + T(0.035) * (1 - U));
  v2[AT2(i, j)] = V + (T(0.08) * spread(v, V) + r - T(0.1) * V);
}

/// @param w the level before, which becomes the level after
template <class T>
__global__ void leapfrog(field<const T> u, field<T> w, field<const T> c, int n) {
  CELL2
  if (i < 1 || j < 1 || i >= n - 1 || j >= n - 1) return;
  const T m = u[AT2(i, j)];
  w[AT2(i, j)] = 2 * m - w[AT2(i, j)] +
                 c[AT2(i, j)] * T(0.1) *
                     ((u[AT2(i + 1, j)] - 2 * m + u[AT2(i - 1, j)]) +
                      (u[AT2(i, j + 1)] - 2 * m + u[AT2(i, j - 1)]));
}

// Fields of other extents have rows of their own length: Vx n + 1, dVx and Txy n - 1, dVy n - 2.
#define AT_ROW(i, j, length) (static_cast<long>(i) + static_cast<long>(length) * (j))

template <class T>
__global__ void stokes_stresses(field<T> P, field<const T> Vx, field<const T> Vy, field<T> Txx,
                                field<T> Tyy, field<T> Txy, field<const T> eta, int n) {
  CELL2
  if (i >= n || j >= n) return;
  const T dx = Vx[AT_ROW(i + 1, j, n + 1)] - Vx[AT_ROW(i, j, n + 1)];
  const T dy = Vy[AT2(i, j + 1)] - Vy[AT2(i, j)];
  const T div = dx + dy, e = eta[AT2(i, j)];
  P[AT2(i, j)] -= T(0.1) * e * div;
  Txx[AT2(i, j)] = 2 * e * (dx - div * T(1.0 / 3));
  Tyy[AT2(i, j)] = 2 * e * (dy - div * T(1.0 / 3));
  if (i < n - 1 && j < n - 1)
    Txy[AT_ROW(i, j, n - 1)] =
        T(0.25) * (e + eta[AT2(i + 1, j)] + eta[AT2(i, j + 1)] + eta[AT2(i + 1, j + 1)]) *
        (Vx[AT_ROW(i + 1, j + 1, n + 1)] - Vx[AT_ROW(i + 1, j, n + 1)] + Vy[AT2(i + 1, j + 1)] -
         Vy[AT2(i, j + 1)]);
}
/// The rates and then the velocities, which need no rate of another cell.
template <class T>
__global__ void stokes_velocities(field<const T> P, field<T> Vx, field<T> Vy, field<const T> Txx,
                                  field<const T> Tyy, field<const T> Txy, field<T> dVx,
                                  field<T> dVy, field<const T> eta, field<const T> rho, int n) {
  CELL2
  const T a = T(0.1), b = T(0.9), c = T(0.05), half = T(0.5);
  if (i < n - 1 && j < n - 2) {
    const long here = AT2(i, j + 1), next = AT2(i + 1, j + 1), at = AT_ROW(i, j, n - 1);
    const T rate = b * dVx[at] + a * (Txx[next] - Txx[here] - P[next] + P[here] +
                                      Txy[AT_ROW(i, j + 1, n - 1)] - Txy[at]);
    dVx[at] = rate;
    Vx[AT_ROW(i + 1, j + 1, n + 1)] += c / (half * (eta[here] + eta[next])) * rate;
  }
  if (i < n - 2 && j < n - 1) {
    const long here = AT2(i + 1, j), next = AT2(i + 1, j + 1), at = AT_ROW(i, j, n - 2);
    const T rate = b * dVy[at] +
                   a * (Tyy[next] - Tyy[here] - P[next] + P[here] + Txy[AT_ROW(i + 1, j, n - 1)] -
                        Txy[AT_ROW(i, j, n - 1)] + half * (rho[here] + rho[next]));
    dVy[at] = rate;
    Vy[AT2(i + 1, j + 1)] += c / (half * (eta[here] + eta[next])) * rate;
  }
}
#undef AT_ROW

template <class T>
__global__ void order8_2d(field<const T> u, field<const T> c, field<T> w, int n) {
  CELL2
  if (i < 4 || j < 4 || i >= n - 4 || j >= n - 4) return;
  using of_row = rows::weights<T>;
  constexpr T weight[] = {of_row::of[0], of_row::of[1], of_row::of[2], of_row::of[3],
                          of_row::of[4]};
  T s = 2 * weight[0] * u[AT2(i, j)];
#pragma unroll
  for (int r = 1; r <= 4; ++r)
    s += weight[r] * (u[AT2(i + r, j)] + u[AT2(i - r, j)] + u[AT2(i, j + r)] + u[AT2(i, j - r)]);
  w[AT2(i, j)] = u[AT2(i, j)] + T(0.01) * c[AT2(i, j)] * s;
}
template <class T>
__global__ void order8_3d(field<const T> u, field<const T> c, field<T> w, int n) {
  CELL3
  if (i < 4 || j < 4 || k < 4 || i >= n - 4 || j >= n - 4 || k >= n - 4) return;
  using of_row = rows::weights<T>;
  constexpr T weight[] = {of_row::of[0], of_row::of[1], of_row::of[2], of_row::of[3],
                          of_row::of[4]};
  T s = 3 * weight[0] * u[AT3(i, j, k)];
#pragma unroll
  for (int r = 1; r <= 4; ++r)
    s += weight[r] * (u[AT3(i + r, j, k)] + u[AT3(i - r, j, k)] + u[AT3(i, j + r, k)] +
                      u[AT3(i, j - r, k)] + u[AT3(i, j, k + r)] + u[AT3(i, j, k - r)]);
  w[AT3(i, j, k)] = u[AT3(i, j, k)] + T(0.01) * c[AT3(i, j, k)] * s;
}

/// The new temperature of an inner cell.
template <class T>
__device__ T warmed(const T* u, const T* c, int n, int i, int j, int k) {
  const T m = u[AT3(i, j, k)], x = T(1.1), z = T(0.9);
  return m + T(0.05) * c[AT3(i, j, k)] * T(0.9) *
                 (x * x * (u[AT3(i + 1, j, k)] - 2 * m + u[AT3(i - 1, j, k)]) +
                  (u[AT3(i, j + 1, k)] - 2 * m + u[AT3(i, j - 1, k)]) +
                  z * z * (u[AT3(i, j, k + 1)] - 2 * m + u[AT3(i, j, k - 1)]));
}
template <class T>
__global__ void heat3(field<const T> u, field<const T> c, field<T> w, int n) {
  CELL3
  if (i < 1 || j < 1 || k < 1 || i >= n - 1 || j >= n - 1 || k >= n - 1) return;
  w[AT3(i, j, k)] = warmed(u, c, n, i, j, k);
}
template <class T>
__global__ void insulated3(field<const T> u, field<const T> c, field<T> w, int n) {
  CELL3
  if (i >= n || j >= n || k >= n) return;
  w[AT3(i, j, k)] = warmed(u, c, n, beside(i, n), beside(j, n), beside(k, n));
}
template <class T>
__global__ void star3(field<const T> u, field<T> w, int n) {
  CELL3
  if (i < 1 || j < 1 || k < 1 || i >= n - 1 || j >= n - 1 || k >= n - 1) return;
  w[AT3(i, j, k)] = T(0.4) * u[AT3(i, j, k)] +
                    T(0.1) * (u[AT3(i + 1, j, k)] + u[AT3(i - 1, j, k)] + u[AT3(i, j + 1, k)] +
                              u[AT3(i, j - 1, k)] + u[AT3(i, j, k + 1)] + u[AT3(i, j, k - 1)]);
}

// A field with one more cell along x has rows of n + 1, along y planes of n + 1 rows.
#define AT_X(i, j, k) \
  (static_cast<long>(i) + static_cast<long>(n + 1) * ((j) + static_cast<long>(n) * (k)))
#define AT_Y(i, j, k) \
  (static_cast<long>(i) + static_cast<long>(n) * ((j) + static_cast<long>(n + 1) * (k)))
#define AT_XY(i, j, k) \
  (static_cast<long>(i) + static_cast<long>(n + 1) * ((j) + static_cast<long>(n + 1) * (k)))
#define AT_Z AT3
#define AT_XZ AT_X
#define AT_YZ AT_Y

template <class T>
__global__ void sound3_velocities(field<const T> P, field<T> Vx, field<T> Vy, field<T> Vz, int n) {
  CELL3
  if (i >= n || j >= n || k >= n) return;
  const T p = P[AT3(i, j, k)], a = T(0.1);
  if (i > 0) Vx[AT_X(i, j, k)] -= a * (p - P[AT3(i - 1, j, k)]);
  if (j > 0) Vy[AT_Y(i, j, k)] -= a * (p - P[AT3(i, j - 1, k)]);
  if (k > 0) Vz[AT_Z(i, j, k)] -= a * (p - P[AT3(i, j, k - 1)]);
}
template <class T>
__global__ void sound3_pressure(field<T> P, field<const T> Vx, field<const T> Vy, field<const T> Vz,
                                int n) {
  CELL3
  if (i >= n || j >= n || k >= n) return;
  P[AT3(i, j, k)] -= T(0.1) * (Vx[AT_X(i + 1, j, k)] - Vx[AT_X(i, j, k)] + Vy[AT_Y(i, j + 1, k)] -
                               Vy[AT_Y(i, j, k)] + Vz[AT_Z(i, j, k + 1)] - Vz[AT_Z(i, j, k)]);
}

template <class T>
__global__ void elastic3_velocities(field<T> Vx, field<T> Vy, field<T> Vz, field<const T> Sx,
                                    field<const T> Sy, field<const T> Sz, field<const T> Sxy,
                                    field<const T> Sxz, field<const T> Syz, int n) {
  CELL3
  if (i >= n || j >= n || k >= n) return;
  const T a = T(0.1);
  if (i > 0)
    Vx[AT_X(i, j, k)] += a * (Sx[AT3(i, j, k)] - Sx[AT3(i - 1, j, k)] + Sxy[AT_XY(i, j + 1, k)] -
                              Sxy[AT_XY(i, j, k)] + Sxz[AT_XZ(i, j, k + 1)] - Sxz[AT_XZ(i, j, k)]);
  if (j > 0)
    Vy[AT_Y(i, j, k)] += a * (Sy[AT3(i, j, k)] - Sy[AT3(i, j - 1, k)] + Sxy[AT_XY(i + 1, j, k)] -
                              Sxy[AT_XY(i, j, k)] + Syz[AT_YZ(i, j, k + 1)] - Syz[AT_YZ(i, j, k)]);
  if (k > 0)
    Vz[AT_Z(i, j, k)] += a * (Sz[AT3(i, j, k)] - Sz[AT3(i, j, k - 1)] + Sxz[AT_XZ(i + 1, j, k)] -
                              Sxz[AT_XZ(i, j, k)] + Syz[AT_YZ(i, j + 1, k)] - Syz[AT_YZ(i, j, k)]);
}
template <class T>
__global__ void elastic3_stresses(field<const T> Vx, field<const T> Vy, field<const T> Vz,
                                  field<T> Sx, field<T> Sy, field<T> Sz, field<T> Sxy, field<T> Sxz,
                                  field<T> Syz, int n) {
  CELL3
  if (i >= n || j >= n || k >= n) return;
  const T l = T(0.1), m = T(0.05);
  const T x = Vx[AT_X(i, j, k)], y = Vy[AT_Y(i, j, k)], z = Vz[AT_Z(i, j, k)];
  const T dx = Vx[AT_X(i + 1, j, k)] - x, dy = Vy[AT_Y(i, j + 1, k)] - y,
          dz = Vz[AT_Z(i, j, k + 1)] - z;
  Sx[AT3(i, j, k)] += (l + m) * dx + l * (dy + dz);
  Sy[AT3(i, j, k)] += (l + m) * dy + l * (dx + dz);
  Sz[AT3(i, j, k)] += (l + m) * dz + l * (dx + dy);
  if (i > 0 && j > 0)
    Sxy[AT_XY(i, j, k)] += m * (x - Vx[AT_X(i, j - 1, k)] + y - Vy[AT_Y(i - 1, j, k)]);
  if (i > 0 && k > 0)
    Sxz[AT_XZ(i, j, k)] += m * (x - Vx[AT_X(i, j, k - 1)] + z - Vz[AT_Z(i - 1, j, k)]);
  if (j > 0 && k > 0)
    Syz[AT_YZ(i, j, k)] += m * (y - Vy[AT_Y(i, j, k - 1)] + z - Vz[AT_Z(i, j - 1, k)]);
}

#undef CELL2
#undef CELL3
#undef AT2
#undef AT3
#undef AT_X
#undef AT_Y
#undef AT_Z
#undef AT_XY
#undef AT_XZ
#undef AT_YZ

// A step of a row: from a to a; b is a copy of a at the start, for a step that is not in place.

inline const dim3 threads(32, 8);
inline dim3 blocks2(int n) {
  return {static_cast<unsigned>((n + 31) / 32), static_cast<unsigned>((n + 7) / 8)};
}
inline dim3 blocks3(int n) {
  const dim3 b = blocks2(n);
  return {b.x, b.y, static_cast<unsigned>(n)};
}

void step(const rows::nonlinear&, auto& a, auto& b, int n) {
  nonlinear<<<blocks2(n), threads>>>(a[0].data(), b[0].data(), n);
  swap(a[0], b[0]);
}
void step(const rows::ice&, auto& a, auto& b, int n) {
  ice<<<blocks2(n), threads>>>(a[0].data(), a[1].data(), a[2].data(), b[0].data(), n);
  swap(a[0], b[0]);
}
void step(const rows::elastic&, auto& a, auto&, int n) {
  stresses<<<blocks2(n), threads>>>(a[0].data(), a[1].data(), a[2].data(), a[3].data(), a[4].data(),
                                    a[5].data(), a[6].data(), n);
  velocities<<<blocks2(n), threads>>>(a[0].data(), a[1].data(), a[2].data(), a[3].data(),
                                      a[4].data(), n);
}
void step(const rows::gray_scott&, auto& a, auto& b, int n) {
  periodic_gray_scott<<<blocks2(n), threads>>>(a[0].data(), a[1].data(), b[0].data(), b[1].data(),
                                               n);
  swap(a[0], b[0]), swap(a[1], b[1]);
}
void step(const rows::leapfrog&, auto& a, auto&, int n) {
  leapfrog<<<blocks2(n), threads>>>(a[0].data(), a[1].data(), a[2].data(), n);
  swap(a[0], a[1]);
}
void step(const rows::stokes&, auto& a, auto&, int n) {
  stokes_stresses<<<blocks2(n), threads>>>(a[0].data(), a[1].data(), a[2].data(), a[3].data(),
                                           a[4].data(), a[5].data(), a[8].data(), n);
  stokes_velocities<<<blocks2(n), threads>>>(a[0].data(), a[1].data(), a[2].data(), a[3].data(),
                                             a[4].data(), a[5].data(), a[6].data(), a[7].data(),
                                             a[8].data(), a[9].data(), n);
}
void step(const rows::order8_2d&, auto& a, auto& b, int n) {
  order8_2d<<<blocks2(n), threads>>>(a[0].data(), a[1].data(), b[0].data(), n);
  swap(a[0], b[0]);
}
void step(const rows::order8_3d&, auto& a, auto& b, int n) {
  order8_3d<<<blocks3(n), threads>>>(a[0].data(), a[1].data(), b[0].data(), n);
  swap(a[0], b[0]);
}
void step(const rows::heat3&, auto& a, auto& b, int n) {
  heat3<<<blocks3(n), threads>>>(a[0].data(), a[1].data(), b[0].data(), n);
  swap(a[0], b[0]);
}
void step(const rows::insulated3&, auto& a, auto& b, int n) {
  insulated3<<<blocks3(n), threads>>>(a[0].data(), a[1].data(), b[0].data(), n);
  swap(a[0], b[0]);
}
void step(const rows::star3&, auto& a, auto& b, int n) {
  star3<<<blocks3(n), threads>>>(a[0].data(), b[0].data(), n);
  swap(a[0], b[0]);
}
void step(const rows::sound3&, auto& a, auto&, int n) {
  sound3_velocities<<<blocks3(n), threads>>>(a[0].data(), a[1].data(), a[2].data(), a[3].data(), n);
  sound3_pressure<<<blocks3(n), threads>>>(a[0].data(), a[1].data(), a[2].data(), a[3].data(), n);
}
void step(const rows::elastic3&, auto& a, auto&, int n) {
  elastic3_velocities<<<blocks3(n), threads>>>(a[0].data(), a[1].data(), a[2].data(), a[3].data(),
                                               a[4].data(), a[5].data(), a[6].data(), a[7].data(),
                                               a[8].data(), n);
  elastic3_stresses<<<blocks3(n), threads>>>(a[0].data(), a[1].data(), a[2].data(), a[3].data(),
                                             a[4].data(), a[5].data(), a[6].data(), a[7].data(),
                                             a[8].data(), n);
}

/// Fields that a step by hand may begin with: those of a row as they are, the two levels of a wave
/// with one border, since the step exchanges their memory.
void begin(const auto&, auto&) {}
void begin(const rows::leapfrog&, auto& a) {
  a[1] = a[0];
}

}  // namespace by_hand

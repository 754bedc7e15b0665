// SPDX-License-Identifier: MIT
#pragma once

/// Single steps as plain CUDA kernels, one cell a thread, as their authors would write them.
namespace by_hand {

#define CELL                                           \
  const int i = blockIdx.x * blockDim.x + threadIdx.x; \
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
#define INSIDE \
  if (i < 1 || j < 1 || i >= n - 1 || j >= n - 1) return;
#define AT(i, j) (static_cast<long>(i) + static_cast<long>(n) * (j))

template <class T>
__global__ void copy(const T* a, T* b, int n) {
  CELL if (i < n && j < n) b[AT(i, j)] = a[AT(i, j)];
}
template <class T>
__global__ void heat(const T* u, T* w, int n) {
  CELL INSIDE const T c = u[AT(i, j)];
  w[AT(i, j)] = c + T(0.2) * ((u[AT(i + 1, j)] - 2 * c + u[AT(i - 1, j)]) +
                              (u[AT(i, j + 1)] - 2 * c + u[AT(i, j - 1)]));
}
template <class T>
__global__ void nonlinear(const T* u, T* w, int n) {
  CELL INSIDE const T c = u[AT(i, j)], e = u[AT(i + 1, j)], o = u[AT(i - 1, j)],
                      t = u[AT(i, j + 1)], b = u[AT(i, j - 1)];
  const auto lam = [](T x) { return 1 + x * x; };
  const T half = T(0.5), l = lam(c);
  w[AT(i, j)] = c + T(0.05) * ((half * (l + lam(e)) * (e - c) - half * (lam(o) + l) * (c - o)) +
                               (half * (l + lam(t)) * (t - c) - half * (lam(b) + l) * (c - b)));
}
template <class T>
__device__ T diffusivity(const T* H, const T* B, int n, int i, int j) {
  const T h00 = H[AT(i, j)], h10 = H[AT(i + 1, j)], h01 = H[AT(i, j + 1)],
          h11 = H[AT(i + 1, j + 1)];
  const T s00 = h00 + B[AT(i, j)], s10 = h10 + B[AT(i + 1, j)], s01 = h01 + B[AT(i, j + 1)],
          s11 = h11 + B[AT(i + 1, j + 1)];
  const T gx = T(0.5) * (s10 - s00 + s11 - s01), gy = T(0.5) * (s01 - s00 + s11 - s10);
  const T h = T(0.25) * (h00 + h10 + h01 + h11), q = h * h;
  return T(0.05) * (h * q * q) * (gx * gx + gy * gy);
}
template <class T>
__global__ void ice(const T* H, const T* B, const T* M, T* R, int n) {
  CELL INSIDE const T a = diffusivity(H, B, n, i - 1, j - 1), b = diffusivity(H, B, n, i, j - 1),
                      c = diffusivity(H, B, n, i - 1, j), d = diffusivity(H, B, n, i, j);
  const auto s = [&](int i, int j) { return H[AT(i, j)] + B[AT(i, j)]; };
  const T half = T(0.5), m = s(i, j);
  const T v = H[AT(i, j)] +
              T(0.1) * (half * (b + d) * (s(i + 1, j) - m) - half * (a + c) * (m - s(i - 1, j)) +
                        half * (c + d) * (s(i, j + 1) - m) - half * (a + b) * (m - s(i, j - 1)) +
                        M[AT(i, j)]);
  R[AT(i, j)] = v > 0 ? v : T(0);
}
template <class T>
__global__ void gray_scott(const T* u, const T* v, T* u2, T* v2, int n) {
  CELL INSIDE const T U = u[AT(i, j)], V = v[AT(i, j)], r = U * V * V;
  const auto spread = [&](const T* a, T c) {
    return (a[AT(i + 1, j)] - 2 * c + a[AT(i - 1, j)]) +
           (a[AT(i, j + 1)] - 2 * c + a[AT(i, j - 1)]);
  };
  u2[AT(i, j)] = U + (T(0.16) * spread(u, U) - r + T(0.035) * (1 - U));
  v2[AT(i, j)] = V + (T(0.08) * spread(v, V) + r - T(0.1) * V);
}
template <class T>
__global__ void stresses(const T* vx, const T* vy, T* xx, T* yy, T* xy, const T* L, const T* G,
                         int n) {
  CELL INSIDE const T ex = vx[AT(i + 1, j)] - vx[AT(i, j)], ey = vy[AT(i, j + 1)] - vy[AT(i, j)],
                      l = L[AT(i, j)], g = G[AT(i, j)];
  xx[AT(i, j)] += T(0.3) * ((l + 2 * g) * ex + l * ey);
  yy[AT(i, j)] += T(0.3) * ((l + 2 * g) * ey + l * ex);
  xy[AT(i, j)] += T(0.3) * g * (vx[AT(i, j)] - vx[AT(i, j - 1)] + vy[AT(i, j)] - vy[AT(i - 1, j)]);
}
template <class T>
__global__ void velocities(T* vx, T* vy, const T* xx, const T* yy, const T* xy, int n) {
  CELL INSIDE vx[AT(i, j)] +=
      T(0.3) * (xx[AT(i, j)] - xx[AT(i - 1, j)] + xy[AT(i, j + 1)] - xy[AT(i, j)]);
  vy[AT(i, j)] += T(0.3) * (yy[AT(i, j)] - yy[AT(i, j - 1)] + xy[AT(i + 1, j)] - xy[AT(i, j)]);
}

#undef CELL
#undef INSIDE
#undef AT

}  // namespace by_hand

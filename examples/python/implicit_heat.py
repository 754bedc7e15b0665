# SPDX-License-Identifier: MIT
"""Heat diffusion in 2-D by backward Euler: each step, far beyond what an explicit one could be, is an
equation A(T) = b that conjugate gradients solve, without a matrix. Argument: cells along each side."""

import sys

import numpy as np

import teff
from teff import d_xa, d_xi, d_ya, d_yi, inn

# Physics: a Gaussian of height 10 in a square of 10 by 10
lam, c0, lx, ly = 1.0, 2.0, 10.0, 10.0

# Numerics: c0 (T - T_before) / dt = lam laplacian(T)
nx = ny = int(sys.argv[1]) if len(sys.argv) > 1 else 512
nt, dt = 8, 0.05
dx, dy = lx / (nx - 1), ly / (ny - 1)
_dx, _dy, _dt = 1 / dx, 1 / dy, 1 / dt
dt_explicit = min(dx * dx, dy * dy) / lam * c0 / 4.1

# Arrays: NumPy's own, used in place; the border of T is given, and stays
x, y = (np.arange(nx) * dx - lx / 2) / 2, (np.arange(ny) * dy - ly / 2) / 2
T = 10 * np.exp(-x[None, :] ** 2 - y[:, None] ** 2)
C = np.full((ny, nx), c0)


def backward_euler(T, C):
    qx, qy = -lam * d_xi(T) * _dx, -lam * d_yi(T) * _dy
    return inn(C) * _dt * inn(T) + (d_xa(qx) * _dx + d_ya(qy) * _dy)


# Each solution begins at the temperature of the step before
for _ in range(nt):
    b = C[1:-1, 1:-1] * _dt * T[1:-1, 1:-1]
    found = teff.conjugate_gradients(T, b, backward_euler, C, tolerance=1e-8)
    assert found.has_converged
print(found)
print(f"{nt} steps, each {dt / dt_explicit:.0f} times what is stable for an explicit one")

# Check: the closed solution of a Gaussian that spreads
spread = 4 + 4 * lam / c0 * dt * nt
top, expected = teff.max(T), 10 * 4 / spread
print(f"highest temperature {top:.4f}, closed solution {expected:.4f}")
assert abs(top - expected) < 0.05 * (10 - expected)

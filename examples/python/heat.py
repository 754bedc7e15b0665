# SPDX-License-Identifier: MIT
"""Heat diffusion in 2-D as a time step: four lines of maths, several steps in one pass through
memory, with the bits of examples/04_diffusion_timestep.cpp. Argument: cells along each side."""

import sys

import numpy as np

import teff
from teff import d_xa, d_xi, d_ya, d_yi, inn, update

# Physics: a Gaussian of height 10 in a square of 10 by 10
lam, c0, lx, ly = 1.0, 2.0, 10.0, 10.0

# Numerics
nx = ny = int(sys.argv[1]) if len(sys.argv) > 1 else 512
nt = 100
dx, dy = lx / (nx - 1), ly / (ny - 1)
_dx, _dy = 1 / dx, 1 / dy

# Arrays: NumPy's own, used in place; x is the last axis
x, y = (np.arange(nx) * dx - lx / 2) / 2, (np.arange(ny) * dy - ly / 2) / 2
T = 10 * np.exp(-x[None, :] ** 2 - y[:, None] ** 2)
Ci = np.full((ny, nx), 1 / c0)
dt = min(dx * dx, dy * dy) / lam / teff.max_abs(Ci) / 4.1
start = T.copy()


@teff.timestep
def heat(T, Ci):
    qx = -lam * d_xi(T) * _dx
    qy = -lam * d_yi(T) * _dy
    dTdt = inn(Ci) * (-d_xa(qx) * _dx - d_ya(qy) * _dy)
    return update(inn(T), inn(T) + dt * dTdt)


# What Teff knows of it, and the run: Teff chooses how many steps it takes in one pass
print(teff.explain(heat, T, Ci))
run = teff.iterate(heat, nt, T, Ci)

# The same with one step per pass
stepwise = teff.iterate(heat, nt, start, Ci, schedule="stepwise")
print(run, stepwise, sep="\n")

# Check: the same bits, and the closed solution of a Gaussian that spreads
spread = 4 + 4 * lam / c0 * dt * nt
top, expected = teff.max(T), 10 * 4 / spread
print(f"highest temperature {top:.4f}, closed solution {expected:.4f}")
assert np.array_equal(T, start) and abs(top - expected) < 0.05 * (10 - expected)

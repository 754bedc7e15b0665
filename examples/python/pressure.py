# SPDX-License-Identifier: MIT
"""Fluid pressure in 2-D that comes to rest in a closed box, by the accelerated pseudo-transient
method: three stages on a staggered grid and a residual, as in examples/11_pressure_timestep.cpp.
Argument: cells along each side."""

import math
import sys

import numpy as np

import teff
from teff import d_xa, d_ya, inn_x, inn_y, stages, update

# Physics: a Gaussian of height 1 in a square of 20 by 20, no flux through its walls
lx = ly = 20.0
k = 1.0

# Numerics: fluxes relax towards Darcy's law, so that pressure travels as a damped wave
nx = ny = int(sys.argv[1]) if len(sys.argv) > 1 else 255
dx, dy = lx / nx, ly / ny
cfl, re = 1 / math.sqrt(2.1), 2 * math.pi
theta = max(lx, ly) / re / cfl / min(dx, dy)
beta = re * k / (cfl * min(dx, dy) * max(lx, ly))
_dx, _dy, _1_theta, _beta = 1 / dx, 1 / dy, 1 / (1 + theta), 1 / beta

# Arrays: pressure at cell centres, fluxes at faces
x, y = (np.arange(nx) + 0.5) * dx - lx / 2, (np.arange(ny) + 0.5) * dy - ly / 2
Pf = np.exp(-x[None, :] ** 2 - y[:, None] ** 2)
qDx, qDy = np.zeros((ny, nx + 1)), np.zeros((ny + 1, nx))
before = teff.sum(Pf)


# The step: each stage sees the new values of those before it; fluxes at the walls stay zero
@teff.timestep
def darcy(Pf, qDx, qDy):
    div = d_xa(qDx) * _dx + d_ya(qDy) * _dy
    return stages(
        update(inn_x(qDx), inn_x(qDx) - (inn_x(qDx) + k * d_xa(Pf) * _dx) * _1_theta),
        update(inn_y(qDy), inn_y(qDy) - (inn_y(qDy) + k * d_ya(Pf) * _dy) * _1_theta),
        update(Pf, Pf - div * _beta), residual=teff.max_abs(div))


# Loop: until the divergence of the fluxes is gone
run = teff.iterate(darcy, 20 * nx, Pf, qDx, qDy, check_every=max(nx // 4, 1), tolerance=1e-8)
print(run)

# Check: at rest, everywhere at the mean, and nothing was lost
mean = before / (nx * ny)
off = teff.max_abs(Pf - mean)
print(f"{run.steps / nx:.1f} iterations per cell along x; pressures are within {off:.1e} of their "
      f"mean {mean:.6f}")
assert run.has_converged and off < 1e-6 and abs(teff.sum(Pf) - before) < 1e-12 * before

# SPDX-License-Identifier: MIT
"""Shallow ice: a glacier on a mountain that flows down under its own weight, and grows where it snows
more than melts, as in examples/16_ice.cpp. Compared with NumPy. Argument: points along x."""

import sys

import numpy as np

import teff
from teff import av_xa, av_ya, d_xa, d_xi, d_ya, d_yi, inn, maximum, minimum, once, sq, update

# Physics, in metres and years: dH/dt = div(D grad S) + M, where S is the surface and
# D = a H^5 |grad S|^2; M grows with the height above the snow line, up to M_max
lx, ly, weight, A = 250e3, 200e3, 910 * 9.81, 6e-17
a, b, snow_line, M_max = 2 * A / 5 * weight ** 3, 0.005, 1500.0, 1.0

# Numerics: stable below dx^2 / max(D) / 4; ice of 300 on slopes of 0.1 has the D below
nx = int(sys.argv[1]) if len(sys.argv) > 1 else 251
ny, nt = 4 * (nx - 1) // 5 + 1, 100
dx, dy = lx / (nx - 1), ly / (ny - 1)
_dx, _dy, D0 = 1 / dx, 1 / dy, a * 300.0 ** 5 * 0.01
dt = 0.1 * min(dx, dy) ** 2 / D0

# Arrays: a mountain with valleys, and ice of 200 on its top
x, y = np.arange(nx)[None, :] * dx, np.arange(ny)[:, None] * dy
B = (1800 * np.exp(-((x - lx / 2) / 60e3) ** 2 - ((y - ly / 2) / 50e3) ** 2)
     + 100 * np.sin(x / 9e3) * np.cos(y / 7e3))
H = np.where(B > 1400, 200.0, 0.0)
h = H.copy()


# The step: D at the corners of cells, D grad S at their faces; there is no less ice than none.
# S and D are read at many cells, and computed once for each
@teff.timestep
def ice(H, B):
    S = once(H + B)
    Hc = av_xa(av_ya(H))
    D = once(a * sq(sq(Hc)) * Hc * (sq(av_ya(d_xa(S)) * _dx) + sq(av_xa(d_ya(S)) * _dy)))
    qx = av_ya(D) * d_xi(S) * _dx
    qy = av_xa(D) * d_yi(S) * _dy
    M = minimum(b * (inn(S) - snow_line), M_max)
    return update(inn(H), maximum(inn(H) + dt * (d_xa(qx) * _dx + d_ya(qy) * _dy + M), 0.0))


print(teff.iterate(ice, nt, H, B))


# The same in NumPy
def mean_x(v):
    return (v[:, :-1] + v[:, 1:]) / 2


def mean_y(v):
    return (v[:-1] + v[1:]) / 2


for _ in range(nt):
    S = h + B
    D = a * mean_x(mean_y(h)) ** 5 * ((mean_y(np.diff(S)) * _dx) ** 2
                                      + (mean_x(np.diff(S, axis=0)) * _dy) ** 2)
    qx = mean_y(D) * np.diff(S)[1:-1] * _dx
    qy = mean_x(D) * np.diff(S, axis=0)[:, 1:-1] * _dy
    M = np.minimum(b * (S[1:-1, 1:-1] - snow_line), M_max)
    change = np.diff(qx) * _dx + np.diff(qy, axis=0) * _dy + M
    h[1:-1, 1:-1] = np.maximum(h[1:-1, 1:-1] + dt * change, 0)

# Check: rounding only
off = np.abs(H - h).max()
print(f"after {dt * nt:.0f} years the ice is at most {H.max():.1f} thick; NumPy differs by {off:.1e}")
assert off < 1e-8

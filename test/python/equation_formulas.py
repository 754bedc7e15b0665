# SPDX-License-Identifier: MIT
"""Operators A of equations A x = b in one to three dims, as equation.cpp has them, and what they start from."""

import numpy as np

from teff import (around, at, d2, d2_yi, d2_zi, d_xa, d_xi, d_ya, d_yi, harm_xi, harm_yi, inn)

k = 0.7


def in_1d(v, c):
    return inn(c) * inn(v) - k * d2(v)


def in_2d(v, c):
    qx, qy = -harm_xi(c) * d_xi(v), -harm_yi(c) * d_yi(v)
    return 0.5 * inn(v) + (d_xa(qx) + d_ya(qy))


def in_3d(v, c):
    u = around(v)
    return (6 + inn(c)) * u() - (at(u, 1) + at(u, -1)) - (d2_yi(v) + d2_zi(v)) - 4 * u()


def start(shape, dtype):
    """x, with cells beyond each side of b, and b and a coefficient of x's shape."""
    rng = np.random.default_rng(3)
    x = rng.random([n + 2 for n in shape]).astype(dtype)
    return x, rng.random(shape).astype(dtype), (0.5 + rng.random(x.shape)).astype(dtype)

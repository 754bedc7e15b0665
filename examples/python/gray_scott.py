# SPDX-License-Identifier: MIT
"""Gray-Scott: two chemicals that diffuse and react, U + 2 V -> 3 V, on a periodic plane; spots of V
grow and divide. An animation of them goes to gray_scott.png in a temporary folder.
Argument: cells along each side."""

import pathlib
import sys
import tempfile

import numpy as np

import teff
from teff import boundary, d2_xi, d2_yi, inn, periodic, sq, together, update

# Physics: how fast they diffuse; what is fed of U; what is taken out of V
Du, Dv, F, kill, dt = 0.16, 0.08, 0.035, 0.065, 1.0

# Arrays: U everywhere, and a square of V; a border cell at each side repeats the opposite one
n = int(sys.argv[1]) if len(sys.argv) > 1 else 258
U, V = np.ones((n, n)), np.zeros((n, n))
half = max(n // 10, 10)
middle = slice(n // 2 - half, n // 2 + half)
U[middle, middle], V[middle, middle] = 0.5, 0.25
U += 0.01 * np.asarray(teff.random((n, n), seed=1))
V += 0.01 * np.asarray(teff.random((n, n), seed=2))
around = boundary(x=periodic, y=periodic)


# The step: both see the values from before it
@teff.timestep
def gray_scott(U, V):
    R = inn(U) * sq(inn(V))
    return together(
        update(inn(U), inn(U) + dt * (Du * (d2_xi(U) + d2_yi(U)) - R + F * (1 - inn(U))), around),
        update(inn(V), inn(V) + dt * (Dv * (d2_xi(V) + d2_yi(V)) + R - (F + kill) * inn(V)),
               around))


# The run, with a frame of V every 100 steps, in fixed colours
film = teff.animation(V, clim=(0, 0.4))
print(teff.iterate(gray_scott, 1000, U, V, on_step=(100, film)))
path = pathlib.Path(tempfile.mkdtemp(prefix="teff-")) / "gray_scott.png"
film.show().save(path)
print(f"{len(film)} frames in {path}")

# Check: V lives, and no more is there than was fed
assert 0.1 < teff.max(V) < 0.6 and teff.min(U) > 0 and len(film) == 11
path.unlink()
path.parent.rmdir()

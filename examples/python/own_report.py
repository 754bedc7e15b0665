# SPDX-License-Identifier: MIT
"""A page about a run: the machine, the formula's bytes and schedules, two schedules compared, the
picture; in one file, report.html in a temporary folder. Argument: cells along each side."""

import pathlib
import sys
import tempfile

import numpy as np

import teff
from teff import d_xa, d_xi, d_ya, d_yi, inn, update

nx = ny = int(sys.argv[1]) if len(sys.argv) > 1 else 512
lam, dx = 1.0, 10 / (nx - 1)
_dx = _dy = 1 / dx
dt = dx * dx / lam / 0.5 / 4.1
x = (np.arange(nx) * dx - 5) / 2
T, Ci = 10 * np.exp(-x[None, :] ** 2 - x[:, None] ** 2), np.full((ny, nx), 0.5)


@teff.timestep
def heat(T, Ci):
    qx = -lam * d_xi(T) * _dx
    qy = -lam * d_yi(T) * _dy
    dTdt = inn(Ci) * (-d_xa(qx) * _dx - d_ya(qy) * _dy)
    return update(inn(T), inn(T) + dt * dTdt)


before = teff.show(T, map="davos", clim=(0, 10))
stepwise = [teff.iterate(heat, 100, T, Ci, schedule="stepwise") for _ in range(3)]
chosen = [teff.iterate(heat, 100, T, Ci) for _ in range(3)]
compared = teff.compare(stepwise=stepwise, chosen=chosen)
print(compared)

page = teff.report(
    f"Heat in a plate of {nx} x {ny} cells", "Before:", before,
    "After 600 steps, in the same colours:", teff.show(T, map="davos", clim=(0, 10)),
    "Both schedules have the same bits:", compared, chosen[-1], teff.explain(heat, T, Ci))
path = pathlib.Path(tempfile.mkdtemp(prefix="teff-")) / "report.html"
page.save(path)
print(f"{page}: {path}")

# Check: all is in it
text = path.read_text(encoding="utf-8")
assert text.count("data:image/png") == 2 and "steps per pass" in text
path.unlink()
path.parent.rmdir()

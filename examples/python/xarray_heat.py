# SPDX-License-Identifier: MIT
"""Fields of xarray in and out: Teff advances the memory of a Dataset in place, so its dims,
coordinates and attributes stay, and files are xarray's (NetCDF, Zarr). Argument: cells along x."""

import sys

import numpy as np

import teff
from teff import d_xa, d_xi, d_ya, d_yi, inn, update

try:
    import xarray
except ImportError:
    print("xarray is not there: pip install xarray")
    sys.exit()

# A Dataset as a file would give it: ds = xarray.load_dataset("plate.nc")
nx = int(sys.argv[1]) if len(sys.argv) > 1 else 256
ny = nx
x, y = np.linspace(-5, 5, nx), np.linspace(-5, 5, ny)
ds = xarray.Dataset(
    {"T": (("y", "x"), 10 * np.exp(-(x[None, :] / 2) ** 2 - (y[:, None] / 2) ** 2),
           {"units": "K"}),
     "Ci": (("y", "x"), np.full((ny, nx), 0.5))},
    coords={"x": x, "y": y})

# x is to be the last dim and contiguous, whatever order the file had
ds = ds.transpose(..., "y", "x")
T, Ci = (np.ascontiguousarray(ds[name].values) for name in ("T", "Ci"))
lam, dx, dy = 1.0, float(ds.x[1] - ds.x[0]), float(ds.y[1] - ds.y[0])
_dx, _dy = 1 / dx, 1 / dy
dt = min(dx, dy) ** 2 / lam / 0.5 / 4.1


@teff.timestep
def heat(T, Ci):
    qx = -lam * d_xi(T) * _dx
    qy = -lam * d_yi(T) * _dy
    dTdt = inn(Ci) * (-d_xa(qx) * _dx - d_ya(qy) * _dy)
    return update(inn(T), inn(T) + dt * dTdt)


# Each hundred steps become a time of the result
times = []
for step in range(0, 300, 100):
    print(teff.iterate(heat, 100, T, Ci, first_step=step))
    times.append(ds.T.copy(data=T.copy()).expand_dims(time=[(step + 100) * dt]))
result = xarray.concat(times, dim="time")
print(result.max(("y", "x")))

# Check: what came out has the names that went in, and it got colder
assert result.dims == ("time", "y", "x") and result.attrs == {"units": "K"}
assert (np.diff(result.max(("y", "x"))) < 0).all()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Steps of steps_of_rows.hpp as users of CuPy, JAX and PyTorch write them, timed on one GPU.

usage: tools/by_hand/peers.py [--libraries cupy,jax,torch] [--cells N] [--timeout S] [ROW...]

Without a ROW all rows. CuPy works on plain arrays, JAX by jax.jit with the fields that evolve
donated, PyTorch by torch.compile. Each library's step is first compared with NumPy's on a small
grid; then a step's time is the median of 7 turns of 10 steps, beside a copy by the same library. A
library or row that does not run is left out, with a line on stderr. Writes one JSON object a row to
stdout, named as in row.cu; the copies are those of each run. `--libraries numpy` needs no GPU.
"""

import argparse
import importlib.util
import json
import os
import signal
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Callable

TURNS, STEPS_OF_TURN, STEPS_TO_WARM_UP = 7, 10, 3
SMALL_CELLS, SMALL_STEPS = {2: 26, 3: 18}, 3
TOLERANCE = {"f64": 1e-10, "f32": 1e-4}
LIBRARIES = ["cupy", "jax", "torch"]


# --- what the libraries do in ways of their own -------------------------------------------------


class NumpyLike:
    """NumPy: fields are changed in place. CuPy differs in where they are."""

    def __init__(self, name):
        self.xp = importlib.import_module(name)
        self.version = self.xp.__version__
        self.device = "CPU"
        self.sync = lambda of: None
        if name == "cupy":
            properties = self.xp.cuda.runtime.getDeviceProperties(0)
            self.device = properties["name"].decode()
            self.sync = lambda of: self.xp.cuda.Device().synchronize()

    def type_of(self, name):
        return {"f64": self.xp.float64, "f32": self.xp.float32}[name]

    def from_numpy(self, a):
        return self.xp.asarray(a).copy()

    def to_numpy(self, a):
        return a.get() if hasattr(a, "get") else a

    def random(self, shape, dtype):
        if self.xp.__name__ == "cupy":
            return self.xp.random.rand(*shape, dtype=dtype)
        return self.xp.random.default_rng(1).random(shape, dtype=dtype)

    def compiled(self, step, evolve):
        return step

    def copier(self, a):
        to = self.xp.empty_like(a)

        def copy():
            to[...] = a
            return to
        return copy

    def put(self, a, index, value):
        a[index] = value
        return a

    def add(self, a, index, value):
        a[index] += value
        return a

    def not_negative(self, a):
        return self.xp.maximum(a, 0)

    def roll(self, a, by, axis):
        return self.xp.roll(a, by, axis)

    def with_border_beside(self, a, inner):
        """The field `a` of these inner cells, its border cells those beside them."""
        a[1:-1, 1:-1, 1:-1] = inner
        a[0] = a[1]
        a[-1] = a[-2]
        a[:, 0] = a[:, 1]
        a[:, -1] = a[:, -2]
        a[:, :, 0] = a[:, :, 1]
        a[:, :, -1] = a[:, :, -2]
        return a


class Jax:
    """JAX: fields are values; a step gives new ones, in the memory of the old ones where it can."""

    def __init__(self):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        import jax
        jax.config.update("jax_enable_x64", True)
        self.jax, self.xp = jax, jax.numpy
        self.version = jax.__version__
        self.device = jax.devices()[0].device_kind
        self.sync = jax.block_until_ready

    def type_of(self, name):
        return {"f64": self.xp.float64, "f32": self.xp.float32}[name]

    def from_numpy(self, a):
        return self.xp.array(a)

    def to_numpy(self, a):
        return a.__array__()

    def random(self, shape, dtype):
        return self.jax.random.uniform(self.jax.random.key(1), shape, dtype=dtype)

    def compiled(self, step, evolve):
        return self.jax.jit(step, donate_argnums=tuple(range(evolve)))

    def copier(self, a):
        return lambda: self.xp.copy(a)

    def put(self, a, index, value):
        return a.at[index].set(value)

    def add(self, a, index, value):
        return a.at[index].set(a[index] + value)

    def not_negative(self, a):
        return self.xp.maximum(a, 0)

    def roll(self, a, by, axis):
        return self.xp.roll(a, by, axis)

    def with_border_beside(self, a, inner):
        return self.xp.pad(inner, 1, mode="edge")


class Torch(NumpyLike):
    """PyTorch: fields are changed in place, in functions that torch.compile sees as a whole."""

    def __init__(self):
        import torch
        self.xp = torch
        self.version = torch.__version__
        self.where = "cuda" if torch.cuda.is_available() else "cpu"
        self.device = torch.cuda.get_device_name(0) if self.where == "cuda" else "CPU"
        self.sync = lambda of: torch.cuda.synchronize() if self.where == "cuda" else None
        torch.set_grad_enabled(False)

    def from_numpy(self, a):
        return self.xp.from_numpy(a).clone().to(self.where)

    def to_numpy(self, a):
        return a.cpu().numpy()

    def random(self, shape, dtype):
        return self.xp.rand(shape, dtype=dtype, device=self.where)

    def compiled(self, step, evolve):
        return self.xp.compile(step, dynamic=False)

    def copier(self, a):
        to = self.xp.empty_like(a)
        return lambda: to.copy_(a)

    def not_negative(self, a):
        return self.xp.clamp(a, min=0)


def library_named(name):
    return {"jax": Jax, "torch": Torch}[name]() if name in ("jax", "torch") else NumpyLike(name)


# --- the steps: from the fields to those that evolve, a[x, y, z] ---------------------------------

IN2, IN3 = (slice(1, -1),) * 2, (slice(1, -1),) * 3
IN_X, IN_Y, IN_Z = ((slice(None),) * axis + (slice(1, -1),) for axis in range(3))
IN_XY, IN_XZ, IN_YZ = IN2, IN_X + (slice(None), slice(1, -1)), IN_Y + (slice(1, -1),)


def cut(a, axis, low, high):
    """`a` from low to high along one axis."""
    return a[(slice(None),) * axis + (slice(low, high),)]


def d(a, axis):
    return cut(a, axis, 1, None) - cut(a, axis, None, -1)


def d2(a, axis):
    return cut(a, axis, 2, None) - 2 * cut(a, axis, 1, -1) + cut(a, axis, None, -2)


def av(a, axis):
    return 0.5 * (cut(a, axis, 1, None) + cut(a, axis, None, -1))


def nonlinear(lib, u):
    lam = 1 + u * u
    qx = av(lam[IN_Y], 0) * d(u[IN_Y], 0)
    qy = av(lam[IN_X], 1) * d(u[IN_X], 1)
    return (lib.add(u, IN2, 0.05 * (d(qx, 0) + d(qy, 1))),)


def ice(lib, H, B, M):
    S = H + B
    gx, gy = av(d(S, 0), 1), av(d(S, 1), 0)
    h = av(av(H, 0), 1)
    h2 = h * h
    D = 0.05 * (h2 * h2 * h) * (gx * gx + gy * gy)
    qx = av(D, 1) * d(S[IN_Y], 0)
    qy = av(D, 0) * d(S[IN_X], 1)
    return (lib.put(H, IN2, lib.not_negative(H[IN2] + 0.1 * (d(qx, 0) + d(qy, 1) + M[IN2]))),)


def elastic(lib, vx, vy, xx, yy, xy, L, G):
    l, g = L[IN2], G[IN2]
    ex = vx[2:, 1:-1] - vx[IN2]
    ey = vy[1:-1, 2:] - vy[IN2]
    xx = lib.add(xx, IN2, 0.3 * ((l + 2 * g) * ex + l * ey))
    yy = lib.add(yy, IN2, 0.3 * ((l + 2 * g) * ey + l * ex))
    xy = lib.add(xy, IN2, 0.3 * g * (vx[IN2] - vx[1:-1, :-2] + vy[IN2] - vy[:-2, 1:-1]))
    vx = lib.add(vx, IN2, 0.3 * (xx[IN2] - xx[:-2, 1:-1] + xy[1:-1, 2:] - xy[IN2]))
    vy = lib.add(vy, IN2, 0.3 * (yy[IN2] - yy[1:-1, :-2] + xy[2:, 1:-1] - xy[IN2]))
    return vx, vy, xx, yy, xy


def gray_scott(lib, u, v):
    """Periodic, and so without border cells."""
    def spread(a):
        return (lib.roll(a, 1, 0) + lib.roll(a, -1, 0) + lib.roll(a, 1, 1) + lib.roll(a, -1, 1) -
                4 * a)
    r = u * v * v
    return u + (0.16 * spread(u) - r + 0.035 * (1 - u)), v + (0.08 * spread(v) + r - 0.1 * v)


def leapfrog(lib, U, W, C):
    new = 2 * U[IN2] - W[IN2] + C[IN2] * (d2(U[IN_Y], 0) + d2(U[IN_X], 1)) * 0.1
    return lib.put(W, IN2, new), U


def stokes(lib, P, Vx, Vy, Txx, Tyy, Txy, dVx, dVy, eta, rho):
    del Txx, Tyy, Txy
    ex, ey = d(Vx, 0), d(Vy, 1)
    div = ex + ey
    P = P - 0.1 * eta * div
    Txx = 2 * eta * (ex - div * (1 / 3))
    Tyy = 2 * eta * (ey - div * (1 / 3))
    Txy = av(av(eta, 0), 1) * (d(Vx[IN_X], 1) + d(Vy[IN_Y], 0))
    dVx = 0.9 * dVx + 0.1 * (d(Txx[IN_Y], 0) - d(P[IN_Y], 0) + d(Txy, 1))
    dVy = 0.9 * dVy + 0.1 * (d(Tyy[IN_X], 1) - d(P[IN_X], 1) + d(Txy, 0) + av(rho[IN_X], 1))
    Vx = lib.add(Vx, IN2, 0.05 / av(eta[IN_Y], 0) * dVx)
    Vy = lib.add(Vy, IN2, 0.05 / av(eta[IN_X], 1) * dVy)
    return P, Vx, Vy, Txx, Tyy, Txy, dVx, dVy


WEIGHTS = [-2.8, 1.6, -0.2, 0.025, -0.0018]


def order8(lib, u, c):
    inside = (slice(4, -4),) * u.ndim

    def beside(axis, r):
        at = slice(4 + r, u.shape[axis] - 4 + r)
        return u[inside[:axis] + (at,) + inside[axis + 1:]]
    s = u.ndim * WEIGHTS[0] * u[inside]
    for r in range(1, 5):
        far = beside(0, r) + beside(0, -r)
        for axis in range(1, u.ndim):
            far = far + beside(axis, r) + beside(axis, -r)
        s = s + WEIGHTS[r] * far
    return (lib.add(u, inside, 0.01 * c[inside] * s),)


def warming(T, Ci):
    return 0.05 * 0.9 * Ci[IN3] * (1.1 * 1.1 * d2(T[IN_YZ], 0) + d2(T[IN_XZ], 1) +
                                   0.9 * 0.9 * d2(T[IN_XY], 2))


def heat3(lib, T, Ci):
    return (lib.add(T, IN3, warming(T, Ci)),)


def insulated3(lib, T, Ci):
    return (lib.with_border_beside(T, T[IN3] + warming(T, Ci)),)


def star3(lib, u):
    return (lib.put(u, IN3, 0.4 * u[IN3] + 0.1 * (
        u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1] +
        u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2])),)


def sound3(lib, P, Vx, Vy, Vz):
    Vx = lib.add(Vx, IN_X, -0.1 * d(P, 0))
    Vy = lib.add(Vy, IN_Y, -0.1 * d(P, 1))
    Vz = lib.add(Vz, IN_Z, -0.1 * d(P, 2))
    return P - 0.1 * (d(Vx, 0) + d(Vy, 1) + d(Vz, 2)), Vx, Vy, Vz


def elastic3(lib, Vx, Vy, Vz, Sx, Sy, Sz, Sxy, Sxz, Syz):
    l, m = 0.1, 0.05
    Vx = lib.add(Vx, IN_X, 0.1 * (d(Sx, 0) + d(Sxy[IN_X], 1) + d(Sxz[IN_X], 2)))
    Vy = lib.add(Vy, IN_Y, 0.1 * (d(Sy, 1) + d(Sxy[IN_Y], 0) + d(Syz[IN_Y], 2)))
    Vz = lib.add(Vz, IN_Z, 0.1 * (d(Sz, 2) + d(Sxz[IN_Z], 0) + d(Syz[IN_Z], 1)))
    ex, ey, ez = d(Vx, 0), d(Vy, 1), d(Vz, 2)
    Sx = Sx + (l + m) * ex + l * (ey + ez)
    Sy = Sy + (l + m) * ey + l * (ex + ez)
    Sz = Sz + (l + m) * ez + l * (ex + ey)
    Sxy = lib.add(Sxy, IN_XY, m * (d(Vx[IN_X], 1) + d(Vy[IN_Y], 0)))
    Sxz = lib.add(Sxz, IN_XZ, m * (d(Vx[IN_X], 2) + d(Vz[IN_Z], 0)))
    Syz = lib.add(Syz, IN_YZ, m * (d(Vy[IN_Y], 2) + d(Vz[IN_Z], 1)))
    return Vx, Vy, Vz, Sx, Sy, Sz, Sxy, Sxz, Syz


@dataclass
class Row:
    """As in steps_of_rows.hpp: the first fields evolve; each has `more` cells than the grid."""
    step: Callable
    cells: int  # of the grid along each side
    arrays: int  # read and written by an ideal step
    evolve: int
    more: list
    level: float = 0.5  # the fields begin between this and
    spread: float = 0.5  # this above it

    @property
    def rank(self):
        return len(self.more[0])

    def shape_of(self, field, cells):
        return tuple(cells + more for more in self.more[field])


PLAIN2, PLAIN3 = (0, 0), (0, 0, 0)
ROWS = {
    "nonlinear": Row(nonlinear, 8190, 2, 1, [PLAIN2]),
    "ice": Row(ice, 8190, 4, 1, [PLAIN2] * 3),
    "elastic": Row(elastic, 8190, 12, 5, [PLAIN2] * 7, 0.1, 0.1),
    "gray_scott": Row(gray_scott, 8190, 4, 2, [PLAIN2] * 2),
    "leapfrog": Row(leapfrog, 8190, 5, 2, [PLAIN2] * 3),
    "stokes": Row(stokes, 8190, 18, 8, [
        PLAIN2, (1, 0), (0, 1), PLAIN2, PLAIN2, (-1, -1), (-1, -2), (-2, -1), PLAIN2, PLAIN2],
        0.1, 0.1),
    "order8_2d": Row(order8, 8192, 3, 1, [PLAIN2] * 2),
    "order8_3d": Row(order8, 512, 3, 1, [PLAIN3] * 2),
    "heat3": Row(heat3, 512, 3, 1, [PLAIN3] * 2),
    "insulated3": Row(insulated3, 512, 3, 1, [PLAIN3] * 2),
    "star3": Row(star3, 512, 2, 1, [PLAIN3]),
    "sound3": Row(sound3, 511, 8, 4, [PLAIN3, (1, 0, 0), (0, 1, 0), (0, 0, 1)], 0.1, 0.1),
    "elastic3": Row(elastic3, 512, 18, 9, [
        (1, 0, 0), (0, 1, 0), (0, 0, 1), PLAIN3, PLAIN3, PLAIN3, (1, 1, 0), (1, 0, 1), (0, 1, 1)],
        0.1, 0.1),
}


# --- one library's runs of one row, in a process of its own --------------------------------------


def advanced(step, fields, evolve, steps):
    for _ in range(steps):
        fields = [*step(*fields), *fields[evolve:]]
    return fields


def difference(lib, row, step, kind):
    """The largest between the library's fields and NumPy's in f64, by the largest value."""
    import numpy
    cells = SMALL_CELLS[row.rank]
    chance = numpy.random.default_rng(1)
    values = [(row.level + row.spread * chance.random(row.shape_of(f, cells))).astype(kind)
              for f in range(len(row.more))]
    by_numpy = NumpyLike("numpy")
    right = advanced(lambda *fields: row.step(by_numpy, *fields),
                     [v.astype("float64") for v in values], row.evolve, SMALL_STEPS)
    found = advanced(step, [lib.from_numpy(v) for v in values], row.evolve, SMALL_STEPS)
    apart = [numpy.abs(lib.to_numpy(f) - r).max() / numpy.abs(r).max()
             for f, r in zip(found[:row.evolve], right)]
    return float(max(a if a == a else float("inf") for a in apart))


def seconds_of(lib, once, calls):
    """Of one call: the median of some turns of so many calls."""
    turns = []
    for _ in range(TURNS):
        lib.sync(once())
        begin = time.perf_counter()
        for _ in range(calls):
            last = once()
        lib.sync(last)
        turns.append((time.perf_counter() - begin) / calls)
    return statistics.median(turns)


def run_of(lib, row, cells, name):
    """One type's run, as JSON has it. @throws if it does not agree with NumPy's"""
    step = lib.compiled(lambda *fields: row.step(lib, *fields), row.evolve)
    apart = difference(lib, row, step, {"f64": "float64", "f32": "float32"}[name])
    if not apart < TOLERANCE[name]:
        raise RuntimeError(f"{name} differs from NumPy by {apart:g}")
    dtype = lib.type_of(name)
    fields = [row.level + row.spread * lib.random(row.shape_of(f, cells), dtype)
              for f in range(len(row.more))]
    source = lib.random((cells,) * row.rank, dtype)
    copy_s = seconds_of(lib, lib.copier(source), STEPS_OF_TURN)
    del source
    lib.sync(fields)

    def once():
        nonlocal fields
        fields = advanced(step, fields, row.evolve, 1)
        return fields
    for _ in range(STEPS_TO_WARM_UP):
        once()
    step_s = seconds_of(lib, once, STEPS_OF_TURN)
    size = 8 if name == "f64" else 4
    return {"type": name, "device": lib.device, "library_version": lib.version,
            "copy_ms": round(1e3 * copy_s, 5),
            "copy_gbps": round(2e-9 * size * cells ** row.rank / copy_s, 1),
            "ms": round(1e3 * step_s, 5),
            "of_copy": round(row.arrays / 2 * copy_s / step_s, 4), "differ": apart}


def run_alone(library, name, cells):
    """Prints each type's run as a line of JSON."""
    lib = library_named(library)
    for kind in TOLERANCE:
        try:
            said = run_of(lib, ROWS[name], cells, kind)
        except Exception as e:  # of any library: compilers, memory
            said = {"type": kind, "failed": f"{type(e).__name__}: {str(e).strip()}".splitlines()[0]}
        print(json.dumps(said), flush=True)


# --- all of them ---------------------------------------------------------------------------------


def runs_of(library, name, cells, timeout_s):
    """The lines of a process that may fail or be stopped; those before that count."""
    command = [sys.executable, os.path.abspath(__file__), "--alone", library, "--cells", str(cells),
               name]
    child = subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             start_new_session=True)
    try:
        out, err = child.communicate(timeout=timeout_s)
        why = ([line for line in err.splitlines() if line.strip()] or ["no reason given"])[-1]
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)  # its compilers too
        out, err = child.communicate()
        why = f"not done after {timeout_s:g} s"
    if child.returncode:
        print(f"  {library:9s} left out: {why[:200]}", file=sys.stderr)
    return [json.loads(line) for line in out.splitlines() if line.startswith("{")]


def row_of(name, libraries, cells, timeout_s):
    row, types, devices = ROWS[name], {}, []
    cells = cells or row.cells
    print(f"{name}, {cells} cells a side", file=sys.stderr)
    for library in libraries:
        for run in runs_of(library, name, cells, timeout_s):
            kind = run.pop("type")
            if why := run.get("failed"):
                print(f"  {library:9s} {kind} left out: {why[:200]}", file=sys.stderr)
                continue
            devices.append(run.pop("device"))
            types.setdefault(kind, []).append({"schedule": library, **run})
            print(f"  {library:9s} {kind} {run['ms']:9.4f} ms  {run['of_copy']:6.3f} of copy, "
                  f"{run['copy_gbps']:.0f} GB/s", file=sys.stderr)
    return {"row": name, "device": devices[0] if devices else "", "cells_a_side": cells,
            "arrays": row.arrays, "types": [{"type": t, "runs": runs} for t, runs in types.items()]}


def main():
    take = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    take.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ROWS))
    take.add_argument("--libraries", default=",".join(LIBRARIES), help="numpy is one too")
    take.add_argument("--cells", type=int, default=0, help="along each side; else each row's own")
    take.add_argument("--timeout", type=float, default=60, help="of a library and a row, seconds")
    take.add_argument("--alone", metavar="LIBRARY", help=argparse.SUPPRESS)
    asked = take.parse_args()
    if unknown := [name for name in asked.rows if name not in ROWS]:
        take.error(f"no row {', '.join(unknown)}")
    if asked.alone:
        run_alone(asked.alone, asked.rows[0], asked.cells)
        return
    libraries = []
    for name in asked.libraries.split(","):
        if importlib.util.find_spec(name):
            libraries.append(name)
        else:
            print(f"{name} is not here: left out", file=sys.stderr)
    for name in asked.rows or ROWS:
        print(json.dumps(row_of(name, libraries, asked.cells, asked.timeout)), flush=True)


if __name__ == "__main__":
    main()

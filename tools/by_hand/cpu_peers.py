#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Teff's scans, sums and products beside NumPy's, std::'s and those of a BLAS.

usage: tools/by_hand/cpu_peers.py [--turns N] [--only WORD] cpu_peers.so COMMIT > cpu_peers.json

All in one process, in turns: each turn times every way once (as many calls as take some ms), the
best of all turns counts, and a ratio is what the peer takes by what Teff takes: 1 or more, Teff is
not slower. Teff has as many threads as OMP_NUM_THREADS says; NumPy and std:: have one; the BLAS,
NumPy's own OpenBLAS, as many as OPENBLAS_NUM_THREADS says. With
OMP_NUM_THREADS=1 processor time is taken, which a machine that is shared disturbs less; else what
the clock says. `copy` is Teff's copy of as many cells. f32 is summed in f64 by Teff, in f32 by
peers. A table goes to stderr, JSON to stdout.
"""

import argparse
import ctypes
import datetime
import glob
import json
import os
import platform
import sys
import time

import numpy as np

parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("library", metavar="cpu_peers.so")
parser.add_argument("commit")
parser.add_argument("--turns", type=int, default=9)
parser.add_argument("--only", default="", help="rows whose name has it")
asked = parser.parse_args()
lib = ctypes.CDLL(os.path.abspath(asked.library))
clock = time.process_time if os.environ.get("OMP_NUM_THREADS") == "1" else time.perf_counter


class operands(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("to", "a", "x")] + \
        [(name, ctypes.c_long) for name in ("n", "m", "k")] + \
        [("dim", ctypes.c_int), ("blas", ctypes.c_void_p)]


class Blas:
    """NumPy's, whose names have a prefix and a suffix and whose integers have 64 bits."""

    def __init__(self):
        bundled = glob.glob(os.path.join(os.path.dirname(np.__path__[0]), "numpy.libs",
                                         "libscipy_openblas64_*"))
        if not bundled:
            raise SystemExit("cpu_peers.py: expected a NumPy that brings its OpenBLAS "
                             "(numpy.libs/libscipy_openblas64_*), as `pip install numpy` does")
        self.lib = ctypes.CDLL(bundled[0])
        config = self.lib.scipy_openblas_get_config64_
        config.restype = ctypes.c_char_p
        self.version = config().decode()

    def __getitem__(self, name):
        return ctypes.cast(getattr(self.lib, f"scipy_cblas_{name}64_"), ctypes.c_void_p).value


blas = Blas()


def of_lib(way, dtype, to=None, a=None, x=None, n=1, m=1, k=1, dim=0, peer=None):
    on = operands(*(None if field is None else field.ctypes.data for field in (to, a, x)),
                  n, m, k, dim, None if peer is None else blas[peer])
    name, cell_bytes, at = way.encode(), np.dtype(dtype).itemsize, ctypes.byref(on)

    def repeat(calls, _kept=(on, to, a, x)):
        if lib.repeat(name, cell_bytes, ctypes.c_long(calls), at) != 0:
            raise SystemExit(f"cpu_peers.py: {asked.library} knows no way '{way}'; build it anew")
    return repeat


def of_numpy(call):
    def repeat(calls):
        for _ in range(calls):
            call()
    return repeat


def random(n, dtype):
    return np.random.default_rng(1).random(n, dtype=dtype)


def ways_of_scan(dtype, n):
    a, b = random(n, dtype), np.empty(n, dtype)
    on = {"dtype": dtype, "to": b, "a": a, "n": n}
    return {"teff": of_lib("teff cumsum", **on), "copy": of_lib("teff copy", **on),
            "numpy": of_numpy(lambda: np.cumsum(a, out=b)), "std": of_lib("std cumsum", **on)}


def ways_of_cube(dtype, n, dim):
    a, b = random((n, n, n), dtype), np.empty((n, n, n), dtype)
    on = {"dtype": dtype, "to": b, "a": a, "n": n, "m": n, "k": n}
    return {"teff": of_lib("teff cumsum", dim=dim, **on), "copy": of_lib("teff copy", **on),
            "numpy": of_numpy(lambda: np.cumsum(a, axis=2 - dim, out=b))}


def ways_of_reduction(dtype, name, n):
    a = random(n, dtype)
    on = {"dtype": dtype, "a": a, "n": n}
    ways = {"teff": of_lib(f"teff {name}", **on), "numpy": of_numpy(getattr(a, name))}
    return ways | ({"std": of_lib("std sum", **on)} if name == "sum" else {})


def ways_of_dot(dtype, n):
    a, b = random(n, dtype), random(n, dtype)
    on = {"dtype": dtype, "a": a, "x": b, "n": n}
    name = "ddot" if dtype == "f8" else "sdot"
    return {"teff": of_lib("teff dot", **on), "blas": of_lib("blas dot", peer=name, **on),
            "numpy": of_numpy(lambda: a.dot(b))}


def ways_of_gemv(dtype, layout, m, n):
    on = {"dtype": dtype, "to": np.empty(m, dtype), "a": random((m, n), dtype),
          "x": random(n, dtype), "n": n, "m": m}
    name = "dgemv" if dtype == "f8" else "sgemv"
    return {"teff": of_lib(f"teff gemv by {layout}", **on),
            "blas": of_lib(f"blas gemv by {layout}", peer=name, **on)}


def seconds_of(way, calls):
    begin = clock()
    way(calls)
    return (clock() - begin) / calls


def row_of(name, make, *args):
    if asked.only not in name:
        return []
    ways, calls = make(*args), {}
    for key, way in ways.items():
        way(1)
        calls[key] = max(1, int(0.004 / max(seconds_of(way, 1), 1e-7)))
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(asked.turns):
        for key, way in ways.items():
            best[key] = min(best[key], seconds_of(way, calls[key]))
    ratios = {key: round(best[key] / best["teff"], 2) for key in ways if key != "teff"}
    print(f"{name:38} {1e6 * best['teff']:11.1f}",
          *(f"{key} {ratio:.2f}" for key, ratio in ratios.items()), sep="  ", file=sys.stderr)
    return [{"name": name, "teff_us": round(1e6 * best["teff"], 2), **ratios}]


def rows():
    sizes = [4096, 65536, 2**20, 2**22, 2**25]
    matrices = [(64, 64), (256, 256), (1000, 1000), (4000, 4000), (32, 10**6), (10**6, 32)]
    for dtype, cells in ("f8", "f64"), ("f4", "f32"):
        for n in sizes:
            yield from row_of(f"cumsum {cells} {n}", ways_of_scan, dtype, n)
        for name in "sum", "min", "argmin":
            for n in sizes:
                yield from row_of(f"{name} {cells} {n}", ways_of_reduction, dtype, name, n)
        for n in sizes:
            yield from row_of(f"dot {cells} {n}", ways_of_dot, dtype, n)
        for layout in "rows", "columns":
            for m, n in matrices:
                yield from row_of(f"gemv by {layout} {cells} {m}x{n}", ways_of_gemv, dtype, layout,
                                  m, n)
        for n in 128, 512:
            for dim in 0, 1, 2:
                yield from row_of(f"cumsum {cells} {n}^3 dim {dim}", ways_of_cube, dtype, n, dim)


def main():
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo")
                if line.startswith("model name")), platform.processor())
    facts = {"cpu": cpu, "processors": os.cpu_count(), "commit": asked.commit,
             "date": datetime.date.today().isoformat(), "command": " ".join(sys.argv),
             "threads": os.environ.get("OMP_NUM_THREADS", "all"),
             "blas_threads": os.environ.get("OPENBLAS_NUM_THREADS", "all"),
             "load": round(os.getloadavg()[0], 2), "numpy": np.__version__, "blas": blas.version,
             "turns": asked.turns}
    print(json.dumps({**facts, "rows": list(rows())}, indent=1))


if __name__ == "__main__":
    main()

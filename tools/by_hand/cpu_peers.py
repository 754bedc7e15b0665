#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Teff's scans, sums and products beside NumPy's, std::'s and those of the BLAS that NumPy has.

usage: tools/by_hand/cpu_peers.py cpu_peers.so COMMIT [TURNS]

All in one process, f64, in turns: each turn times every way once (as many calls as take some ms),
and a ratio is the median over turns of what the peer takes by what Teff takes in the same turn: 1
or more, Teff is not slower. Teff has as many threads as OMP_NUM_THREADS says; NumPy and std:: have
one, BLAS as many as OPENBLAS_NUM_THREADS says. With OMP_NUM_THREADS=1 processor time is taken,
which a machine that is shared disturbs less; else what the clock says. `of_copy` is Teff's copy of as many cells by Teff's time.
Writes JSON to stdout.
"""

import ctypes
import json
import os
import platform
import statistics
import sys
import time

import numpy as np

lib = ctypes.CDLL(os.path.abspath(sys.argv[1]))
for name in ("sum_of", "dot_of"):
    for owner in ("teff", "std"):
        getattr(lib, f"{owner}_{name}").restype = ctypes.c_double
clock = time.process_time if os.environ.get("OMP_NUM_THREADS") == "1" else time.perf_counter
TURNS = int(sys.argv[3]) if len(sys.argv) > 3 else 7


def p(a):
    return ctypes.c_void_p(a.ctypes.data)


def long(n):
    return ctypes.c_long(n)


def ways_of_scan(n):
    a, b = np.random.default_rng(1).random(n), np.empty(n)
    at = p(b), p(a), long(n)
    return {"teff": lambda: lib.teff_cumsum_of(*at, long(1), long(1), 0),
            "copy": lambda: lib.teff_copy_of(*at),
            "numpy": lambda: np.cumsum(a, out=b), "std": lambda: lib.std_cumsum_of(*at)}


def ways_of_cube(n, dim):
    a, b = np.random.default_rng(1).random((n, n, n)), np.empty((n, n, n))
    return {"teff": lambda: lib.teff_cumsum_of(p(b), p(a), long(n), long(n), long(n), dim),
            "copy": lambda: lib.teff_copy_of(p(b), p(a), long(n**3)),
            "numpy": lambda: np.cumsum(a, axis=2 - dim, out=b)}


def ways_of_sum(n):
    a = np.random.default_rng(1).random(n)
    return {"teff": lambda: lib.teff_sum_of(p(a), long(n)), "numpy": a.sum,
            "std": lambda: lib.std_sum_of(p(a), long(n))}


def ways_of_dot(n):
    a, b = np.random.default_rng(1).random(n), np.random.default_rng(2).random(n)
    at = p(a), p(b), long(n)
    return {"teff": lambda: lib.teff_dot_of(*at), "blas": lambda: a @ b,
            "std": lambda: lib.std_dot_of(*at)}


def ways_of_gemv(m, n):
    A, x = np.random.default_rng(1).random((m, n)), np.random.default_rng(2).random(n)
    y = np.empty(m)
    return {"teff": lambda: lib.teff_gemv_of(p(y), p(A), p(x), long(m), long(n)),
            "blas": lambda: np.matmul(A, x, out=y)}


def seconds_of(way, calls):
    begin = clock()
    for _ in range(calls):
        way()
    return (clock() - begin) / calls


def row_of(name, ways):
    calls = {}
    for key, way in ways.items():
        way()
        calls[key] = max(1, int(0.004 / seconds_of(way, 1)))
    turns = [{key: seconds_of(way, calls[key]) for key, way in ways.items()} for _ in range(TURNS)]
    row = {"name": name, "teff_us": 1e6 * statistics.median(t["teff"] for t in turns)}
    for peer in ways:
        if peer != "teff":
            ratio = statistics.median(t[peer] / t["teff"] for t in turns)
            row["of_copy" if peer == "copy" else peer] = round(ratio, 3)
    print(json.dumps(row), file=sys.stderr)
    return row


def main():
    sizes = [4096, 32768, 2**18, 2**22, 2**25]
    rows = [row_of(f"cumsum {n}", ways_of_scan(n)) for n in sizes]
    rows += [row_of(f"sum {n}", ways_of_sum(n)) for n in sizes]
    rows += [row_of(f"dot {n}", ways_of_dot(n)) for n in sizes]
    rows += [row_of(f"gemv {m}x{n}", ways_of_gemv(m, n))
             for m, n in ((64, 64), (512, 512), (4096, 4096), (32, 10**6), (10**6, 32))]
    rows += [row_of(f"cumsum {n}^3 along dim {dim}", ways_of_cube(n, dim))
             for n in (16, 128, 512) for dim in (0, 1, 2)]
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo")
                if line.startswith("model name")), platform.processor())
    print(json.dumps({"cpu": cpu, "processors": os.cpu_count(), "commit": sys.argv[2],
                      "load": os.getloadavg()[0], "numpy": np.__version__, "turns": TURNS,
                      "threads": os.environ.get("OMP_NUM_THREADS", "all"), "rows": rows}, indent=1))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""saxpy as a kernel of Python's text on a GPU, beside torch's own and CuPy's, in turns: GB/s over
20 million cells of f64, and what a call costs the host, over those and over 1000. All are checked.

usage: tools/by_hand/kernels_in_turns.py PACKAGE

PACKAGE is the folder that holds the package `teff`; nvcc, torch and CuPy are needed.
"""

import statistics
import sys
import time

sys.path.insert(0, sys.argv[1])

import cupy
import torch

import teff

CELLS, FEW, TURNS, CALLS = 20_000_000, 1000, 9, 100
saxpy = teff.kernel("c(i) = a * x(i) + y(i);", "a, x, y, c")
element = cupy.ElementwiseKernel("float64 a, float64 x, float64 y", "float64 c", "c = a * x + y", "f")


def ways_over(cells):
    """By their names: bytes of a call, and the call; CuPy's arrays are torch's memory."""
    x, y, c = (torch.rand(cells, dtype=torch.float64, device="cuda") for _ in range(3))
    cx, cy, cc = (cupy.asarray(tensor) for tensor in (x, y, c))
    ways = {"teff, torch's arrays": (24, lambda: saxpy(2.0, x, y, c)),
            "teff, CuPy's arrays": (24, lambda: saxpy(2.0, cx, cy, cc)),
            "torch.add(out=)": (24, lambda: torch.add(y, x, alpha=2, out=c)),
            "CuPy's kernel": (24, lambda: element(2.0, cx, cy, cc)),
            "torch's copy": (16, lambda: c.copy_(x))}
    for name, (_, call) in ways.items():
        c.zero_()
        call()
        assert bool((c == (x if "copy" in name else 2 * x + y)).all()), name
    return {name: (bytes_ * cells, call) for name, (bytes_, call) in ways.items()}


def timed(call):
    """Seconds of a call on the GPU, and of the host."""
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    first.record()
    start = time.perf_counter()
    for _ in range(CALLS):
        call()
    host = (time.perf_counter() - start) / CALLS
    last.record()
    torch.cuda.synchronize()
    return first.elapsed_time(last) * 1e-3 / CALLS, host


def main():
    print(teff.info(), torch.__version__, cupy.__version__, sep="\n")
    for cells in (CELLS, FEW):
        ways = ways_over(cells)
        times = {name: [] for name in ways}
        for _ in range(TURNS):
            for name, (_, call) in ways.items():
                times[name].append(timed(call))
        rate = {name: bytes_ / statistics.median(t for t, _ in times[name]) / 1e9
                for name, (bytes_, _) in ways.items()}
        for name, of in times.items():
            of_copy = rate[name] / rate["torch's copy"]
            there = f"{rate[name]:7.1f} GB/s, {of_copy:.3f} of torch's copy, " if cells == CELLS else ""
            host = sorted(h * 1e6 for _, h in of)
            print(f"{cells} cells, {name:21} {there}host {statistics.median(host):.2f} us a call "
                  f"({host[0]:.2f} to {host[-1]:.2f})")


main()

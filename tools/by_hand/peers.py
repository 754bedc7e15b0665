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

from peer_libraries import NumpyLike, library_named
from peer_steps import ROWS

TURNS, STEPS_OF_TURN, STEPS_TO_WARM_UP = 7, 10, 3
SMALL_CELLS, SMALL_STEPS = {2: 26, 3: 18}, 3
TOLERANCE = {"f64": 1e-10, "f32": 1e-4}
LIBRARIES = ["cupy", "jax", "torch"]


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

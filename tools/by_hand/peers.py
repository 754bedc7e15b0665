#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Steps of steps_of_rows.hpp as users of CuPy, JAX and PyTorch write them, timed on one GPU.

usage: tools/by_hand/peers.py [--libraries cupy,jax,torch] [--cells N] [--jobs N] [--timeout S]
                              [ROW...]

Without a ROW all rows. CuPy works on plain arrays, JAX by jax.jit with the fields that evolve
donated, PyTorch by torch.compile. Each library's step of a row has a process of its own, which
compares it with NumPy's on a small grid and compiles it, `--jobs` of them side by side; then they
are timed one after another, a step's time being the median of 7 turns of 10 steps, beside a copy by
the same library. Writes one JSON object a row to stdout, named as in row.cu, with the copies of
each run, or why there is none. `--libraries numpy` needs no GPU.
"""

import argparse
import importlib.util
import json
import os
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from peer_libraries import NumpyLike, library_named
from peer_steps import ROWS

TURNS, STEPS_OF_TURN, STEPS_TO_WARM_UP = 7, 10, 3
SMALL_CELLS, SMALL_STEPS = {2: 26, 3: 18}, 3
TOLERANCE = {"f64": 1e-10, "f32": 1e-4}
LIBRARIES = ["cupy", "jax", "torch"]
PREPARED = "prepared"


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


def prepared(lib, row, cells, name):
    """One type's step, compiled, and how far it is from NumPy's. @throws if that is too far"""
    step = lib.compiled(lambda *fields: row.step(lib, *fields), row.evolve)
    apart = difference(lib, row, step, {"f64": "float64", "f32": "float32"}[name])
    if not apart < TOLERANCE[name]:
        raise RuntimeError(f"{name} differs from NumPy by {apart:g}")
    shapes = [row.shape_of(f, cells) for f in range(len(row.more))]
    return lib.ready(step, shapes, lib.type_of(name)), apart


def run_of(lib, row, cells, name, step, apart):
    """One type's run, as JSON has it."""
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
    return {"device": lib.device, "library_version": lib.version,
            "copy_ms": round(1e3 * copy_s, 5),
            "copy_gbps": round(2e-9 * size * cells ** row.rank / copy_s, 1),
            "ms": round(1e3 * step_s, 5),
            "of_copy": round(row.arrays / 2 * copy_s / step_s, 4), "differ": apart}


def run_alone(library, name, cells):
    """Prepares both types, says so, and once told to prints each type's run as a line of JSON."""
    lib, row, said, steps = library_named(library), ROWS[name], {}, {}

    def tried(kind, call, *values):
        try:
            return call(lib, row, cells, kind, *values)
        except Exception as e:  # of any library: compilers, memory
            said[kind] = {"failed": f"{type(e).__name__}: {str(e).strip()}".splitlines()[0][:200]}
    for kind in TOLERANCE:
        steps[kind] = tried(kind, prepared)
    print(PREPARED, flush=True)
    sys.stdin.readline()
    for kind in TOLERANCE:
        run = tried(kind, run_of, *steps[kind]) if steps[kind] else None
        print(json.dumps({"type": kind, **(run or said[kind])}), flush=True)


# --- all of them ---------------------------------------------------------------------------------


class Child:
    """A process of one library and one row."""

    def __init__(self, library, name, cells):
        self.library, self.name, self.prepared = library, name, False
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), "--alone", library, "--cells", str(cells),
             name], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
            start_new_session=True)

    def killed(self):
        os.killpg(self.process.pid, signal.SIGKILL)  # its compilers too
        return self.process.communicate()[0]

    def timed(self, timeout_s):
        """Its runs by type. A process may fail or be stopped; what it said before counts."""
        why, out = "", ""
        if not self.prepared:
            why = f"not prepared after {timeout_s:g} s" if self.process.poll() is None else ""
            self.killed() if why else self.process.wait()
        else:
            try:
                out, _ = self.process.communicate("go\n", timeout=timeout_s)
            except subprocess.TimeoutExpired:
                out, why = self.killed(), f"not timed after {timeout_s:g} s"
        self.errors.seek(0)
        last = ([line for line in self.errors if line.strip()] or ["no reason given"])[-1]
        runs = {run.pop("type"): run for run in map(json.loads, out.splitlines())}
        return {kind: runs.get(kind, {"failed": why or last.strip()[:200]}) for kind in TOLERANCE}


def await_prepared(children, timeout_s):
    """Until each has said so or ended, or the time is over."""
    end = time.monotonic() + timeout_s
    waiting = {child.process.stdout: child for child in children}
    while waiting and (left := end - time.monotonic()) > 0:
        for pipe in select.select(list(waiting), [], [], left)[0]:
            waiting.pop(pipe).prepared = pipe.readline().strip() == PREPARED


def batches_of(wanted, jobs):
    return [wanted[k:k + jobs] for k in range(0, len(wanted), jobs)]


def row_of(name, cells, runs_of):
    """What stdout has of a row. @param runs_of  by library, by type"""
    row, devices = ROWS[name], []
    types = {kind: [] for kind in TOLERANCE}
    for library, runs in runs_of.items():
        for kind, run in runs.items():
            devices += [run.pop("device")] if "device" in run else []
            types[kind].append({"schedule": library, **run})
    return {"row": name, "device": devices[0] if devices else "",
            "command": f"tools/by_hand/peers.py {name}", "cells_a_side": cells,
            "arrays": row.arrays, "types": [{"type": t, "runs": runs} for t, runs in types.items()]}


def say(library, name, runs):
    for kind, run in runs.items():
        what = f"no run: {run['failed']}" if "failed" in run else (
            f"{run['ms']:9.4f} ms  {run['of_copy']:6.3f} of copy, {run['copy_gbps']:.0f} GB/s")
        print(f"{name:10s} {library:6s} {kind} {what}", file=sys.stderr)


def main():
    take = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    take.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ROWS))
    take.add_argument("--libraries", default=",".join(LIBRARIES), help="numpy is one too")
    take.add_argument("--cells", type=int, default=0, help="along each side; else each row's own")
    take.add_argument("--jobs", type=int, default=1, help="processes that prepare side by side")
    take.add_argument("--timeout", type=float, default=60,
                      help="of preparing, and of timing a library and a row, seconds")
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
    names = asked.rows or list(ROWS)
    cells = {name: asked.cells or ROWS[name].cells for name in names}
    runs_of = {name: {} for name in names}
    for batch in batches_of([(name, lib) for name in names for lib in libraries], asked.jobs):
        children = [Child(library, name, cells[name]) for name, library in batch]
        await_prepared(children, asked.timeout)
        for child in children:
            runs = runs_of[child.name][child.library] = child.timed(asked.timeout)
            say(child.library, child.name, runs)
            if len(runs_of[child.name]) == len(libraries):
                print(json.dumps(row_of(child.name, cells[child.name], runs_of[child.name])),
                      flush=True)


if __name__ == "__main__":
    main()

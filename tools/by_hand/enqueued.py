#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a call of iterate costs the host, by two packages in turns: one step of heat over 16x16 cells,
over arrays of torch and CuPy on a GPU and Teff's own, compiled by nvcc and as rows by NVRTC, and over
NumPy's on the CPU. All are checked to have the same bits.

usage: tools/by_hand/enqueued.py BEFORE AFTER CACHE [--turns 8] [--json FILE]

BEFORE and AFTER are folders that hold the package `teff`. There is a process for each package and
compiler, which is asked turn by turn; of a turn the median of 9 rounds of 200 calls counts.
"""

import argparse
import hashlib
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from python_timing import load, rounds_of

HEAT = """
@teff.timestep
def heat(T, Ci):
    qx = -lam * teff.d_xi(T) * _dx
    qy = -lam * teff.d_yi(T) * _dy
    dTdt = teff.inn(Ci) * (-teff.d_xa(qx) * _dx - teff.d_ya(qy) * _dy)
    return teff.update(teff.inn(T), teff.inn(T) + dt * dTdt)
"""
COMPILERS = {"nvcc": {}, "nvrtc": {"TEFF_NVCC": "/nowhere/nvcc"}}


class Served:
    """Fields of each library, and a step for each, so that none is bound anew in turns."""

    def __init__(self):
        import numpy as np
        import teff
        from teff.array import Array
        self.versions = {"numpy": np.__version__}
        self.host = list(np.random.default_rng(1).random((2, 16, 16)))
        self.fields, self.settle = {"numpy": [a.copy() for a in self.host]}, lambda: None
        self.back = {"numpy": lambda x: x}
        if "cuda:0" in teff.info():
            import torch
            self.settle, self.versions["torch"] = torch.cuda.synchronize, torch.__version__
            self.fields["torch"] = [torch.from_numpy(a).to("cuda:0") for a in self.host]
            self.back["torch"] = lambda x: x.cpu().numpy()
            try:
                import cupy
                self.versions["cupy"] = cupy.__version__
                self.fields["cupy"] = [cupy.asarray(a) for a in self.host]
                self.back["cupy"] = lambda x: x.get()
            except ImportError:
                pass
            self.fields["teff"] = [Array.empty((16, 16), 0, "cuda:0") for _ in self.host]
        self.iterate, self.steps = teff.iterate, {}
        for name in self.fields:
            names = {"teff": teff, "lam": 1.0, "_dx": 25.5, "_dy": 25.5, "dt": 1e-4}
            exec(HEAT, names)  # pylint: disable=exec-used
            self.steps[name] = names["heat"]
        self.bits = {name: self.bits_of(name) for name in self.back}
        if "TEFF_NVCC" not in os.environ and "torch" in self.fields:
            teff.warmup(self.steps["torch"], *self.fields["torch"])
        for name in self.fields:
            begin = time.monotonic()
            while time.monotonic() - begin < 1:  # whatever is compiled beside runs is there then
                self.iterate(self.steps[name], 1, *self.fields[name])
            self.settle()
        self.info = teff.info().splitlines()

    def bits_of(self, name):
        for steps, options in ((1, {}), (1, {}), (2, {}), (3, {}), (17, {}), (4, {"check_every": 2}),
                               (1, {})):
            self.iterate(self.steps[name], steps, *self.fields[name], **options)
        return hashlib.sha256(self.back[name](self.fields[name][0]).tobytes()).hexdigest()

    def run(self):
        """Says what there is, then a line of JSON for each name of a line."""
        print(json.dumps([self.info, self.versions, self.bits, list(self.fields)]), flush=True)
        for line in sys.stdin:
            name = line.strip()
            print(json.dumps(rounds_of(lambda: self.iterate(self.steps[name], 1, *self.fields[name]),
                                       200, self.settle)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("before", "after", "cache"):
        parser.add_argument(name)
    parser.add_argument("--turns", type=int, default=8)
    parser.add_argument("--json")
    args = parser.parse_args()
    processes, said = {}, {}
    for which in ("before", "after"):
        for compiler, more in COMPILERS.items():
            environment = {**os.environ, **more, "PYTHONPATH": getattr(args, which),
                           "TEFF_CACHE": f"{args.cache}/{which}"}
            processes[which, compiler] = subprocess.Popen(
                [sys.executable, __file__, "serve"], env=environment, text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for key, process in processes.items():
        said[key] = json.loads(process.stdout.readline())
    info, versions, _, there = said["after", "nvcc"]
    assert len({bits for one in said.values() for bits in one[2].values()}) == 1, said
    kinds = [("numpy", "nvcc", "on the CPU")] + [(name, compiler, f"by {compiler}") for name in there[1:]
                                                 for compiler in COMPILERS]
    now, results = load(), [{"name": f"one step of 16x16, {name}'s arrays, {how}", "unit": "us",
                             "compiler": compiler, "arrays": name, "before": [], "after": []}
                            for name, compiler, how in kinds]
    for turn in range(args.turns):
        for one in results:
            for which in (("before", "after"), ("after", "before"))[turn % 2]:
                process = processes[which, one["compiler"]]
                process.stdin.write(one["arrays"] + "\n")
                process.stdin.flush()
                one[which].append(json.loads(process.stdout.readline()))
    for process in processes.values():
        process.stdin.close()
        process.wait()
    for one in results:
        for which in ("before", "after"):
            turns = [statistics.median(rounds) for rounds in one[which]]
            one[which] = {"median": statistics.median(turns), "least": min(map(min, one[which])),
                          "turns": [round(t, 2) for t in turns]}
            print(f"{one['name']:46} {which:6} {one[which]['median']:6.2f}, least "
                  f"{one[which]['least']:6.2f}: {' '.join(f'{t:.1f}' for t in turns)}")
    if args.json:
        machine = {"info": info, "cores": os.cpu_count(), "python": platform.python_version(),
                   "versions": versions, "load": now,
                   "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                   "command": f"tools/by_hand/enqueued.py BEFORE AFTER CACHE --turns {args.turns}"}
        Path(args.json).write_text(json.dumps({"schema": 1, "machine": machine, "results": results},
                                              indent=1) + "\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        Served().run()
    else:
        main()

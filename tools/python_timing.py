# SPDX-License-Identifier: MIT
"""How tools/measure_python.py measures: processes with the package, rounds of a call, the figures."""

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

ROUNDS = 9


class Measured:
    """The figures so far."""

    def __init__(self):
        self.results = []

    def add(self, name, unit, samples, bar=None, is_least=False, load=None, **more):
        median = statistics.median(samples)
        holds = None if bar is None else median >= bar if is_least else median <= bar
        self.results.append({"name": name, "unit": unit, "median": median, "bar": bar,
                             "holds": holds, "load": load, "samples": list(samples), **more})
        said = "" if bar is None else (f"   bar {'>=' if is_least else '<='} {bar:g}: "
                                       f"{'held' if holds else 'MISSED'}")
        print(f"{name:44} {median:10.4g} {unit:10}{said}", flush=True)
        return median


def children_s():
    """Processor seconds of the child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def load():
    return round(os.getloadavg()[0], 1)


def environment_of(package, cache, schedules=""):
    """Of a process with the package on its path; it may keep what it compiles of Python."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": package, "TEFF_CACHE": cache, "TEFF_SCHEDULES": schedules}


def python(text, package, cache):
    """What a new process printed, as JSON; the package is on its path."""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False,
                          env=environment_of(package, cache))
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout.strip().splitlines()[-1])


def at_once(count, call):
    """What so many calls of processes give: at once where there are four cores for each."""
    with ThreadPoolExecutor(max(1, os.cpu_count() // 4)) as pool:
        return list(pool.map(lambda _: call(), range(count)))


def rounds_of(call, count, settle=lambda: None, rounds=ROUNDS):
    """Microseconds of a call, once for each round."""
    samples = []
    call()
    for _ in range(rounds):
        settle()
        start = time.perf_counter()
        for _ in range(count):
            call()
        samples.append((time.perf_counter() - start) / count * 1e6)
    settle()
    return samples

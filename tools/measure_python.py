#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the Python package: what a call, a compilation and a run cost, beside NumPy, torch, CuPy and
the C++ program.

usage: tools/measure_python.py PACKAGE [--device cpu|cuda:0] [--n 8192] [--steps 100] [--colds 3]
                               [--only NAME,...] [--json FILE]

PACKAGE is the folder that holds the package `teff` (cmake --install BUILD --component python). Every
figure is the median of nine rounds, those of compilations of --colds; the load beside it is that of
the machine, of all programs, when the measurement began. What a bar asks for is said, and whether it
was held.
"""

import argparse
import json
import os
import platform
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROUNDS = 9
ROOT = Path(__file__).resolve().parent.parent
HEAT = """
import time
import numpy as np
import teff
lam, dx = 1.0, 10 / 255
_dx = _dy = 1 / dx
dt = dx * dx / lam / 0.5 / 4.1
@teff.timestep
def heat(T, Ci):
    qx = -lam * teff.d_xi(T) * _dx
    qy = -lam * teff.d_yi(T) * _dy
    dTdt = teff.inn(Ci) * (-teff.d_xa(qx) * _dx - teff.d_ya(qy) * _dy)
    return teff.update(teff.inn(T), teff.inn(T) + dt * dTdt)
def fields(device):
    from teff.array import Array
    made = [np.empty((256, 256)) if device == "cpu" else Array.empty((256, 256), 0, device)
            for _ in range(2)]
    for seed, array in enumerate(made):
        teff.random(seed=seed, out=array)
    return made
"""


class Measured:
    """The figures so far."""

    def __init__(self, only):
        self.only, self.results = only, []

    def wants(self, name):
        return not self.only or name in self.only

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


# ---- what is measured

def imports(m, args, cache):
    now = load()
    text = ("import time; a = time.perf_counter(); import teff; "
            "print((time.perf_counter() - a) * 1e3)")
    m.add("import teff", "ms", [python(text, args.package, cache) for _ in range(ROUNDS)], 80,
          load=now)


def tracing(m, args, _cache):
    import numpy as np
    from teff import build, compilers, emit, tracer
    sys.path.insert(0, str(ROOT / "test" / "python"))
    import formulas
    architecture = compilers.architecture_of(args.device)
    for name, bar in (("heat", 0.3), ("pressure", 0.6)):
        step, larger = formulas.ALL[name]
        fields = tracer.fields_of([np.zeros((64 + y, 64 + x)) for x, y in larger], name)

        def call(step=step, fields=fields):
            build.key_of(emit.traced(step._function, fields).text, architecture)
        now = load()
        m.add(f"trace and key, {name}", "ms", [t / 1e3 for t in rounds_of(call, 100)], bar, load=now)


def colds(m, args, _cache):
    """Of heat, in processor seconds of all of the compiler's processes, and what nothing takes."""
    from teff import compilers
    text = HEAT + f"""
import json, resource
arrays = fields({args.device!r})
a = time.perf_counter()
teff.warmup(heat, *arrays)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([used.ru_utime + used.ru_stime, time.perf_counter() - a]))
"""
    is_gpu = args.device != "cpu"
    now = load()

    def one():
        with tempfile.TemporaryDirectory() as fresh:
            return python(text, args.package, fresh)
    samples = at_once(args.colds, one)
    which = "nvcc" if is_gpu else "g++"
    m.add(f"cold, heat by {which}", "CPU s", [s[0] for s in samples], 14 if is_gpu else 6, load=now)
    m.add(f"cold, heat by {which}, waited", "s", [s[1] for s in samples], load=now)
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (("empty text", ""), ("headers alone",
                                                   "#include <teff/capi/formula.hpp>\n")):
            source = Path(folder, "a.cu" if is_gpu else "a.cpp")
            source.write_text(content)
            words = [*compilers.command(compilers.architecture_of(args.device)), str(source), "-o",
                     f"{folder}/a.so"]
            before = children_s()
            subprocess.run(words, check=True)
            m.add(f"the same of {name}", "CPU s", [children_s() - before], load=now)


def cached(m, args, cache):
    """From after the imports (and the GPU's context) to the end of the first step."""
    text = HEAT + f"""
arrays = fields({args.device!r})
a = time.perf_counter()
run = teff.iterate(heat, 1, *arrays)
run.seconds
print((time.perf_counter() - a) * 1e3)
"""
    python(text, args.package, cache)
    now = load()
    m.add("cached, new process, to the first step", "ms",
          [python(text, args.package, cache) for _ in range(ROUNDS)], 100, load=now)


def two_colds(m, args, _cache):
    """Two processes want one formula at once: the time of both over that of one alone."""
    text = HEAT + f"""
arrays = fields({args.device!r})
a = time.perf_counter()
run = teff.iterate(heat, 3, *arrays)
assert run.steps == 3 and run.seconds >= 0
print(time.perf_counter() - a)
"""
    now = load()

    def ratio():
        with tempfile.TemporaryDirectory() as fresh:
            one = python(text, args.package, fresh)
        with tempfile.TemporaryDirectory() as fresh:
            both = [subprocess.Popen([sys.executable, "-c", text], text=True,
                                     env=environment_of(args.package, fresh),
                                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                    for _ in range(2)]
            said = [process.communicate()[0] for process in both]
            assert all(process.returncode == 0 for process in both), said
            assert len(list(Path(fresh).rglob("*.so"))) == 1
        return max(map(float, said)) / one
    m.add("two cold processes, one key, over one", "x", at_once(args.colds, ratio), 1.2, load=now)


def arrays_of(args, *shapes):
    """Random arrays of f64: of NumPy, or of torch on a GPU."""
    import numpy as np
    rng = np.random.default_rng(1)
    made = [rng.random(shape) for shape in shapes]
    if args.device == "cpu":
        return made
    import torch
    return [torch.from_numpy(a).to(args.device) for a in made]


def synchronizer(args):
    if args.device == "cpu":
        return lambda: None
    import torch
    return torch.cuda.synchronize


def calls(m, args, _cache):
    import teff
    names = {}
    exec(HEAT, names)  # pylint: disable=exec-used
    T, Ci = arrays_of(args, (16, 16), (16, 16))
    now = load()
    m.add("iterate, one step of 16x16" + ("" if args.device == "cpu" else ", enqueued"), "us",
          rounds_of(lambda: teff.iterate(names["heat"], 1, T, Ci), 200, synchronizer(args)),
          20 if args.device == "cpu" else 30, load=now)


def small_sums(m, args, _cache):
    """cumsum of 1000 cells: the host's time beside that of torch and of CuPy."""
    import teff
    try:
        import torch
    except ImportError:
        return
    settle = synchronizer(args)
    x = torch.rand(1000, dtype=torch.float64, device=args.device)
    now = load()
    ours, theirs = [], []
    for _ in range(ROUNDS):
        theirs += rounds_of(lambda: torch.cumsum(x, 0), 200, settle, 1)
        ours += rounds_of(lambda: teff.cumsum(x, axis=0), 200, settle, 1)
    base = m.add("torch.cumsum of 1000 cells, host", "us", theirs, load=now)
    m.add("teff.cumsum of 1000 cells, host", "us", ours, base + 10, load=now)
    if args.device != "cpu":
        try:
            import cupy
        except ImportError:
            return
        y = cupy.asarray(x)
        m.add("cupy.cumsum of 1000 cells, host", "us",
              rounds_of(lambda: cupy.cumsum(y), 50, settle), load=now)
        m.add("teff.cumsum of CuPy's 1000 cells, host", "us",
              rounds_of(lambda: teff.cumsum(y, axis=0), 50, settle), load=now)


def long_axis(m, args, _cache):
    """cumsum along the long axis of 10^6 x 100 cells: GB/s that a copy of them moves at that time."""
    import teff
    x, = arrays_of(args, (1_000_000, 100))
    settle = synchronizer(args)
    moved = 2 * 8 * 1e8

    def timed(call, rounds=ROUNDS):
        return [t / 1e3 for t in rounds_of(lambda: (call(), settle()), 1, settle, rounds)]
    now = load()
    if args.device == "cpu":
        import numpy as np
        out = np.empty_like(x)
        others = {"numpy": lambda: np.cumsum(x, axis=0, out=out)}
    else:
        import torch
        out = torch.empty_like(x)
        others = {"torch": lambda: torch.cumsum(x, 0, out=out)}
        try:
            import cupy
            y, to = cupy.asarray(x), cupy.asarray(out)
            others["cupy"] = lambda: cupy.cumsum(y, axis=0, out=to)
        except ImportError:
            pass
    ours = timed(lambda: teff.cumsum(x, axis=0, out=out))
    mine = m.add("cumsum of 10^6 x 100 along 10^6, teff", "ms", ours, load=now,
                 gb_per_s=moved / statistics.median(ours) / 1e6)
    for name, call in others.items():
        theirs = timed(call, ROUNDS if name != "torch" else 3)
        m.add(f"the same, {name}", "ms", theirs, load=now)
        m.add(f"{name}'s time over teff's", "x", [t / mine for t in theirs],
              100 if name == "torch" else None, is_least=True, load=now)


def program(args, folder):
    """tools/by_hand/heat_in_turns.cpp, compiled as formulas are."""
    from teff import compilers, library
    architecture = compilers.architecture_of(args.device)
    source = Path(folder, "heat." + ("cpp" if architecture is None else "cu"))
    source.write_text((ROOT / "tools/by_hand/heat_in_turns.cpp").read_text())
    words = [w for w in compilers.command(architecture) if w not in ("-shared", "-fPIC")]
    rpath = [f"-Wl,-rpath,{library.FOLDER}"] if architecture is None else \
        ["-Xlinker", f"-rpath={library.FOLDER}"]
    subprocess.run([*words, str(source), "-o", f"{folder}/heat",
                    *compilers.link_flags(architecture), *rpath], check=True)
    return f"{folder}/heat"


def in_turns(m, args, cache):
    """heat from Python and from C++ in turns, each in a process that keeps its arrays."""
    with tempfile.TemporaryDirectory() as folder:
        environment = environment_of(args.package, cache,
                                     f"{folder}/schedules.tsv")  # one choice for both
        text = HEAT.replace("255", str(args.n - 1)).replace("256", str(args.n)) + f"""
T, Ci = fields({args.device!r})
import sys
for line in sys.stdin:
    run = teff.iterate(heat, {args.steps}, T, Ci)
    print(run.seconds, run, flush=True)
"""
        both = {}
        for name, words in (("python", [sys.executable, "-c", text]),
                            ("c++", [program(args, folder), args.device, str(args.n),
                                     str(args.steps)])):
            both[name] = subprocess.Popen(words, env=environment, text=True, stdin=subprocess.PIPE,
                                          stdout=subprocess.PIPE)

        def turn(name):
            both[name].stdin.write("\n")
            both[name].stdin.flush()
            seconds, _, said = both[name].stdout.readline().partition(" ")
            return float(seconds), said.strip()
        reports = {name: turn(name)[1] for name in both}
        reports = {name: turn(name)[1] for name in both}
        now = load()
        samples = {name: [] for name in both}
        for k in range(ROUNDS):
            for name in (list(both) if k % 2 else list(both)[::-1]):
                samples[name].append(turn(name)[0])
        for process in both.values():
            process.stdin.close()
            process.wait()
    for name, seconds in samples.items():
        m.add(f"heat {args.n}x{args.n}, {args.steps} steps, {name}", "s", seconds, load=now,
              report=reports[name])
    m.add("Python's time over the C++ program's", "x",
          [statistics.median(samples["python"]) / statistics.median(samples["c++"])], 1.02, load=now)


ALL = {"import": imports, "trace": tracing, "call": calls, "small": small_sums, "long": long_axis,
       "cached": cached, "turns": in_turns, "cold": colds, "two": two_colds}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("package", type=lambda p: str(Path(p).resolve()))
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--n", type=int, default=8192)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--colds", type=int, default=3)
    parser.add_argument("--only", type=lambda t: t.split(","), default=[], help=", ".join(ALL))
    parser.add_argument("--json")
    args = parser.parse_args()
    sys.path.insert(0, args.package)
    measured = Measured(args.only)
    with tempfile.TemporaryDirectory() as cache:
        os.environ["TEFF_CACHE"] = cache
        os.environ["TEFF_SCHEDULES"] = ""
        import teff
        failed = {}
        for name, measure in ALL.items():
            if measured.wants(name):
                try:
                    measure(measured, args, cache)
                except Exception as error:  # the others are measured all the same
                    failed[name] = f"{type(error).__name__}: {error}"
                    print(f"{name}: {failed[name]}", flush=True)
        versions = {name: sys.modules[name].__version__ for name in ("numpy", "torch", "cupy")
                    if name in sys.modules}
        git = subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty"],
                             capture_output=True, text=True, check=False).stdout.strip()
        result = {"schema": 1,
                  "machine": {"info": teff.info().splitlines(), "cores": os.cpu_count(),
                              "python": platform.python_version(), "versions": versions,
                              "commit": os.environ.get("TEFF_COMMIT") or git,
                              "command": shlex.join(["tools/measure_python.py", "PACKAGE",
                                                     *sys.argv[2:]]),
                              "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())},
                  "results": measured.results, "failed": failed}
    if args.json:
        Path(args.json).write_text(json.dumps(result, indent=1) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

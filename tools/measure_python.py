#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the Python package: what a call, a compilation and a run cost, beside NumPy, torch, CuPy and
the C++ program.

usage: tools/measure_python.py PACKAGE [--device cpu|cuda:0] [--n 8192] [--steps 100] [--colds 3]
                               [--only NAME,...] [--json FILE]

PACKAGE is the folder that holds the package `teff` (cmake --install BUILD --component python). Every
figure is the median of nine rounds, those of compilations of --colds, those of turns of five
processes; the load beside it is that of
the machine, of all programs, when the measurement began. What a bar asks for is said, and whether it
was held.
"""

import argparse
import json
import os
import platform
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from python_timing import Measured, ROUNDS, at_once, children_s, environment_of, load, python, rounds_of

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


# ---- what is measured

def program(args, as_library=False):
    """tools/by_hand/heat_in_turns.cpp, compiled as formulas are."""
    from teff import compilers, library
    architecture = compilers.architecture_of(args.device)
    made = os.path.join(os.environ["TEFF_CACHE"], "heat_in_turns" + ".so" * as_library)
    if not os.path.exists(made):
        source = Path(made + (".cpp" if architecture is None else ".cu"))
        source.write_text((ROOT / "tools/by_hand/heat_in_turns.cpp").read_text())
        words = [w for w in compilers.command(architecture)
                 if as_library or w not in ("-shared", "-fPIC")]
        if as_library:
            words.append("-Dmain=heat_program")
        rpath = [f"-Wl,-rpath,{library.FOLDER}"] if architecture is None else \
            ["-Xlinker", f"-rpath={library.FOLDER}"]
        subprocess.run([*words, str(source), "-o", made, *compilers.link_flags(architecture),
                        *rpath], check=True)
    return made


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
    samples = []
    for _ in range(args.colds):
        with tempfile.TemporaryDirectory() as fresh:
            samples.append(python(text, args.package, fresh))
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
    words = "iterate, one step of 16x16" + ("" if args.device == "cpu" else ", enqueued")
    m.add(words, "us", rounds_of(lambda: teff.iterate(names["heat"], 1, T, Ci), 200,
                                 synchronizer(args)), 20 if args.device == "cpu" else 30, load=now)
    done = subprocess.run([program(args), args.device, "16", "1", "200"], text=True, check=True,
                          input="\n" * (ROUNDS + 1), capture_output=True)
    m.add(words + ", C++", "us", [float(t) for t in done.stdout.split()[1:]], load=now)


def small_sums(m, args, _cache):
    """cumsum of 1000 cells: the host's time beside that of torch and of CuPy."""
    import teff
    try:
        import torch
    except ImportError:
        return
    settle = synchronizer(args)
    x = torch.rand(1000, dtype=torch.float64, device=args.device)
    pairs = [("torch", lambda: torch.cumsum(x, 0), lambda: teff.cumsum(x, axis=0))]
    if args.device != "cpu":
        import cupy
        y = cupy.asarray(x)
        pairs += [("cupy", lambda: cupy.cumsum(y), lambda: teff.cumsum(y, axis=0))]
    for name, theirs, ours in pairs:
        now = load()
        samples = [[rounds_of(call, 200, settle, 1)[0] for call in (theirs, ours)]
                   for _ in range(ROUNDS)]  # in turns
        base = m.add(f"{name}.cumsum of 1000 cells, host", "us", [s[0] for s in samples], load=now)
        m.add(f"teff.cumsum of the same, {name}'s", "us", [s[1] for s in samples], base + 10,
              load=now)


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
        import cupy
        y, to = cupy.asarray(x), cupy.asarray(out)
        others["cupy"] = lambda: cupy.cumsum(y, axis=0, out=to)
    ours = timed(lambda: teff.cumsum(x, axis=0, out=out))
    mine = m.add("cumsum of 10^6 x 100 along 10^6, teff", "ms", ours, load=now,
                 gb_per_s=moved / statistics.median(ours) / 1e6)
    for name, call in others.items():
        theirs = timed(call, ROUNDS if name != "torch" else 3)
        m.add(f"the same, {name}", "ms", theirs, load=now)
        m.add(f"{name}'s time over teff's", "x", [t / mine for t in theirs],
              100 if name == "torch" else None, is_least=True, load=now)


PROCESSES = 5  # of each kind: two of one program differ by 1 to 4 %
# The C++ program in a process that has NumPy: its own function, by the name that it has there.
IN_PYTHON = """
import ctypes, sys
import numpy
words = (ctypes.c_char_p * 4)(*(word.encode() for word in sys.argv))
ctypes.CDLL({library!r})._Z12heat_programiPPc(4, words)
"""


def in_turns(m, args, cache):
    """heat from Python, with NumPy's arrays and without NumPy, and from C++, alone and beside NumPy: in
    turns of processes of which one is there at a time, since the one that takes its memory first is
    faster."""
    text = HEAT.replace("255", str(args.n - 1)).replace("256", str(args.n)) + f"""
T, Ci = fields({args.device!r})
teff.warmup(heat, T, Ci)
import sys
for line in sys.stdin:
    run = teff.iterate(heat, {args.steps}, T, Ci)
    print(run.seconds, run, flush=True)
"""
    numbers = [args.device, str(args.n), str(args.steps)]
    words = {"c++": [program(args), *numbers], "python": [sys.executable, "-c", text]}
    if args.device == "cpu":
        own = text.replace("import numpy as np\n", "").replace(
            f'np.empty(({args.n}, {args.n})) if device == "cpu" else ', "")
        inside = IN_PYTHON.format(library=program(args, as_library=True))
        words |= {"python, without NumPy": [sys.executable, "-c", own],
                  "c++, where NumPy is imported": [sys.executable, "-c", inside, *numbers]}
    samples, reports, now = {name: [] for name in words}, {}, load()
    with tempfile.TemporaryDirectory() as folder:
        environment = environment_of(args.package, cache,
                                     f"{folder}/schedules.tsv")  # one choice for all
        for k in range(PROCESSES):
            for name in (list(words) if k % 2 else list(words)[::-1]):
                said = subprocess.run(words[name], env=environment, input="\n" * 5, text=True,
                                      stdout=subprocess.PIPE, check=True)
                lines = [line.partition(" ") for line in said.stdout.splitlines()]
                samples[name].append(statistics.median(float(seconds) for seconds, _, _ in lines[2:]))
                reports[name] = lines[-1][2].strip()
    for name, seconds in samples.items():
        m.add(f"heat {args.n}x{args.n}, {args.steps} steps, {name}", "s", seconds, load=now,
              report=reports[name])
    alone = statistics.median(samples.pop("c++"))
    for name, seconds in samples.items():
        m.add(f"the time of {name} over the C++ program's", "x", [statistics.median(seconds) / alone],
              1.02 if name == "python" else None, load=now)


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
    measured = Measured()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["TEFF_CACHE"] = cache
        os.environ["TEFF_SCHEDULES"] = ""
        import teff
        failed = {}
        for name in args.only or ALL:
            try:
                ALL[name](measured, args, cache)
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

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare_formulas.py FIRST COUNT [--cpp EVERY] [--gpu rows|passes] [--processes N] [--within S]
[--longer CHARACTERS] [--json FILE]: the time steps that chance writes (random_formulas.py), of so many
seeds from FIRST on, whose text has that many characters at least, by all ways that make them; their
bits are compared: of all fields and of the residual, and that nothing around the fields is written.

On a CPU: rows that are interpreted, rows that are compiled, and of every so many seeds, if it is short,
the C++ text by g++ -O0, by each schedule. On a GPU (with CuPy, by NVRTC alone): rows against rows that
are interpreted on the CPU, of formulas without exp and its like, of which devices have bits of their
own; or passes of several steps, and blocks that stay, against rows, in 2-D and 3-D. Short formulas come
first there, and none is begun after S seconds. With TEFF_TEST_PACKAGE and TEFF_TEST_CACHE as conftest.py says.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, TimeoutError, as_completed
from itertools import repeat
from multiprocessing import active_children, get_context
from pathlib import Path

import numpy as np
from conftest import build_flags, precompile_headers
from formula_in_cpp import cpp_of
from random_formulas import CPP_TYPES, POISON, RandomFormula

import teff
from teff import build, compiled, gpu_passes

PROGRAM = """
#include <cstring>
#include <fstream>
#include <iostream>
#include <teff/expr/fd{rank}.hpp>
#include <teff/formula/residual.hpp>
#include <teff/stencil/iterate.hpp>
using namespace teff;
using namespace teff::fd{rank};
template <class A>
void read(std::istream& from, A& cells) {{ from.read(reinterpret_cast<char*>(cells.data()), bytes(cells)); }}
template <class A>
void write(std::ostream& to, A& cells) {{
  to.write(reinterpret_cast<const char*>(cells.data()), bytes(cells));
}}
int main(int, char** argv) {{
  {step}
  for (const schedule how : {{schedule::stepwise, schedule::fused, schedule::temporal}}) try {{
    std::ifstream from("in", std::ios::binary);
    std::ofstream to(schedule_name(how), std::ios::binary);
    {arrays}
    const auto run = iterate(step, {{.steps = {steps}, .schedule = how, .depth = {depth}, .first_step = {first_step},
                                    .check_every = {check_every}}}, {names});
    {writes}
    unsigned long long residual = 0;
    if (run.residual()) std::memcpy(&residual, &*run.residual(), 8);
    std::cout << (run.residual() ? std::to_string(residual) : "none") << ' ' << run.depth() << ' ' << run << std::endl;
  }} catch (const error& e) {{
    std::cout << "error " << e.what() << std::endl;
  }}
}}
"""


SINGLE = "single steps"
MOST_IN_CPP = 800  # characters, for which g++ takes 4 to 15 s
GRACE_S = 40  # for what was begun before the time was over


class Wrong(Exception):
    """What a seed's formula did that it must not."""


def in_frames(host, place=np.asarray):
    """Copies within larger arrays of poison: the fields and the arrays. @param place gives an array"""
    wholes = [np.full(tuple(n + 5 for n in a.shape), POISON if a.dtype.kind == "f" else 77, a.dtype)
              for a in host]
    inside = [(slice(2, -3),) * a.ndim for a in host]
    for whole, at, a in zip(wholes, inside, host):
        whole[at] = a
    wholes = [place(whole) for whole in wholes]
    return [whole[at] for whole, at in zip(wholes, inside)], wholes


def bits_of(formula, fields, residual):
    """What a run leaves. Raises Wrong where a value is no possible one."""
    for field, made in zip(formula.fields, fields):
        if made.dtype.kind == "f" and not (np.abs(made) < 1e6).all():
            raise Wrong(f"{field.name} holds {made[~(np.abs(made) < 1e6)][0]}")
    made = [np.ascontiguousarray(field).tobytes() for field in fields]
    return [*made, b"" if residual is None else np.float64(residual).tobytes()]


def run_of(formula, schedule=None, depth=0, on_gpu=False, **environment):
    """Bits, and the run."""
    build._loaded.clear()
    compiled._known.clear()
    options = dict(formula.options, schedule=schedule, depth=depth)
    host = formula.start()
    if on_gpu:
        import cupy
        fields, wholes = in_frames(host, cupy.asarray)
    else:
        fields, wholes = in_frames(host)
    os.environ.update(environment)
    try:
        run = teff.iterate(formula.step(), options.pop("steps"), *fields, **options)
    finally:
        for name in environment:
            del os.environ[name]
    said = str(run)
    if on_gpu:
        wholes = [cupy.asnumpy(whole) for whole in wholes]
    made = []
    for whole, before in zip(wholes, host):
        inside = (slice(2, -3),) * whole.ndim
        made.append(whole[inside].copy())
        whole[inside] = whole.flat[0]
        if whole.tobytes() != in_frames([np.full_like(before, whole.flat[0])])[1][0].tobytes():
            raise Wrong(f"cells around a field were written; {said}")
    return bits_of(formula, made, run.residual), said, run.schedule


def by_rows(formula):
    """By name of each way: bits and words of the report."""
    made = {}
    for name, environment in (("rows, compiled", {}), ("rows, interpreted", {"TEFF_CC": ""})):
        *made[name], _ = run_of(formula, TEFF_ROWS="only", **environment)
        if name.partition(", ")[2] not in made[name][1]:
            said = made.pop(name)[1]
            if "takes long for" not in said:
                raise Wrong(f"{name}: {said}")
    return made


def by_kernels_of_rows(formula):
    """The same on a GPU, beside rows on the CPU."""
    made = {}
    if not formula.has_functions:
        *made["rows on the CPU"], _ = run_of(formula, TEFF_ROWS="only", TEFF_CC="")
        *made["rows on the GPU"], _ = run_of(formula, on_gpu=True, TEFF_ROWS="only")
        if "norm2" in formula.text:  # whose order of additions is the device's
            for bits, _ in made.values():
                bits.pop()
    return made


def by_passes(formula):
    """The first kernel of passes, and that of blocks that stay; where there is one."""
    gpu_passes.compile_beside = lambda *_: None
    compiled.Compiled._take_rest = lambda *_: None
    without = {"TEFF_NVCC": "no-such-nvcc", "TEFF_CXX": "no-such-g++"}
    made = {}
    for schedule in ("temporal", "resident")[:4 - formula.rank]:
        depth = formula.options["depth"] if schedule == "temporal" else 0
        *found, taken = run_of(formula, schedule, depth, on_gpu=True, **without)
        made[schedule if taken == schedule else f"{SINGLE}, not {schedule}"] = found
    *made["rows on the GPU"], _ = run_of(formula, on_gpu=True, TEFF_ROWS="only")
    return made


def by_cpp(formula):
    """The same of the C++ program."""
    start = formula.start()
    arrays = [f"array<{CPP_TYPES[f.kind]}, {formula.rank}> {f.name}(device::cpu(), "
              f"{{{', '.join(map(str, shape[::-1]))}}}); read(from, {f.name});"
              for f, shape in zip(formula.fields, formula.shapes)]
    names = [f.name for f in formula.fields]
    text = PROGRAM.format(rank=formula.rank, step=cpp_of(formula.text), arrays="\n    ".join(arrays),
                          names=", ".join(names), writes=" ".join(f"write(to, {n});" for n in names),
                          **formula.options)
    made = {}
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "formula.cpp", Path(folder) / "program"
        source.write_text(text)
        words = build_flags()
        done = subprocess.run([words[0], str(source), *words[1:], "-o", str(program)],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise Wrong(f"g++: {next((l for l in done.stderr.splitlines() if 'error' in l), done.stderr)}")
        (Path(folder) / "in").write_bytes(b"".join(a.tobytes() for a in start))
        said = subprocess.run([str(program)], cwd=folder, capture_output=True, text=True, check=False)
        if said.returncode:
            raise Wrong(f"the C++ program: {said.returncode} {said.stderr}")
        for schedule, line in zip(("stepwise", "fused", "temporal"), said.stdout.splitlines()):
            if line.startswith("error"):
                raise Wrong(f"C++, {schedule}: {line}")
            residual, depth, report = line.split(" ", 2)
            data, fields, at = (Path(folder) / schedule).read_bytes(), [], 0
            for a in start:
                fields.append(np.frombuffer(data[at:at + a.nbytes], a.dtype).reshape(a.shape))
                at += a.nbytes
            bits = bits_of(formula, fields, None)
            if residual != "none":
                bits[-1] = np.uint64(int(residual)).tobytes()
            made[f"C++, {schedule}"] = bits, f"depth {depth} {report}"
    return made


def compared(seed, ways, until=None):
    """What is known of a seed's formula, and what is wrong with it; nothing after a time."""
    if until is not None and time.time() > until:
        return None
    formula = RandomFormula(seed)
    facts = {"seed": seed, "rank": formula.rank, "fields": len(formula.fields),
             "has_once": "once(" in formula.text, "radius": formula.radius,
             "stages": formula.text.count("update("), "ways": {}}
    begin, made = time.monotonic(), {}
    try:
        for way in ways:
            made.update(WAYS[way](formula))
        facts["ways"] = {name: said for name, (_, said) in made.items()}
        for name, (bits, said) in made.items():
            first, (expected, _) = next(iter(made.items()))
            places = [i for i, (a, b) in enumerate(zip(bits, expected)) if a != b]
            if places:
                which = [*(f.name for f in formula.fields), "the residual"]
                raise Wrong(f"{name} and {first}: other bits of "
                            f"{', '.join(which[i] for i in places)}; {said}")
    except (Wrong, teff.Error, ValueError, TypeError) as error:
        facts["wrong"] = f"{type(error).__name__}: {error}"
        facts["text"] = f"{formula.text}# {formula.shapes} {[f.kind for f in formula.fields]} " \
            f"{formula.options}"
    facts["s"] = time.monotonic() - begin
    return facts


WAYS = {"rows": by_rows, "C++": by_cpp, "rows on a GPU": by_kernels_of_rows, "passes on a GPU": by_passes}


def all_compared(seeds, ways, until=None, processes=1):
    """Facts of each seed, as they are known. @param ways of each"""
    if processes == 1:
        yield from filter(None, map(compared, seeds, ways, repeat(until)))
        return
    in_cpp = any("C++" in way for way in ways)
    pool = ProcessPoolExecutor(processes, get_context("spawn"), precompile_headers if in_cpp else None)
    left = [pool.submit(compared, seed, way, until) for seed, way in zip(seeds, ways)]
    try:
        for done in as_completed(left, until and until + GRACE_S - time.time()):
            if done.result():
                yield done.result()
    except TimeoutError:
        print(f"what was begun took longer than {GRACE_S} s, and was ended", file=sys.stderr)
    finally:
        for process in active_children():
            process.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--cpp", type=int, default=0, metavar="EVERY")
    parser.add_argument("--gpu", choices=("rows", "passes"))
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--within", type=float, metavar="S")
    parser.add_argument("--longer", type=int, default=0, metavar="CHARACTERS")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    if asked.cpp:
        precompile_headers()
    until = asked.within and time.time() + asked.within
    formulas = [RandomFormula(seed) for seed in range(asked.first, asked.first + asked.count)]
    formulas = [formula for formula in formulas if len(formula.text) >= asked.longer]
    if asked.gpu:
        formulas.sort(key=lambda formula: len(formula.text))
    if asked.gpu == "passes":  # of which there are none in 1-D
        formulas = [formula for formula in formulas if formula.rank > 1]
    seeds = [formula.seed for formula in formulas]
    ways = [[f"{asked.gpu} on a GPU"] if asked.gpu else
            ["rows"] + ["C++"] * (asked.cpp > 0 and formula.seed % asked.cpp == 0 and
                                  len(formula.text) < MOST_IN_CPP) for formula in formulas]
    found = []
    for facts in all_compared(seeds, ways, until, asked.processes):
        found.append(facts)
        if "wrong" in facts:
            print(f"seed {facts['seed']}: {facts['wrong']}\n{facts['text']}", flush=True)
    counts = counted(found)
    print(json.dumps(counts, indent=1))
    if asked.json:
        asked.json.write_text(json.dumps(counts, indent=1) + "\n")
    return any("wrong" in facts for facts in found)


def counted(found):
    """The table: of how many formulas what is so."""
    def of(what):
        return dict(sorted(Counter(facts[what] for facts in found).items()))
    every = [facts["seed"] for facts in found]
    return {"formulas": len(found), "seeds": f"{min(every)} to {max(every)}",
            "with once": sum(facts["has_once"] for facts in found),
            "dims": of("rank"), "fields": of("fields"), "updates": of("stages"),
            "largest radius of around": of("radius"),
            "ways": dict(Counter(way for facts in found for way in facts["ways"])),
            "with once, ways": dict(Counter(way for facts in found if facts["has_once"]
                                            for way in facts["ways"])),
            "why single steps": dict(Counter(
                re.sub(r"[0-9]+", "N", said.rpartition("stepwise: ")[2])[:100] for facts in found
                for way, said in facts["ways"].items() if SINGLE in way).most_common(12)),
            "differences": {facts["seed"]: facts["wrong"] for facts in found if "wrong" in facts},
            "s of one core": round(sum(facts["s"] for facts in found))}


if __name__ == "__main__":
    sys.exit(main())

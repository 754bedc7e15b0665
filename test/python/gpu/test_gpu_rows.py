# SPDX-License-Identifier: MIT
"""Formulas on a GPU as rows, by NVRTC: the bits of single steps by nvcc, how soon the first step is made,
and the run that goes over to nvcc's.

$OUT/rows.json has the times. As frameworks.py says, with nvcc, g++ and NVRTC, in some three minutes:
TEFF_TEST_PACKAGE=PREFIX TEFF_TEST_CACHE=FOLDER python3 -m pytest test/python/gpu/test_gpu_rows.py
"""

import json
import os
import subprocess
import sys
import time

import numpy as np
import pytest
from formulas import ALL
from frameworks import compile_all, same_bits, torch
from random_formulas import RandomFormula
from test_rows_as_cuda import in_three_dims, three_dims

import teff
from teff import build, compiled, nvrtc

if nvrtc.found() is None:
    pytest.skip("no NVRTC here: " + nvrtc.INSTALL, allow_module_level=True)

KINDS, SIZES, STEPS = ("f8", "f4"), ((83, 61), (1031, 517)), 23
RANDOM = [RandomFormula(seed, rank, integers=seed == 1) for seed in range(2) for rank in (1, 2, 3)]
_times = {}


def fields_of(name, kind, size=SIZES[0]):
    rng = np.random.default_rng(7)
    return [rng.random((size[1] + y, size[0] + x)).astype(kind) for x, y in ALL[name][1]]


def in_place(join):
    def step(A, B):
        return join(teff.update(A, A + 0.3 * B), teff.update(B, B - 0.5 * A))
    return teff.timestep(step)


IN_PLACE = {"together": in_place(teff.together), "in turn": in_place(teff.stages)}


@pytest.fixture(scope="module", autouse=True)
def all_compiled():
    """By nvcc, what rows are compared with; and all names of the times that were measured."""
    runs = [(step, fields_of(name, kind)) for name, (step, _) in ALL.items() for kind in KINDS]
    runs += [(formula.step(), formula.start()) for formula in RANDOM]
    runs += [(in_three_dims, three_dims(*kinds)) for kinds in (("f8", "i8"), ("f4", "i4"))]
    runs += [(step, list(np.ones((2, 4, 5)))) for step in IN_PLACE.values()]
    begin = time.monotonic()
    compile_all([(step, [torch().array(a) for a in fields]) for step, fields in runs])
    _times["all formulas by nvcc, s"] = time.monotonic() - begin
    _times["NVRTC"] = f"{nvrtc.path()}, {nvrtc.version(nvrtc.path())}"
    yield
    with open(os.path.join(os.environ.get("OUT", "."), "rows.json"), "w", encoding="utf-8") as file:
        json.dump(_times, file, indent=1)


def run_by(rows, step, steps, host, **options):
    """The fields after a run on the GPU, as NumPy's. @param rows as TEFF_ROWS"""
    step._last = None
    fields = [torch().array(a) for a in host]
    before = os.environ.get("TEFF_ROWS")
    os.environ["TEFF_ROWS"] = rows
    try:
        run = teff.iterate(step, steps, *fields, **options)
        said = str(run)
    finally:
        os.environ.pop("TEFF_ROWS") if before is None else os.environ.update(TEFF_ROWS=before)
    return [torch().host(f) for f in fields], run, said


def check(step, start, **options):
    """Rows against nvcc's single steps."""
    found, run, said = run_by("only", step, STEPS, start, **options)
    expected, other, _ = run_by("0", step, STEPS, start, schedule="stepwise", **options)
    assert "compiled as rows by NVRTC" in said and run.passes == STEPS
    for slot, (a, b) in enumerate(zip(found, expected)):
        assert same_bits(a, b), (slot, int((a != b).sum()), a.size)
    assert run.residual == other.residual
    assert not all(same_bits(a, b) for a, b in zip(found, start))
    return run


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ALL)
def test_bits_of_nvcc(name, kind, size):
    run = check(ALL[name][0], fields_of(name, kind, size), check_every=10)
    assert (run.residual is not None) == (name == "pressure")


@pytest.mark.parametrize("kinds", (("f8", "i8"), ("f4", "i4")), ids=str)
def test_three_dims_conditions_and_integers(kinds):
    assert check(in_three_dims, three_dims(*kinds), check_every=5, first_step=3).residual > 0


@pytest.mark.parametrize("formula", RANDOM, ids=lambda formula: f"{formula.rank}-{formula.seed}")
def test_random_formulas(formula):
    check(formula.step(), formula.start(), check_every=7, first_step=5)


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place(name):
    """The kernels of both are the same."""
    check(IN_PLACE[name], list(np.random.default_rng(1).random((2, 50, 60))))


def test_more_rows_than_blocks_along_y():
    """Blocks along y reach 524280 rows; threads go on to the others."""
    T = np.random.default_rng(1).random((600_000, 5))
    check(ALL["heat"][0], [T, T + 0.5])


def test_a_nan_is_found_as_by_nvcc():
    fields = fields_of("heat", "f8")
    fields[0][7, 9] = np.inf
    said = []
    for rows in ("only", "0"):
        with pytest.raises(teff.NonFiniteError) as failed:
            run_by(rows, ALL["heat"][0], 9, fields, check_every=4, schedule="stepwise")
        said.append((str(failed.value), failed.value.good_step))
    assert said[0] == said[1] and "(9, 7)" in said[0][0]


def test_on_a_stream_of_its_own():
    step, start = ALL["heat"][0], fields_of("heat", "f8")
    expected, _, _ = run_by("only", step, 50, start)
    stream = torch().stream()
    with torch().on(stream):
        torch().late()
        found, _, _ = run_by("only", step, 50, start)
    assert all(map(same_bits, found, expected))


def test_bits_of_the_wheels_nvrtc(monkeypatch):
    """Of another version, perhaps, than nvcc."""
    wheel = nvrtc._newest(nvrtc._of_wheels())
    if wheel is None:
        pytest.skip("no wheel has NVRTC here")
    monkeypatch.setenv("TEFF_NVRTC", wheel)
    monkeypatch.setattr(build, "_loaded", {})
    monkeypatch.setattr(compiled, "_known", {})
    for name in ("heat", "gray_scott", "pressure"):
        check(ALL[name][0], fields_of(name, "f8"))
    _times["NVRTC of a wheel"] = f"{wheel}, {nvrtc.version(wheel)}"


def test_a_bit_would_be_seen():
    step, start = ALL["heat"][0], fields_of("heat", "f8")
    other = [a.copy() for a in start]
    other[0][30, 30] *= 1 + 2e-16
    found = [run_by("only", step, STEPS, fields)[0][0] for fields in (start, other)]
    assert not same_bits(*found)


# ---- the start of a run

def test_a_run_goes_over_to_nvcc(monkeypatch):
    """When nvcc's is ready, here from the cache, the run takes it between two passes."""
    step, start = ALL["gray_scott"][0], fields_of("gray_scott", "f8")
    expected, _, _ = run_by("only", step, 90, start)
    whole = build.bind_of(step._traced([torch().array(a) for a in start])).value
    monkeypatch.setattr(compiled, "_known", {})
    monkeypatch.setattr(build, "bind_if_compiled", lambda _traced: None)
    monkeypatch.setattr(compiled, "AFTER_S", 1e9)
    code = compiled.of(step._traced([torch().array(a) for a in start]))

    def ready(done):
        if done == 30:
            code._whole.value = whole
    found, run, said = run_by("1", step, 90, start, on_step=(10, ready), check_every=20)
    assert "before, 30 single steps: compiled as rows by NVRTC" in said
    assert run.steps == 90 and all(map(same_bits, found, expected))


HEAT = """
import sys, time
begin = time.perf_counter()
import teff
from teff.array import Array
lam, d, dt = 0.9, 9.9, 0.002
@teff.timestep
def heat(T, Ci):
    qx = -lam * teff.d_xi(T) * d
    qy = -lam * teff.d_yi(T) * d
    return teff.update(teff.inn(T), teff.inn(T) + dt * (teff.inn(Ci) * (-teff.d_xa(qx) * d - teff.d_ya(qy) * d)))
"""
COLD = HEAT + """
imported = time.perf_counter()
fields = [Array.empty((512, 512), 0, "cuda:0") for _ in range(2)]  # makes CUDA's context
teff.library.lib().teff_stream_synchronize(teff.library.stream("cuda:0"))
ready = time.perf_counter()
run = teff.iterate(heat, 1, *fields)
teff.library.lib().teff_stream_synchronize(teff.library.stream("cuda:0"))
done = time.perf_counter()
run = teff.iterate(heat, 1, *fields)
teff.library.lib().teff_stream_synchronize(teff.library.stream("cuda:0"))
print(imported - begin, ready - imported, done - ready, time.perf_counter() - done)
print(run)
"""
GOES_OVER = HEAT + """
fields = [Array.empty((1024, 1024), 0, "cuda:0") for _ in range(2)]
begin = time.perf_counter()
run = teff.iterate(heat, 4_000_000, *fields)  # some 40 s by single steps, nvcc takes some 10
said = str(run)
print(time.perf_counter() - begin)
print(said)
"""


def python(text, cache, **environment):
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=200,
                          check=False, env={**os.environ, "TEFF_CACHE": str(cache), **environment})
    assert done.returncode == 0, done.stderr
    numbers, *said = done.stdout.splitlines()
    return [float(n) for n in numbers.split()], said[-1], done.stderr


@pytest.mark.parametrize("compilers_there", ("all", "no nvcc", "no nvcc, no g++"))
def test_the_first_step_cold(compilers_there, tmp_path):
    """Times of a new process: import, CUDA's context, the first step, a second one; then the same
    from the cache."""
    without = {"no nvcc": {"TEFF_NVCC": "no-such-nvcc"}}
    without["no nvcc, no g++"] = {**without["no nvcc"], "TEFF_CXX": "no-such-g++"}
    environment = {"TEFF_NVRTC": nvrtc.path(), **without.get(compilers_there, {})}
    cold = []
    for n in range(3):
        numbers, said, errors = python(COLD, tmp_path / str(n), **environment)
        cold.append(numbers)
        assert "compiled as rows by NVRTC, which make single steps" in said
        assert "compiling" not in errors
        assert "for several per pass: " not in said
    cached = [python(COLD, tmp_path / "0", **environment)[0] for _ in range(3)]
    names = ("import", "context", "first step", "second step")
    for what, times in (("cold", cold), ("cached", cached)):
        _times[f"{compilers_there}, {what}, s"] = dict(zip(names, map(sorted, zip(*times))))
    assert min(n[2] for n in cold) < 2  # (The bar is 0.5 s; see rows.json.)


def test_with_neither_it_is_said_what_to_install(tmp_path):
    text = COLD.replace("run = teff.iterate(heat, 1, *fields)", """
try:
    teff.iterate(heat, 1, *fields)
except teff.CompileError as error:
    print(0); print(error); sys.exit()""", 1)
    _, said, _ = python(text, tmp_path, TEFF_NVRTC="", TEFF_NVCC="no-such-nvcc")
    assert "install the CUDA toolkit" in said and "pip install nvidia-cuda-nvrtc" in said


def test_nvcc_compiles_beside_a_run(tmp_path):
    """The real thing: cold, rows at once, nvcc in the background, over to it between two passes."""
    (seconds,), said, errors = python(GOES_OVER, tmp_path)
    assert "before, " in said and "single steps: compiled as rows by NVRTC" in said, said
    assert "compiling" not in errors
    _times["4 million steps, cold, s"], _times["went over"] = seconds, said


def test_speed_beside_nvcc():
    """Single steps of rows and of nvcc: s a step, 4096 x 4096."""
    for kind in KINDS:
        rng = np.random.default_rng(1)
        start = [rng.random((4096, 4096)).astype(kind) for _ in range(2)]
        for rows in ("only", "0"):
            run_by(rows, ALL["heat"][0], 20, start, schedule="stepwise")
            _, run, _ = run_by(rows, ALL["heat"][0], 200, start, schedule="stepwise")
            _times[f"heat {kind} 4096^2, {'rows' if rows == 'only' else 'nvcc'}, ms/step"] = \
                run.seconds / 200 * 1e3

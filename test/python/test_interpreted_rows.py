# SPDX-License-Identifier: MIT
"""Formulas without any compiler: their rows are interpreted, with the bits of compiled ones."""

import random

import numpy as np
import pytest
from conftest import IS_LONG
from formulas import ALL
from test_rows import START, Chance, a_step, bits, run_by

import teff
from teff import build, compiled, fd, row_program
from teff.rows import Operation, Row

SEEDS = range(40 if IS_LONG else 3)


@pytest.fixture
def interpreted(monkeypatch):
    """Runs as run_by does, interpreted."""
    def run(step, steps, fields, **options):
        with monkeypatch.context() as here:
            here.setenv("TEFF_CC", "")
            here.setattr(build, "_loaded", {})
            here.setattr(compiled, "_known", {})
            made, said = run_by("only", step, steps, fields, **options)
            assert "rows are interpreted" in str(said)
            return made, said
    return run


@pytest.mark.parametrize("rank", (1, 2, 3))
@pytest.mark.parametrize("seed", SEEDS)
def test_random_formulas_have_the_bits_of_compiled_rows(seed, rank, interpreted):
    shape = {1: (1175,), 2: (23, 641), 3: (9, 14, 21)}[rank]
    rng = np.random.default_rng(seed)
    chance = random.Random(seed + 10 * rank)
    fields = [rng.random(shape).astype(chance.choice(("f4", "f8"))) for _ in range(3)]
    fields.append(rng.integers(0, 200, shape).astype(chance.choice(("i4", "i8", "u1"))))
    step = a_step(seed, rank, seed % 2)
    options = {"check_every": 3, "first_step": 5}
    one, run = interpreted(step, 7, fields, **options)
    other, by_c = run_by("only", step, 7, fields, **options)
    assert "compiled as rows" in str(by_c)
    assert bits(one) == bits(other) and run.residual == by_c.residual is not None
    assert not np.array_equal(one[0], fields[0]) and np.isfinite(one[0]).all()


def test_many_random_updates_at_once_have_them_too(interpreted):
    """One text, so that one compilation does."""
    shape = (21, 600)

    @teff.timestep
    def step(A, B, C, N):
        parts = []
        for seed in range(12):
            chance = Chance(f"many {seed}").fields(A, B, N, 2)
            parts.append(teff.update(fd.inn(A if seed % 2 else B), 0.5 * fd.inn(A) + 0.1 * fd.tanh(
                chance.tree(4))))
            parts.append(teff.update(fd.inn(N), chance.integers()))
        return teff.stages(*parts, teff.update(C, C + fd.log(fd.abs(A) + 1) * fd.sin(B) - fd.cos(A)))
    rng = np.random.default_rng(3)
    fields = [rng.random(shape).astype(t) for t in ("f8", "f4", "f4")]
    fields.append(rng.integers(0, 200, shape).astype("i4"))
    assert bits(interpreted(step, 3, fields)[0]) == bits(run_by("only", step, 3, fields)[0])


@pytest.mark.parametrize("name", ("insulated", "pressure"))
def test_formulas_of_the_examples(name, interpreted):
    step, larger = ALL[name]
    rng = np.random.default_rng(4)
    fields = [rng.random((61 + y, 1083 + x)) for x, y in larger]
    assert bits(interpreted(step, 9, fields)[0]) == bits(run_by("only", step, 9, fields)[0])


def test_borders_of_types_are_those_of_compiled_rows(interpreted):
    @teff.timestep
    def step(A, N, M):
        return teff.stages(teff.update(N, fd.convert(A * 1e6, "i32")), teff.update(M, -M * N + N),
                           teff.update(A, fd.maximum(fd.minimum(A / (A - A), 5.0), fd.abs(A))))
    A = np.array([[0.0, -0.0, -0.25, np.inf, -np.inf, np.nan, 1e300, -1e300, 5e-324]])
    fields = [A, np.zeros(A.shape, "i4"), np.full(A.shape, 2**62 + 1)]
    assert bits(interpreted(step, 1, fields)[0]) == bits(run_by("only", step, 1, fields)[0])


def test_temporaries_are_taken_again():
    row = Row("row0", [Operation("cell", "f64", "f64", (0, x), "") for x in (0, 1)] +
              [Operation("+", "f64", "f64", (0, 1), ""), Operation("neg", "f64", "f64", (2,), ""),
               Operation("neg", "f64", "f64", (3,), ""), Operation(">", "f64", "bool", (4, 0), "")],
              [(0, 0, 0)], [], 3, 0)
    places, code = row_program.code_of(row)
    assert [p[2] for p in places if p[0] == row_program.TEMPORARY] == [0, 1]
    less = row_program.OPERATIONS.index("<")
    assert code[-1][0] == less and places[code[-1][2]][0] == row_program.CELL  # a > b is b < a


def test_without_any_compiler_a_run_says_so(run_python, tmp_path):
    """Not even a cache is needed."""
    options = {"PATH": str(tmp_path), "TEFF_CXX": "none", "TEFF_CACHE": str(tmp_path)}
    done = run_python(START + "print(teff.explain(heat, T, Ci))", **options)
    why = "rows are interpreted, which make single steps: gcc, cc, clang or tcc was not found: install " \
        "gcc (Debian, Ubuntu: apt install gcc; conda: conda install gcc), or set TEFF_CC"
    assert done.stdout.count(why) == 2
    done = run_python(START, **{**options, "TEFF_CC": "no-such-compiler"})
    assert "'no-such-compiler', which TEFF_CC or CC names, was not found" in done.stdout
    assert not list(tmp_path.rglob("*.so"))


def test_a_c_compiler_that_fails_is_done_without(run_python, tmp_path):
    compiler = tmp_path / "cc"
    compiler.write_text("#!/bin/sh\necho 'error: it is broken' >&2; exit 1\n")
    compiler.chmod(0o755)
    done = run_python(START, TEFF_CC=str(compiler), TEFF_CXX="none", TEFF_CACHE=str(tmp_path))
    assert "rows are interpreted" in done.stdout and "it is broken" in done.stdout


def test_what_rows_are_not_for_needs_a_compiler(run_python, tmp_path):
    done = run_python(START.replace("run = teff.iterate(heat, ", """
step = teff.rk4(lambda u: teff.rate(teff.inn(u), teff.d2_xi(u)), 0.1)
teff.iterate(step, 2, T)
run = teff.iterate(heat, """), check=False, TEFF_CC="", TEFF_CXX="none", TEFF_CACHE=str(tmp_path))
    assert "CompileError" in done.stderr and "apt install g++" in done.stderr

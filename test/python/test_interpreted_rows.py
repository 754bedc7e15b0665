# SPDX-License-Identifier: MIT
"""Formulas without any compiler: their rows are interpreted, with the bits of compiled ones."""

import numpy as np
import pytest
from conftest import IS_LONG
from formulas import ALL
from test_rows import START, bits, run_by

import teff
from teff import build, compiled, fd, row_program
from teff.rows import Operation, Row


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


OPERATIONS = (
    fd.maxloc, fd.minloc, fd.d2_xi, lambda x: fd.d_xa(fd.d_xi(x)), lambda x: fd.at(fd.around(x), 1, -1),
    lambda x: fd.maximum(fd.inn(x), fd.maxloc(x)), lambda x: fd.minimum(fd.inn(x), 3),
    lambda x: -fd.inn(x), lambda x: fd.abs(fd.inn(x)), lambda x: fd.sq(fd.inn(x)),
    lambda x: fd.floor(fd.inn(x)), lambda x: fd.sqrt(fd.inn(x)), lambda x: fd.once(fd.maxloc(x)),
    lambda x: fd.pow(fd.inn(x), 2.5), lambda x: fd.inn(x) * fd.maxloc(x) + 3, lambda x: fd.inn(x) - fd.ix,
    lambda x: fd.convert(fd.convert(fd.maxloc(x), "u8"), "i32"), lambda x: fd.isfinite(fd.inn(x)),
    lambda x: fd.inn(x) < fd.maxloc(x), lambda x: fd.inn(x) >= 3, lambda x: fd.inn(x) != fd.minloc(x),
    lambda x: fd.where(fd.inn(x) < 3, fd.inn(x), fd.maxloc(x)), lambda x: fd.where(fd.inn(x) < 3, fd.inn(x), 7),
    lambda x: fd.where(fd.inn(x < 3), fd.minloc(x) < 3, fd.inn(x) < 5), lambda x: fd.maxloc(x < 3))


@pytest.mark.parametrize("kind", ("f8", "f4", "i8", "i4", "u1") if IS_LONG else ("u1",))
def test_every_operation_of_a_type(kind, interpreted):
    """Those of u8 are of i32, but for maxloc and minloc."""
    @teff.timestep
    def step(*fields):
        *targets, x = fields
        values = [operation(x) for operation in OPERATIONS]
        return teff.stages(*(teff.update(fd.inn(target), fd.where(value, 1.0, 0.0)
                                         if value._type == "bool" else fd.convert(value, "f64"))
                             for target, value in zip(targets, values)))
    fields = [*np.zeros((len(OPERATIONS), 7, 9)), np.random.default_rng(1).integers(0, 9, (7, 9)).astype(kind)]
    made = interpreted(step, 1, fields)[0]
    assert bits(made) == bits(run_by("only", step, 1, fields)[0]) and all(a.any() for a in made)


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

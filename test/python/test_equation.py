# SPDX-License-Identifier: MIT
"""Equations A x = b for formulas of one's own, with the bits of the same in C++."""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import equation_formulas
import pytest
from conftest import program_of
from equation_formulas import in_1d, in_2d, in_3d, k, start

import teff
from teff import build, equation, inn, ix, step_index

GOLDEN = Path(__file__).parent / "golden" / "equation.txt"
NVCC = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")

FORMULAS = {1: (in_1d, (600,)), 2: (in_2d, (61, 83)), 3: (in_3d, (11, 14, 37))}


@pytest.mark.parametrize("solver, rank, real", [
    ("conjugate_gradients", 3, "double"),
    *(pytest.param(*case, marks=pytest.mark.long) for case in (
        ("conjugate_gradients", 1, "float"), ("conjugate_gradients", 2, "double"),
        ("chebyshev", 2, "float")))])
def test_bits_of_cpp(solver, rank, real, tmp_path):
    formula, shape = FORMULAS[rank]
    program = program_of("equation", METHOD=solver, RANK=rank, REAL=real)
    x, b, c = start(shape, "f8" if real == "double" else "f4")
    tolerance = 1e-9 if real == "double" else 1e-4
    path = tmp_path / "cells"
    path.write_bytes(x.tobytes() + b.tobytes() + c.tobytes())
    line = subprocess.run([str(program), str(tolerance), str(path), *map(str, shape[::-1])],
                          check=True, capture_output=True, text=True).stdout.strip()
    before = x.copy()
    found = getattr(teff, solver)(x, b, formula, c, tolerance=tolerance)
    assert found.has_converged and found.iterations > 5 and str(found) == line
    assert x.tobytes() == path.read_bytes()
    assert not np.array_equal(x, before)


def line_of(n=40, c=1.0):
    """x with a cell beyond each side, b and a coefficient; the formula is compiled for the bits."""
    x = np.zeros(n + 2, "f4")
    x[[0, -1]] = 2, -1
    return x, np.random.default_rng(5).random(n).astype("f4"), np.full(n + 2, c, "f4")


@pytest.fixture
def compiles_nothing(monkeypatch):
    """Whatever is compiled after a first call is an error."""
    teff.conjugate_gradients(*line_of()[:2], in_1d, line_of()[2], tolerance=1e-5)

    def load(traced, *_more):
        raise AssertionError(f"compiled anew:\n{traced.text}")
    monkeypatch.setattr(build, "_load", load)


def solved_1d(x, b, c, k):
    """By a matrix, in double."""
    n = len(b)
    A = np.diag(c[1:-1].astype("f8") + 2 * k) - k * (np.eye(n, k=1) + np.eye(n, k=-1))
    right = b.astype("f8")
    right[0] += k * x[0]
    right[-1] += k * x[-1]
    return np.linalg.solve(A, right)


def test_the_solution_and_its_report(compiles_nothing):
    x, b, c = line_of()
    found = teff.conjugate_gradients(x, b, in_1d, c, tolerance=1e-5)
    np.testing.assert_allclose(x[1:-1], solved_1d(x, b, c, k), rtol=1e-4)
    assert x[0] == 2 and x[-1] == -1
    assert found.has_converged and found.residual <= found.tolerance == 1e-5 and not found.is_stuck
    assert found.seconds > 0 and found.bounds is None and found.factor is None
    assert teff.conjugate_gradients(x, b, in_1d, c, tolerance=1e-4).iterations == 0  # from x
    x[1:-1] = 0
    few = teff.conjugate_gradients(x, b, in_1d, c, iterations=3)
    assert few.iterations == 3 and "the iterations are used up" in str(few)
    stuck = teff.conjugate_gradients(x, b, in_1d, c, tolerance=0)
    assert stuck.is_stuck and not stuck.has_converged and "rounding lets it get" in str(stuck)


def test_numbers_and_extents_are_not_compiled(compiles_nothing, monkeypatch):
    for n, number in ((40, 0.7), (40, 3.0), (7, 0.25)):
        monkeypatch.setattr(equation_formulas, "k", number)
        x, b, c = line_of(n, 1.5)
        teff.conjugate_gradients(x, b, in_1d, c, tolerance=1e-5)
        np.testing.assert_allclose(x[1:-1], solved_1d(x, b, c, number), rtol=1e-4)


def test_any_strides(compiles_nothing):
    x, b, c = line_of()
    teff.conjugate_gradients(x, b, in_1d, c, tolerance=1e-5)
    x2, b2, _ = line_of()
    wide, other = np.zeros(3 * len(x2), "f4")[::-3], np.asarray(b2[::-1].copy())[::-1]
    wide[:] = x2
    teff.conjugate_gradients(wide, other, in_1d, np.broadcast_to(np.float32(1), x.shape),
                             tolerance=1e-5)
    assert wide.tobytes() == x.tobytes()


def test_bounds_of_chebyshev():
    x, b, c = start((61, 83), "f4")
    found = teff.chebyshev(x, b, in_2d, c, tolerance=1e-4, least=0.5, most=13.0)
    assert found.bounds == (0.5, 13.0) and found.has_converged and found.iterations % 16 == 0
    assert "eigenvalues from 0.5 to 13, as given" in str(found)
    x[1:-1, 1:-1] = 0
    found = teff.chebyshev(x, b, in_2d, c, tolerance=1e-4)
    assert 0.5 <= found.bounds[0] < 1 and 8 < found.bounds[1] < 17
    with pytest.raises(teff.UsageError, match="A has an eigenvalue outside of 1 to 2"):
        teff.chebyshev(x, b, in_2d, c, tolerance=0.0, least=1, most=2)
    with pytest.raises(teff.UsageError, match="bounds must be positive and in this order"):
        teff.chebyshev(x, b, in_2d, c, least=2, most=1)
    diagonal = np.array(10 * [2.0] + [1.0, 0.0])
    with pytest.raises(teff.UsageError, match="A is singular; .* the least one that counts as least="):
        teff.chebyshev(np.zeros(12), np.ones(12), lambda v, c: c * v, diagonal, most=2)


def test_golden_text():
    """The text of an equation; TEFF_TEST_GOLDEN=1 in the environment writes it anew."""
    x, b, c = start((6, 7), "f8")
    text = equation._prepared("conjugate_gradients", x, b, in_2d, (c.astype("f8"),))[1].text
    if os.environ.get("TEFF_TEST_GOLDEN") == "1":
        GOLDEN.write_text(text)
    assert text == GOLDEN.read_text()


@pytest.mark.long
@pytest.mark.skipif(NVCC is None, reason="no nvcc")
@pytest.mark.parametrize("solver", ["conjugate_gradients", "chebyshev"])
def test_nvcc_takes_the_same_text(solver, tmp_path):
    x, b, c = line_of()
    text = tmp_path / "formula.cu"
    text.write_text(equation._prepared(solver, x, b, in_1d, (c,))[1].text)
    include = Path(teff.__file__).parent / "library" / "include"
    done = subprocess.run([NVCC, "-std=c++20", "--extended-lambda", "--expt-relaxed-constexpr",
                           "-arch=sm_90", "-cubin", f"-I{include}", str(text), "-o",
                           str(tmp_path / "formula.cubin")], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stderr


def test_a_warm_up_compiles(monkeypatch):
    x, b, c = line_of()
    asked = []
    monkeypatch.setattr(build, "function_of", lambda traced, name: asked.append((traced, name)))
    teff.warmup(teff.conjugate_gradients, x, b, in_1d, c)
    (traced, name), = asked
    assert name == "teff_equation_solve" and "by_conjugate_gradients" in traced.text
    assert x[1] == 0


def test_the_cache_keeps_it(run_python, tmp_path):
    text = """
import numpy as np, teff
x, b = np.zeros(6), np.ones(4)
print(teff.conjugate_gradients(x, b, lambda v: teff.inn(v) - teff.d2(v)))
"""
    first, second = (run_python(text, TEFF_CACHE=str(tmp_path)) for _ in range(2))
    assert "compiling <lambda> by g++" in first.stderr and second.stderr == ""
    assert "iterations of conjugate gradients on 4 f64" in first.stdout == second.stdout


def test_what_does_not_fit_is_said(compiles_nothing):
    x, b, c = line_of()

    def fails(kind, text, *args, **options):
        with pytest.raises(kind, match=text):
            teff.conjugate_gradients(*args, **options)
    fails(teff.UsageError, r"p.Ap is -\S+ in iteration 1; A must be symmetric and positive definite",
          x, b, in_1d, c - 9)
    fails(teff.UsageError, "x, array 'x' of 42 f32, shares memory with array 'coefficient 0'",
          x, b, in_1d, x)
    fails(teff.UsageError, "shares memory with b", x, x[1:-1], in_1d, c)
    fails(teff.UsageError, "tolerance must be 0 or more", x, b, in_1d, c, tolerance=-1)
    fails(teff.UsageError, "number of iterations must be 0", x, b, in_1d, c, iterations=-1)
    fails(teff.NonFiniteError, "x or b holds values that are not finite", x, b * np.nan, in_1d, c)
    fails(TypeError, "conjugate_gradients: tolerance=None: expected a number", x, b, in_1d, c,
          tolerance=None)
    fails(TypeError, "iterations is a whole number, got 0.5", x, b, in_1d, c, iterations=0.5)
    fails(TypeError, "one array has cells of f32, another of f64", x, b.astype("f8"), in_1d, c)
    fails(TypeError, "in_1d gives f64, and x and b hold f32: convert the coeff", x, b, in_1d,
          c.astype("f8"))
    fails(TypeError, "coefficient 0 has cells of bool", x, b, in_1d, c > 0)
    fails(ValueError, r"one to three axes of f64 or f32, got 42 i32", x.astype("i4"), b, in_1d, c)
    fails(ValueError, r"b has 2 axes, \(1, 40\), and x 1", x, b[None], in_1d, c)
    fails(ValueError, r"in_1d gives values of shape \(40,\) of x, whose shape is \(42,\), and b has "
          r"shape \(39,\)", x, b[1:], in_1d, c)
    fails(ValueError, "can not be written to", np.broadcast_to(x[0], x.shape), b, in_1d, c)
    fails(TypeError, r"in_1d takes 2 fields \(v, c\), got 1: the call is "
          r"teff.conjugate_gradients\(x, b, A, c\)", x, b, in_1d)
    fails(TypeError, "A is a function that returns an expression", x, b, 3)
    fails(TypeError, "returns nothing; A of teff.conjugate_gradients returns", x, b, lambda v: None)
    fails(TypeError, r"returns teff.update\(...\); A of", x, b, lambda v: teff.update(v, v))
    fails(TypeError, "returns ix, which is not of its fields", x, b, lambda v: ix)
    fails(TypeError, r"test_equation.py, line \d+\): teff.step_index is of time steps", x, b,
          lambda v: inn(v) * step_index)
    fails(TypeError, r"one more field.*teff.conjugate_gradients\(x, b, A, c\)", x, b,
          lambda v: inn(v) * c[1:-1])

    def doubled(v):
        for _ in range(16):
            v = v + v
        return inn(v)
    fails(teff.CompileError, "has more than 20000 operations", x, b, doubled)
    fails(TypeError, "takes at most 32 arrays", x, b, in_1d, *[c] * 32)
    fails(TypeError, "is a time step", x, b, teff.timestep(lambda v: teff.update(v, v)))


def test_extents_that_do_not_surround_b():
    with pytest.raises(teff.UsageError, match="x has 5x4 cells and b 4x4; x must have as many as b"):
        teff.conjugate_gradients(np.zeros((4, 5)), np.ones((4, 4)), lambda v: teff.av_xa(v))

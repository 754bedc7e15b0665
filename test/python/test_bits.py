# SPDX-License-Identifier: MIT
"""Runs from Python have the bits of the same formulas in C++, stepwise and several steps a pass."""

import subprocess

import numpy as np
import pytest
from conftest import IS_LONG, program_of
from formulas import ALL

import teff

QUICK = [("heat", "double"), ("insulated", "float")]
CASES = [(formula, real) for formula in ALL for real in ("double", "float")] if IS_LONG else QUICK


@pytest.mark.parametrize("formula, real", CASES)
def test_bits_of_cpp(formula, real, tmp_path):
    step, larger = ALL[formula]
    program = program_of("reference", FORMULA=formula, FIELDS=len(larger), REAL=real)
    nx, ny, steps = 83, 61, 23
    rng = np.random.default_rng(7)
    start = [rng.random((ny + y, nx + x)).astype("f8" if real == "double" else "f4")
             for x, y in larger]
    for schedule, depth in (("stepwise", 0), ("temporal", 4), ("temporal", 7), ("automatic", 0)):
        path = tmp_path / "cells"
        path.write_bytes(b"".join(a.tobytes() for a in start))
        sizes = [str(n) for a in start for n in a.shape[::-1]]
        subprocess.run([str(program), str(steps), schedule, str(depth), str(path), *sizes],
                       check=True, stdout=subprocess.DEVNULL)
        fields = [a.copy() for a in start]
        run = teff.iterate(step, steps, *fields, schedule=schedule, depth=depth)
        assert run.steps == steps
        if schedule != "automatic":
            assert (run.schedule, run.steps_per_pass) == (schedule, depth or 1)
        if schedule == "stepwise":
            assert not all(np.array_equal(a, b) for a, b in zip(fields, start))
        assert b"".join(a.tobytes() for a in fields) == path.read_bytes(), (schedule, depth)


def test_a_changed_number_changes_bits(tmp_path):
    """The comparison can fail."""
    import formulas
    step, _ = ALL["heat"]
    one, other = np.random.default_rng(1).random((2, 20, 20))
    other[:] = one
    known = np.full((20, 20), 0.5)
    teff.iterate(step, 5, one, known)
    before = formulas.lam
    try:
        formulas.lam *= 1 + 1e-12
        teff.iterate(step, 5, other, known)
    finally:
        formulas.lam = before
    assert one.tobytes() != other.tobytes()

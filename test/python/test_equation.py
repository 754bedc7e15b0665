# SPDX-License-Identifier: MIT
"""Equations A x = b for formulas of one's own, with the bits of the same in C++."""

import subprocess

import numpy as np
import pytest
from conftest import program_of

import teff
from teff import (around, at, d2, d2_yi, d2_zi, d_xa, d_xi, d_ya, d_yi, harm_xi, harm_yi, inn)

k = 0.7


def in_1d(v, c):
    return inn(c) * inn(v) - k * d2(v)


def in_2d(v, c):
    qx, qy = -harm_xi(c) * d_xi(v), -harm_yi(c) * d_yi(v)
    return 0.5 * inn(v) + (d_xa(qx) + d_ya(qy))


def in_3d(v, c):
    u = around(v)
    return (6 + inn(c)) * u() - (at(u, 1) + at(u, -1)) - (d2_yi(v) + d2_zi(v)) - 4 * u()


FORMULAS = {1: (in_1d, (600,)), 2: (in_2d, (61, 83)), 3: (in_3d, (11, 14, 37))}


def start(shape, dtype):
    """x, with cells beyond each side of b, and b and a coefficient of x's shape."""
    rng = np.random.default_rng(3)
    x = rng.random([n + 2 for n in shape]).astype(dtype)
    return x, rng.random(shape).astype(dtype), (0.5 + rng.random(x.shape)).astype(dtype)


@pytest.mark.parametrize("solver, rank, real", [
    ("conjugate_gradients", 1, "float"), ("conjugate_gradients", 2, "double"),
    ("chebyshev", 2, "float"), ("conjugate_gradients", 3, "double")])
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

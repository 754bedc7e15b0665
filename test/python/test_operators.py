# SPDX-License-Identifier: MIT
"""Every operator, function and way to step, compiled and compared with NumPy."""

import functools
import itertools

import numpy as np
import pytest

import teff
from teff import fd

pytestmark = pytest.mark.long
DIMS = "xyz"


def part(a, low, high):
    """Cells `low` to `high` (from the end) along each dim, x first."""
    return a[tuple(slice(lo, n - hi) for lo, hi, n in zip(low[::-1], high[::-1], a.shape))]


def shifted(a, shrink, offset):
    return part(a, offset, [s - o for s, o in zip(shrink, offset)])


def expected_of(name, a, rank):
    """The operator by its name, in NumPy."""
    shrink = fd.SHRINKS[rank][name]
    kind, _, where = name.partition("_")
    if kind == "inn":
        return shifted(a, shrink, [s // 2 for s in shrink])
    if kind in ("maxloc", "minloc"):
        offsets = [[1] * rank] + [[1 + sign * (d == dim) for d in range(rank)]
                                  for dim in range(rank) for sign in (-1, 1)]
        pick = np.maximum if kind == "maxloc" else np.minimum
        return functools.reduce(pick, [shifted(a, shrink, o) for o in offsets])
    dims = [DIMS.index(c) for c in where[:-1]] if where else \
        list(range(rank)) if kind in ("av", "harm") else [0]
    others = [0 if d in dims else shrink[d] // 2 for d in range(rank)]
    steps = 3 if kind == "d2" else 2

    def at(move):
        return shifted(a, shrink, [others[d] + move.get(d, 0) for d in range(rank)])
    if kind == "d":
        return at({dims[0]: 1}) - at({dims[0]: 0})
    if kind == "d2":
        assert steps == 3
        one, two, three = (at({dims[0]: i}) for i in (0, 1, 2))
        return (three - two) - (two - one)
    values = [at(dict(zip(dims, corner))) for corner in itertools.product((0, 1), repeat=len(dims))]
    if kind == "av":
        return sum(values) / len(values)
    return len(values) / sum(1 / v for v in values)


@pytest.mark.parametrize("rank, half", [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)])
def test_operators(rank, half):
    a = np.random.default_rng(1).random((7, 8, 9)[3 - rank:]) + 0.5
    names = sorted(fd.SHRINKS[rank])[half * 13:(half + 1) * 13]
    results = [np.zeros_like(expected_of(name, a, rank)) for name in names]

    @teff.timestep
    def apply(T, *R):
        return teff.stages(*(teff.update(r, getattr(teff, name)(T)) for r, name in zip(R, names)))
    teff.iterate(apply, 1, a, *results, schedule="stepwise")
    for name, result in zip(names, results):
        np.testing.assert_allclose(result, expected_of(name, a, rank), rtol=1e-13, err_msg=name)


def test_functions():
    rng = np.random.default_rng(2)
    a, b = rng.random((6, 7)) + 0.5, rng.random((6, 7)) - 0.5
    iy, ix = np.indices(a.shape)
    formulas = [
        (lambda T, B: teff.sqrt(T) + teff.exp(B) - teff.log(T), np.sqrt(a) + np.exp(b) - np.log(a)),
        (lambda T, B: np.sin(T) * np.cos(B) / np.tanh(T), np.sin(a) * np.cos(b) / np.tanh(a)),
        (lambda T, B: teff.floor(4 * B) + abs(B) + teff.sq(B) + T**3 + T**0.5,
         np.floor(4 * b) + abs(b) + b**2 + a**3 + a**0.5),
        (lambda T, B: np.minimum(T, B) + teff.maximum(B, 0.1) - teff.minimum(2, T),
         np.minimum(a, b) + np.maximum(b, 0.1) - np.minimum(2, a)),
        (lambda T, B: teff.where((B > 0) & ~(T <= 0.9) | (T == B), T, -B),
         np.where((b > 0) & ~(a <= 0.9) | (a == b), a, -b)),
        (lambda T, B: np.where(teff.isfinite(T), 1.5, 0), np.full((6, 7), 1.5)),
        (lambda T, B: 2 * teff.ix + teff.iy * 0.5 + T, 2 * ix + iy * 0.5 + a),
        (lambda T, B: teff.convert(teff.convert(10 * B, "i32"), "f64") + teff.once(T * B),
         np.trunc(10 * b) + a * b),
        (lambda T, B: teff.step_index * 1.0 + 1 / T + (3 - B) - 2.0**B,
         5.0 + 1 / a + (3 - b) - 2.0**b),
    ]
    results = [np.zeros((6, 7)) for _ in formulas]

    @teff.timestep
    def apply(T, B, *R):
        return teff.stages(*(teff.update(r, f(T, B)) for r, (f, _) in zip(R, formulas)))
    teff.iterate(apply, 1, a, b, *results, schedule="stepwise", first_step=5)
    for i, (result, (_, expected)) in enumerate(zip(results, formulas)):
        np.testing.assert_allclose(result, expected, rtol=1e-12, err_msg=str(i))


def test_neighbours_and_conditions():
    a = np.random.default_rng(3).random((8, 9))

    @teff.timestep
    def moved(T, R):
        u = teff.around(T, 2)
        return teff.update(teff.around(R, 2)(), 2 * u() + teff.at(u, 2) - teff.at(u, -1, 2), teff.boundary(
            x=(teff.fixed(3.0), teff.robin(1.0, 0.5, 2 * teff.iy)), y=teff.gradient(0)))
    result = np.zeros_like(a)
    teff.iterate(moved, 1, a, result)
    inner = 2 * a[2:-2, 2:-2] + a[2:-2, 4:] - a[4:, 1:-3]
    np.testing.assert_allclose(result[2:-2, 2:-2], inner)
    assert np.all(result[2:-2, :2] == 3) and np.array_equal(result[:2], result[[2, 2]])


@pytest.mark.parametrize("method, order", [("euler", 1), ("rk2", 2), ("ssp_rk3", 3), ("rk4", 4)])
def test_integrators(method, order):
    """du/dt = -u cos(t): the error falls with the method's order."""
    errors = []
    for steps in (20, 40):
        u = np.ones((5, 5))
        step = getattr(teff, method)(lambda U: -U * teff.cos(teff.stage_time * 1.0 + 0 * U),
                                     1.0 / steps)
        teff.iterate(step, steps, u)
        errors.append(abs(u[2, 2] - np.exp(-np.sin(1.0))))
    assert 0.8 * order < np.log2(errors[0] / errors[1]) < 1.3 * order


def test_a_residual_ends_a_run():
    u = np.random.default_rng(4).random((10, 10))

    @teff.timestep
    def relax(U):
        change = teff.d2_xi(U) + teff.d2_yi(U)
        return teff.stages(teff.update(teff.inn(U), teff.inn(U) + 0.2 * change),
                           teff.residual(teff.norm2(change)))
    run = teff.iterate(relax, 100000, u, check_every=10, tolerance=1e-6)
    assert run.has_converged and run.residual <= 1e-6 and run.steps < 100000 and run.steps % 10 == 0


def test_integer_fields():
    k = np.arange(20, dtype="i4").reshape(4, 5)

    @teff.timestep
    def count(K):
        return teff.update(K, teff.where(K > 7, K - 3, 2 * K + 1))
    teff.iterate(count, 1, k)
    before = np.arange(20).reshape(4, 5)
    assert np.array_equal(k, np.where(before > 7, before - 3, 2 * before + 1))

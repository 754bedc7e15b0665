# SPDX-License-Identifier: MIT
"""Poisson's equation over arrays of NumPy, against what NumPy makes of the solution."""

import numpy as np
import pytest

import teff


def outflow(u, k, spacing, sides):
    """-div(k grad u) of two axes, by loops over faces; sides: of each axis "closed", "periodic" or
    a pair of values."""
    to = np.zeros_like(u)
    for axis, h in enumerate(spacing):
        n = u.shape[axis]
        U, K, To = (np.moveaxis(a, axis, 0) for a in (u, k, to))
        for i in range(n - 1):
            flux = 2 / (1 / K[i] + 1 / K[i + 1]) * (U[i] - U[i + 1]) / h**2
            To[i] += flux
            To[i + 1] -= flux
        if sides[axis] == "periodic":
            flux = 2 / (1 / K[-1] + 1 / K[0]) * (U[-1] - U[0]) / h**2
            To[-1] += flux
            To[0] -= flux
        elif sides[axis] != "closed":
            low, high = sides[axis]
            To[0] += 2 * K[0] * (U[0] - low) / h**2
            To[-1] += 2 * K[-1] * (U[-1] - high) / h**2
    return to


def test_a_solution_fulfils_the_equation():
    rng = np.random.default_rng(1)
    f, k = rng.random((37, 50)), 0.5 + rng.random((37, 50))
    u = np.zeros((37, 50))
    run = teff.poisson(u, f, spacing=(0.1, 0.2), coefficient=k, tolerance=1e-11,
                       sides=teff.boundary(x=(teff.fixed(2.0), teff.fixed(-1.0)), y=teff.periodic))
    assert run.has_converged and run.residual <= 1e-11 and not run.is_stuck
    assert 3 < run.iterations < 20 and 0 < run.factor < 0.3 and run.seconds > 0
    assert "V-cycles of multigrid on 50x37 f64; relative residual " in str(run)
    np.testing.assert_allclose(outflow(u, k, (0.1, 0.2), ["periodic", (2.0, -1.0)]), f, atol=1e-8)


def test_closed_sides_take_what_sums_to_zero():
    f = np.random.default_rng(1).random((40, 33))
    u = np.zeros((40, 33))
    with pytest.raises(teff.UsageError, match="must sum to 0"):
        teff.poisson(u, f)
    assert teff.poisson(u, f, project=True).has_converged
    one = np.ones_like(u)
    np.testing.assert_allclose(outflow(u, one, (1, 1), ["closed"] * 2), f - f.mean(), atol=1e-8)
    assert abs(u.mean()) < 1e-10


def test_slopes_make_a_line():
    u = np.zeros((8, 20), "f4")  # (rounding leaves 5e-6)
    run = teff.poisson(u, np.zeros_like(u), tolerance=1e-5,
                       sides=teff.boundary(x=(teff.fixed(1.0), teff.gradient(0.5))))
    assert run.has_converged
    np.testing.assert_allclose(u, np.broadcast_to(1 + 0.5 * (np.arange(20) + 0.5), u.shape),
                               rtol=1e-4)


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("method", ["automatic", "conjugate_gradients"])
def test_a_box_of_any_strides(dtype, method):
    n = (12, 17, 22)
    x = [(np.arange(m) + 0.5) / m for m in n]
    exact = np.cos(np.pi * x[0])[:, None, None] * np.cos(2 * np.pi * x[1])[:, None] * \
        np.cos(np.pi * x[2])
    u = np.zeros((n[0], 2 * n[1], n[2]), dtype)[:, ::2, ::-1]
    f = np.asfortranarray((6 * np.pi**2 * exact).astype(dtype))
    run = teff.poisson(u, f, spacing=[1 / m for m in n], method=method, project=True,
                       tolerance=1e-5 if dtype == "f4" else 1e-10)
    assert run.has_converged
    assert np.abs(u - exact).max() < 0.03


def test_the_bits_are_the_same_in_every_run():
    f = np.random.default_rng(1).random((60, 61))
    walls = teff.boundary(x=(teff.fixed(0.0), teff.fixed(0.0)))
    first, second = np.zeros((60, 61)), np.zeros((60, 61))
    teff.poisson(first, f, sides=walls)
    teff.poisson(second, f, sides=walls)
    assert np.array_equal(first, second)


def test_what_does_not_fit_is_said():
    u, f = np.zeros((8, 9)), np.zeros((8, 9))

    def fails(kind, text, *args, **options):
        with pytest.raises(kind, match=text):
            teff.poisson(*args, **options)
    fails(ValueError, "two or three axes of f64 or f32, got 4 f64", np.zeros(4), np.zeros(4))
    fails(ValueError, "two or three axes of f64 or f32", np.zeros((4, 4), "i4"), f)
    fails(ValueError, r"u has shape \(8, 9\) and f \(9, 8\)", u, f.T)
    fails(ValueError, "and coefficient", u, f, coefficient=np.ones(3))
    fails(TypeError, "one array has cells of f64, another of f32", u, f.astype("f4"))
    fails(ValueError, "can not be written to", np.broadcast_to(np.zeros(9), (8, 9)), f)
    fails(ValueError, "a number, or one for each axis", u, f, spacing=(1, 2, 3))
    fails(ValueError, "spacing=-1: expected numbers above 0", u, f, spacing=-1)
    fails(TypeError, "spacing=None: expected a number", u, f, spacing=None)
    fails(TypeError, "tolerance='low': expected a number", u, f, tolerance="low")
    fails(TypeError, "iterations is a whole number, got 1.5", u, f, iterations=1.5)
    fails(ValueError, "expected one of automatic", u, f, method=["automatic"])
    fails(teff.UsageError, "or give project=True", u, f + 1)
    fails(ValueError, "expected one of automatic", u, f, method="sor")
    fails(TypeError, "teff.boundary", u, f, sides="periodic")
    fails(ValueError, "sides of z", u, f, sides=teff.boundary(z=teff.periodic))
    fails(ValueError, "the high side of x is teff.robin", u, f,
          sides=teff.boundary(x=(teff.fixed(0.0), teff.robin(1, 1, 0.0))))
    fails(ValueError, "the low side of y is teff.fixed", u, f, sides=teff.boundary(y=teff.fixed))
    fails(teff.UsageError, "must be positive in each cell, but it is 0 at", u, f, coefficient=f)
    fails(teff.UsageError, "tolerance must be 0 or more", u, f, tolerance=-1.0)
    fails(teff.UsageError, "shares memory", u, u)
    f[0, 0] = np.nan
    fails(teff.NonFiniteError, "not finite", u, f, sides=teff.boundary(x=teff.fixed(0.0)))

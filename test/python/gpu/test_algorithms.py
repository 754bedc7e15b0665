# SPDX-License-Identifier: MIT
"""All algorithms on a GPU, against NumPy's results: of sums and products in another order."""

import numpy as np
import pytest
from frameworks import framework, same_bits  # noqa: F401

import teff

TYPES = ["f8", "f4", "i8", "i4", "u1"]
SHAPES = [(1000,), (37, 65), (5, 300), (4, 33, 50), (2, 3, 4, 5)]
REDUCTIONS = {"sum": np.sum, "prod": np.prod, "min": np.min, "max": np.max, "mean": np.mean,
              "any": np.any, "all": np.all, "argmin": np.argmin, "argmax": np.argmax,
              "norm2": lambda a, axis: np.sqrt((a.astype("f8")**2).sum(axis)),
              "max_abs": lambda a, axis: np.abs(a.astype("i8") if a.dtype.kind in "iu" else a)
              .max(axis)}


def cells(shape, kind, seed=5):
    rng = np.random.default_rng(seed)
    if kind[0] == "f":
        return (rng.random(shape) * 0.1 + 0.95).astype(kind)
    return rng.integers(0, 7, shape).astype(kind)


def close(found, expected, kind):
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    if kind[0] == "f":
        np.testing.assert_allclose(found, expected, rtol=1e-11 if kind == "f8" else 2e-5)
    else:
        np.testing.assert_allclose(found.astype("f8"), expected.astype("f8"), rtol=1e-12)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_reductions(shape, kind, framework):
    a = cells(shape, kind)
    x = framework.array(a)
    for name, of_numpy in REDUCTIONS.items():
        for axis in (None, *range(len(shape))):
            found = getattr(teff, name)(x, axis=axis)
            assert framework.is_own(found), name
            wide = a.astype("f8") if kind == "f4" and name in ("sum", "prod", "mean") else a
            with np.errstate(over="ignore"):
                expected = of_numpy(wide, axis=axis)
            close(framework.host(found), expected, kind)
    if len(shape) == 3:
        close(framework.host(teff.sum(x, axis=(0, 2))), a.astype("f8").sum((0, 2)), kind)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_scans(shape, kind, framework):
    a = cells(shape, kind)
    x = framework.array(a)
    for axis in range(len(shape)):
        close(framework.host(teff.cumsum(x, axis=axis)),
              a.astype("f8").cumsum(axis) if kind == "f4" else a.cumsum(axis), kind)
        close(framework.host(teff.scan(x, axis=axis, op="maximum")),
              np.maximum.accumulate(a, axis), kind)
        exclusive = framework.host(teff.scan(x, axis=axis, exclusive=True, init=2))
        first = np.take(exclusive, 0, axis)
        assert (first == 2).all()
    if len(shape) < 4:
        turned = framework.turned(framework.array(a.T.copy()))  # in Fortran order
        close(framework.host(teff.cumsum(turned, axis=0)), framework.host(teff.cumsum(x, axis=0)),
              kind)


@pytest.mark.parametrize("kind", ["f8", "f4"])
def test_matrices(kind, framework):
    A, B, v = cells((130, 70), kind), cells((70, 90), kind), cells((70,), kind)
    a, b, x = (framework.array(one) for one in (A, B, v))
    close(framework.host(teff.gemv(a, x)), A.astype("f8") @ v, kind)
    close(framework.host(teff.matmul(a, b)), A.astype("f8") @ B, kind)
    close(framework.host(teff.dot(x, x)), v.astype("f8") @ v, kind)
    for axes in (None, (1, 0)):
        assert same_bits(framework.host(teff.transpose(a, axes)), A.T)
    C = cells((5, 40, 33), kind)
    for axes in ((2, 0, 1), (1, 0, 2), (0, 2, 1), (2, 1, 0)):
        assert same_bits(framework.host(teff.transpose(framework.array(C), axes)), C.transpose(axes))


@pytest.mark.parametrize("kind", ["f8", "f4", "i8", "i4"])
def test_segmented_sums(kind, framework):
    X, bounds = cells((200, 17), kind), np.array([0, 3, 3, 90, 200])
    found = teff.segmented_sum(framework.array(X), framework.array(bounds))
    expected = np.stack([X[i:j].astype("f8").sum(0) for i, j in zip(bounds, bounds[1:])])
    close(framework.host(found), expected, kind)


@pytest.mark.parametrize("kind", ["f8", "f4"])
def test_random_numbers_are_those_of_the_cpu(kind, framework):
    like = framework.array(cells((3,), kind))
    names = {"f8": "f64", "f4": "f32"}
    on_gpu = teff.random((41, 53), seed=9, dtype=names[kind], like=like)
    assert same_bits(framework.host(on_gpu), teff.random((41, 53), seed=9, dtype=names[kind]))
    close(framework.host(teff.random((1000,), seed=9, dtype=names[kind], like=like, normal=True)),
          np.asarray(teff.random((1000,), seed=9, dtype=names[kind], normal=True)), "f4")


def test_copies(framework):
    x = framework.array(cells((30, 40), "f8"))
    assert same_bits(framework.host(teff.copy(x[::2, 1:])), framework.host(x)[::2, 1:])


def test_a_long_axis(framework):
    a = cells((2_000_000, 3), "f8")
    close(framework.host(teff.cumsum(framework.array(a), axis=0)), a.cumsum(0), "f8")

# SPDX-License-Identifier: MIT
"""Arrays in and out, and algorithms along NumPy's axes."""

import array
import copy
import ctypes
import gc
import pickle
import resource
import sys
import types
import weakref

import numpy as np
import pytest

import teff
from teff import axes, interop

AXES = [None, 0, 1, 2, -1, (0, 1), (0, 2), (1, 2), (0, 1, 2)]
TYPES = ["f8", "f4", "i8", "i4", "u1", "?"]


def cells(shape, dtype, seed=3):
    return (np.random.default_rng(seed).random(shape) * 9 - 2).clip(0 if dtype in "u1?" else -9) \
        .astype(dtype)


def layouts(a):
    """The same cells, laid out in other ways."""
    yield a
    yield np.asfortranarray(a)
    yield np.flip(np.flip(a, 0).copy(), 0)
    wide = np.zeros(tuple(2 * n for n in a.shape), a.dtype)
    wide[(slice(None, None, 2),) * a.ndim] = a
    yield wide[(slice(None, None, 2),) * a.ndim]
    yield np.moveaxis(np.ascontiguousarray(np.moveaxis(a, 0, -1)), -1, 0)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "mean", "any", "all"])
def test_reductions_are_numpys(name, dtype):
    a = cells((4, 5, 6), dtype)
    for axis in AXES:
        for x in layouts(a):
            for keepdims in (False, True):
                got = getattr(teff, name)(x, axis=axis, keepdims=keepdims)
                expected = getattr(np, name)(a, axis=axis, keepdims=keepdims)
                assert got.shape == expected.shape
                np.testing.assert_allclose(got, expected, rtol=1e-5 if dtype == "f4" else 1e-12)
                if name in ("any", "all", "min", "max", "mean") or dtype in ("f8", "f4", "i8", "i4"):
                    assert got.dtype == expected.dtype or dtype == "?"


@pytest.mark.parametrize("dtype", TYPES[:5])
def test_positions_and_norms(dtype):
    a = cells((4, 5, 6), dtype)
    for axis in (None, 0, 1, 2):
        for x in layouts(a):
            assert np.array_equal(teff.argmin(x, axis=axis), np.argmin(a, axis=axis))
            assert np.array_equal(teff.argmax(x, axis=axis), np.argmax(a, axis=axis))
            np.testing.assert_allclose(teff.norm2(x, axis=axis),
                                       np.sqrt((a.astype("f8") ** 2).sum(axis=axis)), rtol=1e-6)
            assert np.array_equal(teff.max_abs(x, axis=axis), np.abs(a).max(axis=axis))


@pytest.mark.parametrize("dtype", TYPES[:5])
def test_scans(dtype):
    a = cells((4, 5, 6), dtype)
    for axis in (0, 1, 2, -1):
        for x in layouts(a):
            np.testing.assert_allclose(teff.cumsum(x, axis=axis), np.cumsum(a, axis=axis),
                                       rtol=1e-5 if dtype == "f4" else 1e-12, atol=1e-5)
            assert np.array_equal(teff.scan(x, axis, "maximum"), np.maximum.accumulate(a, axis))
    assert np.allclose(teff.cumsum(a), np.cumsum(a), rtol=1e-5)
    shifted = teff.scan(a, 1, init=2, exclusive=True)
    assert np.all(shifted[:, 0] == 2)
    same = a.copy()
    assert teff.cumsum(same, 1, out=same) is same
    np.testing.assert_allclose(same, np.cumsum(a, 1, dtype=a.dtype), rtol=1e-5, atol=1e-5)


def test_more_than_three_axes_are_merged():
    a = cells((2, 3, 4, 5, 2), "f8")
    for axis in range(5):
        np.testing.assert_allclose(teff.sum(a, axis=axis), a.sum(axis=axis))
        np.testing.assert_allclose(teff.cumsum(a, axis=axis), a.cumsum(axis=axis))
    assert teff.max(a) == a.max()
    with pytest.raises(ValueError, match="ascontiguousarray"):
        teff.sum(a[:, ::2, :, ::2], axis=4)


def test_matrices():
    A, x = cells((4, 5), "f8"), cells(5, "f8")
    for B in layouts(A):
        np.testing.assert_allclose(teff.gemv(B, x), A @ x)
        np.testing.assert_allclose(teff.gemv(B.T, np.ones(4)), A.T @ np.ones(4))
        assert np.array_equal(teff.transpose(B), A.T)
    y = np.ones(4)
    assert teff.gemv(A, x, out=y, alpha=2, beta=3) is y
    np.testing.assert_allclose(y, 2 * A @ x + 3)
    np.testing.assert_allclose(teff.dot(x, x), x @ x)
    b = cells((2, 3, 4), "i4")
    assert np.array_equal(teff.transpose(b, (2, 0, 1)), b.transpose(2, 0, 1))
    with pytest.raises(ValueError, match="gemv"):
        teff.matmul(A, x)


def test_matmul():
    A = cells((4, 5), "f4")
    try:
        got = teff.matmul(A, A.T)
    except teff.NoDeviceError:
        pytest.skip("no BLAS here")
    np.testing.assert_allclose(got, A @ A.T, rtol=1e-5)


def test_segments():
    X = cells((6, 3), "f8")
    np.testing.assert_allclose(teff.segmented_sum(X, np.array([0, 1, 1, 6])),
                               [X[0], np.zeros(3), X[1:].sum(0)])
    np.testing.assert_allclose(teff.segmented_sum(X[:, 0].copy(), np.array([0, 6], "i4")),
                               [X[:, 0].sum()])
    with pytest.raises(teff.Error, match="sorted"):
        teff.segmented_sum(X, np.array([0, 4, 2]))
    sums = np.full((2, 3), 7.0)
    for end in (7, 2**62):  # before anything is made that is as long
        with pytest.raises(teff.Error, match=f"ends at column {end}, beyond array 'X'"):
            teff.segmented_sum(X, np.array([0, 2, end]), sums)
    assert (sums == 7).all()


def test_random_numbers_and_own_arrays():
    a = teff.random((2, 3), seed=4)
    assert a.shape == (2, 3) and a.dtype == "f64" and all(0 <= v < 1 for row in a.tolist() for v in row)
    out = np.empty((2, 3))
    teff.random(seed=4, out=out)
    assert np.array_equal(out, np.asarray(a)) and teff.sum(a) == pytest.approx(out.sum())
    assert isinstance(teff.cumsum(a, axis=0), teff.Array)
    assert abs(np.asarray(teff.random(1000, normal=True)).mean()) < 0.2


def test_edges():
    assert teff.sum(np.zeros((0, 3))) == 0 and teff.sum(np.zeros((0, 3)), axis=0).tolist() == [0] * 3
    assert teff.sum(np.zeros((3, 0)), axis=0).shape == (0,)
    assert teff.cumsum(np.zeros((0, 3)), axis=0).shape == (0, 3)
    assert teff.sum(np.float64(3) * np.ones(())) == 3
    assert np.isnan(teff.max(np.array([1, np.nan, 2])))
    assert teff.sum(array.array("d", [1, 2, 3])) == 6
    assert teff.sum(np.broadcast_to(2.0, (3, 4))) == 24


def like_an_image(data):
    """As pictures of Pillow are: the cells are copied when they are asked for."""
    return types.SimpleNamespace(__array_interface__={"version": 3, "shape": (1, 2),
                                                      "typestr": "|u1", "data": data})


@pytest.mark.parametrize("call, message", [
    (lambda: teff.sum([1, 2]), "np.asarray"),
    (lambda: teff.sum(np.ones(3, "f2")), "astype"),
    (lambda: teff.sum(np.ones(3, ">f8")), "big-endian"),
    (lambda: teff.sum(np.ones(3, "c16")), "x.real"),
    (lambda: teff.sum(np.array([1, "a"], object)), "Teff knows f64"),
    (lambda: teff.sum(np.zeros(3, [("a", "f8"), ("b", "i1")])["a"]), "ascontiguousarray"),
    (lambda: teff.sum(np.ma.array([1.0, 2], mask=[0, 1])), "filled"),
    (lambda: teff.sum(np.ones((2, 3)), axis=2), "axis 2 of an array of 2 axes"),
    (lambda: teff.sum(np.ones((2, 3)), axis=(0, 0)), "twice"),
    (lambda: teff.sum(np.ones((2, 3)), axis="x"), "whole number"),
    (lambda: teff.min(np.ones((0, 3))), "of nothing there is no min"),
    (lambda: teff.argmax(np.ones((2, 3, 4)), axis=(0, 1)), "one axis"),
    (lambda: teff.cumsum(np.ones((2, 3)), axis=(0, 1)), "one axis"),
    (lambda: teff.sum(np.ones((2, 3)), axis=0, out=np.ones(2)), "the result has shape"),
    (lambda: teff.sum(np.ones(3), out=np.ones((), "f4")), "cells of f64"),
    (lambda: teff.cumsum(np.ones(3), out=np.broadcast_to(1.0, 3)), "x.copy"),
    (lambda: teff.scan(np.ones(3), exclusive=True), "init"),
    (lambda: teff.scan(np.ones(3), op="xor"), "expected one of add"),
    (lambda: teff.dot(np.ones(3), np.ones(4)), "two vectors"),
    (lambda: teff.dot(np.ones(3), np.ones(3, "f4")), "convert"),
    (lambda: teff.gemv(np.ones((2, 3)), np.ones(3), beta=1), "give out"),
    (lambda: teff.random(), "shape="),
    (lambda: teff.random(3, seed=1.5), "seed is a whole number"),
    (lambda: teff.scan(np.ones(3, "i4"), init=0.5), "init of an array of i32 is a whole number"),
    (lambda: teff.scan(np.ones(3, "i4"), init=2**31), "expected -2147483648 to 2147483647"),
    (lambda: teff.scan(np.ones(3, "u1"), init=-1), "expected 0 to 255"),
    (lambda: teff.sum(np.arange(5.0), out=np.float64(7)), "can not be written to"),
    (lambda: teff.sum(np.ones((2, 3, 4, 5)), axis=(0, 2)), "one of three: take one axis"),
    (lambda: teff.sum(like_an_image(b"\0\1")), "np.asarray"),
    (lambda: teff.sum(like_an_image(None)), "np.asarray"),
    (lambda: teff.sum(b"abcd" * 2), None),
    (lambda: teff.d_xa(np.ones(3)), "of arrays NumPy"),
])
def test_what_is_refused_says_what_to_do(call, message):
    if message is None:
        assert call() == sum(b"abcd" * 2)
        return
    with pytest.raises((TypeError, ValueError)) as error:
        call()
    assert message in str(error.value)


def test_own_arrays_are_copied_and_keep_their_shape():
    """A copy has cells of its own; of NumPy's reshaping there is nothing."""
    own = teff.random((2, 3), seed=np.int64(5))
    before = own.tolist()
    for made in (copy.copy(own), copy.deepcopy(own)):
        assert made.tolist() == before
        teff.random(out=made, seed=1)
        del made
    assert own.tolist() == before
    with pytest.raises(AttributeError):
        own.shape = (1000, 1000)
    with pytest.raises(TypeError, match="np.asarray"):
        pickle.dumps(own)


def test_nothing_is_a_target_too():
    nothing = np.lib.stride_tricks.as_strided(np.zeros((3, 0)), strides=(0, 0))  # as of NumPy 2.4
    assert teff.cumsum(nothing, axis=0, out=nothing) is nothing
    assert teff.random(out=nothing) is nothing


def test_an_overlapping_target_is_refused():
    a = np.ones(10)
    with pytest.raises(teff.Error, match="racy"):
        teff.cumsum(a[:-1], out=a[1:])


# ---- DLPack

class Producer:
    """An array of two by three, by DLPack, which counts how often it is let go."""

    def __init__(self, is_versioned=True, is_read_only=False, device=(1, 0), code=2, major=1,
                 takes_keywords=True):
        self.cells = (ctypes.c_double * 6)(*range(6))
        self.shape = (ctypes.c_int64 * 2)(2, 3)
        self.is_versioned, self.takes_keywords = is_versioned, takes_keywords
        self.device, self.deleted, self.asked = device, 0, []
        self.managed = interop._Versioned() if is_versioned else Legacy()
        if is_versioned:
            self.managed.major, self.managed.flags = major, int(is_read_only)
        tensor = self.managed.tensor
        tensor.data, tensor.ndim, tensor.code, tensor.bits, tensor.lanes = \
            ctypes.addressof(self.cells) - 8, 2, code, 64, 1
        tensor.byte_offset = 8
        tensor.device, tensor.shape = device[0], self.shape
        self.destructor = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(self.let_go)

    def let_go(self, _capsule):
        self.deleted += 1

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **keywords):
        self.asked.append(keywords)
        if keywords and not self.takes_keywords:
            raise TypeError("unexpected keywords")
        name = interop.VERSIONED if self.is_versioned else interop.LEGACY
        return ctypes.pythonapi.PyCapsule_New(ctypes.addressof(self.managed), name,
                                              ctypes.cast(self.destructor, ctypes.c_void_p))


class Legacy(ctypes.Structure):
    _fields_ = [("tensor", interop._Tensor), ("manager", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p)]


@pytest.mark.parametrize("options", [{}, {"is_versioned": False},
                                     {"is_versioned": False, "takes_keywords": False}])
def test_dlpack_in(options):
    x = Producer(**options)
    assert teff.sum(x) == 15
    gc.collect()
    assert x.deleted == 1 and x.asked[0]["max_version"][0] == 1
    assert len(x.asked) == (1 if x.takes_keywords else 2)
    teff.cumsum(x, axis=1, out=x)
    assert list(x.cells) == [0, 1, 3, 3, 7, 12]
    gc.collect()
    assert x.deleted >= 3


def test_dlpack_that_is_refused():
    for options, message in (({"is_read_only": True}, "can not be written to"),
                             ({"device": (8, 0)}, "kind 8"), ({"code": 5}, "cells of"),
                             ({"major": 2}, "DLPack 2.0")):
        x = Producer(**options)
        with pytest.raises((TypeError, ValueError), match=message):
            teff.cumsum(x, axis=1, out=x)
        gc.collect()
        assert x.deleted == len(x.asked)


def test_dlpack_out():
    a = teff.random((2, 3), seed=1)
    expected = a.tolist()
    n = np.from_dlpack(a)
    pointer = n.__array_interface__["data"][0]
    assert pointer == a.__array_interface__["data"][0]
    del a
    gc.collect()
    assert n.tolist() == expected
    a = teff.random((2, 3), seed=1)
    for keywords in ({}, {"max_version": (1, 0)}):  # capsules that nobody takes
        for _ in range(100):
            a.__dlpack__(**keywords)
    held = np.asarray(a)
    watch = weakref.ref(a)
    del a
    gc.collect()
    assert watch() is not None and held.tolist() == expected
    with pytest.raises(BufferError):
        teff.random(3).__dlpack__(copy=True)


def test_an_array_is_held_and_nothing_leaks():
    a = np.ones((50, 50))
    count = sys.getrefcount(a)
    for _ in range(1000):
        teff.sum(a, axis=0)
        teff.random((20, 20))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(9000):
        teff.sum(a, axis=0)
        teff.random((20, 20))
    assert sys.getrefcount(a) == count
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2000  # KB


def test_torch():
    torch = pytest.importorskip("torch")
    t = torch.arange(6.0).reshape(2, 3)
    got = teff.cumsum(t, axis=1)
    assert isinstance(got, torch.Tensor) and torch.equal(got, t.cumsum(1))
    assert isinstance(teff.sum(t), torch.Tensor)
    assert torch.equal(teff.sum(t.T, axis=0), t.T.sum(0))
    for x, message in ((torch.ones(3, requires_grad=True), "detach"),
                       (torch.ones(3, dtype=torch.float16), "torch.float32"),
                       (torch.ones(3).to_sparse(), "to_dense")):
        with pytest.raises(TypeError, match=message):
            teff.sum(x)
    teff.cumsum(t, axis=1, out=t)
    assert torch.equal(got, t)


def test_jax():
    jax = pytest.importorskip("jax")
    x = jax.numpy.arange(6.0).reshape(2, 3)
    got = teff.cumsum(x, axis=1)
    assert isinstance(got, jax.Array) and got.tolist() == [[0, 1, 3], [3, 7, 12]]
    with pytest.raises(ValueError, match="JAX"):
        teff.cumsum(x, axis=1, out=x)


def test_import_is_light(run_python):
    done = run_python("import sys, teff\n"
                      "print([m for m in ('numpy', 'torch', 'jax', 'cupy') if m in sys.modules])")
    assert done.stdout.strip() == "[]"


def test_machine():
    assert teff.info().startswith("cpu: ")
    with teff.profile("test") as p:
        teff.sum(np.ones(1000))
        assert "sum" in p.table()
    with pytest.raises(teff.Error, match="cuda"):
        from teff import library
        library.stream("cuda:77")


def test_views_are_on_the_stream_of_their_array():
    cells = interop.cells_of(np.ones((2, 3, 4, 5)))
    cells.stream = 7
    views = [cells.viewed((120,)), axes.merged_axes("sum", (1,), cells)[0],
             axes.reshaped(cells, (1, 2, 3, 4, 5), "sum")]
    assert [view.stream for view in views] == [7, 7, 7]


def test_handles_hold_no_memory_and_are_bounded():
    x = np.ones(4)
    count = sys.getrefcount(x)
    assert teff.sum(x) == 4
    assert sys.getrefcount(x) == count
    for n in range(1, 3 * interop.MOST_HANDLES):
        teff.sum(np.ones(n))
    assert len(interop._handles) <= interop.MOST_HANDLES
    y = np.arange(4.0)
    for part, expected in ((y, 6), (y[::2], 2), (y[::-1], 6), (y[1:], 6), (y.view("i8")[:1], 0)):
        assert teff.sum(part) == expected  # one address, several arrays

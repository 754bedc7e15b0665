# SPDX-License-Identifier: MIT
"""Arrays that say what can not be, cells of bool, and arguments of algorithms that are refused."""

import ctypes

import numpy as np
import pytest

import teff
from teff import interop

A = np.ones((2, 3))


class Says:
    """An object with an interface of NumPy's, changed."""

    def __init__(self, **changes):
        given = {**A.__array_interface__, **changes}
        self.__array_interface__ = {k: v for k, v in given.items() if v is not NotImplemented}


ADDRESS = A.__array_interface__["data"][0]


@pytest.mark.parametrize("changes, message", [
    ({"shape": (2**64 + 3,)}, "extents are 0 to"),
    ({"shape": (-3,)}, "extents are 0 to"),
    ({"shape": (2**40, 2**40)}, "where no memory is"),
    ({"strides": (2**70, 8)}, "where no memory is"),
    ({"strides": (-2**70, 8)}, "where no memory is"),
    ({"strides": ()}, "2 axes and 0 strides"),
    ({"strides": (24, 8, 8)}, "2 axes and 3 strides"),
    ({"data": (0, False)}, "where no memory is"),
    ({"data": (-8, False)}, "where no memory is"),
    ({"data": (2**64 + ADDRESS, False)}, "where no memory is"),
    ({"data": (None, False)}, "where its cells are"),
    ({"data": (ADDRESS + 3, False)}, "no multiple of"),
    ({"typestr": NotImplemented}, "no typestr"),
    ({"typestr": ""}, "cells of"),
    ({"shape": NotImplemented}, "no shape"),
    ({"mask": A > 0}, "mask"),
])
def test_an_interface_that_can_not_be(changes, message):
    with pytest.raises((TypeError, ValueError)) as raised:
        teff.sum(Says(**changes))
    assert message in str(raised.value)
    assert teff.sum(Says()) == 6 and teff.sum(Says(shape=(0,), data=(0, False))) == 0


@pytest.mark.parametrize("change, message", [
    ({"ndim": -1}, "-1 axes"), ({"ndim": 100}, "100 axes"), ({"data": None}, "where no memory is"),
    ({"byte_offset": 3}, "no multiple of"),
])
def test_a_capsule_that_can_not_be(change, message):
    class Gives:
        def __dlpack_device__(self):
            return A.__dlpack_device__()

        def __dlpack__(self, **_named):
            capsule = A.__dlpack__()
            tensor = interop._Tensor.from_address(
                ctypes.pythonapi.PyCapsule_GetPointer(capsule, interop.LEGACY))
            for name, value in change.items():
                setattr(tensor, name, value)
            return capsule
    with pytest.raises((TypeError, ValueError)) as raised:
        teff.sum(Gives())
    assert message in str(raised.value)


def test_cells_of_bool_hold_0_and_1():
    some, bytes_of = np.array([True, False, True]), np.array([5, 0, 2], "u1")
    assert teff.max(some) and teff.scan(some, op="multiply").tolist() == [True, False, False]
    assert teff.scan(some, op="maximum", init=True).tolist() == [True] * 3
    for call in (lambda: teff.scan(some), lambda: teff.scan(some, op="multiply", init=3),
                 lambda: teff.cumsum(some, out=np.zeros(3, bool)),
                 lambda: teff.max(bytes_of, out=np.zeros((), bool)),
                 lambda: teff.scan(bytes_of, op="maximum", out=np.zeros(3, bool))):
        with pytest.raises((TypeError, ValueError), match="bool"):
            call()
    one = np.zeros((), bool)
    assert teff.max(some, out=one) is one and one and teff.any(bytes_of, out=one) and one
    with pytest.raises(teff.CompileError, match=r"view\('u1'\)"):
        teff.kernel("m(i) = 5;", "m")(some)


def test_numbers_of_a_kernel_of_any_type_of_numpys():
    c = np.zeros(3)
    teff.kernel("c(i) = a;", "a, c")(np.longdouble(2.5), c)
    assert c.tolist() == [2.5] * 3


@pytest.mark.parametrize("call, message", [
    (lambda: teff.sum(A, axis=np.array([0, 1])), "an axis is a whole number"),
    (lambda: teff.random(2**64 + 5), "extent of shape is 18446744073709551621"),
    (lambda: teff.random((2, 1.5)), "is a whole number"),
    (lambda: teff.random("ab"), "is a whole number"),
    (lambda: teff.transpose(A, 5), "axes 5 of an array"),
    (lambda: teff.transpose(A, (0, 0)), "each of their axes once"),
    (lambda: teff.scan(A, 0, op=["add"]), "expected one of add"),
    (lambda: teff.copy(np.ones((2, 3, 4, 5, 2))[:, ::2, :, ::2]), "copy: an array of 5 axes"),
    (lambda: teff.cumsum(np.ones((2, 3, 4, 5, 2))[:, ::2, :, ::2], axis=4), "copy it, by"),
])
def test_arguments_that_are_refused(call, message):
    with pytest.raises((TypeError, ValueError)) as raised:
        call()
    assert message in str(raised.value)


def test_arguments_that_are_taken():
    a = np.arange(6.0).reshape(2, 3)
    assert teff.random(np.array([2, 3])).shape == (2, 3) and teff.random(np.int64(4)).shape == (4,)
    assert np.array_equal(teff.transpose(a, (-1, -2)), a.T)
    y = np.ones(2)
    assert teff.gemv(a, np.ones(3), y, np.float32(2), np.float32(3)).tolist() == [9, 27]
    four = np.random.default_rng(1).random((2, 3, 4, 5))
    for x in (four, four[:, :, ::2], four[::-1]):
        out = np.zeros_like(x)
        assert np.array_equal(teff.copy(x), x) and np.array_equal(teff.copy(x, out), x)
        np.testing.assert_allclose(teff.cumsum(x, axis=3), x.cumsum(axis=3))


def test_classes_of_users_are_numpys_arrays():
    class Mine(np.ndarray):
        pass
    mine = np.ones((2, 3, 4, 5)).view(Mine)
    assert type(teff.sum(mine, axis=0)) is np.ndarray and teff.cumsum(mine, axis=1).shape == mine.shape

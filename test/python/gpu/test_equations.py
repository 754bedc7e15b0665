# SPDX-License-Identifier: MIT
"""Equations on a GPU, by conjugate gradients and Chebyshev's iteration: the bits, iterations and residuals
of the CPU's, over arrays of Teff, torch and CuPy; a stream that is late; and errors.
"""

import numpy as np
import pytest
from equation_formulas import in_1d, in_2d, in_3d, start
from frameworks import Cupy, Torch, framework, same_bits  # noqa: F401

import teff
from teff import inn, library
from teff.array import Array
from teff.interop import cells_of

SOLVERS = [teff.conjugate_gradients, teff.chebyshev]


class Own:
    """Arrays of Teff's own."""

    def array(self, host):
        host = np.ascontiguousarray(host)
        made = Array.empty(host.shape, cells_of(host).type, "cuda:0")
        library.lib().teff_copy(made._handle, cells_of(host).handle())
        library.lib().teff_stream_synchronize(library.stream("cuda:0"))
        return made

    def host(self, x):
        here = np.empty(x.shape, library.NAMES[x._type][0] + str(library.BYTES[x._type]))
        library.lib().teff_copy(cells_of(here).handle(), x._handle)
        library.lib().teff_stream_synchronize(library.stream("cuda:0"))
        return here


CASES = [(in_1d, (100_003,)), (in_2d, (61, 83)), (in_2d, (517, 1030)), (in_3d, (31, 44, 67))]


@pytest.mark.parametrize("of", [Own, Torch, Cupy], ids=["teff", "torch", "cupy"])
@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.__name__)
@pytest.mark.parametrize("kind", ["f8", "f4"])
@pytest.mark.parametrize("formula, shape", CASES, ids=str)
def test_bits_of_the_cpu(formula, shape, kind, solver, of):
    arrays, tolerance = of(), 1e-9 if kind == "f8" else 1e-4
    x, b, c = start(shape, kind)
    there = [arrays.array(a) for a in (x, b, c)]
    on_cpu = solver(x, b, formula, c, tolerance=tolerance)
    found = solver(*there[:2], formula, there[2], tolerance=tolerance)
    assert same_bits(arrays.host(there[0]), x)
    assert (found.iterations, found.residual) == (on_cpu.iterations, on_cpu.residual)
    assert str(found) == str(on_cpu)


def test_looks_at_the_residual_change_nothing():
    x, b, c = start((61, 83), "f8")
    lines = set()
    for every in (1, 7, 32, 1000):
        there = [Own().array(a) for a in (x, b, c)]
        found = teff.conjugate_gradients(*there[:2], in_2d, there[2], tolerance=1e-9,
                                         check_every=every)
        lines.add((str(found), Own().host(there[0]).tobytes()))
    assert len(lines) == 1


@pytest.mark.parametrize("text, call", [
    ("A must be symmetric and positive definite",
     lambda x, b, c: teff.conjugate_gradients(x, b, lambda v, c: -inn(c) * inn(v), c)),
    ("one array is on",
     lambda x, b, c: teff.conjugate_gradients(x, np.ones((61, 83)), in_2d, c)),
    ("shares memory", lambda x, b, c: teff.conjugate_gradients(x, b, in_2d, x)),
    ("eigenvalue outside of 1 to 2",
     lambda x, b, c: teff.chebyshev(x, b, in_2d, c, least=1, most=2, tolerance=0))],
    ids=["not definite", "two devices", "shared memory", "wrong bounds"])
def test_refusals(text, call):
    with pytest.raises((teff.Error, ValueError), match=text):
        call(*(Own().array(a) for a in start((61, 83), "f8")))


def test_a_late_stream_is_waited_for(framework):
    x, b, c = (framework.array(a) for a in start((517, 1030), "f8"))
    expected = framework.array(framework.host(x))
    teff.conjugate_gradients(expected, b, in_2d, c, tolerance=1e-9)
    late_b = framework.array(np.zeros((517, 1030)))
    with framework.on(framework.stream()):
        framework.late()
        late_b[:] = b
        teff.conjugate_gradients(x, late_b, in_2d, c, tolerance=1e-9)
        copy = 1 * x
        got = framework.host(copy)
    assert same_bits(got, framework.host(expected))

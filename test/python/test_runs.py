# SPDX-License-Identifier: MIT
"""Runs of time steps. (The code that is compiled for them: test_compiled.py.)"""

import copy
import os
import sys
import threading
import weakref

import formulas
import numpy as np
import pytest
from formulas import GROW, grow, heat

import teff
from teff import tracer
from teff.array import Array


def fields():
    T = np.random.default_rng(3).random((20, 30))
    return T, np.full((20, 30), 0.5)


def test_a_run_advances_its_field_in_place():
    T = np.ones(8)
    part = T[2:6]
    run = teff.iterate(grow, 3, part)
    assert T.tolist() == [1, 1, 8, 8, 8, 8, 1, 1]
    assert run.steps == 3 and run.residual is None and not run.has_converged and run.seconds > 0
    assert "3 steps of 4 f64" in str(run)
    with pytest.raises(TypeError, match="neither copied nor pickled"):
        copy.copy(run)


def test_numbers_are_those_of_the_call(monkeypatch, capfd):
    T = np.ones(8)
    for number, expected in ((2.0, 3), (-1.0, 0), (np.float32(0.5), 0)):
        monkeypatch.setattr(formulas, "rate", number)
        teff.iterate(grow, 1, T)
        assert T[0] == expected
    assert "compiling" not in capfd.readouterr().err


def test_strided_and_other_fields():
    wide = np.ones((5, 16))
    teff.iterate(grow, 1, wide[2, ::2])
    teff.iterate(grow, 1, wide[3, ::-1])
    assert wide.sum() == 5 * 16 + 8 + 16 and wide[2].tolist() == [2, 1] * 8
    teff.iterate(grow, 5, np.ones(0))


def test_targets_that_are_refused():
    with pytest.raises(ValueError, match="np.array"):
        teff.iterate(grow, 1, np.broadcast_to(1.0, 8))
    fixed = np.ones(8)
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="can not be written to"):
        teff.iterate(grow, 1, fixed)
    T, Ci = fields()
    with pytest.raises(teff.Error, match="shares|memory"):
        teff.iterate(heat, 1, T, T)
    Ci.flags.writeable = False
    teff.iterate(heat, 1, T, Ci)
    with pytest.warns(RuntimeWarning, match="Fortran"):
        teff.iterate(heat, 1, np.asfortranarray(T), Ci)
    with pytest.raises(teff.Error, match="negative|steps"):
        teff.iterate(grow, -1, np.ones(8))


def test_on_step_and_what_it_raises():
    T, told = np.ones(8), []
    teff.iterate(grow, 7, T, on_step=(3, told.append))
    assert told == [3, 6] and T[0] == 128

    class Mine(Exception):
        pass

    def stop(done):
        if done == 4:
            raise Mine("enough")
    T = np.ones(8)
    with pytest.raises(Mine, match="enough"):
        teff.iterate(grow, 100, T, on_step=(2, stop))
    assert T[0] == 16


def test_values_that_are_not_finite():
    T = np.full(8, 1e300)
    with pytest.raises(teff.NonFiniteError) as raised:
        teff.iterate(grow, 1000, T, check_every=10)
    assert np.isfinite(T).all() and raised.value.good_step == 27 == round(np.log2(T[0] / 1e300) + 0)


def test_explain():
    T, Ci = fields()
    text = teff.explain(heat, T, Ci)
    assert "'T'" in text and "evolves" in text and "schedule" in text and repr(text) == str(text)


def test_from_threads():
    arrays = [np.ones(8) for _ in range(8)]
    threads = [threading.Thread(target=teff.iterate, args=(grow, 5, a)) for a in arrays]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(a[0] == 32 for a in arrays)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_after_a_fork(run_python):
    """A child of a process whose threads have run computes, and does not hang."""
    run_python(GROW + """
import os, sys
teff.iterate(grow, 2, np.ones(100000))
teff.sum(np.ones(1000000))
child = os.fork()
if child == 0:
    T = np.ones(100000)
    teff.iterate(grow, 2, T)
    os._exit(0 if T.sum() == 400000 and teff.sum(T) == 400000 else 1)
assert os.waitpid(child, 0)[1] == 0
""", timeout=60)


def test_nothing_leaks():
    import resource
    T = np.ones(8)
    count = sys.getrefcount(T)
    for i in range(4000):
        if i == 1000:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        teff.iterate(grow, 1, T[:0])
    assert sys.getrefcount(T) == count
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2000  # KB


def test_arrays_that_are_as_they_were_are_not_asked_again(monkeypatch):
    """Whatever changes of an array is seen all the same, and none is held."""
    from teff import run
    asked = []

    def cells_of_all(*given):
        asked.append(given)
        return tracer.cells_of_all(*given)
    monkeypatch.setattr(run, "cells_of_all", cells_of_all)
    T = np.ones(8)
    teff.iterate(grow, 1, T)
    asked.clear()
    teff.iterate(grow, 1, T)
    assert not asked and T.tolist() == [4] * 8
    teff.iterate(grow, 1, T[:4])
    assert asked and T.tolist() == [8] * 4 + [4] * 4
    T.flags.writeable = False
    with pytest.raises(ValueError, match="can not be written to"):
        teff.iterate(grow, 1, T)
    T.flags.writeable = True
    teff.iterate(grow, 1, T)
    asked.clear()  # which holds what it was given
    gone = weakref.ref(T)
    del T
    assert gone() is None
    own = Array.empty((8,), 0)
    np.asarray(own)[:] = 1
    teff.iterate(grow, 1, own)
    asked.clear()
    teff.iterate(grow, 1, own)
    assert not asked and own.tolist() == [4] * 8

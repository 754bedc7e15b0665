# SPDX-License-Identifier: MIT
"""Calls that are made again: what they keep, and that nothing else depends on it."""

import gc

import numpy as np
import pytest
from formulas import ALL

import teff
from teff import fixed, gradient, inn, ix, library, step_index, update


@teff.timestep
def moved(T, A):
    """Its conditions and its values depend on the number of the step."""
    return update(inn(T), inn(T) + 0.125 * inn(A) + 0.25 * step_index,
                  teff.boundary(x=(fixed(ix + 0.5 * step_index), gradient(0.5))))


@teff.timestep
def grow(T):
    return update(T, T + T)


def start(shape=(9, 12)):
    return list(np.random.default_rng(5).random((2, *shape)))


def kept_of(step):
    """What a call of the step left for the next one."""
    return [call.block.kept for call in step._last.spare]


def facts_of(run):
    return run.steps, run.passes, run.scratch_bytes, run.schedule, run.steps_per_pass, run.residual


CALLS = [(1, {}), (1, {}), (3, {}), (2, {"first_step": 7}), (1, {}), (4, {"check_every": 2}), (2, {}),
         (0, {}), (5, {"schedule": "stepwise"}), (40, {}), (1, {}),
         (4, {"on_step": (2, lambda done: None)}), (1, {})]


@pytest.mark.parametrize("step, fields, rows", [(moved, 2, "only"), (ALL["wave"][0], 3, "only"),
                                                (ALL["heat"][0], 2, "only"), (ALL["heat"][0], 2, "0")])
def test_calls_after_others_make_what_first_ones_do(monkeypatch, step, fields, rows):
    monkeypatch.setenv("TEFF_ROWS", rows)
    larger = ((0, 0), (1, 0), (0, 1))[:fields] if fields == 3 else ((0, 0),) * fields
    given = [np.random.default_rng(5).random((9 + y, 12 + x)) for x, y in larger]
    both = []
    for is_first in (True, False):
        step._last, told, again = None, [], [a.copy() for a in given]
        for steps, options in CALLS:
            if is_first:
                step._last = None
            told.append(facts_of(teff.iterate(step, steps, *again, **options)))
        both.append((told, [a.tobytes() for a in again]))
    assert both[0] == both[1]
    assert kept_of(step)[0]


def test_what_is_kept():
    """A call's formula over its fields, if they are few; and no more than one."""
    T = np.ones(8)
    teff.iterate(grow, 1, T)
    bound, (kept,) = grow._last.bound, kept_of(grow)
    assert kept
    for steps in (1, 2, 0, 3):
        teff.iterate(grow, steps, T)
        assert grow._last.bound is bound and kept_of(grow) == [kept]
    assert T[0] == 2.0 ** 7
    large = np.ones(1 << 17)
    teff.iterate(grow, 1, large)
    teff.iterate(grow, 1, large)
    assert kept_of(grow) == [None] and large.sum() == 4 << 17


def test_what_is_kept_is_let_go(monkeypatch):
    """With what it is of."""
    freed, free = [], library.lib().teff_stepper_free

    class Library:
        def __getattr__(self, name):
            return getattr(loaded, name)

        def teff_stepper_free(self, stepper):
            freed.append(stepper)
            free(stepper)
    loaded = library._lib
    T = np.ones(8)
    teff.iterate(grow, 1, T)
    kept = kept_of(grow)
    monkeypatch.setattr(library, "_lib", Library())
    teff.iterate(grow, 1, T[:4])
    gc.collect()
    assert freed == kept and kept_of(grow) != [None]


def test_a_call_that_fails_leaves_nothing():
    T, A = start()
    with pytest.raises(teff.Error, match="memory|cells"):
        teff.iterate(moved, 1, T, T)
    assert moved._last is None or not moved._last.spare
    teff.iterate(moved, 1, T, A)
    fault = np.full(8, 1e308)
    with pytest.raises(teff.NonFiniteError):
        teff.iterate(grow, 9, fault, check_every=3)
    assert teff.iterate(grow, 1, fault).steps == 1 and np.isinf(fault).all()


def test_calls_within_a_call():
    T = np.ones(8)
    teff.iterate(grow, 1, T)
    teff.iterate(grow, 2, T, on_step=(1, lambda done: teff.iterate(grow, 1, T)))
    assert T[0] == 2.0 ** 5

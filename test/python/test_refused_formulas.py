# SPDX-License-Identifier: MIT
"""What is refused of a formula as a whole, and numbers that it takes when it is made."""

import functools

import numpy as np
import pytest

import teff
from teff import emit, interop
from teff.fd import inn

T, Ci = np.zeros((6, 7)), np.ones((6, 7))
step_of = teff.timestep


def test_a_condition_keeps_the_numbers_that_it_was_made_of():
    """So an array that changes in place can not be in it unseen, and a list neither."""
    g, pair = np.array(1.0), [teff.fixed(1.0), teff.fixed(2.0)]
    of_arrays = teff.boundary(x=(teff.fixed(g), teff.gradient(g)), y=teff.robin(g, g, g))
    of_list = teff.boundary(x=pair)

    def reals(conditions):
        return emit.traced(lambda T: teff.update(inn(T), 0.5, conditions),
                           [interop.cells_of(T)]).reals
    g[...], pair[0] = 5, teff.fixed(9.0)
    assert reals(of_arrays) == [0.5] + 5 * [1.0] and reals(of_list) == [0.5, 1.0, 2.0]
    assert reals(teff.boundary(x=teff.fixed(g))) == [0.5, 5.0]


def test_numbers_of_numpy():
    text = step_of(lambda T: teff.update(T, np.longdouble(2) * T ** np.float32(2))).source(T)
    assert "x[0] * t0" in text and "sq(f0)" in text
    assert not hasattr(teff.ix, "shape") and f"{teff.ix}" == "<ix of a formula>"


def test_a_formula_that_is_nested_too_deep():
    def long(count, T):
        for _ in range(count):
            T = T + 1.0  # the line
        return T
    step = step_of(lambda T: teff.update(T, long(300, T)))
    line = long.__code__.co_firstlineno + 2
    with pytest.raises(teff.UsageError, match=rf"test_refused_formulas.py, line {line}\).*deeper than 250"):
        step.source(T)
    step_of(lambda T: teff.update(T, long(250, T))).source(T)


def test_a_value_that_is_used_again_and_again(monkeypatch):
    """80 choices within choices, each of which uses the one before three times: 3^80 operations in a
    type of C++, 240 in a row."""
    def nested(a, C, where):
        for n in range(80):
            a = where(a < C * n, a * 0.5, a + 1.0)  # the line
        return a
    step = step_of(lambda T, C: teff.update(inn(T), nested(inn(T), inn(C), teff.where)))
    A, C = np.random.default_rng(1).random((2, 6, 7))
    expected = nested(A[1:-1, 1:-1], C[1:-1, 1:-1], np.where)
    monkeypatch.delenv("TEFF_ROWS", raising=False)
    teff.iterate(step, 1, A, C)
    assert (A[1:-1, 1:-1] == expected).all()
    line = nested.__code__.co_firstlineno + 2
    with pytest.raises(teff.CompileError, match=rf"test_refused_formulas.py, line {line}\): its value "
                       "has more than 20000 operations.*teff.stages"):
        teff.iterate(step, 4, A, C, schedule="temporal")


def test_rows_do_not_depend_on_the_callers_stack():
    def nested(T):
        for _ in range(120):
            T = teff.sq(T) + 1.0
        return T

    def deep(frames):
        return deep(frames - 1) if frames else emit.traced(
            lambda T: teff.update(T, teff.abs(nested(T))), [interop.cells_of(T)]).row_text()
    assert deep(600)


def test_a_time_of_an_integrator_in_a_plain_step():
    def late(T):
        a = T * teff.stage_time
        return teff.update(T, a)
    line = late.__code__.co_firstlineno + 1
    with pytest.raises(TypeError, match=rf"late .*test_refused_formulas.py, line {line}\).*step_index"):
        step_of(late).source(T)
    with pytest.raises(TypeError, match="late: .*step_index"):
        emitted = lambda T: teff.update(T, 1.0, teff.boundary(x=teff.fixed(teff.stage_time)))
        emitted.__name__ = "late"
        step_of(emitted).source(T)
    assert "stage_time" in teff.rk4(lambda T: T * teff.stage_time, 0.1).source(T)


def test_the_number_of_fields():
    class Model:
        @teff.timestep
        def step(self, T):
            return teff.update(T, T)
    with pytest.raises(TypeError, match=r"step takes 2 fields \(self, T\), got 1: a method is no"):
        teff.iterate(Model().step, 1, T)
    with pytest.raises(TypeError, match=r"a whole number, got an array of shape \(6, 7\)"):
        teff.iterate(step_of(lambda T: teff.update(T, T)), T, 1)

    def a_default(T, Ci=None):
        return teff.update(T, T)
    step_of(a_default).source(T)
    step_of(lambda *fields: teff.update(fields[0], fields[1])).source(T, Ci)


def test_what_takes_neither_keys_nor_too_wide_numbers():
    cached = functools.cache(lambda a: 2 * a)
    with pytest.raises(TypeError, match="functools.cache .*call the function itself"):
        step_of(lambda T: teff.update(T, cached(T))).source(T)
    with pytest.raises(OverflowError, match="an integer of 16610 bits"):  # too many digits to write
        step_of(lambda T: teff.update(T, T * 10**5000)).source(T)
    with pytest.raises(TypeError, match=r"teff.maximum\(a, b\)"):
        step_of(lambda T: teff.update(T, teff.max(T, T))).source(T)


def test_options_that_are_no_numbers():
    step = step_of(lambda T: teff.update(T, T))
    with pytest.raises(TypeError, match="teff.iterate: tolerance='small': expected a number"):
        teff.iterate(step, 1, T, tolerance="small")
    for dt in ("small", None):
        with pytest.raises(TypeError, match=r"teff.rk4\(f, dt\): dt=.*expected a number"):
            teff.rk4(lambda T: -T, dt)


def test_a_field_is_not_resized_meanwhile():
    """Its cells would be elsewhere, and what lies at their old place be overwritten."""
    field, step = np.ones(20), step_of(lambda T: teff.update(T, T + T))
    with pytest.raises(ValueError, match="cannot resize"):
        teff.iterate(step, 6, field, on_step=(2, lambda _: field.resize(40000, refcheck=False)))
    assert field.tolist() == 20 * [4.0]
    field.resize(30, refcheck=False)
    assert field.sum() == 80

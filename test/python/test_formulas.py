# SPDX-License-Identifier: MIT
"""What a formula is traced to, and what is refused, with the line that it is about."""

import re
import traceback
from pathlib import Path

import numpy as np
import pytest
from conftest import PACKAGE
from formulas import ALL, heat

import teff
from teff import fd
from teff.fd import *  # noqa: F403

GOLDEN = Path(__file__).parent / "golden"
T, Ci = np.zeros((6, 7)), np.ones((6, 7))
K = np.zeros((6, 7), "i4")
LINE, CUBE = np.zeros(9), np.zeros((5, 6, 7))


def step_of(function):
    return teff.timestep(function)


@pytest.mark.parametrize("name", sorted(ALL))
def test_golden_text(name):
    """The text of five formulas; TEFF_TEST_GOLDEN=1 in the environment writes it anew."""
    import os
    step, larger = ALL[name]
    text = step.source(*(np.zeros((6 + y, 7 + x)) for x, y in larger))
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("TEFF_TEST_GOLDEN") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert text == path.read_text()


def test_numbers_and_names_are_not_in_the_text():
    def make(a, b):
        @teff.timestep
        def some_name(some_field, other):
            return teff.update(inn(some_field), a * inn(other) + b * inn(some_field) + 12345)
        return some_name
    texts = {make(a, b).source(T, Ci) for a, b in ((1.5, 2), (7.25, 3), (np.float64(3), np.int64(4)),
                                                   (np.float32(1), np.ones(())))}
    assert len({re.sub(r"int\(n\[\d\]\)|x\[\d\]", "#", t) for t in texts}) == 1
    assert all("some" not in t and "12345" not in t and "7.25" not in t for t in texts)
    assert make(1.5, 2).source(T, Ci) == make(-1e300, -7).source(T, Ci)


def test_a_value_that_is_used_twice_is_one_line():
    def squares(T):
        value = inn(T)
        for _ in range(30):
            value = value * value
        return teff.update(inn(T), value)
    assert step_of(squares).source(T).count("\n") < 60


def test_products_are_as_written():
    def precedence(T):
        return teff.update(T, -T**2 + 1 * T - T * 2.0 / (T + 0.0))
    lines = re.findall(r"auto (t\d+) = (.*);", step_of(precedence).source(T))
    assert [text for _, text in lines] == ["sq(f0)", "-t0", "int(n[0]) * f0", "t1 + t2",
                                           "f0 * x[0]", "f0 + x[1]", "t4 / t5", "t3 - t6"]


def test_functions_of_numpy():
    @teff.timestep
    def step(T, Ci):
        a = np.exp(-T) + np.sqrt(Ci) * np.float64(2.0) + np.float64(2.0) * np.abs(T)
        return teff.update(T, np.where(np.logical_and(T > 0, Ci <= 1), np.maximum(a, T),
                                       np.power(T, 3) + np.square(a)))
    text = step.source(T, Ci)
    for name in ("exp(", "sqrt(", "abs(", "where(", "&&", "maximum(", "pow(", "sq("):
        assert name in text


def test_operators_are_those_of_cpp():
    """The table of extents says what the headers say."""
    for rank in (1, 2, 3):
        header = (PACKAGE / f"teff/library/include/teff/expr/fd{rank}.hpp").read_text()
        found = {}
        for shrink, name in re.findall(
                r"constexpr op<[^;]*?shrink<([\d, ]+)>[^;]*>\s*(\w+)\{\}", header):
            found[name] = tuple(int(n) for n in shrink.split(","))
        for cells, name in re.findall(r"inner_operator<\d, ([\d, ]+)> (\w+)\{\}", header):
            found[name] = tuple(2 * int(n) for n in cells.split(","))
        assert found == fd.SHRINKS[rank]


def returns(value):
    return lambda T, Ci: value


def keep(values):
    kept = []

    def function(T, Ci):
        kept.append(T + 1)
        return teff.update(T, kept[0])
    function(*values) if values else None
    return function


def kept_from_before():
    kept = []

    def function(T, Ci):
        kept.append(T + 1)
        return teff.update(T, kept[0])
    step_of(function).source(T, Ci)
    return function


def line_of_if(T, Ci):
    if T > 0:  # this line
        return teff.update(T, T)
    return teff.update(T, Ci)


def line_of_sum(T, Ci):
    a = d_xa(T)
    return teff.update(T, T + a)  # this line


@pytest.mark.parametrize("function, error, message", [
    (line_of_if, TypeError, "teff.where"),
    (line_of_sum, ValueError, "field 0 has 7x6 cells, the value of line"),
    (lambda T, Ci: teff.update(T, max(T, 0)), TypeError, "teff.maximum"),
    (lambda T, Ci: teff.update(T, T and Ci), TypeError, "`&`"),
    (lambda T, Ci: teff.update(T, __import__("math").exp(T)), TypeError, "teff.exp"),
    (lambda T, Ci: teff.update(T, float(T)), TypeError, "float()"),
    (lambda T, Ci: teff.update(T, int(T)), TypeError, "teff.convert"),
    (lambda T, Ci: teff.update(T, len(T)), TypeError, "Extents"),
    (lambda T, Ci: teff.update(T, [t for t in T]), TypeError, "all cells at once"),
    (lambda T, Ci: teff.update(T, T[1:]), TypeError, "teff.inn"),
    (lambda T, Ci: exec("T += 1"), TypeError, "another meaning"),
    (lambda T, Ci: exec("T[0] = 1"), TypeError, "teff.update"),
    (lambda T, Ci: teff.update(T, T // 2), TypeError, "teff.floor"),
    (lambda T, Ci: teff.update(T, T % 2), TypeError, "teff.floor"),
    (lambda T, Ci: teff.update(T, np.sum(T)), TypeError, "np.sum"),
    (lambda T, Ci: teff.update(T, np.arctan(T)), TypeError, "np.arctan has no meaning"),
    (lambda T, Ci: teff.update(T, np.add.reduce(T)), TypeError, "np.add.reduce"),
    (lambda T, Ci: teff.update(T, T + np.ones((6, 7))), TypeError, "one more field"),
    (lambda T, Ci: teff.update(T, T + 1j), TypeError, "complex"),
    (lambda T, Ci: teff.update(T, T + "1"), TypeError, "expected a field's expression"),
    (lambda T, Ci: teff.update(T, T + 2**70), OverflowError, "64 bits"),
    (lambda T, Ci: teff.update(T, (T > 0) & T), TypeError, "parentheses"),
    (lambda T, Ci: teff.update(T, where(T, 1, 2)), TypeError, "comparison"),
    (lambda T, Ci: teff.update(T, abs(T > 0)), TypeError, "abs of a condition"),
    (lambda T, Ci: teff.stages(teff.update(T, Ci), residual=teff.max_abs(teff.step_index * 1.0)),
     ValueError, "no field in it"),
    (lambda T, Ci: None, TypeError, "return teff.update"),
    (returns(3.0), TypeError, "returns 3.0, expected"),
    (lambda T, Ci: T + 1, TypeError, "expected teff.update"),
    (lambda T, Ci: (teff.update(T, Ci), teff.update(Ci, T)), TypeError, "teff.stages"),
    (lambda T, Ci: teff.update(T + 1, Ci), TypeError, "the target is a field"),
    (lambda T, Ci: teff.update(d_xa(T), d_xa(Ci)), TypeError, "the target is a field"),
    (lambda T, Ci: teff.update(inn(inn(T)), inn(inn(Ci))), TypeError, "the target is a field"),
    (lambda T, Ci: teff.update(inn(T), Ci), ValueError, "the target has 5x4 cells"),
    (lambda T, Ci: teff.update(T, Ci, "periodic"), TypeError, "teff.boundary"),
    (lambda T, Ci: teff.update(T, Ci, teff.boundary(z=teff.fixed)), ValueError, "2 dims"),
    (lambda T, Ci: teff.update(T, Ci, teff.boundary(x=teff.gradient(T))), TypeError, "reads a field"),
    (lambda T, Ci: teff.boundary(x=1), TypeError, "pair of them"),
    (lambda T, Ci: teff.boundary(x=(teff.periodic, teff.fixed)), ValueError, "both sides"),
    (lambda T, Ci: teff.together(teff.update(T, Ci), teff.update(T, T)), ValueError, "one field"),
    (lambda T, Ci: teff.stages(teff.update(T, Ci), residual=T), TypeError, "max_abs"),
    (lambda T, Ci: teff.stages(), TypeError, "nothing is written"),
    (lambda T, Ci: teff.stages(T), TypeError, "entry 0"),
    (lambda T, Ci: teff.rate(T, Ci), TypeError, "returns teff.rate"),
    (lambda T, Ci: teff.update(T, d(T)), TypeError, "not for fields of 2 dims"),
    (lambda T, Ci: teff.update(T, at(around(T, 1), 2)), ValueError, "offset 2 along x"),
    (lambda T, Ci: teff.update(T, at(T, 1)), TypeError, "teff.around"),
    (lambda T, Ci: teff.update(T, inn(inn(inn(inn(T))))), ValueError, "too few cells"),
    (lambda T, Ci: teff.update(T, np.exp(T, out=1)), TypeError, "NumPy's functions stand alone"),
    (kept_from_before(), TypeError, "another call"),
    (lambda T, Ci: teff.update(T, T * T.shape[0]), AttributeError, "ny, nx = array.shape"),
    (lambda T, Ci: teff.update(T, T - T.sum()), AttributeError, "teff.max_abs(T)"),
    (lambda T, Ci: teff.update(T, T.astype("f4")), AttributeError, "teff.convert"),
    (lambda T, Ci: teff.update(T, T.name), AttributeError, "field 0 is a formula"),
    (lambda T, Ci: teff.update(T, T - teff.sum(T)), TypeError, "teff.max_abs(T)"),
    (lambda T, Ci: teff.update(T, T.__pow__(2, 3)), TypeError, "no modulo"),
    (lambda T, Ci: teff.update(T, T / np.ones((6, 7))), TypeError, "one more field"),
    (lambda T, Ci: teff.update(T, np.ones((6, 7)) / T), TypeError, "one more field"),
    (lambda T, Ci: teff.update(T, T * np.complex128(2)), TypeError, "complex"),
    (lambda T, Ci: teff.update(T, T ** np.complex128(2)), TypeError, "complex"),
    (lambda T, Ci: teff.update(T, T * np.datetime64(2, "s")), TypeError, "no dates"),
    (lambda T, Ci: teff.update(T, T ** np.timedelta64(2)), TypeError, "no dates"),
    (lambda T, Ci: teff.update(T, where((T > 1) & True, T, 0)), TypeError, "got True"),
    (lambda T, Ci: teff.update(T, T * -(T > 1)), TypeError, "~ is its opposite"),
    (lambda T, Ci: print(f"{T:.3f}"), TypeError, "on_step"),
    (lambda T, Ci: teff.update(T, T, teff.boundary(x=teff.fixed(np.ones(7)))), TypeError, "shape (7,)"),
])
def test_what_is_refused_in_a_formula(function, error, message):
    with pytest.raises(error) as raised:
        step_of(function).source(T, Ci)
    assert message in str(raised.value)
    if function in (line_of_if, line_of_sum):
        lines = [frame.line for frame in traceback.extract_tb(raised.value.__traceback__)]
        assert any("# this line" in line for line in lines)
        assert "line" in str(raised.value) or function is line_of_if


@pytest.mark.parametrize("fields, message", [
    ((T, LINE), "1 axes, field 0 has 2"),
    ((np.zeros(()), T), "has 0 axes"),
    ((np.zeros((2, 2, 2, 2)), T), "has 4 axes"),
    ((T.astype("f2"), T), "astype"),
    ((T > 0, T), "bool"),
    (([1.0], T), "np.asarray"),
    ((), "one field or more"),
    ((T,) * 33, "32"),
])
def test_what_is_refused_as_fields(fields, message):
    with pytest.raises((TypeError, ValueError)) as raised:
        heat.source(*fields)
    assert message in str(raised.value)


@pytest.mark.parametrize("function, message", [
    (lambda K: teff.update(K, K / 2), "fraction off"),
    (lambda K: teff.update(K, K * 0.5), "every step would cut off the fraction"),
    (lambda K: teff.update(K, av(K)), "teff.convert"),
    (lambda K: teff.update(K, where(K > 3, K, 0.5)), "every step would cut off the fraction"),
    (lambda K: teff.update(K, teff.minimum(K, 3.5)), "every step would cut off the fraction"),
    (lambda K: teff.update(K, 0.5), "is a whole number, got 0.5"),
])
def test_integers(function, message):
    with pytest.raises((TypeError, ValueError), match=message):
        step_of(function).source(K)


def test_a_whole_number_that_the_field_does_not_hold():
    with pytest.raises(ValueError, match="which holds i32, is 1099511627776, expected"):
        step_of(lambda K: teff.update(K, 2**40)).source(np.zeros((3, 4), "i4"))
    step_of(lambda K: teff.update(K, 2.0)).source(np.zeros((3, 4), "i4"))


def test_a_real_number_makes_a_real_value():
    step_of(lambda K: teff.update(K, teff.convert(teff.maximum(K, 2.5) / 2, "i32"))).source(K)


def test_outside_of_a_formula():
    with pytest.raises(TypeError, match="timestep"):
        ix + 1
    with pytest.raises(TypeError, match="teff.iterate"):
        heat(T, Ci)
    with pytest.raises(TypeError, match="@teff.timestep before it"):
        teff.iterate(lambda T: T, 1, T)
    with pytest.raises(TypeError, match="without parentheses"):
        teff.timestep()
    with pytest.raises(TypeError, match="no option"):
        teff.timestep(algebra="free")
    with pytest.raises(ValueError, match="expected one of automatic"):
        teff.iterate(heat, 1, T, Ci, schedule="fast")
    with pytest.raises(TypeError, match="whole number"):
        teff.iterate(heat, 1.5, T, Ci)
    with pytest.raises(ValueError, match="steps is 18446744073709551619, expected"):
        teff.iterate(heat, 2**64 + 3, T, Ci)
    with pytest.raises(ValueError, match="depth is"):
        teff.iterate(heat, 1, T, Ci, depth=2**40)
    with pytest.raises(TypeError, match="@teff.timestep before it"):
        teff.warmup(print, T)
    with pytest.raises(TypeError, match="a pair"):
        teff.iterate(heat, 1, T, Ci, on_step=print)
    with pytest.raises(TypeError, match=r"heat takes 2 fields \(T, Ci\), got 3"):
        heat.source(T, Ci, T)
    with pytest.raises(TypeError, match="plain function"):
        teff.rk4(heat, 0.1)


# ---- whether a function is called again

class Numbers:
    width = 1.0


NUMBER, NUMBERS, HELD = 1.0, Numbers(), [1.0]


def helper(T):
    return NUMBER * T


def closure_of(number):
    def function(T, Ci):
        return teff.update(T, number * T)

    def change(to):
        nonlocal number
        number = to
    return function, change


def test_a_function_is_called_again_where_it_may_do_something_else(monkeypatch):
    """Its numbers are those of the call, wherever it has them from."""
    from teff import memo
    calls = []

    def guards(function):
        return memo.guards_of(function)

    def plain(T, Ci):
        qx = -NUMBER * teff.d_xi(T) * np.exp(2.0)
        return teff.update(inn(T), inn(Ci) * d_xa(qx) + max(1.0, NUMBER), teff.boundary(x=teff.fixed))

    def through_a_helper(T, Ci):
        return teff.update(T, helper(T))

    for function in (plain, through_a_helper):
        seen = guards(function)
        assert seen is not None and memo.still_hold(seen)
        monkeypatch.setitem(globals(), "NUMBER", NUMBER + 1)
        assert not memo.still_hold(seen)
    seen = guards(through_a_helper)
    monkeypatch.setattr(helper, "__code__", (lambda T: 2 * T).__code__)  # as %autoreload does
    assert not memo.still_hold(seen)
    monkeypatch.setattr(helper, "gamma", 2.0, raising=False)
    assert guards(through_a_helper) is None
    function, change = closure_of(1.0)
    seen = guards(function)
    assert memo.still_hold(seen)
    change(2.0)
    assert not memo.still_hold(seen)

    def with_a_default(T, Ci, number=NUMBERS):
        return teff.update(T, number.width * T)

    def counts(T, Ci):
        calls.append(1)
        return teff.update(T, T)

    def imports(T, Ci):
        import random
        return teff.update(T, T * random.random())
    for function in (with_a_default, counts, imports, lambda T, Ci: teff.update(T, NUMBERS.width * T),
                     lambda T, Ci: teff.update(T, HELD[0] * T),
                     lambda T, Ci: teff.update(T, T * np.random.rand()),
                     lambda T, Ci: teff.update(T, T * float(input()))):
        assert guards(function) is None

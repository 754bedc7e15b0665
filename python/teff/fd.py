# SPDX-License-Identifier: MIT
"""What formulas are made of: finite differences in the field's own names, functions, indices.

`from teff.fd import *` makes formulas as short as in C++. `d` is a difference, `d2` a second one,
`av` a mean, `harm` a harmonic mean, `inn` the inner part, `maxloc` and `minloc` the extreme of a cell
and its face neighbours. `_xa`: along x, all cells along the other dims; `_xi`: along x, inner cells
along the others. x is the last axis, y the one before it. A `d_xa(T)` has one cell fewer than T along
x, an `inn(T)` two fewer along each dim.
"""

import builtins

from . import trace
from .trace import Value, function, lazy

# By how many cells each is smaller than its operand, x first, by the number of dims.
SHRINKS = {
    1: {"d": (1,), "d2": (2,), "av": (1,), "harm": (1,), "maxloc": (2,), "minloc": (2,),
        "inn": (2,)},
    2: {"d_xa": (1, 0), "d_ya": (0, 1), "d_xi": (1, 2), "d_yi": (2, 1), "d2_xa": (2, 0),
        "d2_ya": (0, 2), "d2_xi": (2, 2), "d2_yi": (2, 2), "av": (1, 1), "av_xa": (1, 0),
        "av_ya": (0, 1), "av_xi": (1, 2), "av_yi": (2, 1), "harm": (1, 1), "harm_xa": (1, 0),
        "harm_ya": (0, 1), "harm_xi": (1, 2), "harm_yi": (2, 1), "maxloc": (2, 2),
        "minloc": (2, 2), "inn": (2, 2), "inn_x": (2, 0), "inn_y": (0, 2)},
    3: {"d_xa": (1, 0, 0), "d_ya": (0, 1, 0), "d_za": (0, 0, 1), "d_xi": (1, 2, 2),
        "d_yi": (2, 1, 2), "d_zi": (2, 2, 1), "d2_xi": (2, 2, 2), "d2_yi": (2, 2, 2),
        "d2_zi": (2, 2, 2), "av": (1, 1, 1), "av_xa": (1, 0, 0), "av_ya": (0, 1, 0),
        "av_za": (0, 0, 1), "av_xi": (1, 2, 2), "av_yi": (2, 1, 2), "av_zi": (2, 2, 1),
        "av_xya": (1, 1, 0), "av_xza": (1, 0, 1), "av_yza": (0, 1, 1), "av_xyi": (1, 1, 2),
        "av_xzi": (1, 2, 1), "av_yzi": (2, 1, 1), "harm": (1, 1, 1), "harm_xa": (1, 0, 0),
        "harm_ya": (0, 1, 0), "harm_za": (0, 0, 1), "harm_xi": (1, 2, 2), "harm_yi": (2, 1, 2),
        "harm_zi": (2, 2, 1), "harm_xya": (1, 1, 0), "harm_xza": (1, 0, 1),
        "harm_yza": (0, 1, 1), "harm_xyi": (1, 1, 2), "harm_xzi": (1, 2, 1),
        "harm_yzi": (2, 1, 1), "maxloc": (2, 2, 2), "minloc": (2, 2, 2), "inn": (2, 2, 2),
        "inn_x": (2, 0, 0), "inn_y": (0, 2, 0), "inn_z": (0, 0, 2), "inn_xy": (2, 2, 0),
        "inn_xz": (2, 0, 2), "inn_yz": (0, 2, 2)},
}


def _smaller(value, by, name):
    shape = value._shape
    if shape is None:
        return None
    for dim, (extent, cells) in enumerate(zip(shape, by)):
        if extent < cells:
            raise ValueError(f"too few cells: teff.{name} takes at least {cells} along "
                             f"{'xyz'[dim]}, {value._words()} has {extent}")
    return tuple(extent - cells for extent, cells in zip(shape, by))


def _operator(name):
    is_inner = name.startswith("inn")
    takes_real = name.startswith(("av", "harm"))

    def apply(a):
        lazy(a, name)
        tracer = trace._tracer_of((a,), name)
        by = SHRINKS[tracer.rank].get(name)
        if by is None:
            known = ", ".join(SHRINKS[tracer.rank])
            raise TypeError(f"teff.{name} is not for fields of {tracer.rank} dims; there are {known}")
        if takes_real and a._type not in trace._REAL:
            raise TypeError(f"teff.{name} takes values of f64 or f32, {a._words()} is {a._type}: "
                            "teff.convert(a, 'f64')")
        kind = a._type if a._type in trace._REAL or is_inner else trace.meet(a._type, a._type)
        return tracer.line(f"{name}({a._name})", (a,), _smaller(a, by, name), kind,
                           a._slot if is_inner else None)
    apply.__name__ = apply.__qualname__ = name
    dims = [str(rank) for rank in SHRINKS if name in SHRINKS[rank]]
    apply.__doc__ = f"The operator {name} of fields of {' or '.join(dims)} dims (see teff.fd)."
    return apply


_operators = sorted({name for table in SHRINKS.values() for name in table})
globals().update({name: _operator(name) for name in _operators})


class Surroundings:
    """What around(T, R) gives: u() is the inner part, R cells off every side."""

    def __init__(self, value, radius):
        self._value, self._radius = value, radius

    def __call__(self):
        return at(self, 0)


def around(a, radius=1):
    """Neighbours of a up to `radius` cells away: u = around(T, 2), then u(), at(u, 1), at(u, 0, -2)."""
    lazy(a, "around")
    if type(radius) is not int or not 1 <= radius <= 16:
        raise ValueError(f"teff.around(T, radius): a whole number from 1 to 16, got {radius!r}")
    if a._shape is None:
        raise TypeError("teff.around(e): e must have extents of its own (a field in it)")
    return Surroundings(a, radius)


def at(u, x, y=0, z=0):
    """The neighbour of each inner cell in this direction; offsets are whole numbers, x first."""
    if type(u) is not Surroundings:
        raise TypeError(f"teff.at(u, ...) takes what teff.around(T) gives, got {u!r}")
    a, radius, offsets = u._value, u._radius, (x, y, z)
    tracer = trace._tracer_of((a,), "at")
    for dim, offset in enumerate(offsets):
        if type(offset) is not int or builtins.abs(offset) > (radius if dim < tracer.rank else 0):
            raise ValueError(f"teff.at: the offset {offset!r} along {'xyz'[dim]} is not one of "
                             f"-{radius} to {radius}, the radius of around(), along {tracer.rank} "
                             "dims")
    by = (2 * radius,) * tracer.rank
    shape = _smaller(a, by, "around")
    return tracer.line(f"at<{x}, {y}, {z}>(around<{radius}>({a._name}))", (a,), shape, a._type,
                       a._slot)


def _function(name, words):
    def apply(a):
        return function(name, lazy(a, name))
    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = words
    return apply


sqrt = _function("sqrt", "The square root of an expression.")
exp = _function("exp", "The exponential of an expression.")
log = _function("log", "The natural logarithm of an expression.")
sin = _function("sin", "The sine of an expression.")
cos = _function("cos", "The cosine of an expression.")
tanh = _function("tanh", "The hyperbolic tangent of an expression.")
floor = _function("floor", "The next whole number down.")
abs = _function("abs", "The magnitude of an expression.")
sq = _function("sq", "The square of an expression.")
isfinite = _function("isfinite", "Whether values are neither infinite nor NaN.")
once = _function("once", "The value, computed once for each cell where that pays, and rounded.")


def pow(a, b):
    """a to the power b."""
    return function("pow", a, b)


def minimum(a, b):
    """The smaller of two, cell by cell; not a number where either is."""
    return function("minimum", a, b)


def maximum(a, b):
    """The larger of two, cell by cell; not a number where either is."""
    return function("maximum", a, b)


where = trace.where
convert = trace.converted

# Numbers that are another one in each cell, step or stage.
ix = Value(None, "ix", None, "i64")
iy = Value(None, "iy", None, "i64")
iz = Value(None, "iz", None, "i64")
step_index = Value(None, "step_index", None, "i64")
stage_time = Value(None, "stage_time", None, "f64")

__all__ = [*_operators, "around", "at", "sqrt", "exp", "log", "sin", "cos", "tanh", "floor", "abs",
           "sq", "isfinite", "once", "pow", "minimum", "maximum", "where", "convert", "ix", "iy",
           "iz", "step_index", "stage_time"]

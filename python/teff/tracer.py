# SPDX-License-Identifier: MIT
"""One call of a formula's function: the lines that it writes, its numbers, and what its fields are.
"""

import functools
import sys
import threading

from .interop import cells_of
from .library import NAMES

_active = threading.local()
_PACKAGE = __name__.partition(".")[0]
MOST_FIELDS = 32


class Tracer:
    """One call of a formula's function. Its values are of the given class (trace.py)."""

    def __init__(self, fields, name, value_class):
        self.value_class = value_class
        self.name = name
        self.rank = len(fields[0].shape)
        self.fields = fields
        self.lines, self.operands, self.places = [], [], []
        self.reals, self.integers = [], []
        self.values = [value_class(self, f"f{i}", c.shape[::-1], NAMES[c.type], None, i)
                       for i, c in enumerate(fields)]

    def __enter__(self):
        self.outer = getattr(_active, "tracer", None)
        _active.tracer = self
        return self

    def __exit__(self, *_error):
        _active.tracer = self.outer
        self.fields = self.values = None  # a value that is kept keeps no array

    def number(self, value):
        """The text of a plain number of Python's or NumPy's."""
        if isinstance(value, float):
            self.reals.append(value)
            return f"x[{len(self.reals) - 1}]"
        if isinstance(value, int):
            if not -2**63 <= value < 2**63:
                raise OverflowError(f"an integer of {value.bit_length()} bits in a formula: integers have "
                                    "64 bits; write a float")
            self.integers.append(int(value))
            at = len(self.integers) - 1
            return f"int(n[{at}])" if -2**31 <= value < 2**31 else f"n[{at}]"
        return self.number(plain_number(value))

    def line(self, text, operands, shape, cell_type, target=None):
        """A new value, made of others."""
        name = f"t{len(self.lines)}"
        self.lines.append(text)
        self.operands.append([int(o._name[1:]) for o in operands if o._name[0] == "t"])
        frame = sys._getframe(2)
        while frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
            frame = frame.f_back
        self.places.append((frame.f_code.co_filename, frame.f_lineno))
        return self.value_class(self, name, shape, cell_type, target)

    def used_lines(self, last):
        """The numbers of the lines that what is returned depends on."""
        used, left = set(), list(last)
        while left:
            at = left.pop()
            if at not in used:
                used.add(at)
                left += self.operands[at]
        return sorted(used)


def plain_number(value):
    """A float or an int of a number of NumPy's, of an array of one cell without axes, of torch's."""
    if isinstance(value, (float, int)):
        return value
    shape = getattr(value, "shape", None)
    is_one = shape == () or type(shape).__name__ == "Size" and not len(shape)
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    if kind and kind in "mM":
        raise TypeError(f"{value!r} in a formula, which has no dates and times: give a number of a "
                        "unit, as t / np.timedelta64(1, 's')")
    if is_one and hasattr(value, "item"):
        value = value.item()
        if isinstance(value, (float, int)):
            return value
    elif shape is not None:
        raise TypeError(f"an array of shape {tuple(shape)} in a formula, which knows only its fields: "
                        "give the array to the call as one more field, and the function a parameter "
                        "for it, as teff.iterate(step, steps, T, Ci) or "
                        "teff.conjugate_gradients(x, b, A, c)")
    if isinstance(value, complex):
        raise TypeError("a complex number in a formula: Teff's fields are real; write real and "
                        "imaginary parts as fields of their own")
    if hasattr(value, "__float__") and not isinstance(value, str):
        return float(value)
    raise TypeError(f"{value!r} in a formula: expected a field's expression or a number")


def active(what):
    """The formula that is being traced."""
    tracer = getattr(_active, "tracer", None)
    if tracer is None:
        raise TypeError(f"teff.{what} is for formulas: call it within a function that "
                        "@teff.timestep stands before, or the A of a solver, on its fields")
    return tracer


@functools.lru_cache(maxsize=64)
def _words_of(function):
    """Of its fields, for messages; each call has them at hand."""
    return tuple(f"field {i} of {function}" for i in range(MOST_FIELDS))


def cells_of_all(arrays, function):
    """What is known of the arrays of a call; check_fields() says whether they can be fields."""
    if not arrays:
        raise TypeError("a time step takes one field or more: teff.iterate(step, steps, T, ...)")
    if len(arrays) > MOST_FIELDS:
        raise TypeError(f"a time step takes at most {MOST_FIELDS} fields, got {len(arrays)}")
    return list(map(cells_of, arrays, _words_of(function)))


def fields_of(arrays, function):
    """What is known of the arrays of a call, checked as fields."""
    fields = cells_of_all(arrays, function)
    check_fields(fields, function)
    return fields


def check_fields(fields, function):
    for i, cells in enumerate(fields):
        if not 1 <= len(cells.shape) <= 3:
            raise ValueError(f"field {i} of {function} has {len(cells.shape)} axes, {cells.shape}: a "
                             "field has one to three")
        if len(cells.shape) != len(fields[0].shape):
            raise ValueError(f"field {i} of {function} has {len(cells.shape)} axes, field 0 has "
                             f"{len(fields[0].shape)}: all fields have the same number")
        if cells.device != fields[0].device:
            raise ValueError(f"field {i} of {function} is on {cells.device}, field 0 on "
                             f"{fields[0].device}: bring them to one device first")
        if cells.type == 5:
            raise TypeError(f"field {i} of {function} has cells of bool; Teff's fields are f64, f32, "
                            "i64, i32 and u8: give x.view('u1')")

# SPDX-License-Identifier: MIT
"""Formulas: what a function of fields does with them is written down as lines of C++.

Each value is a line of its own, `auto t3 = t1 * t2;`, so the expression tree is the one that the
same lines would have in C++, and with it every bit. Numbers are not in the lines but in a list, in
the order in which they are met: another number is the same formula.
"""

import numbers

from .library import NAMES
from .tracer import active, plain_number


def _no(what, instead):
    def refuse(self, *_arguments, **_named):
        raise TypeError(f"{what}: {self._words()} is a formula, without values before the run. "
                        f"{instead}")
    return refuse


# The type in which two meet, as C++ has it; numbers take the type beside them where both are real.
_REAL = ("f64", "f32")


def meet(a, b):
    if a == b:
        return "i32" if a in ("u8", "bool") else a
    if "f64" in (a, b):
        return "f64"
    if "f32" in (a, b):
        return "f32"
    return "i64" if "i64" in (a, b) else "i32"


class Value:
    """An expression over the fields of a formula: +, -, *, /, **, comparisons, &, |, ~, and the
    functions of teff and of NumPy that are known."""

    __slots__ = ("_tracer", "_name", "_shape", "_type", "_target", "_slot")
    __array_priority__ = 1000

    def __init__(self, tracer, name, shape, cell_type, target=None, slot=None):
        self._tracer, self._name, self._shape, self._type = tracer, name, shape, cell_type
        self._target = slot if target is None else target  # the field that it may stand for
        self._slot = slot

    def _words(self):
        if self._slot is not None:
            return f"field {self._slot}"
        if self._name[0] in "i" or self._tracer is None:
            return self._name
        return f"the value of line {self._tracer.places[int(self._name[1:])][1]}"

    # ---- arithmetic

    def __add__(self, other):
        return binary("+", self, other)

    def __radd__(self, other):
        return binary("+", other, self)

    def __sub__(self, other):
        return binary("-", self, other)

    def __rsub__(self, other):
        return binary("-", other, self)

    def __mul__(self, other):
        return binary("*", self, other)

    def __rmul__(self, other):
        return binary("*", other, self)

    def __truediv__(self, other):
        return divided(self, other)

    def __rtruediv__(self, other):
        return divided(other, self)

    def __pow__(self, other, modulo=None):
        if modulo is not None:
            raise TypeError("pow(T, b, modulo): a formula has no modulo: write p = T ** b and "
                            "p - m * teff.floor(p / m)")
        return power(self, other)

    def __rpow__(self, other):
        return power(other, self)

    def __neg__(self):
        return unary("-", self)

    def __pos__(self):
        return self

    def __abs__(self):
        return function("abs", self)

    def __lt__(self, other):
        return compared("<", self, other)

    def __le__(self, other):
        return compared("<=", self, other)

    def __gt__(self, other):
        return compared(">", self, other)

    def __ge__(self, other):
        return compared(">=", self, other)

    def __eq__(self, other):
        return compared("==", self, other)

    def __ne__(self, other):
        return compared("!=", self, other)

    def __and__(self, other):
        return both("&&", self, other)

    def __rand__(self, other):
        return both("&&", other, self)

    def __or__(self, other):
        return both("||", self, other)

    def __ror__(self, other):
        return both("||", other, self)

    def __invert__(self):
        if self._type != "bool":
            raise TypeError("~ is for conditions, as ~(T > 0); a sign is -T")
        return unary("!", self)

    # ---- what there is not

    __bool__ = _no("a condition", "`if`, `while`, `and`, `or`, `not`, max() and min() would have to "
                   "know its values: write teff.where(condition, a, b), `&`, `|` and `~` for several "
                   "conditions, teff.maximum(a, b) and teff.minimum(a, b)")
    __float__ = _no("float()", "Functions of math take numbers: write teff.exp(T) or np.exp(T) "
                    "instead of math.exp(T)")
    __int__ = _no("int()", "Write teff.convert(teff.floor(T), 'i32')")
    __index__ = _no("an index", "A value of a field can not be one")
    __complex__ = _no("complex()", "Fields are real")
    __hash__ = _no("a key", "Neither dicts and sets nor functions with functools.cache before them "
                   "take it: call the function itself")
    __len__ = _no("len()", "Extents are those of the arrays: take them outside of the function")
    __iter__ = _no("iteration", "A formula is of all cells at once")
    __contains__ = _no("in", "A formula is of all cells at once")
    __getitem__ = _no("T[...]", "Parts are teff.inn(T), teff.inn_x(T); neighbours are "
                      "teff.at(teff.around(T, 1), 1, 0) or differences as teff.d_xa(T)")
    __setitem__ = _no("T[...] = ...", "What is written is returned: "
                      "teff.update(teff.inn(T), ...)")
    __array__ = _no("an array", "Of NumPy, elementwise functions (np.exp, np.maximum, np.where) can "
                    "be used in formulas")
    __floordiv__ = __rfloordiv__ = _no("//", "Write teff.floor(a / b)")
    __mod__ = __rmod__ = _no("%", "Write a - b * teff.floor(a / b)")
    __matmul__ = __rmatmul__ = _no("@", "There are no matrices in a formula")
    __lshift__ = __rshift__ = __xor__ = _no("a bitwise operation", "There is none in a formula")
    def __format__(self, wanted):
        return repr(self) if not wanted else _no("f-string", "Print the arrays when the run has "
                                                 "ended, or by iterate's on_step")(self)

    def __getattr__(self, name):
        """There is none of an array's; hasattr() says so, too."""
        if name[0] == "_":
            raise AttributeError(name)
        known = "Reductions are of the arrays, outside, or teff.residual(teff.max_abs(T))" \
            if name in ("sum", "min", "max", "mean", "any", "all", "prod", "argmin", "argmax") else \
            "Write teff.convert(T, 'f64')" if name == "astype" else \
            "A formula's values are new ones: a copy is T itself" if name == "copy" else \
            "Elementwise functions are those of teff, as teff.exp(T); what is of the array (shape, " \
            "dtype, T) is to be taken from it outside of the function, as ny, nx = array.shape"
        raise AttributeError(f".{name}: {self._words()} is a formula, no array. {known}")

    __round__ = _no("round()", "Write teff.floor(T + 0.5)")
    __iadd__ = __isub__ = __imul__ = __itruediv__ = __ipow__ = _no(
        "T += ...", "It would only give the name another meaning: write a new name, T2 = T + ..., "
        "and return teff.update(T, ...) for what is to be written")

    def __array_ufunc__(self, ufunc, method, *inputs, **named):
        if method != "__call__" or named:
            raise TypeError(f"np.{ufunc.__name__}.{method} with {sorted(named) or 'no options'}: in "
                            "a formula NumPy's functions stand alone, as np.exp(T)")
        known = UFUNCS.get(ufunc.__name__)
        if known is None:
            raise TypeError(f"np.{ufunc.__name__} has no meaning in a formula; known are "
                            f"{', '.join(sorted(UFUNCS))}")
        return known(*inputs)

    def __array_function__(self, called, _types, arguments, named):
        if called.__name__ == "where" and len(arguments) == 3 and not named:
            return where(*arguments)
        raise TypeError(f"np.{called.__name__} has no meaning in a formula: only elementwise "
                        "functions have, as np.exp, np.maximum and np.where; reductions are for "
                        "teff.residual(teff.max_abs(T))")

    def __repr__(self):
        return f"<{self._words()} of a formula>"


def _tracer_of(values, what):
    tracer = active(what)
    for value in values:
        if value._tracer is not None and value._tracer is not tracer:
            raise TypeError(f"{value._words()} is of another call of a time step's function, and "
                            "means nothing in this one: formulas are made anew at each call")
    return tracer


def shape_of(tracer, *values):
    """Extents, x first, of values cell by cell; None where a dim adapts to others."""
    result = None
    for value in values:
        shape = value._shape
        if shape is None:
            continue
        if result is None:
            result, first = shape, value
        elif shape != result:
            raise ValueError(f"extents do not match: {first._words()} has "
                             f"{_times(result)} cells, {value._words()} has {_times(shape)}; all "
                             "operands must have the same. Operators change extents: d_xa(T) has "
                             "one fewer along x, inn(T) two fewer along each dim")
    return result


def _times(shape):
    return "x".join(map(str, shape))


def _operand(tracer, value):
    return value._name if type(value) is Value else tracer.number(value)


def _type_beside(value, other):
    """The type of a plain number beside a value."""
    if type(value) is Value:
        return value._type
    is_real = not isinstance(plain_number(value), int)
    if other in _REAL:
        return other
    return "f64" if is_real else "i32"


def binary(symbol, a, b):
    values = [v for v in (a, b) if type(v) is Value]
    tracer = _tracer_of(values, symbol)
    left, right = _operand(tracer, a), _operand(tracer, b)
    if len(values) == 2:
        shape = a._shape if a._shape == b._shape else shape_of(tracer, a, b)
        kind = a._type if a._type == b._type and a._type in _REAL else meet(a._type, b._type)
    else:
        one = values[0]
        shape, kind = one._shape, one._type
        if kind not in _REAL:
            kind = meet(_type_beside(a, kind), _type_beside(b, kind))
    return tracer.line(f"{left} {symbol} {right}", values, shape, kind)


def divided(a, b):
    kinds = [_type_beside(v, (b if v is a else a)._type if type(b if v is a else a) is Value else "")
             for v in (a, b)]
    if not any(k in _REAL for k in kinds):
        raise TypeError("/ of whole numbers: C++ would cut the fraction off. Write "
                        "teff.convert(a, 'f64') / b, or make the field f64 or f32")
    return binary("/", a, b)


def compared(symbol, a, b):
    result = binary(symbol, a, b)
    result._type = "bool"
    return result


def both(symbol, a, b):
    for value in (a, b):
        if type(value) is not Value or value._type != "bool":
            raise TypeError("& and | are for conditions of fields, each in parentheses: (T > 0) & "
                            f"(T < 1); got {value!r}. A bool of Python's chooses by `if`")
    result = binary(symbol, a, b)
    result._type = "bool"
    return result


def unary(symbol, a):
    if symbol == "-" and a._type == "bool":
        raise TypeError("- of a condition: ~ is its opposite; as a number it is "
                        "teff.where(T > 0, 1.0, 0.0)")
    tracer = _tracer_of((a,), symbol)
    kind = a._type if a._type not in ("u8", "bool") or symbol == "!" else "i32"
    return tracer.line(f"{symbol}{a._name}", (a,), a._shape, kind)


def power(a, b):
    if type(a) is Value and isinstance(b, numbers.Number) and plain_number(b) == 2:
        return function("sq", a)
    return function("pow", a, b)


def lazy(value, what):
    """A formula's value. Raises TypeError for anything else."""
    if type(value) is Value:
        return value
    raise TypeError(f"teff.{what} takes a field or an expression of fields, got {value!r}; of plain "
                    "numbers use math, of arrays NumPy")


_SAME_TYPE = {"sq", "abs", "minimum", "maximum", "once"}


def function(name, *operands):
    values = [v for v in operands if type(v) is Value]
    if not values:
        lazy(operands[0], name)
    tracer = _tracer_of(values, name)
    texts = [_operand(tracer, v) for v in operands]
    shape = shape_of(tracer, *values)
    if name not in ("once", "isfinite") and any(v._type == "bool" for v in values):
        raise TypeError(f"{name} of a condition: it is no number; write teff.where(T > 0, 1.0, 0.0)")
    kind = _type_of_all(operands)
    if name == "isfinite":
        kind = "bool"
    elif name not in _SAME_TYPE and kind not in _REAL:
        kind = "f64"
    return tracer.line(f"{name}({', '.join(texts)})", values, shape, kind)


def _type_of_all(operands):
    """The type of one or two operands, of which numbers take it by the value beside them."""
    if len(operands) == 1:
        return operands[0]._type
    a, b = operands
    kinds = [_type_beside(v, w._type if type(w) is Value else "") for v, w in ((a, b), (b, a))]
    return kinds[0] if kinds[0] == kinds[1] else meet(*kinds)


def where(condition, a, b):
    """a where the condition holds, else b."""
    lazy(condition, "where")
    if condition._type != "bool":
        raise TypeError("teff.where(condition, a, b): the condition is a comparison, as T > 0")
    values = [v for v in (condition, a, b) if type(v) is Value]
    tracer = _tracer_of(values, "where")
    texts = [_operand(tracer, v) for v in (condition, a, b)]
    return tracer.line(f"where({', '.join(texts)})", values, shape_of(tracer, *values),
                       _type_of_all((a, b)))


def converted(a, cell_type):
    """The values as f64, f32, i64, i32 or u8."""
    lazy(a, "convert")
    if cell_type not in NAMES[:5]:
        raise ValueError(f"teff.convert(a, {cell_type!r}): expected one of {', '.join(NAMES[:5])}")
    return _tracer_of((a,), "convert").line(f"convert<{cell_type}>({a._name})", (a,), a._shape,
                                            cell_type)


def _one(name):
    return lambda a: function(name, a)


def _two(name):
    return lambda a, b: function(name, a, b)


UFUNCS = {
    **{name: _one(name) for name in ("sqrt", "exp", "log", "sin", "cos", "tanh", "floor",
                                     "isfinite")},
    "absolute": _one("abs"), "fabs": _one("abs"), "square": _one("sq"), "maximum": _two("maximum"),
    "minimum": _two("minimum"), "power": power, "float_power": power,
    "negative": lambda a: unary("-", a), "positive": lambda a: a,
    **{name: lambda a, b, s=symbol: binary(s, a, b)
       for name, symbol in (("add", "+"), ("subtract", "-"), ("multiply", "*"))},
    "divide": divided, "true_divide": divided,
    **{name: lambda a, b, s=symbol: compared(s, a, b)
       for name, symbol in (("less", "<"), ("less_equal", "<="), ("greater", ">"),
                            ("greater_equal", ">="), ("equal", "=="), ("not_equal", "!="))},
    **{name: lambda a, b, s=symbol: both(s, a, b)
       for name, symbol in (("logical_and", "&&"), ("bitwise_and", "&&"), ("logical_or", "||"),
                            ("bitwise_or", "||"))},
    "logical_not": lambda a: ~a, "invert": lambda a: ~a,
}

# SPDX-License-Identifier: MIT
"""What a formula's function returns: updates, stages, boundary conditions, residuals, rates."""

from .library import whole
from .trace import Value
from .tracer import active, plain_number


# ---- boundary conditions

class Side:
    """The condition at one side; its numbers are those of the moment when it was made."""

    def __init__(self, name, *numbers):
        self._name = name
        self._numbers = tuple(n if type(n) is Value else plain_number(n) for n in numbers)

    def _texts(self, tracer, operands):
        """Its numbers, or what stands for them."""
        texts = []
        for number in self._numbers:
            if type(number) is Value:
                if number._shape is not None:
                    raise TypeError(f"the right-hand side of teff.{self._name} is made of numbers, "
                                    f"ix, iy, iz, step_index and stage_time, got {number!r}, which "
                                    "reads a field")
                operands.append(number)
                texts.append(number._name)
            else:
                texts.append(tracer.number(number))
        return texts


class _Fixed(Side):
    def __call__(self, value):
        """The cells are this value, a number or a formula of ix, iy, iz and step_index."""
        return Side("fixed", value)


fixed = _Fixed("fixed")  #: the cells keep their values; fixed(v): they are v
periodic = Side("periodic")  #: the field repeats itself


def gradient(slope):
    """The field goes on with this slope per cell: gradient(0) reflects."""
    return Side("gradient", slope)


def robin(a, b, c):
    """a T + b (slope per cell) = c at the border cells."""
    for name, number in (("a", a), ("b", b)):
        if type(number) is Value:
            raise TypeError(f"teff.robin(a, b, c): {name} is a number, got {number!r}")
    return Side("robin", float(a), float(b), c)


class boundary:
    """The conditions of an update, by dim: one for both sides, or a pair (low, high).

    `teff.boundary(x=teff.periodic, y=(teff.fixed, teff.gradient(0.0)))`; a dim that is left out
    keeps its cells' values.
    """

    def __init__(self, x=None, y=None, z=None):
        self._dims = []
        for name, given in (("x", x), ("y", y), ("z", z)):
            if given is None:
                continue
            pair = tuple(given) if isinstance(given, (tuple, list)) else (given, given)
            if len(pair) != 2 or not all(isinstance(s, Side) for s in pair):
                raise TypeError(f"teff.boundary({name}=...): expected teff.periodic, teff.fixed, "
                                "teff.gradient(0.0) or such, or a pair of them, (low, high); got "
                                f"{given!r}")
            if pair[0] is not pair[1] and periodic in pair:
                raise ValueError(f"teff.boundary({name}=...): periodic is a condition of both sides")
            self._dims.append((name, pair))

    def _text(self, tracer, operands, sides):
        """The text of all. @param sides gets (dim, is_upper, kind, texts of numbers) of each"""
        parts = []
        for name, (low, high) in self._dims:
            dim = "xyz".index(name)
            if dim >= tracer.rank:
                raise ValueError(f"teff.boundary({name}=...) of fields of {tracer.rank} dims")
            texts = []
            for side in (low,) if low is high else (low, high):
                numbers = side._texts(tracer, operands)
                sides += [(dim, upper, side._name, numbers) for upper in (0, 1)
                          if low is high or upper == len(texts)]
                texts.append(f"{side._name}({', '.join(numbers)})" if numbers else side._name)
            parts.append(f".{name} = " + (texts[0] if low is high else f"{{{', '.join(texts)}}}"))
        return f"boundary{{{', '.join(parts)}}}"


# ---- what is returned

class Part:
    """`text` is C++, `operands` are the values in it, `written` the fields. Of a list its `parts`; of
    an update the `value` that it writes, in words of the lines, and its conditions' `sides`, or None;
    of a residual the name of its reduction."""

    parts, value, sides, reduction = (), None, None, None

    def __init__(self, kind, tracer, text, operands, written):
        self.kind, self.tracer, self.text = kind, tracer, text
        self.operands, self.written = operands, written


def _update_like(kind, target, rhs, conditions):
    tracer = active(kind)
    if type(target) is not Value or target._target is None:
        raise TypeError(f"teff.{kind}(target, rhs): the target is a field or its inner part, as T, "
                        f"teff.inn(T) or teff.around(T, 2)(); got {target!r}")
    cell_type = tracer.values[target._target]._type
    operands = [target]
    if type(rhs) is Value:
        if rhs._tracer is not None and rhs._tracer is not tracer:
            raise TypeError(f"{rhs._words()} is of another call of a time step's function, and means "
                            "nothing in this one")
        if rhs._shape is not None and rhs._shape != target._shape:
            raise ValueError(f"teff.{kind}: extents do not match: the target has "
                             f"{'x'.join(map(str, target._shape))} cells, the right-hand side "
                             f"{'x'.join(map(str, rhs._shape))}")
        if cell_type not in ("f64", "f32") and rhs._type in ("f64", "f32"):
            raise TypeError(f"teff.{kind}: field {target._target} holds {cell_type} and the "
                            "right-hand side is real, so every step would cut off the fraction: "
                            "make the field f64 or f32, or write teff.convert(teff.floor(rhs), "
                            f"'{cell_type}')")
        operands.append(rhs)
        text = rhs._name
    else:
        text = tracer.number(rhs)
        if cell_type not in ("f64", "f32"):
            number = int(rhs) if isinstance(rhs, float) and rhs.is_integer() else rhs
            whole(number, f"teff.{kind}: the right-hand side of field {target._target}, which holds "
                  f"{cell_type},", *{"i64": (64,), "i32": (32,)}.get(cell_type, (8, False)))
    parts, sides = [target._name, text], None
    if conditions is not None:
        if not isinstance(conditions, boundary):
            raise TypeError(f"teff.{kind}(target, rhs, conditions): the conditions are "
                            f"teff.boundary(x=..., y=...), got {conditions!r}")
        sides = []
        parts.append(conditions._text(tracer, operands, sides))
    part = Part(kind, tracer, f"{kind}({', '.join(parts)})", operands, {target._target})
    part.value, part.sides = text, sides
    return part


def update(target, rhs, boundary=None):
    """The cells of `target` (a field, or its inner part) become rhs in each step. All other cells
    of the field keep their values, or follow from the boundary conditions."""
    return _update_like("update", target, rhs, boundary)


def rate(target, rhs, boundary=None):
    """d target / dt = rhs, for euler, rk2, ssp_rk3 and rk4."""
    return _update_like("rate", target, rhs, boundary)


class Reduction:
    """max_abs or norm2 of an expression, for a residual."""

    def __init__(self, name, value):
        self.name, self.value = name, value


def residual(reduction):
    """What a run is checked by: residual(teff.max_abs(e)) or residual(teff.norm2(e))."""
    if not isinstance(reduction, Reduction):
        raise TypeError("teff.residual takes teff.max_abs(e) or teff.norm2(e) of an expression of "
                        f"fields, got {reduction!r}")
    if reduction.value._shape is None:
        raise ValueError(f"teff.residual: the expression of {reduction.name} has no field in it, so "
                         "nobody knows of how many cells it is")
    part = Part("residual", active("residual"),
                f"residual({reduction.name}({reduction.value._name}))", [reduction.value], set())
    part.reduction = reduction.name
    return part


def _list_of(name, kinds, parts, last):
    tracer = active(name)
    parts = list(parts)
    if last is not None:
        parts.append(last if isinstance(last, Part) else residual(last))
    for i, part in enumerate(parts):
        is_last = i == len(parts) - 1
        if not isinstance(part, Part) or part.kind not in kinds + (("residual",) if is_last and i
                                                                   else ()):
            what = part.kind if isinstance(part, Part) else repr(part)
            raise TypeError(f"teff.{name}(...) takes teff.{' and teff.'.join(kinds)}"
                            f"{', and a residual as its last entry' if last is None else ''}; entry "
                            f"{i} is {what}")
        if part.tracer is not tracer:
            raise TypeError(f"teff.{name}(...): entry {i} is of another call of the function")
    if not parts:
        raise TypeError(f"teff.{name}(): nothing is written; give teff.{kinds[0]}(...)")
    return tracer, parts


def stages(*parts, residual=None):
    """A step of several stages: each sees the new values of those before it."""
    tracer, parts = _list_of("stages", ("update", "together"), parts, residual)
    return _joined("stages", tracer, parts)


def together(*parts):
    """Several updates as one stage: all see the values from before it."""
    tracer, parts = _list_of("together", ("update",), parts, None)
    if any(part.kind == "residual" for part in parts):
        raise TypeError("teff.together(...): a residual stands beside it, as "
                        "teff.stages(teff.together(...), residual=...)")
    _refuse_twice("together", parts)
    return _joined("together", tracer, parts)


def rates(*parts, residual=None):
    """The rates of several fields, for euler, rk2, ssp_rk3 and rk4; each sees the same values."""
    tracer, parts = _list_of("rates", ("rate",), parts, residual)
    _refuse_twice("rates", parts)
    return _joined("rates", tracer, parts)


def _refuse_twice(name, parts):
    seen = set()
    for part in parts:
        if part.written & seen:
            raise ValueError(f"teff.{name}(...): two entries write one field; which value would it "
                             "have? Write them as teff.stages(teff.update(...), teff.update(...))")
        seen |= part.written


def _joined(name, tracer, parts):
    inside = ",\n        ".join(part.text for part in parts)
    joined = Part(name, tracer, f"{name}(\n        {inside})",
                  [o for part in parts for o in part.operands],
                  set().union(*(part.written for part in parts)))
    joined.parts = parts
    return joined

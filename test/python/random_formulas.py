# SPDX-License-Identifier: MIT
"""Time steps that chance writes, the same ones of the same seed.

A value is its text and a bound of its magnitude, which no step passes: all stay finite. Fields hold 0.25
to 2 where a formula writes them. An expression has `less` cells than a field without staggering, by dim.
"""

import random
import re
from collections import namedtuple

import numpy as np

import teff
from teff import fd

NAMES = "ABCDEFGHIJKL"
BOUND = 6.0  # of a field, with what conditions make of it
POISON = -1.2345678e30
OPERATORS = "d", "av", "max", "min", "inn"  # of real values; of harm what is positive
WHOLE = "d", "max", "min", "inn"
POSITIVE = "av", "max", "min", "inn"  # of which some operator gives the like
FUNCTIONS = {"tanh": "tanh({})", "exp": "exp(-abs({}))", "sin": "sin({})", "cos": "cos({})",
             "log": "log(abs({}) + 1.0)", "pow": "pow(abs({}) + 0.1, 0.7)"}
CPP_TYPES = {"f8": "f64", "f4": "f32", "i8": "i64", "i4": "i32", "u1": "u8"}

Term = namedtuple("Term", "text bound")
Field = namedtuple("Field", "name kind more")  # cells more along each dim, x first
Update = namedtuple("Update", "field border sets_all")  # cells that it leaves out, and sets


class RandomFormula:
    """`text` is the step in Python, `fields` its fields, `options` those of its run."""

    def __init__(self, seed, rank=None, functions=None, integers=None, position=None):
        """@param functions whether it has exp and its like, of which devices have bits of their own
        @param integers whether there are fields of integers @param position whether ix may be there"""
        self.seed, self.random = seed, random.Random(f"formula {seed}")
        self.rank = self._pick(rank, (1, 2, 2, 3))
        self._has_functions = self._pick(functions, (True, False, False, False))
        self._has_position = self._pick(position, (True, False))
        self._has_step_index = self._has_position and self._chance(30)
        self._budget = self.random.choice((2, 3, 5, 8, 14))
        self._written, self._lines, self._shared, self._most = [], [], [], [0] * 3
        self._field_list(self._pick(integers, (True,) + (False,) * 6))
        self.text = self._step()
        self.has_functions = any(f"{name}(" in self.text for name in FUNCTIONS)
        self.has_residual = "residual(" in self.text
        self.radius = max([int(n) for n in re.findall(r"around\(.*?, (\d+)\)", self.text)], default=1)
        self.shapes = self._shapes()
        self.options = self._options()

    # ---- what it is of

    def _pick(self, given, choices):
        chosen = self.random.choice(choices)
        return chosen if given is None else given

    def _chance(self, percent):
        return self.random.randrange(100) < percent

    def _number(self):
        return self.random.choice(("0.25", "0.3", "-0.7", "1.1", "1.9", "-1.3", "2", "3", "0.5"))

    def _field_list(self, has_integers):
        count = self.random.choice((1, 2, 2, 3, 3, 4, 5, 6, 8, 10, 12))
        kinds = self.random.choice((("f8",), ("f8",), ("f4",), ("f4",), ("f8", "f4")))
        is_staggered = self._chance(40)
        self.fields = [Field(name, self.random.choice(kinds),
                             tuple(int(is_staggered and self._chance(40)) for _ in range(self.rank)))
                       for name in NAMES[:count]]
        if has_integers:
            more = self.fields[0].more
            self.fields.append(Field("N", self.random.choice(("i4", "i8", "u1")), more))
        self._reals = [f for f in self.fields if f.kind[0] == "f"]

    def _shapes(self):
        """Of the fields, in NumPy's order: as few cells as can be, or some, an odd number or not."""
        most = {1: (300,), 2: (90, 40), 3: (40, 14, 10)}[self.rank]
        base = [least + self.random.choice((1, self.random.randrange(1, 9), self.random.randrange(1, m)))
                for least, m in zip(self._most, most)]
        return [tuple(n + by for n, by in zip(base, f.more))[::-1] for f in self.fields]

    def _options(self):
        return {"steps": self.random.choice((1, 2, self.random.randrange(3, 12),
                                             self.random.randrange(8, 41))),
                "depth": self.random.choice((0, 0, 2, 3, self.random.randrange(4, 17))),
                "check_every": self.random.choice((0, 0, 1, 3, 7)),
                "first_step": self.random.choice((0, 0, 5))}

    # ---- expressions

    def _source(self, less):
        """What an expression of so many cells may begin with: fields, values that were kept."""
        known = [(f.name, f.more, BOUND) for f in self._reals] + self._shared
        return [one for one in known if _fits(one[1], less)]

    def _leaf(self, less):
        """Neighbours of a field, of a kept value or of their product."""
        name, more, bound = self.random.choice(self._source(less))
        other = [one for one in self._source(less) if one[1] == more]
        if more != less and self._chance(15):
            second = self.random.choice(other)
            name, bound = f"({name} * {second[0]})", bound * second[2]
        return self._down(Term(name, bound), more, less)

    def _down(self, term, more, less, of=OPERATORS):
        """Operators that take so many cells off. @param of those that begin so"""
        while more != less:
            form, by = self._operator(more, less, of)
            term, more = self._applied(form, term), _minus(more, by)
        return term

    def _operator(self, more, less, of=OPERATORS):
        """One that takes off at most what is too much; of around, with the neighbour."""
        left = _minus(more, less)
        names = [n for n, by in fd.SHRINKS[self.rank].items() if _fits(left, by) and n.startswith(of)]
        radius = min(left) // 2
        if radius and self._chance(60):
            radius = self.random.randint(1, min(radius, 4))
            at = ", ".join(str(self.random.randint(-radius, radius)) for _ in range(self.rank))
            return f"at(around({{}}, {radius}), {at})", (2 * radius,) * self.rank
        name = self.random.choice(names)
        return name + "({})", fd.SHRINKS[self.rank][name]

    def _applied(self, form, term):
        grows = 4 if form.startswith("d2") else 2 if form.startswith("d_") or form == "d({})" else 1
        return Term(form.format(term.text), grows * term.bound)

    def _small(self, term):
        """The same, or what is near to it, of a magnitude whose powers stay finite in f32."""
        return term if term.bound < 1e4 else Term(f"minimum(maximum({term.text}, -2.5), 2)", 2.5)

    def _harmonic(self, less):
        """A harmonic mean of what is positive."""
        names = [n for n in fd.SHRINKS[self.rank] if n.startswith("harm")]
        self.random.shuffle(names)
        for name in names:
            more = _plus(less, fd.SHRINKS[self.rank][name])
            known = [f for f in self._reals if _fits(f.more, more)]
            if known:
                field = self.random.choice(known)
                inside = self._down(Term(field.name, BOUND), field.more, more, POSITIVE)
                return Term(f"{name}({inside.text})", BOUND)
        return self._leaf(less)

    def _index(self):
        if self._has_step_index and self._chance(30):
            return "step_index"
        return "i" + self.random.choice("xyz"[:self.rank])

    def _real(self, less, budget):
        """A real value of so many cells, of some operations."""
        if budget <= 0:
            return self._leaf(less)
        most = self.random.randrange(budget)
        a = self._small(self._real(less, most if self._chance(50) else budget - 1))
        n, way = self._number(), self.random.randrange(100)
        if way < 20:
            name, by = self._wider(less)
            return self._applied(name, self._small(self._real(_plus(less, by), budget - 1))) \
                if name else a
        if way < 32:
            return Term(f"once({a.text})", a.bound)
        if way < 64:
            b = self._small(self._real(less, budget - 1 - most))
            form, bound = self.random.choice((
                ("({0} + {1})", a.bound + b.bound), ("({0} - {1})", a.bound + b.bound),
                ("({0} * {1})", a.bound * b.bound), ("({0} + {2} * {1})", a.bound + 3 * b.bound),
                ("({2} * {0} - {1} * {2})", 3 * (a.bound + b.bound)),
                ("({0} * {1} - {2} * {0})", a.bound * (b.bound + 3)),
                ("({0} / (sq({1}) + 1.5))", a.bound), ("maximum({0}, {1})", max(a.bound, b.bound)),
                ("minimum({1}, {0})", max(a.bound, b.bound)),
                ("(convert(convert({0} * 50, 'i32'), 'f32') * 0.02 + {1})", a.bound + b.bound)))
            return self._made(form, bound, a.text, b.text, n)
        if way < 72:
            b = self._real(less, budget // 2)
            return Term(f"where({self._condition(less, budget // 2)}, {a.text}, {b.text})",
                        max(a.bound, b.bound))
        if way < 78 and self._has_position:
            return Term(self.random.choice(("({} + 0.01 * {})", "where({1} < 7, {0}, 0.3)")).format(
                a.text, self._index()), a.bound + 4)
        if way < 84 and self._has_functions:
            return Term(self.random.choice(list(FUNCTIONS.values())).format(a.text), a.bound + 2)
        if way < 88:
            return self._harmonic(less)
        if way < 91 and len(self._reals) < len(self.fields) and _fits(self.fields[-1].more, less):
            return Term(f"({a.text} + 0.01 * {self._integers(less)})", a.bound + 3)
        form, bound = self.random.choice((
            ("({1} * {0})", 3 * a.bound), ("-{0}", a.bound), ("({0} - {1})", a.bound + 3),
            ("sq({0})", a.bound ** 2), ("abs({0})", a.bound), ("sqrt(abs({0}))", a.bound + 1),
            ("floor({0} * 3)", 3 * a.bound + 1), ("minimum({1}, {0})", a.bound + 3),
            ("({1} / (abs({0}) + 0.5))", 6), ("convert({0}, 'f32')", a.bound),
            ("where(isfinite({0}), {0}, 0)", a.bound)))
        return self._made(form, bound, a.text, n)

    def _made(self, form, bound, *of):
        """Of values; the first one has a name, where it stands twice."""
        if form.count("{0}") > 1:
            of = self._line(of[0]), *of[1:]
        return Term(form.format(*of), bound)

    def _wider(self, less):
        """An operator whose operand has so many cells more, of which there are values; or none."""
        wider = sorted({_minus(one[1], less) for one in self._source(less)} - {(0,) * self.rank})
        if not wider:
            return None, None
        by = self.random.choice(wider)
        return self._operator(by, (0,) * self.rank)

    def _condition(self, less, budget):
        a, b = self._real(less, budget // 2).text, self._real(less, budget // 2).text
        form = self.random.choice(("{0} < {1}", "{0} > {2}", "{0} >= {1}", "once({0} < {1})",
                                   "({0} > {2}) & ~({1} == {0})", "({0} <= {1}) | ({0} < {2})"))
        return self._made(form, 1, a, b, self._number()).text

    def _integers(self, less):
        """Neighbours of the field of integers, of which there are no means."""
        text, more = self.fields[-1].name, self.fields[-1].more
        while more != less:
            form, by = self._operator(more, less, WHOLE)
            text, more = form.format(text), _minus(more, by)
        return text

    # ---- the step

    def _step(self):
        """The text of all."""
        for _ in range(self.random.choice((0, 0, 1, 2, 3))):
            self._keep()
        parts, left = [], self.random.choice((1, 1, 2, 3, min(len(self.fields), 6)))
        while left > 0:
            together = min(left, self.random.choice((1, 1, 2, 3)))
            fields = self.random.sample(self.fields, min(together, len(self.fields)))
            updates = [self._update(f) for f in fields]
            parts.append(updates[0] if len(updates) == 1 else f"together({', '.join(updates)})")
            left -= len(updates)
        if self._chance(35):
            less = self._part(self.random.choice(self._reals))[1]
            self._has_position = self._has_step_index = False  # rows have none there
            kept, self._shared = self._shared, []
            value = self._real(less, self._budget // 2).text
            self._shared = kept
            parts.append(f"residual({self.random.choice(('max_abs', 'norm2'))}({value}))")
        result = parts[0] if len(parts) == 1 else "stages(\n        " + ",\n        ".join(parts) + ")"
        names = ", ".join(f.name for f in self.fields)
        return f"def step({names}):\n" + "".join(f"    {line}\n" for line in self._lines) + \
            f"    return {result}\n"

    def _keep(self):
        """A value of a name of its own, which others may read several cells of; mostly by once."""
        field = self.random.choice(self._reals)
        less = _minus(field.more, tuple(self.random.choice((0, 0, 1, 2)) for _ in range(self.rank)))
        self._need(less)
        term = self._small(self._real(less, self._budget))
        name = self._line(f"once({term.text})" if self._chance(75) else term.text)
        self._shared.append((name, less, term.bound))

    def _line(self, text):
        if text.isidentifier():
            return text
        name = f"v{len(self._lines)}"
        self._lines.append(f"{name} = {text}")
        return name

    def _part(self, field):
        """Of a field: text, cells, and how many it leaves out at both sides."""
        inner = [n for n in fd.SHRINKS[self.rank] if n.startswith("inn")]
        radius = self.random.choice((1, 1, 2, 3, 4))
        text, by = self.random.choice((
            ("{}", (0,) * self.rank), *[(f"{n}({{}})", fd.SHRINKS[self.rank][n])
                                        for n in (self.random.choice(inner), "inn")],
            (f"around({{}}, {radius})()", (2 * radius,) * self.rank),
            (f"around({{}}, {radius})()", (2 * radius,) * self.rank)))
        less = _minus(field.more, by)
        self._need(less)
        return text.format(field.name), less, tuple(b // 2 for b in by)

    def _need(self, less):
        """Fields of so many cells that something is left of them."""
        self._most = [max(m, -n) for m, n in zip(self._most, less)]

    def _update(self, field):
        target, less, border = self._part(field)
        if field.kind[0] != "f":
            value = self._integer_value(less)
        else:
            body = self._line(self._small(self._real(less, self._budget)).text)
            value = self.random.choice((
                f"0.5 * {target} + (0.625 + 0.375 * {body} / (abs({body}) + 1.0))",
                f"minimum(maximum({target} + 0.45 * ({body} - {target}), 0.25), 2)"))
        conditions = self._conditions(field, less, border) if any(border) and self._chance(50) else None
        sets_all = conditions is not None and "fixed," not in conditions.replace(")", ",") and \
            conditions.count("=") == sum(map(bool, border))
        self._written.append(Update(field, border, sets_all))
        return f"update({target}, {value}{', ' + conditions if conditions else ''})"

    def _integer_value(self, less):
        a, b = self._integers(less), self._integers(less)
        n = self.random.choice((3, -7, 100000, 2**31 - 1))
        c = self._small(self._real(less, 2)).text
        return self.random.choice((
            f"{a} + {b}", f"{a} * {b} - {n}", f"{n} * {a}", f"-{a} - {b}", f"abs({a} - {n})",
            f"minimum({a}, {b}) * {n}", f"where({a} < {b}, {a}, {n} - {b})", f"sq({a}) + {b}",
            f"convert({c} * 300, 'i32') - {a}", f"once({a} * {n}) - ix"))

    # ---- conditions

    def _conditions(self, field, less, border):
        dims = {d: self.random.choice(("periodic", None)) or f"({self._side(field)}, {self._side(field)})"
                for d, cells in zip("xyz", border) if cells and self._chance(80)}
        self._need(tuple(n - cells * (dims.get(d) == "periodic") for d, n, cells in
                         zip("xyz", less, border)))
        return f"boundary({', '.join(f'{d}={sides}' for d, sides in dims.items())})" if dims else None

    def _side(self, field):
        if field.kind[0] != "f":
            return self.random.choice(("fixed", "fixed(3)", "fixed(ix)"))
        sides = ["fixed", "fixed(0.8)", "gradient(0.0)", "gradient(0.01)", "gradient(-0.02)",
                 "robin(1.0, 0.1, 0.8)", "robin(1.0, -0.15, 0.7)"]
        if self._has_position:
            index = self._index()
            sides += [f"fixed(0.3 + 0.01 * {index})", f"gradient(0.001 * {index})",
                      f"robin(1.0, 0.1, 0.5 + 0.01 * {index})", "fixed(1)"]
        return self.random.choice(sides)

    # ---- as a function, and arrays

    def step(self):
        """As teff.iterate takes it."""
        names = {**{name: getattr(fd, name) for name in fd.__all__},
                 **{name: getattr(teff, name) for name in (
                     "update", "stages", "together", "residual", "max_abs", "norm2", "boundary",
                     "fixed", "periodic", "gradient", "robin")}}
        exec(compile(self.text, f"formula {self.seed}", "exec"), names)
        return teff.timestep(names["step"])

    def start(self):
        """The fields before the first step; poison where conditions say what is there."""
        rng = np.random.default_rng(self.seed)
        made = []
        for field, shape in zip(self.fields, self.shapes):
            if field.kind[0] != "f":
                made.append(rng.integers(0, 200, shape).astype(field.kind))
                continue
            cells = (0.25 + 1.75 * rng.random(shape)).astype(field.kind)
            updates = [u for u in self._written if u.field is field]
            if len(updates) == 1 and updates[0].sets_all:
                inner = tuple(slice(b, n - b) for b, n in zip(updates[0].border[::-1], shape))
                inside, cells = cells, np.full(shape, POISON, field.kind)
                cells[inner] = inside[inner]
            made.append(cells)
        return made


def _fits(more, less):
    return all(a >= b for a, b in zip(more, less))


def _minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def _plus(a, b):
    return tuple(x + y for x, y in zip(a, b))

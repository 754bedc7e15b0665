# SPDX-License-Identifier: MIT
"""A time step as rows: a function for each stage that computes cells of a row, and a table of what the
stages read and write; the library (teff/stencil/rows) does all else. The functions are written in what
C and CUDA have in common (row_text.py), and include nothing, so that any compiler takes them in a
moment. Their values have the bits of the C++ text's: products and sums fuse by the rule of
teff/expr/arithmetic.hpp.
"""

import re
import sys
import threading
from collections import namedtuple

from .library import NAMES
from .nodes import Nodes, REAL, Unsupported, meet

C_TYPES = {"f64": "double", "f32": "float", "i64": "i64", "i32": "int", "u8": "unsigned char",
           "bool": "int"}
MODULAR = {"i64": "unsigned long long", "i32": "unsigned"}
KINDS = {"fixed": 1, "gradient": 2, "robin": 3, "periodic": 4}  # of conditions; 0 keeps the cells
MOST_VALUES = 4000  # of a row: what has more is for a compiler that has more time

# What teff_c.h has under these names; types are numbers of teff_type.
Row = namedtuple("Row", "name function sources reads type flops")
Side = namedtuple("Side", "kind a b c c_is_whole row")  # row: None where there is no formula
Stage = namedtuple("Stage", "row field sees low high has_sides sides")
Rows = namedtuple("Rows", "rank types stages residual_kind residual shape_of shape_less")
FRAMES = 2500  # of Python, for values within values (emit.MOST_DEPTH)
_one_at_a_time = threading.Lock()
NO_SIDE = Side(0, 0, 0, 0, 0, None)


def rows_of(lines, used, part, types, rank):
    """The step as data. @param part what the formula's function returned @raises Unsupported"""
    with _one_at_a_time:
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(before + FRAMES)  # wherever the caller stands
        try:
            return _Step(lines, used, [NAMES[t] for t in types], rank).rows(part)
        except RecursionError:
            raise Unsupported("its lines are nested too deep") from None
        finally:
            sys.setrecursionlimit(before)


def all_rows(rows):
    """Those of stages, then of their conditions, and that of the residual."""
    for stage in rows.stages:
        yield stage.row
        yield from (side.row for pair in stage.sides for side in pair if side.row)
    if rows.residual:
        yield rows.residual


class _Step:
    """The table of the stages, and the functions of their rows."""

    def __init__(self, lines, used, field_types, rank):
        self.rank, self.field_types = rank, field_types
        self.nodes = Nodes(lines, used, field_types, rank)

    def rows(self, part):
        stages, residual, seen = [], (0, None, 0, (0, 0, 0)), 0
        for one in part.parts if part.kind == "stages" else [part]:
            if one.kind == "residual":
                residual = self._residual(one)
                continue
            stages += [self._stage(len(stages) + i, seen, update)
                       for i, update in enumerate(one.parts or [one])]
            seen = len(stages)
        return Rows(self.rank, [NAMES.index(t) for t in self.field_types], stages, *residual)

    def _row(self, name, value, to, low, fewer):
        row = _Row(self, low)
        result = row.cast(*row.value(value, None, (0, 0, 0), fewer), to)
        return Row(name, row.function(name, result, C_TYPES[to]), row.rows, row.reads,
                   NAMES.index(to), self.nodes.flops.get(value, 0))

    def _stage(self, number, seen, update):
        target = update.operands[0]
        low, high = self.nodes.target_of(target._name)
        row = self._row(f"row{number}", update.value, self.field_types[target._target], low,
                        tuple(a + b for a, b in zip(low, high)))
        sides = [[NO_SIDE, NO_SIDE] for _ in range(3)]
        for dim, upper, kind, numbers in update.sides or ():
            if numbers or kind == "periodic":
                sides[dim][upper] = self._side(f"side{number}_{dim}{upper}", KINDS[kind], numbers)
        return Stage(row, target._target, seen, low, high, int(update.sides is not None), sides)

    def _side(self, name, kind, numbers):
        """A condition by the places of its numbers a, b, c, or by the row of its formula."""
        *factors, c = numbers or ["x[0]"]
        a, b = map(_place, factors or ("0", "0"))
        if c[0] in "xn" or c.startswith("int("):
            return Side(kind, a, b, _place(c), int(c[0] != "x"), None)
        is_whole = self.nodes.type_beside(c, None) not in REAL
        row = self._row(name, c, "i64" if is_whole else "f64", (0, 0, 0), None)
        return Side(kind, a, b, 0, int(is_whole), row)

    def _residual(self, part):
        value = part.operands[0]._name
        kind = self.nodes.type_beside(value, None)
        if kind not in REAL:
            raise Unsupported(f"its residual is of {kind}")
        slot, less = self.nodes.shape_of(value)
        row = self._row("residual", value, kind, (0, 0, 0), None)
        if "at[" in row.function.partition("LOOP")[2].replace("at[3]", ""):
            raise Unsupported("an index is in its residual")
        return ("max_abs", "norm2").index(part.reduction) + 1, row, slot, less


class _Row:
    """One function: the values of a cell, each at one offset from it, computed once."""

    def __init__(self, step, low):
        self.nodes, self.field_types, self.low = step.nodes, step.field_types, low
        self.body, self.known, self.numbers = [], {}, {}
        self.rows, self.reads = [], []

    def function(self, name, result, to):
        types = [C_TYPES[self.field_types[slot]] for slot, _, _ in self.rows]
        return (f"ROW void {name}(void* to, const void* const* from, i64 cells, const i64* at,\n"
                f"    const double* x, const i64* n) {{\n  {to}* const t = ({to}*)to;\n" +
                "".join(f"  const {t}* const p{m} = (const {t}*)from[{m}];\n"
                        for m, t in enumerate(types)) +
                "".join(f"  const {t} {v} = ({t}){n};\n" for (n, t), v in self.numbers.items()) +
                "  LOOP\n  for (i64 i = 0; i < cells; ++i) {\n" +
                "".join(f"    {line}\n" for line in self.body) + f"    t[i] = {result};\n  }}\n}}\n")

    @staticmethod
    def cast(text, kind, to):
        if kind == to or {kind, to} == {"i32", "bool"}:
            return text
        return f"to_{to}({text})" if kind in REAL and to not in REAL else f"({C_TYPES[to]}){text}"

    def _kept(self, text, kind, name=""):
        """The text as a value that is computed once. @param name of the line that it ends"""
        if len(self.body) >= MOST_VALUES:
            raise Unsupported("it has too many values")
        of = f"  /* {name} */" if name[:1] == "t" else ""
        self.body.append(f"const {C_TYPES[kind]} v{len(self.body)} = {text};{of}")
        return f"v{len(self.body) - 1}"

    def value(self, name, other, at, fewer):
        """A value at an offset from the row's first cell: its text and its type.
        @param fewer cells than the written field, by dim; None: ix counts from 0"""
        kind = self.nodes.type_beside(name, other)
        if name[0] in "xn" or name.startswith("int("):
            number = name if name[0] == "x" else f"n[{_place(name)}]"
            return self.numbers.setdefault((number, C_TYPES[kind]), f"q{len(self.numbers)}"), kind
        if name in ("ix", "iy", "iz"):
            d = "xyz".index(name[1])
            first = at[d] + (int(fewer[d] / 2) if fewer else 0)
            return f"(at[{d}] + {'i + ' if d == 0 else ''}({first}))", kind
        if name == "step_index":
            return "at[3]", kind
        key = name, at, fewer
        if key not in self.known:
            text = self._cell(int(name[1:]), at) if name[0] == "f" else \
                self._result(self.nodes.of[name], kind, at, fewer)
            self.known[key] = self._kept(text, kind, name)
        return self.known[key], kind

    def _cell(self, slot, at):
        x, y, z = (a - low for a, low in zip(at, self.low))
        if (slot, x, y, z) not in self.reads:
            self.reads.append((slot, x, y, z))
        if (slot, y, z) not in self.rows:
            self.rows.append((slot, y, z))
        return f"p{self.rows.index((slot, y, z))}[i + ({x})]"

    def _result(self, node, kind, at, fewer):
        op, names = node.op, node.operands
        if node.at:
            less = tuple(f - s for f, s in zip(fewer, node.shrink)) if fewer else None
            return self._of_neighbours(op, kind, [
                self.cast(*self.value(names[0], None, tuple(a + o for a, o in zip(at, offset)), less),
                          kind) for offset in node.at])

        def operand(name, other=None, to=kind):
            return self.cast(*self.value(name, other, at, fewer), to)
        if op in ("+", "-") and kind in REAL:
            fma, sign = "fma" if kind == "f64" else "fmaf", "-" if op == "-" else ""
            left, right = names
            if of := self.nodes.product(left, kind):
                a, b = operand(*of.operands), operand(*of.operands[::-1])
                return f"{fma}({a}, {b}, {sign}{operand(right, left)})"
            if of := self.nodes.product(right, kind):
                a, b = operand(*of.operands), operand(*of.operands[::-1])
                return f"{fma}({sign}{a}, {b}, {operand(left, right)})"
        if len(names) > 1:
            a, b = names[-2:]
            to = "bool" if op in ("&&", "||") else kind if op in ("where", "pow") else \
                meet(*self.nodes.pair_types(a, b))
            a, b = operand(a, b, to), operand(b, a, to)
            if op == "where":
                return f"{operand(names[0], None, 'bool')} ? {a} : {b}"
            return f"pow{'f' * (kind == 'f32')}({a}, {b})" if op == "pow" else \
                self._of_two(op, to, a, b)
        a, of = self.value(names[0], None, at, fewer)
        if op == "isfinite":
            return f"{a} - {a} == 0" if of in REAL else "1"
        a = self.cast(a, of, kind)
        if op == "neg":
            return f"-{a}" if kind in REAL else self._of_two("-", kind, "0", a)
        if op == "sq":
            return self._of_two("*", kind, a, a)
        if op == "abs" and kind in REAL:
            return f"{a} < 0 ? -{a} : {a} == 0 ? 0 : {a}"
        if op == "abs":
            return a if kind == "u8" else f"{a} < 0 ? {self._of_two('-', kind, '0', a)} : {a}"
        if op in ("!", "once", "convert"):
            return "!" * (op == "!") + a
        return f"{op}{'f' * (kind == 'f32')}({a})"

    @staticmethod
    def _of_two(op, kind, a, b):
        if op in ("minimum", "maximum"):
            return f"({a} {'<' if op == 'minimum' else '>'} {b} || {a} != {a} ? {a} : {b})"
        if kind in REAL or op not in "+-*":
            return f"({a} {op} {b})"
        return f"(({C_TYPES[kind]})(({MODULAR[kind]}){a} {op} ({MODULAR[kind]}){b}))"  # it wraps

    def _of_neighbours(self, op, kind, of):
        def two(symbol, a, b):
            return self._kept(self._of_two(symbol, kind, a, b), kind)

        def folded(symbol, values):
            result = values[0]
            for one in values[1:]:
                result = two(symbol, result, one)
            return result
        if op in ("inn", "d"):
            return of[0] if op == "inn" else two("-", *of)
        if op == "d2":
            return two("-", two("-", of[0], of[1]), two("-", of[1], of[2]))
        one, count = f"({C_TYPES[kind]})1", f"({C_TYPES[kind]}){len(of)}"
        if op == "av":
            return f"{folded('+', of)} * ({one} / {count})"
        if op == "harm":
            return f"{count} / {folded('+', [two('/', one, o) for o in of])}"
        return folded("maximum" if op == "maxloc" else "minimum", of)


def _place(number):
    """Of a number's text, x[3] or int(n[3])."""
    return int(re.search(r"\d+", number)[0])

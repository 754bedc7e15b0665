# SPDX-License-Identifier: MIT
"""A time step as rows: for each stage operations that compute cells of a row, and a table of what the
stages read and write; the library (teff/stencil/rows) does all else. They become functions in what C
and CUDA have in common (row_text.py), which any compiler takes in a moment, or without one programs
that the library interprets (row_program.py). Their values have the bits of the C++ text's: products
and sums fuse by the rule of teff/expr/arithmetic.hpp.
"""

import re
import sys
import threading
from collections import namedtuple

from .library import NAMES
from .nodes import Nodes, REAL, Unsupported, meet

KINDS = {"fixed": 1, "gradient": 2, "robin": 3, "periodic": 4}  # of conditions; 0 keeps the cells
MOST_VALUES = 50000  # of a row
MOST_COMPILED = 4000  # of which a C compiler takes some seconds; longer rows are interpreted

# What a row does, in order. An operation computes values of one type from such of another one; its
# operands are places of operations before it, or numbers: of the formula (x: its reals), the index
# along a dim and so many cells, a ratio. Those of a cell are the row that is read and cells away.
Operation = namedtuple("Operation", "op of to operands line")
Number = namedtuple("Number", "list place type")
Index = namedtuple("Index", "dim more")
Ratio = namedtuple("Ratio", "over under type")
STEP = 3  # the dim of step_index

# What teff_c.h has under these names; types are numbers of teff_type.
Row = namedtuple("Row", "name code sources reads type flops")  # the last operation's value is stored
Side = namedtuple("Side", "kind a b c c_is_whole row")  # row: None where there is no formula
Stage = namedtuple("Stage", "row field copies sees low high has_sides sides")
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


def most_values(rows):
    """Of the longest row."""
    return max(len(row.code) for row in all_rows(rows))


def is_formula(text):
    """A condition's right-hand side is none of the formula's numbers."""
    return text[0] not in "xn" and not text.startswith("int(")


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
        if result != len(row.code) - 1 or row.code[result].op == "cell":
            row.code.append(Operation("copy", to, to, (result,), ""))
        return Row(name, row.code, row.rows, row.reads, NAMES.index(to),
                   self.nodes.flops.get(value, 0))

    def _stage(self, number, seen, update):
        target = update.operands[0]
        low, high = self.nodes.target_of(target._name)
        row = self._row(f"row{number}", update.value, self.field_types[target._target], low,
                        tuple(a + b for a, b in zip(low, high)))
        sides = [[NO_SIDE, NO_SIDE] for _ in range(3)]
        for dim, upper, kind, numbers in update.sides or ():
            if numbers or kind == "periodic":
                sides[dim][upper] = self._side(f"side{number}_{dim}{upper}", KINDS[kind], numbers)
        return Stage(row, target._target, self._copied(row, target._target), seen, low, high,
                     int(update.sides is not None), sides)

    def _copied(self, row, written):
        """The field whose values a row takes as they are, each at the cell itself; -1"""
        if len(row.reads) != 1 or [one.op for one in row.code] != ["cell", "copy"]:
            return -1
        slot, *away = row.reads[0]
        is_alike = slot != written and self.field_types[slot] == self.field_types[written]
        return slot if is_alike and not any(away) else -1

    def _side(self, name, kind, numbers):
        """A condition by the places of its numbers a, b, c, or by the row of its formula."""
        *factors, c = numbers or ["x[0]"]
        a, b = map(_place, factors or ("0", "0"))
        if not is_formula(c):
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
        if any(type(o) is Index and o.dim != STEP for one in row.code for o in one.operands):
            raise Unsupported("an index is in its residual")
        return ("max_abs", "norm2").index(part.reduction) + 1, row, slot, less


class _Row:
    """One function: the values of a cell, each at one offset from it, computed once."""

    def __init__(self, step, low):
        self.nodes, self.low = step.nodes, low
        self.code, self.known, self.made = [], {}, {}
        self.rows, self.reads = [], []

    def cast(self, value, kind, to):
        if kind == to or {kind, to} == {"i32", "bool"}:
            return value
        return self._do("convert", kind, value, to=to)

    def _do(self, op, kind, *operands, to=None, line=""):
        """A value that is computed once. @param line of the formula that it ends"""
        key = op, kind, to or kind, operands
        if key not in self.made:
            if len(self.code) >= MOST_VALUES:
                raise Unsupported("it has too many values")
            self.made[key] = len(self.code)
            self.code.append(Operation(*key, line if line[:1] == "t" else ""))
        return self.made[key]

    def value(self, name, other, at, fewer):
        """A value at an offset from the row's first cell, and its type.
        @param fewer cells than the written field, by dim; None: ix counts from 0"""
        kind = self.nodes.type_beside(name, other)
        if name[0] in "xn" or name.startswith("int("):
            return Number("x" if name[0] == "x" else "n", _place(name), kind), kind
        if name in ("ix", "iy", "iz"):
            d = "xyz".index(name[1])
            return Index(d, at[d] + (int(fewer[d] / 2) if fewer else 0)), kind
        if name == "step_index":
            return Index(STEP, 0), kind
        key = name, at, fewer
        if key not in self.known:
            self.known[key] = self._cell(int(name[1:]), kind, at, name) if name[0] == "f" else \
                self._result(self.nodes.of[name], kind, at, fewer, name)
        return self.known[key], kind

    def _cell(self, slot, kind, at, name):
        x, y, z = (a - low for a, low in zip(at, self.low))
        if (slot, x, y, z) not in self.reads:
            self.reads.append((slot, x, y, z))
        if (slot, y, z) not in self.rows:
            self.rows.append((slot, y, z))
        return self._do("cell", kind, self.rows.index((slot, y, z)), x, line=name)

    def _result(self, node, kind, at, fewer, line):
        op, names = node.op, node.operands
        if node.at:
            less = tuple(f - s for f, s in zip(fewer, node.shrink)) if fewer else None
            return self._of_neighbours(op, kind, [
                self.cast(*self.value(names[0], None, tuple(a + o for a, o in zip(at, offset)), less),
                          kind) for offset in node.at], line)

        def operand(name, other=None, to=kind):
            return self.cast(*self.value(name, other, at, fewer), to)

        def do(op, *operands, of=kind):
            return self._do(op, of, *operands, to=kind, line=line)
        if op in ("+", "-") and kind in REAL:
            left, right = names
            if of := self.nodes.product(left, kind):
                a, b = operand(*of.operands), operand(*of.operands[::-1])
                return do("ab+c" if op == "+" else "ab-c", a, b, operand(right, left))
            if of := self.nodes.product(right, kind):
                a, b = operand(*of.operands), operand(*of.operands[::-1])
                return do("ab+c" if op == "+" else "c-ab", a, b, operand(left, right))
        if len(names) > 1:
            a, b = names[-2:]
            to = "bool" if op in ("&&", "||") else kind if op in ("where", "pow") else \
                meet(*self.nodes.pair_types(a, b))
            a, b = operand(a, b, to), operand(b, a, to)
            if op == "where":
                return do(op, operand(names[0], None, "bool"), a, b)
            return do(op, a, b, of=to)
        a, of = self.value(names[0], None, at, fewer)
        if op == "isfinite":
            of, a = meet(of, of), self.cast(a, of, meet(of, of))
            return do("==", self._do("-", of, a, a), Ratio(0, 1, of), of=of)
        a = self.cast(a, of, kind)
        if op == "sq":
            return do("*", a, a)
        if op in ("once", "convert") or op == "abs" and kind == "u8":
            return a
        return do(op, a)

    def _of_neighbours(self, op, kind, of, line):
        def two(symbol, a, b):
            return self._do(symbol, kind, a, b, line=line)

        def folded(symbol, values):
            result = values[0]
            for one in values[1:]:
                result = two(symbol, result, one)
            return result
        if op in ("inn", "d"):
            return of[0] if op == "inn" else two("-", *of)
        if op == "d2":
            return two("-", two("-", of[0], of[1]), two("-", of[1], of[2]))
        if op == "av":
            return two("*", folded("+", of), Ratio(1, len(of), kind))
        if op == "harm":
            one, count = Ratio(1, 1, kind), Ratio(len(of), 1, kind)
            return two("/", count, folded("+", [two("/", one, o) for o in of]))
        return folded("maximum" if op == "maxloc" else "minimum", of)


def _place(number):
    """Of a number's text, x[3] or int(n[3])."""
    return int(re.search(r"\d+", number)[0])

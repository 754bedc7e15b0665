# SPDX-License-Identifier: MIT
"""The lines of a formula taken apart: operations, operands, where neighbours are, types as in C++."""

import re

from .fd import SHRINKS
from .trace import _REAL as REAL, meet


class Unsupported(Exception):
    """A formula that is for the C++ compiler."""


_BINARY = re.compile(r"(\S+) (\+|-|\*|/|<=?|>=?|==|!=|&&|\|\|) (\S+)")
_NEIGHBOUR = re.compile(r"at<(-?\d+), (-?\d+), (-?\d+)>\(around<(\d+)>\((\w+)\)\)")
_CALL = re.compile(r"(\w+)(?:<(\w+)>)?\((.*)\)")
_FLOPS = {"d": 1, "d2": 3, "av": 2, "harm": 5, "maxloc": 4, "minloc": 4, "inn": 0, "where": 0,
          "convert": 0, "isfinite": 0, "once": 0, "!": 0, "&&": 0, "||": 0}  # of others 1


class Node:
    """A line: an operation, its operands and, if it takes neighbours of one, where these are."""

    def __init__(self, line, rank):
        self.at, self.shrink, self.to = None, (0, 0, 0), None
        if found := _BINARY.fullmatch(line):
            self.op, self.operands = found[2], [found[1], found[3]]
        elif line[0] in "-!":
            self.op, self.operands = "neg" if line[0] == "-" else "!", [line[1:]]
        elif found := _NEIGHBOUR.fullmatch(line):
            x, y, z, radius = map(int, found.groups()[:4])
            inner = [radius if d < rank else 0 for d in range(3)]
            self.op, self.operands = "inn", [found[5]]
            self.at = [(inner[0] + x, inner[1] + y, inner[2] + z)]
            self.shrink = tuple(2 * r for r in inner)
        else:
            name, self.to, inside = _CALL.fullmatch(line).groups()
            self.op, self.operands = name, inside.split(", ")
            if name in SHRINKS[rank]:
                self._find_neighbours(name, rank)

    def _find_neighbours(self, name, rank):
        """Where they are, in the order in which C++ takes them."""
        self.shrink = SHRINKS[rank][name] + (0,) * (3 - rank)
        self.op, _, dims = name.partition("_")
        along = ["xyz".index(d) for d in dims[:-1]] if dims and self.op != "inn" else range(rank)
        middle = [by // 2 for by in self.shrink]

        def moved(offsets):
            return tuple(offsets.get(d, middle[d]) for d in range(3))
        if self.op == "inn":
            self.at = [moved({})]
        elif self.op in ("d", "d2"):
            self.at = [moved({along[0]: o}) for o in ((1, 0) if self.op == "d" else (2, 1, 0))]
        elif self.op in ("av", "harm"):
            self.at = [moved({d: corner >> n & 1 for n, d in enumerate(along)})
                       for corner in range(1 << len(along))]
        else:
            self.at = [moved({})] + [moved({d: o}) for d in along for o in (0, 2)]


class Nodes:
    """Those of a formula, by name; the types and operations of a cell of each."""

    def __init__(self, lines, used, field_types, rank):
        self.of, self.flops = {}, {}
        self.types = {f"f{i}": t for i, t in enumerate(field_types)}
        self.types.update(ix="i64", iy="i64", iz="i64", step_index="i64")
        for at in used:
            name, node = f"t{at}", Node(lines[at], rank)
            self.of[name], self.types[name] = node, self._type_of(node)
            self.flops[name] = _FLOPS.get(node.op, 1) + \
                sum(self.flops.get(o, 0) for o in node.operands)

    def type_beside(self, name, other):
        """Of an operand; a number takes one by the operand that it stands beside."""
        if name in self.types:
            return self.types[name]
        if name == "stage_time":
            raise Unsupported("stage_time is of integrators")
        own = "f64" if name[0] == "x" else "i32" if name.startswith("int(") else "i64"
        beside = self.types.get(other)
        if beside is None:
            return own
        return beside if beside in REAL else own if own == "f64" else meet(own, meet(beside, beside))

    def pair_types(self, a, b):
        return self.type_beside(a, b), self.type_beside(b, a)

    def _type_of(self, node):
        op, operands = node.op, node.operands
        if op in ("<", "<=", ">", ">=", "==", "!=", "&&", "||", "!", "isfinite"):
            return "bool"
        if op == "convert":
            return node.to
        if op in ("where", "+", "-", "*", "/", "minimum", "maximum", "pow"):
            kinds = self.pair_types(*operands[-2:])
            kind = kinds[0] if op == "where" and kinds[0] == kinds[1] else meet(*kinds)
        else:
            kind = self.type_beside(operands[0], None)
            if op in ("sq", "neg", "d", "d2"):
                kind = meet(kind, kind)
        if op in ("sqrt", "exp", "log", "sin", "cos", "tanh", "floor", "pow") and kind not in REAL:
            return "f64"
        return kind

    def product(self, name, kind):
        """The node, if it is written as a product of this type: a sum with it rounds once."""
        node = self.of.get(name)
        return node if node is not None and node.op == "*" and self.types[name] == kind else None

    def target_of(self, name):
        """The cells of its field that a target leaves out at the low and at the high sides."""
        low, high = [0, 0, 0], [0, 0, 0]
        while name[0] == "t":
            node = self.of[name]
            for d in range(3):
                low[d] += node.at[0][d]
                high[d] += node.shrink[d] - node.at[0][d]
            name = node.operands[0]
        return low, high

    def shape_of(self, name):
        """A field that has the extents of a value and so many cells more: (slot, cells)."""
        less = [0, 0, 0]
        while name[0] == "t":
            node = self.of[name]
            less = [a + b for a, b in zip(less, node.shrink)]
            name = next(o for o in node.operands if self._has_fields(o))
        return int(name[1:]), less

    def _has_fields(self, name):
        return name[0] == "f" or name in self.of and any(map(self._has_fields,
                                                             self.of[name].operands))

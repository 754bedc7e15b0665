#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""write_formulas.py [--check]: random time steps of radius 1, as Teff's formulas and as plain C++.

Writes to generated/ formulas_N.hpp (one stage) and steps_N.hpp (several stages over staggered fields, with conditions
where one gives them), and for each test_*_N.cpp; `--check` only says whether they are what would be written.
Each formula is one random tree, printed twice: in Teff's notation, where operators act on whole fields, and
as the value of one cell, where every read has its place and every sum of a product says how it rounds.
"""

import random
import sys
from pathlib import Path

SEED = 20261121
COUNT, STEPS = 64, 16
OF_FILE = 8  # formulas: those of one test file

# An operator: by how much its result is smaller in x and y, and its oracle from a reader of the operand.
DIFFERENCE = "minus(value({1}), value({0}))"  # an operator does not look into its operand
SECOND = "minus(minus(value({2}), value({1})), minus(value({1}), value({0})))"
MEAN2 = "scaled_sum(V(0.5), {0}, {1})"
MEAN4 = "scaled_sum(V(0.25), {0}, {1}, {2}, {3})"
HARM2 = "inverse_sum(V(2), {0}, {1})"
HARM4 = "inverse_sum(V(4), {0}, {1}, {2}, {3})"
ITSELF = "value({0})"
STAR = [(1, 1), (0, 1), (2, 1), (1, 0), (1, 2)]
BOX = [(0, 0), (1, 0), (0, 1), (1, 1)]
OPERATORS = {
    "d_xa": ((1, 0), DIFFERENCE, [(0, 0), (1, 0)]),
    "d_ya": ((0, 1), DIFFERENCE, [(0, 0), (0, 1)]),
    "d_xi": ((1, 2), DIFFERENCE, [(0, 1), (1, 1)]),
    "d_yi": ((2, 1), DIFFERENCE, [(1, 0), (1, 1)]),
    "d2_xa": ((2, 0), SECOND, [(0, 0), (1, 0), (2, 0)]),
    "d2_ya": ((0, 2), SECOND, [(0, 0), (0, 1), (0, 2)]),
    "d2_xi": ((2, 2), SECOND, [(0, 1), (1, 1), (2, 1)]),
    "d2_yi": ((2, 2), SECOND, [(1, 0), (1, 1), (1, 2)]),
    "av": ((1, 1), MEAN4, BOX),
    "av_xa": ((1, 0), MEAN2, [(0, 0), (1, 0)]),
    "av_ya": ((0, 1), MEAN2, [(0, 0), (0, 1)]),
    "av_xi": ((1, 2), MEAN2, [(0, 1), (1, 1)]),
    "av_yi": ((2, 1), MEAN2, [(1, 0), (1, 1)]),
    "maxloc": ((2, 2), "largest({0}, {1}, {2}, {3}, {4})", STAR),
    "minloc": ((2, 2), "smallest({0}, {1}, {2}, {3}, {4})", STAR),
    "inn": ((2, 2), ITSELF, [(1, 1)]),
    "inn_x": ((2, 0), ITSELF, [(1, 0)]),
    "inn_y": ((0, 2), ITSELF, [(0, 1)]),
    "harm": ((1, 1), HARM4, BOX),
    "harm_xa": ((1, 0), HARM2, [(0, 0), (1, 0)]),
    "harm_ya": ((0, 1), HARM2, [(0, 0), (0, 1)]),
    "harm_xi": ((1, 2), HARM2, [(0, 1), (1, 1)]),
    "harm_yi": ((2, 1), HARM2, [(1, 0), (1, 1)]),
}
HARMONIC = [name for name in OPERATORS if name.startswith("harm")]
# Functions whose bits depend on the C library: CPU and GPU may differ.
TRANSCENDENTAL = ["exp", "sin", "cos", "tanh"]


class Formula:
    """Makes one random tree; every node is a pair: Teff's text, and a function from (x, y) to C++."""

    def __init__(self, number):
        self.random = random.Random(SEED * 1000 + number)
        self.fields = "TCD"[: 1 + (number % 3 if number else 1)]
        self.number = number
        self.same_everywhere = True
        self.reads = set()

    def constant(self):
        value = self.random.choice(["0.25", "0.3", "0.7", "1.1", "1.25", "1.9"])
        return value, lambda x, y: f"V({value})"

    def field(self, name=None):
        name = name or self.random.choice(self.fields)
        self.reads.add(name)
        return name, lambda x, y: f"{name}(i + {x}, j + {y})"

    def apply(self, name, operand):
        text, at = operand
        _, form, places = OPERATORS[name]
        return f"{name}({text})", lambda x, y: form.format(*(at(x + dx, y + dy) for dx, dy in places))

    def neighbour(self, operand):
        """around<1>: only from whole extents to inner ones."""
        text, at = operand
        dx, dy = self.random.choice([(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)])
        return f"at<{dx}, {dy}>(around<1>({text}))", lambda x, y: f"value({at(x + 1 + dx, y + 1 + dy)})"

    def smaller(self, shrink, budget):
        """An operator whose result is smaller by `shrink` than the fields, over what is left."""
        fitting = [n for n, (by, _, _) in OPERATORS.items()
                   if by[0] <= shrink[0] and by[1] <= shrink[1]]
        if shrink == (2, 2) and self.random.random() < 0.25:
            return self.neighbour(self.tree((0, 0), budget - 1))
        name = self.random.choice(fitting)
        by = OPERATORS[name][0]
        left = (shrink[0] - by[0], shrink[1] - by[1])
        if name in HARMONIC:  # of what is positive only
            return self.apply(name, self.positive(left))
        return self.apply(name, self.tree(left, budget - 1))

    def positive(self, shrink):
        """A positive expression of that shape: fields are between 0.25 and 2."""
        if shrink == (0, 0):
            return self.field()
        names = [n for n in ("av", "av_xa", "av_ya", "inn", "inn_x", "inn_y", "maxloc")
                 if all(a <= b for a, b in zip(OPERATORS[n][0], shrink))]
        name = self.random.choice(names)
        by = OPERATORS[name][0]
        return self.apply(name, self.positive((shrink[0] - by[0], shrink[1] - by[1])))

    def fewer_cells(self, shrink):
        """By how many cells an expression is smaller than the field that is written."""
        return shrink

    def index(self, shrink):
        """An index of the written field: cell j of an expression that has s cells fewer is its cell j + trunc(s / 2)."""
        name, axis = self.random.choice([("ix", 0), ("iy", 1)])
        first = int(self.fewer_cells(shrink)[axis] / 2)
        return name, lambda x, y: f"static_cast<double>({'ij'[axis]} + {(x, y)[axis] + first})"

    def tree(self, shrink, budget):
        r = self.random
        if budget <= 0:
            return self.field() if shrink == (0, 0) else self.smaller(shrink, 0)
        kind = r.random()
        if shrink != (0, 0) and kind < 0.5:
            return self.smaller(shrink, budget)
        if kind < 0.78:
            return self.binary(r.choice("++--**"), self.tree(shrink, budget - 1),
                               self.constant() if r.random() < 0.25 else self.tree(shrink, budget - 1))
        if kind < 0.83:
            text, at = self.positive(shrink)
            other, at_other = self.tree(shrink, budget - 1)
            return (f"({other} / (1.5 + {text}))",
                    lambda x, y: f"divided({at_other(x, y)}, plus(V(1.5), {at(x, y)}))")
        if kind < 0.88:
            text, at = self.tree(shrink, budget - 1)
            name, form = r.choice([("sq({})", "times_value({0}, {0})"),
                                   ("sqrt(abs({}))", "root({0})"), ("abs({})", "magnitude({0})")])
            return name.format(text), lambda x, y: form.format(at(x, y))
        if kind < 0.93:
            left, right = self.tree(shrink, budget - 1), self.tree(shrink, budget - 1)
            a, b = self.tree(shrink, budget - 2), self.constant()
            return (f"where({left[0]} < {right[0]}, {a[0]}, {b[0]})",
                    lambda x, y: f"(value({left[1](x, y)}) < value({right[1](x, y)}) ? "
                                 f"value({a[1](x, y)}) : {b[1](x, y)})")
        if kind < 0.96:
            name = r.choice(["minimum", "maximum"])
            left, right = self.tree(shrink, budget - 1), self.constant()
            form = "smallest" if name == "minimum" else "largest"
            return (f"{name}({left[0]}, {right[0]})",
                    lambda x, y: f"{form}(value({left[1](x, y)}), {right[1](x, y)})")
        if self.number % 4 == 1:
            self.same_everywhere = False
            name = r.choice(TRANSCENDENTAL)
            text, at = self.tree(shrink, budget - 1)
            return f"{name}({text})", lambda x, y: f"std::{name}(value({at(x, y)}))"
        text, at = self.index(shrink)
        inner, at_inner = self.tree(shrink, budget - 1)
        if self.number % 2 == 0 and r.random() < 0.5:  # in f64, where an index beside a number is no wider
            return (f"({inner} + 0.01 * {text})",
                    lambda x, y: f"plus({at_inner(x, y)}, times(V(0.01), {at(x, y)}))")
        bound = r.choice(["3", "7"])
        return (f"where({text} < {bound}, {inner}, 0.3)",
                lambda x, y: f"({at(x, y)} < {bound} ? value({at_inner(x, y)}) : V(0.3))")

    def binary(self, op, left, right):
        name = {"+": "plus", "-": "minus", "*": "times"}[op]
        return (f"({left[0]} {op} {right[0]})",
                lambda x, y: f"{name}({left[1](x, y)}, {right[1](x, y)})")

    def write(self):
        number = self.number
        target, shrink = [("inn(T)", (2, 2)), ("inn(T)", (2, 2)), ("inn_x(T)", (2, 0)),
                          ("inn_y(T)", (0, 2)), ("around<1>(T)()", (2, 2)), ("inn(T)", (2, 2)),
                          ("T", (0, 0)), ("inn(T)", (2, 2))][number // 2 % 8]
        centre = (shrink[0] // 2, shrink[1] // 2)
        body = self.tree(shrink, 4)
        # Half of the way from the old value to the new one, kept between 0.25 and 2: no step overflows.
        old = self.field("T")
        text = f"minimum(maximum({target} + 0.45 * ({body[0]} - {target}), 0.25), 2)"
        old_at = old[1](*centre)
        cell = (f"smallest(largest(value(plus({old_at}, times(V(0.45), "
                f"minus({body[1](0, 0)}, {old_at})))), V(0.25)), V(2))")
        parameters = ", ".join(f"auto {f}" for f in self.fields)
        unused = "".join(f"  (void){f};\n" for f in self.fields if f not in self.reads)
        readers = ", ".join(f"const reader<V>& {f}" for f in self.fields)
        unused_readers = unused.replace("  (void)", "    (void)")
        return f"""
struct formula_{number:02} {{
  static constexpr int fields = {len(self.fields)}, frame_x = {centre[0]}, frame_y = {centre[1]};
  static constexpr bool same_everywhere = {str(self.same_everywhere).lower()};
  static auto step() {{
    return timestep([=]({parameters}) {{
{unused_readers.replace('    (void)', '      (void)')}      return update({target},
                    {text});
    }});
  }}
  template <class V>
  static V cell({readers}, index_t i, index_t j) {{
{unused_readers}    (void)i, (void)j;
    return {cell};
  }}
}};
"""


class Stage(Formula):
    """The right-hand side of one stage over staggered fields: shapes are the extents beyond those of the base."""

    def __init__(self, rng, fields, extents, written):
        self.random, self.fields, self.extents, self.written = rng, fields, extents, written
        self.number, self.same_everywhere, self.reads = 2, True, set()  # 2: no functions, ix beside numbers

    def fewer_cells(self, shape):
        return [n - m for n, m in zip(self.extents[self.written], shape)]

    def fitting(self, shape):
        return [f for f in self.fields if all(e >= s for e, s in zip(self.extents[f], shape))]

    def from_field(self, shape):
        """A field, made smaller until it has that shape; of positive values."""
        name = self.random.choice(self.fitting(shape))
        now, node = self.extents[name], self.field(name)
        while now != shape:
            left = (now[0] - shape[0], now[1] - shape[1])
            names = [n for n in ("av", "av_xa", "av_ya", "inn", "inn_x", "inn_y", "maxloc", "harm_xa", "harm_ya")
                     if all(a <= b for a, b in zip(OPERATORS[n][0], left))]
            chosen = self.random.choice(names)
            node, by = self.apply(chosen, node), OPERATORS[chosen][0]
            now = (now[0] - by[0], now[1] - by[1])
        return node

    def positive(self, shape):
        return self.from_field(shape)

    def tree(self, shape, budget):
        r, kind = self.random, self.random.random()
        if budget <= 0 or kind < 0.15:
            return self.from_field(shape)
        if kind < 0.6:
            names = [n for n, (by, _, _) in OPERATORS.items() if n not in HARMONIC
                     and self.fitting((shape[0] + by[0], shape[1] + by[1]))]
            if names:
                name = r.choice(names)
                by = OPERATORS[name][0]
                return self.apply(name, self.tree((shape[0] + by[0], shape[1] + by[1]), budget - 1))
        if kind < 0.9:
            return self.binary(r.choice("++--**"), self.tree(shape, budget - 1),
                               self.constant() if r.random() < 0.25 else self.tree(shape, budget - 1))
        text, at = self.index(shape)
        inner, at_inner = self.tree(shape, budget - 1)
        return (f"where({text} < 5, {inner}, 0.3)",
                lambda x, y: f"({at(x, y)} < 5 ? value({at_inner(x, y)}) : V(0.3))")


def together(number, targets):
    """How many stages before it each one sees; in every other step some that write different fields are one stage."""
    sees = list(range(len(targets)))
    if number % 2 == 0:
        return sees
    first = random.Random(SEED * 3000 + number).randrange(len(targets) - 1)
    for k in range(first + 1, len(targets)):
        if targets[k] in targets[first:k]:
            break
        sees[k] = first
    return sees


def entries(texts, sees):
    """The entries of stages(...)."""
    of_stage = [[t for t, s in zip(texts, sees) if s == first] for first in sorted(set(sees))]
    indent = "," + chr(10) + " " * 20
    return indent.join(e[0] if len(e) == 1 else f"together({indent.join(e)})" for e in of_stage)


TARGETS = {"inn({})": (1, 1), "inn_x({})": (1, 0), "inn_y({})": (0, 1), "{}": (0, 0)}


def write_step(number):
    """A step of two to four stages over three fields, some of which have a cell more along a dim."""
    rng = random.Random(SEED * 2000 + number)
    names = "PQR"
    extents = {"P": (0, 0), "Q": rng.choice([(1, 0), (0, 0), (1, 1)]), "R": rng.choice([(0, 1), (0, 0)])}
    targets = [rng.choice(names) for _ in range(rng.randint(0, 1))] + rng.sample(names, rng.randint(2, 3))
    rng.shuffle(targets)
    texts, with_sides, cells, frames = [], [], [], []
    for f in targets:
        target, (fx, fy) = rng.choice(list(TARGETS.items()))
        stage = Stage(rng, names, extents, f)
        shape = (extents[f][0] - 2 * fx, extents[f][1] - 2 * fy)
        body = stage.tree(shape, 3)
        old = stage.field(f)[1](fx, fy)
        name = target.format(f)
        update = f"update({name}, minimum(maximum({name} + 0.45 * ({body[0]} - {name}), 0.25), 2)"
        with_sides.append(f"{update}, sides[{len(texts)}])")
        texts.append(update + ")")
        cells.append(f"smallest(largest(value(plus({old}, times(V(0.45), minus({body[1](0, 0)}, {old})))), "
                     f"V(0.25)), V(2))")
        frames.append((fx, fy))
    sees = together(number, targets)
    bodies = "".join(f"    {'else ' if k else ''}if constexpr (K == {k}) return {c};\n" for k, c in enumerate(cells))
    pairs = lambda values: ", ".join(f"{{{a}, {b}}}" for a, b in values)
    return f"""
struct step_{number:02} {{
  static constexpr int count = {len(targets)}, slot[] = {{{", ".join(str(names.index(f)) for f in targets)}}};
  static constexpr int sees[] = {{{", ".join(map(str, sees))}}};
  static constexpr int frame[][2] = {{{pairs(frames)}}}, longer[][2] = {{{pairs(extents.values())}}};
  static auto step() {{
    return timestep([=](auto P, auto Q, auto R) {{
      (void)P, (void)Q, (void)R;
      return stages({entries(texts, sees)});
    }});
  }}
  static auto step(const std::array<boundary, count>& sides) {{
    return timestep([=](auto P, auto Q, auto R) {{
      (void)P, (void)Q, (void)R;
      return stages({entries(with_sides, sees)});
    }});
  }}
  template <int K, class V>
  static V cell(const reader<V>& P, const reader<V>& Q, const reader<V>& R, index_t i, index_t j) {{
    (void)P, (void)Q, (void)R, (void)i, (void)j;
{bodies}  }}
}};
"""


def written_by(writer):
    """The head of a file."""
    return f"""// SPDX-License-Identifier: MIT
// Written by {writer}; change that.
// clang-format off
"""


def steps_file(writer, steps, includes=""):
    """The text of a header of such steps."""
    return f"""{written_by(writer)}#pragma once

{includes}#include "../formula_oracle.hpp"

namespace teff::inline TEFF_MODE::test {{

using namespace teff::fd2;
{steps}
}}  // namespace teff::inline TEFF_MODE::test
"""


def test_file(writer, check, steps, name, body):
    """The text of a test case over the steps of a header."""
    return f"""{written_by(writer)}#include "../{check}"
#include "{steps}"

using namespace teff;
using namespace teff::test;

TEST_CASE("time steps: generated {name}") {{
{body}}}
"""


def checks_of(numbers, check):
    """Lines that check(number, its type) gives, of f64 and f32 in turns."""
    return "".join(check(n, "f32" if n % 2 else "f64") for n in numbers)


def test(kind, part, numbers):
    """The test of one file."""
    what = "formulas" if kind == "formula" else "steps of several stages"
    checks = checks_of(numbers, lambda n, t: f'  check_{kind}<{kind}_{n:02}, {t}>("{kind} {n:02}, {t}");\n')
    return test_file("write_formulas.py", f"{kind}_check.hpp", f"{kind}s_{part}.hpp",
                     f"{what} {numbers[0]} to {numbers[-1]}, temporal is stepwise to the bit", checks)


def files():
    """Their names and texts."""
    for kind, count, write in (("formula", COUNT, lambda n: Formula(n).write()), ("step", STEPS, write_step)):
        for part in range(count // OF_FILE):
            numbers = range(part * OF_FILE, (part + 1) * OF_FILE)
            yield f"{kind}s_{part}.hpp", steps_file("write_formulas.py", "".join(write(n) for n in numbers))
            yield f"test_{kind}s_{part}.cpp", test(kind, part, numbers)


def write(folder, named_texts, is_check):
    """Writes files, or only says whether they are what would be written."""
    for file, text in named_texts:
        path = folder / file
        if is_check:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                sys.exit(f"{path} is not what {sys.argv[0]} writes")
        else:
            folder.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(__file__).with_name("generated"), files(), sys.argv[1:] == ["--check"])

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""write_once_formulas.py [--check | SEED FOLDER]: random time steps with once() at random places.

They read up to four cells away, over up to 12 fields. Writes generated/once_N.hpp and test_once_N.cpp, as
write_formulas.py does its files, from whose trees these are made; of another seed into a folder.
"""

import random
import sys
from pathlib import Path

import write_formulas
from write_formulas import Stage, checks_of, entries, steps_file, test_file, together

SEED = 20261127
COUNT, OF_FILE = 5, 3
NAMES = "ABCDEFGHMNPQ"


class OnceStage(Stage):
    """The right-hand side of one stage over fields of the same extents; parts of it have names, as users give them."""

    def __init__(self, rng, fields, written, parts):
        super().__init__(rng, fields, {f: (0, 0) for f in fields}, written)
        self.parts = parts  # of the whole step: (name, shape, Teff's text, its oracle)

    def named(self, shape, node, is_marked):
        """A part with a name. Who marks it asks for its rounded value."""
        text, at = node
        name = f"e{len(self.parts)}"
        self.parts.append((name, shape, f"once({text})" if is_marked else text,
                           f"value({at(0, 0)})" if is_marked else at(0, 0)))
        return name, lambda x, y: f"{name}(i + {x}, j + {y})"

    def costly(self, shape, terms):
        """A marked part over so many fields, that takes enough to be a level."""
        node = self.tree(shape, 2)
        for _ in range(terms):
            node = self.binary(self.random.choice("+-*"), node, self.from_field(shape))
        other = self.from_field(shape)
        return self.named(shape, (f"({node[0]} / (1.5 + {other[0]}))",
                                  lambda x, y: f"divided({node[1](x, y)}, plus(V(1.5), {other[1](x, y)}))"), True)

    def far(self, shape, make):
        """A sum over neighbours, up to four cells away, of what make(its shape) gives."""
        r = self.random
        reach = r.choice([k for k in (1, 2, 3, 4) if shape[0] + 2 * k <= 0 and shape[1] + 2 * k <= 0])
        inner = (shape[0] + 2 * reach, shape[1] + 2 * reach)
        text, at = make(inner)
        places = r.sample([(a, b) for a in range(-reach, reach + 1) for b in range(-reach, reach + 1)], 2)
        read = [f"at<{dx}, {dy}>(around<{reach}>({text}))" for dx, dy in places]
        here = [lambda x, y, dx=dx, dy=dy: f"value({at(x + reach + dx, y + reach + dy)})" for dx, dy in places]
        return self.binary(r.choice("+-"), (read[0], here[0]), (read[1], here[1]))

    def tree(self, shape, budget):
        r, kind = self.random, self.random.random()
        known = [p for p in self.parts if p[1] == shape]
        if known and kind < 0.25:
            name = r.choice(known)[0]
            return name, lambda x, y: f"{name}(i + {x}, j + {y})"
        if budget > 0 and kind < 0.45:
            node = self.tree(shape, budget - 1)
            if r.random() < 0.6:
                return self.named(shape, node, True)
            return f"once({node[0]})", lambda x, y: f"value({node[1](x, y)})"
        if budget > 0 and kind < 0.65 and max(shape) <= -2:
            return self.far(shape, lambda inner: self.named(inner, self.tree(inner, budget - 1), r.random() < 0.5))
        if budget > 0 and kind < 0.8:
            left, right = self.tree(shape, budget - 1), self.from_field(shape)
            return (f"({left[0]} / (1.5 + {right[0]}))",
                    lambda x, y: f"divided({left[1](x, y)}, plus(V(1.5), {right[1](x, y)}))")
        return super().tree(shape, budget)


def write_step(seed, number):
    """A step of one to three stages over two to 12 fields, all of the same extents."""
    rng = random.Random(seed * 4000 + number)
    names = NAMES[:12 if number % 3 == 2 else rng.randint(2, 8)]
    targets = rng.sample(names, rng.randint(1, min(3, len(names))))
    parts, updates, cells, frames = [], [], [], []
    for k, f in enumerate(targets):
        reach = rng.randint(1, 4) if k else 1 + number % 4
        stage = OnceStage(rng, names, f, parts)
        shape = (-2 * reach, -2 * reach)
        body = stage.tree(shape, 3)
        if k == 0 or rng.random() < 0.4:
            body = stage.binary("+", body, stage.far(shape, lambda inner: stage.costly(inner, len(names) // 2)))
        target = f"around<{reach}>({f})()"
        old = stage.field(f)[1](reach, reach)
        updates.append(f"update({target}, minimum(maximum({target} + 0.45 * ({body[0]} - {target}), 0.25), 2), "
                       f"sides[{k}])")
        cells.append(f"smallest(largest(value(plus({old}, times(V(0.45), minus({body[1](0, 0)}, {old})))), "
                     f"V(0.25)), V(2))")
        frames.append(reach)
    sees = together(number, targets) if len(targets) > 1 else [0]
    parameters = ", ".join(f"auto {f}" for f in names)
    unused = " ".join(f"(void){f};" for f in names)
    made = "".join(f"      auto {name} = {text};\n" for name, _, text, _ in parts)
    computed = "".join(f"    const auto {name} = [&](index_t i, index_t j) {{ (void)i, (void)j; return {cell}; }};\n"
                       for name, _, _, cell in parts)
    used = " ".join(f"(void){name};" for name, _, _, _ in parts)
    bodies = "".join(f"    {'else ' if k else ''}if constexpr (K == {k}) return {c};\n" for k, c in enumerate(cells))
    readers = "".join(f"    const auto& {f} = all[{k}];\n" for k, f in enumerate(names))
    return f"""
struct once_{number:02} {{
  static constexpr int fields = {len(names)}, count = {len(targets)};
  static constexpr int slot[] = {{{", ".join(str(names.index(f)) for f in targets)}}};
  static constexpr int sees[] = {{{", ".join(map(str, sees))}}};
  static constexpr int frame[] = {{{", ".join(map(str, frames))}}};
  static auto step(const std::array<boundary, count>& sides) {{
    return timestep([=]({parameters}) {{
      {unused}
{made}      {used}
      return stages({entries(updates, sees)});
    }});
  }}
  template <int K, class V>
  static V cell(const std::array<reader<V>, fields>& all, index_t i, index_t j) {{
{readers}    {unused}
{computed}    {used}
{bodies}  }}
}};
"""


def test(part, numbers):
    """The test of one file."""
    checks = checks_of(numbers, lambda n, t: f'  levels += check_once<once_{n:02}, {t}>("once {n:02}, {t}");\n')
    return test_file("write_once_formulas.py", "once_formula_check.hpp", f"once_{part}.hpp",
                     f"steps with once {numbers[0]} to {numbers[-1]}, passes are single steps to the bit",
                     f"  int levels = 0;\n{checks}  CHECK(levels > 0);\n")


def files(seed):
    """Their names and texts."""
    for part, first in enumerate(range(0, COUNT, OF_FILE)):
        numbers = range(first, min(first + OF_FILE, COUNT))
        yield f"once_{part}.hpp", steps_file(
            "write_once_formulas.py", "".join(write_step(seed, n) for n in numbers), "#include <array>\n\n")
        yield f"test_once_{part}.cpp", test(part, numbers)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        write_formulas.write(Path(sys.argv[2]), files(int(sys.argv[1])), False)
    else:
        write_formulas.write(Path(__file__).with_name("generated"), files(SEED), sys.argv[1:] == ["--check"])

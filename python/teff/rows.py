# SPDX-License-Identifier: MIT
"""The C text of a time step: a function for each stage that computes cells of a row, and a table of
what the stages read and write. It includes nothing, so that any C compiler takes it in a moment; the
library (teff/stencil/rows) does all else. Its values have the bits of the C++ text's: products and
sums fuse by the rule of teff/expr/arithmetic.hpp.
"""

import re

from .library import NAMES
from .nodes import Nodes, REAL, Unsupported, meet

C_TYPES = {"f64": "double", "f32": "float", "i64": "i64", "i32": "int", "u8": "unsigned char",
           "bool": "int"}
MODULAR = {"i64": "unsigned long long", "i32": "unsigned"}
KINDS = {"fixed": 1, "gradient": 2, "robin": 3, "periodic": 4}  # of conditions; 0 keeps the cells
MOST_VALUES = 4000  # of a row: what has more is for a compiler that has more time

HEAD = """\
/* A time step, written by Teff's Python package; x and n are its numbers. */
typedef long long i64;
double fma(double, double, double), sqrt(double), exp(double), log(double), sin(double),
    cos(double), tanh(double), floor(double), pow(double, double);
float fmaf(float, float, float), sqrtf(float), expf(float), logf(float), sinf(float), cosf(float),
    tanhf(float), floorf(float), powf(float, float);
#if defined(__clang__)
#define LOOP _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define LOOP _Pragma("GCC ivdep")
#else
#define LOOP
#endif
#define CONVERSION(T, name, low, high, beyond)                                   \\
  static T name(double v) {                                                      \\
    return v >= beyond ? high : v < low ? low : v == v ? (T)v : 0;               \\
  }
CONVERSION(i64, to_i64, (-9223372036854775807LL - 1), 9223372036854775807LL, 9223372036854775808.0)
CONVERSION(int, to_i32, (-2147483647 - 1), 2147483647, 2147483648.0)
CONVERSION(unsigned char, to_u8, 0, 255, 256.0)

/* As in teff_c.h. */
struct row {
  void (*compute)(void*, const void* const*, i64, const i64*, const double*, const i64*);
  const int (*from)[3];
  const int (*reads)[4];
  int from_count, reads_count, type, flops;
};
struct side { int kind, a, b, c, c_is_whole; struct row formula; };
struct stage { struct row row; int field, sees, low[3], high[3], has_sides; struct side sides[3][2]; };
struct rows {
  int rank, fields, stages, residual_kind;
  const int* types;
  const struct stage* stage;
  struct row residual;
  int shape_of, shape_less[3];
};
"""
TAIL = """
int (*teff_rows_bind)(const struct rows*, const double*, const i64*, const void*, void*);
int teff_formula_bind(const double* x, const i64* n, const void* fields, void* made) {
  return teff_rows_bind(&teff_rows, x, n, fields, made);
}
"""


def text_of(lines, used, part, types, rank):
    """The C text. @param part what the formula's function returned @raises Unsupported"""
    try:
        return _Step(lines, used, [NAMES[t] for t in types], rank).text(part)
    except RecursionError:
        raise Unsupported("its lines are nested too deep") from None


class _Step:
    """The table of the stages, and the functions of their rows."""

    def __init__(self, lines, used, field_types, rank):
        self.rank, self.field_types, self.functions = rank, field_types, []
        self.nodes = Nodes(lines, used, field_types, rank)

    def text(self, part):
        stages, residual, seen = [], (0, "{0}", "0, {0}"), 0
        for one in part.parts if part.kind == "stages" else [part]:
            if one.kind == "residual":
                residual = self._residual(one)
                continue
            stages += [self._stage(len(stages) + i, seen, update)
                       for i, update in enumerate(one.parts or [one])]
            seen = len(stages)
        types = _list(NAMES.index(t) for t in self.field_types)
        return (HEAD + "".join(self.functions) + f"static const int types[] = {{{types}}};\n"
                "static const struct stage stages[] = {\n" + ",\n".join(stages) + "};\n"
                f"const struct rows teff_rows = {{{self.rank}, {len(self.field_types)}, "
                f"{len(stages)}, {residual[0]}, types, stages, {residual[1]}, {residual[2]}}};\n" +
                TAIL)

    def _row(self, name, value, to, low, fewer):
        """Adds a row's function; its entry in the table."""
        row = _Row(self, low)
        result = row.cast(*row.value(value, None, (0, 0, 0), fewer), to)
        self.functions.append(row.function(name, result, C_TYPES[to]))
        return (f"{{{name}, {name}_from, {name}_reads, {len(row.rows)}, {len(row.reads)}, "
                f"{NAMES.index(to)}, {self.nodes.flops.get(value, 0)}}}")

    def _stage(self, number, seen, update):
        target = update.operands[0]
        low, high = self.nodes.target_of(target.name)
        row = self._row(f"row{number}", update.value, self.field_types[target.target], low,
                        tuple(a + b for a, b in zip(low, high)))
        sides = [["{0}", "{0}"] for _ in range(3)]
        for dim, upper, kind, numbers in update.sides or ():
            if numbers or kind == "periodic":
                sides[dim][upper] = self._side(f"side{number}_{dim}{upper}", KINDS[kind], numbers)
        dims = ", ".join(f"{{{', '.join(both)}}}" for both in sides)
        return (f"  {{{row}, {target.target}, {seen}, {{{_list(low)}}}, {{{_list(high)}}}, "
                f"{int(update.sides is not None)}, {{{dims}}}}}")

    def _side(self, name, kind, numbers):
        """A condition by the places of its numbers a, b, c, or by the row of its formula."""
        *factors, c = numbers or ["x[0]"]
        a, b = map(_place, factors or ("0", "0"))
        if c[0] in "xn" or c.startswith("int("):
            return f"{{{kind}, {a}, {b}, {_place(c)}, {int(c[0] != 'x')}, {{0}}}}"
        is_whole = self.nodes.type_beside(c, None) not in REAL
        row = self._row(name, c, "i64" if is_whole else "f64", (0, 0, 0), None)
        return f"{{{kind}, {a}, {b}, 0, {int(is_whole)}, {row}}}"

    def _residual(self, part):
        value = part.operands[0].name
        kind = self.nodes.type_beside(value, None)
        if kind not in REAL:
            raise Unsupported(f"its residual is of {kind}")
        slot, less = self.nodes.shape_of(value)
        row = self._row("residual", value, kind, (0, 0, 0), None)
        if "at[" in self.functions[-1].partition("LOOP")[2].replace("at[3]", ""):
            raise Unsupported("an index is in its residual")
        return ("max_abs", "norm2").index(part.reduction) + 1, row, f"{slot}, {{{_list(less)}}}"


class _Row:
    """One function: the values of a cell, each at one offset from it, computed once."""

    def __init__(self, step, low):
        self.nodes, self.field_types, self.low = step.nodes, step.field_types, low
        self.body, self.known, self.numbers = [], {}, {}
        self.rows, self.reads = [], []

    def function(self, name, result, to):
        def table(what, width, entries):
            cells = ", ".join("{" + _list(e) + "}" for e in entries or [[0] * width])
            return f"static const int {name}_{what}[][{width}] = {{{cells}}};\n"
        types = [C_TYPES[self.field_types[slot]] for slot, _, _ in self.rows]
        return (table("from", 3, self.rows) + table("reads", 4, self.reads) +
                f"static void {name}(void* to, const void* const* from, i64 cells, const i64* at,\n"
                f"    const double* x, const i64* n) {{\n  {to}* const t = to;\n" +
                "".join(f"  const {t}* const p{m} = from[{m}];\n" for m, t in enumerate(types)) +
                "".join(f"  const {t} {v} = ({t}){n};\n" for (n, t), v in self.numbers.items()) +
                "  LOOP\n  for (i64 i = 0; i < cells; ++i) {\n" +
                "".join(f"    {line}\n" for line in self.body) + f"    t[i] = {result};\n  }}\n}}\n")

    @staticmethod
    def cast(text, kind, to):
        if kind == to or {kind, to} == {"i32", "bool"}:
            return text
        return f"to_{to}({text})" if kind in REAL and to not in REAL else f"({C_TYPES[to]}){text}"

    def _kept(self, text, kind):
        """The text as a value that is computed once."""
        if len(self.body) >= MOST_VALUES:
            raise Unsupported("it has too many values")
        self.body.append(f"const {C_TYPES[kind]} v{len(self.body)} = {text};")
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
            self.known[key] = self._kept(text, kind)
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


def _list(numbers):
    return ", ".join(map(str, numbers))


def _place(number):
    """Of a number's text, x[3] or int(n[3])."""
    return int(re.search(r"\d+", number)[0])

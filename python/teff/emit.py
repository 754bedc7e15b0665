# SPDX-License-Identifier: MIT
"""The C++ text of a time step: the lines that were traced, in a function of Teff's own notation.

Nothing of the user's is in it but the structure: no names, no numbers. It is what the compiled code
is known by.
"""

import copy

from .errors import UsageError
from .formula import Part
from .library import NAMES
from .trace import Value
from .tracer import Tracer

# Of a value, where those within it count once for each use, as C++ has them in its type: g++ took
# 10 to 45 ms for each, rows take one for all uses.
MOST_OPERATIONS = 20000
MOST_DEPTH = 250  # of values within values: g++ takes minutes for as many, and fails at some more

HEAD = """\
// A time step, written by Teff's Python package; x and n are its numbers.
#include <teff/capi/formula.hpp>

namespace {{
using namespace teff;
using namespace teff::fd{rank};

auto formula([[maybe_unused]] const double* x, [[maybe_unused]] const i64* n) {{
  return {begin}[=]({fields}) {{
"""
TAIL = """\
    return {result};
  }}{end};
}}
}}  // namespace

extern "C" teff_status teff_formula_bind(const double* x, const int64_t* n,
                                         const teff_array* const* fields, teff_stepper** made) {{
  return bind_formula<{arrays}>(formula(x, n), fields, made);
}}
"""


class Traced:
    """A traced formula: its text, its numbers, the fields that it writes, and where its lines come
    from, by the numbers of the text's lines."""

    __slots__ = ("text", "reals", "integers", "written", "places", "fields", "device", "name",
                 "_row_parts", "too_large", "fits_chip")
    file = None  # whose lines they are, in the compiler's messages: the text's own
    flags = ()  # of the compiler, for it alone

    def without_fields(self):
        """The same, which keeps no array."""
        one = copy.copy(self)
        one.fields = None
        return one

    def rows(self):
        """The step as rows (rows.py), or None of what is for the C++ compiler."""
        from . import rows  # later than the package, which is to be imported quickly
        try:
            return rows.rows_of(*self._row_parts) if self._row_parts else None
        except rows.Unsupported:
            return None

    def row_text(self):
        """Their text in C, or None."""
        from .row_text import c_text
        rows = self.rows()
        return rows and c_text(rows)

    def place_of(self, line):
        """The user's file and line that became a line of the text, "t3"; None if that is unknown."""
        texts = self.text.splitlines()
        return next((place for number, place in self.places.items()
                     if texts[number - 1].lstrip().startswith(f"auto {line} =")), None)


def traced(function, fields, method=None, dt=None):
    """Calls the function with placeholders of the fields. @param method of a time integrator"""
    name = getattr(function, "__name__", "the formula")
    check_count(function, fields, name,
                lambda taken: f"iterate({name}, steps, {', '.join(taken)})")
    with Tracer(fields, name, Value) as tracer:
        returned = function(*tracer.values)
        result = _checked(returned, tracer, name, method)
        step_width = tracer.number(dt) if method else None
    used = tracer.used_lines(int(o._name[1:]) for o in result.operands if o._name[0] == "t")
    too_large = _check_lines(used, tracer, result, name, method)
    head = HEAD.format(rank=tracer.rank, begin=f"{method or 'timestep'}(",
                       fields=", ".join(f"[[maybe_unused]] auto f{i}" for i in range(len(fields))))
    arrays = ", ".join(f"array_ref<{NAMES[c.type]}, {tracer.rank}>" for c in fields)
    tail = TAIL.format(result=result.text, end=f", {step_width})" if method else ")", arrays=arrays)
    made = written_out(head, tail, tracer, used, fields, too_large)
    made.written = result.written
    if not method:
        made._row_parts = tracer.lines, used, result, [c.type for c in fields], tracer.rank
    return made


def written_out(head, tail, tracer, used, fields, too_large=""):
    """The lines that are used, between a head and a tail. @param too_large for C++, and why"""
    lines = [f"    auto t{at} = {tracer.lines[at]};\n" for at in used]
    made = Traced()
    made.text = head + "".join(lines) + tail
    made.reals, made.integers, made.written = tracer.reals, tracer.integers, set()
    first = head.count("\n") + 1
    made.places = {first + i: tracer.places[at] for i, at in enumerate(used)}
    made.fields, made.device, made.name = fields, fields[0].device, tracer.name
    made.too_large, made.fits_chip = too_large, True
    made._row_parts = None
    return made


def check_count(function, fields, name, call):
    """Whether the function takes so many fields. @param call of teff that it is for"""
    code = getattr(function, "__code__", None)
    if code is None or code.co_flags & 4:  # *fields
        return
    first = int(getattr(function, "__self__", None) is not None)
    taken = code.co_varnames[first:code.co_argcount]
    least = len(taken) - len(function.__defaults__ or ())
    if not least <= len(fields) <= len(taken):
        advice = "a method is no time step: put @teff.timestep before a function within it, of the " \
            "fields alone" if taken[:1] == ("self",) else \
            f"the call is teff.{call(taken)}"
        raise TypeError(f"{name} takes {len(taken)} fields ({', '.join(taken)}), got {len(fields)}: "
                        f"{advice}")


def _check_lines(used, tracer, result, name, method):
    """What a compiler would say late, or without the user's line. @returns why it is too large for
    C++, "" if it is not"""
    too_large = check_size(used, tracer, name)
    for at in used:
        file, line = tracer.places[at]
        if not method and "stage_time" in tracer.lines[at]:
            raise TypeError(f"{name} ({file}, line {line}): " + _STAGE_TIME)
    if not method and any(o._name == "stage_time" for o in result.operands):
        raise TypeError(f"{name}: " + _STAGE_TIME)
    return too_large


def check_size(used, tracer, name):
    """Refuses lines that no compiler can take. @returns why they are too large for C++, "" if they
    are not"""
    depth, operations, too_large = {}, {}, ""
    for at in used:
        file, line = tracer.places[at]
        depth[at] = 1 + max((depth[of] for of in tracer.operands[at]), default=0)
        if depth[at] > MOST_DEPTH:
            raise UsageError(f"{name} ({file}, line {line}): its values are nested deeper than "
                             f"{MOST_DEPTH} operations, too many for C++ compilers: write long sums in "
                             "pairs, as (a + b) + (c + d), or keep a part in a field of its own, by "
                             "teff.stages(teff.update(part, ...), teff.update(T, ...))")
        operations[at] = 1 + sum(operations[of] for of in tracer.operands[at])
        if operations[at] > MOST_OPERATIONS and not too_large:
            too_large = (f"{name} ({file}, line {line}): its value has more than {MOST_OPERATIONS} "
                         "operations, as values that are used several times count for each use, too "
                         "many for C++ compilers: keep one in a field of its own, by "
                         "teff.stages(teff.update(part, ...), teff.update(T, ...))")
    return too_large


_STAGE_TIME = "teff.stage_time is the time of an integrator's stage, as of teff.rk4(f, dt); in a plain " \
    "time step the time is t0 + dt * teff.step_index"


def _checked(returned, tracer, name, method):
    """What the function returned, as a part that can be stepped."""
    expected = ("teff.rate(...), teff.rates(...) or an expression" if method else
                "teff.update(target, rhs), teff.stages(...) or teff.together(...)")
    if method and type(returned) is Value:
        return Part("rate", tracer, returned._name, [returned], {0})
    if returned is None:
        raise TypeError(f"{name} returns nothing: a time step's function ends with `return "
                        + ("teff.rate(...)`" if method else "teff.update(teff.inn(T), ...)`"))
    if isinstance(returned, (tuple, list)):
        raise TypeError(f"{name} returns {len(returned)} things: several updates are "
                        "teff.stages(teff.update(...), teff.update(...)), one after the other, or "
                        "teff.together(...), at once")
    if not isinstance(returned, Part) or returned.kind not in (
            ("rate", "rates") if method else ("update", "stages", "together")):
        what = f"teff.{returned.kind}(...)" if isinstance(returned, Part) else repr(returned)
        raise TypeError(f"{name} returns {what}, expected {expected}")
    if returned.tracer is not tracer:
        raise TypeError(f"{name} returns what another call of a function made: make it anew")
    return returned

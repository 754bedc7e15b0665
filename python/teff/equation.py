# SPDX-License-Identifier: MIT
"""Equations A x = b over arrays of any library, where A is a function of fields, as that of a time step:
its C++ text holds a solver of Teff's, and is compiled once.
"""

import re
import time
from ctypes import byref, c_double, c_int64, c_void_p

from . import build
from .axes import check_device, check_type, check_writable, settle
from .emit import check_count, check_size, written_out
from .errors import CompileError, UsageError
from .formula import Part
from .interop import cells_of
from .library import BOOL, F32, F64, NAMES, EquationFacts, EquationOptions, check, text_of, whole
from .solver import Solution, real
from .trace import Value
from .tracer import MOST_FIELDS, Tracer

HEAD = """\
// An equation A x = b, written by Teff's Python package; x and n are its numbers.
#include <teff/capi/equation.hpp>

namespace {{
using namespace teff;
using namespace teff::fd{rank};

auto formula([[maybe_unused]] const double* x, [[maybe_unused]] const i64* n) {{
  return [=]({fields}) {{
"""
TAIL = """\
    return as_node({result});
  }};
}}
}}  // namespace

extern "C" teff_status teff_equation_solve(const double* x, const int64_t* n,
                                           const teff_array* const* arrays,
                                           const teff_equation_options* options,
                                           teff_equation_facts* facts, char** text) {{
  return solve_equation<by_{solver}, {types}>(
      formula(x, n), arrays, options, facts, text);
}}
"""
ENTRY = "teff_equation_solve"


def conjugate_gradients(x, b, A, *coefficients, tolerance=1e-10, iterations=0, check_every=0):
    """Solves A(x) = b for x, in place, from the values that it has, by conjugate gradients.

    `A` is a function of x and of the coefficients, further arrays, that returns an expression of
    teff.fd, symmetric and positive definite, of b's shape. x has the shape of b, or cells beyond it
    on both sides, which are given and stay. Arrays of one to three axes, f64 or f32; x is the last
    axis. `tolerance` is that of |b - A(x)| relative to its value for x = 0; `iterations` is the most
    that are made (0: 10 times the sum of b's extents); between looks at the residual there are
    `check_every` (0: 1 on a CPU, 32 on a GPU).
    """
    return _solve("conjugate_gradients", x, b, A, coefficients, (tolerance, iterations, check_every))


def chebyshev(x, b, A, *coefficients, tolerance=1e-10, iterations=0, check_every=0, least=0.0,
              most=0.0):
    """Solves A(x) = b for x, as teff.conjugate_gradients does, by Chebyshev's iteration.

    No eigenvalue of A is below `least` and none above `most`; 0: estimated. `iterations` is the most
    that are made (0: four times what the bounds ask for and 16 looks, at most 100 000); between
    looks at the residual there are `check_every` (0: 16).
    """
    return _solve("chebyshev", x, b, A, coefficients, (tolerance, iterations, check_every, least, most))


def _solve(solver, x, b, A, coefficients, numbers):
    arrays, traced = _prepared(solver, x, b, A, coefficients)
    options = EquationOptions(*(real(solver, name, number) if kind is c_double else
                                whole(number, f"{solver}: {name}")
                                for (name, kind), number in zip(EquationOptions._fields_, numbers)))
    solve = build.function_of(traced, ENTRY)
    solve.errcheck = check
    handles = [cells.handle(name) for name, cells in arrays]
    facts, started = EquationFacts(), time.perf_counter()
    try:
        text = text_of(solve, (c_double * len(traced.reals))(*traced.reals),
                       (c_int64 * len(traced.integers))(*traced.integers),
                       (c_void_p * len(handles))(*[h.value for h in handles]), byref(options),
                       byref(facts))
    except UsageError as error:  # in the words of C++
        raise UsageError(re.sub(r"\.(least|most)\b", r"\1=", str(error))) from None
    settle(*(cells for _, cells in arrays))
    return Solution(facts, options.tolerance, text, time.perf_counter() - started,
                    bounds=(facts.least, facts.most) if facts.most else None)


def warm_up(solver, x, b, A, *coefficients):
    """Compiles what a call would, and solves nothing."""
    build.function_of(_prepared(solver, x, b, A, coefficients)[1], ENTRY)


def _prepared(solver, x, b, A, coefficients):
    """The arrays with their names, as C++ takes them, and the formula over them."""
    if not callable(A):
        raise TypeError(f"{solver}: A is a function that returns an expression of fields, as "
                        f"lambda x: teff.inn(x) - teff.d2_xi(x); got {A!r}")
    if len(coefficients) >= MOST_FIELDS:
        raise TypeError(f"{solver}: a formula takes at most {MOST_FIELDS} arrays, x among them, got "
                        f"{1 + len(coefficients)}")
    given = [("x", x), ("b", b), *((f"coefficient {i}", c) for i, c in enumerate(coefficients))]
    arrays = [(name, cells_of(array, f"{solver}: {name}")) for name, array in given]
    cells, right = arrays[0][1], arrays[1][1]
    rank = len(cells.shape)
    if not 1 <= rank <= 3 or cells.type not in (F64, F32):
        raise ValueError(f"{solver}: x is an array of one to three axes of f64 or f32, got "
                         f"{cells.text()}")
    check_writable(cells, f"{solver}: x")
    check_type(solver, cells, right)
    for name, other in arrays[1:]:
        if len(other.shape) != rank:
            raise ValueError(f"{solver}: {name} has {len(other.shape)} axes, {other.shape}, and x "
                             f"{rank}: all arrays have the same number")
        if other.type == BOOL:
            raise TypeError(f"{solver}: {name} has cells of bool; coefficients are f64, f32, i64, i32 "
                            "or u8: give c.view('u1')")
        check_device(solver, cells, other)
    return arrays, _written(solver, A, [cells, *(other for _, other in arrays[2:])], right)


def _written(solver, A, fields, right):
    """The C++ text of a solver with the formula A of x and the coefficients, which are the fields.
    @param right the cells of b"""
    name = getattr(A, "__name__", "the formula")
    check_count(A, fields, name, lambda taken: f"{solver}({', '.join(['x', 'b', 'A', *taken[1:]])})")
    with Tracer(fields, name, Value) as tracer:
        result = _checked(A(*tracer.values), tracer, solver, name, fields[0], right)
    used = tracer.used_lines([int(result._name[1:])] if result._name[0] == "t" else [])
    if too_large := check_size(used, tracer, name):
        raise CompileError(too_large.partition(": keep")[0] + " (A is for them alone)")
    for at in used:
        for of_steps in ("step_index", "stage_time"):
            if of_steps in tracer.lines[at]:
                file, line = tracer.places[at]
                raise TypeError(f"{name} ({file}, line {line}): teff.{of_steps} is of time steps, and "
                                f"teff.{solver} makes none: give a number")
    head = HEAD.format(rank=tracer.rank, fields=", ".join(
        f"[[maybe_unused]] const auto& f{i}" for i in range(len(fields))))
    types = [NAMES[fields[0].type], str(tracer.rank), *(NAMES[c.type] for c in fields[1:])]
    tail = TAIL.format(result=result._name, solver=solver, types=", ".join(types))
    return written_out(head, tail, tracer, used, fields)


def _checked(returned, tracer, solver, name, cells, right):
    """What A returned, as the left-hand side."""
    if type(returned) is not Value:
        what = "nothing" if returned is None else f"teff.{returned.kind}(...)" \
            if isinstance(returned, Part) else repr(returned)
        raise TypeError(f"{name} returns {what}; A of teff.{solver} returns an expression of its first "
                        "field, as teff.inn(x) - teff.d2_xi(x)")
    if returned._tracer is not tracer:
        raise TypeError(f"{name} returns {returned._words()}, which is not of its fields in this call")
    shape = returned._shape and returned._shape[::-1]
    if shape != right.shape:
        raise ValueError(f"{solver}: {name} gives values of shape {shape} of x, whose shape is "
                         f"{cells.shape}, and b has shape {right.shape}; A(x) has that of b")
    if returned._type != NAMES[cells.type]:
        raise TypeError(f"{solver}: {name} gives {returned._type}, and x and b hold "
                        f"{NAMES[cells.type]}: convert the coefficients, or write "
                        f"teff.convert(e, '{NAMES[cells.type]}')")
    return returned

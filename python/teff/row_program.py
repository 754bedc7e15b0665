# SPDX-License-Identifier: MIT
"""A time step as rows without any compiler: of each row a program, which the library interprets
(teff/stencil/rows/row_program.hpp), operation by operation over some hundred cells.
"""

import ctypes
from ctypes import POINTER, Structure, c_int32

from .library import NAMES
from .row_table import bound_with, numbers, table_of
from .rows import Index, Number, all_rows

# As teff/stencil/rows/row_operations.hpp counts; > and >= are < and <= the other way round.
OPERATIONS = ("copy", "convert", "index", "+", "-", "*", "/", "ab+c", "ab-c", "c-ab", "neg", "abs", "<",
              "<=", "==", "!=", "&&", "||", "!", "minimum", "maximum", "where", "pow", "sqrt", "exp",
              "log", "sin", "cos", "tanh", "floor")
TARGET, TEMPORARY, CELL, REAL, WHOLE, RATIO = range(6)  # where a place is


class _Program(Structure):
    _fields_ = [("places", POINTER(c_int32)), ("code", POINTER(c_int32)), ("place_count", c_int32),
                ("count", c_int32)]


def bind_of(traced, why):
    """What binds the formula, interpreted; None of what is for the C++ compiler.
    @param why it is not compiled, for reports"""
    rows = traced.rows()
    if rows is None:
        return None
    programs = {row.name: _program(row) for row in all_rows(rows)}
    table = table_of(rows, {name: ctypes.addressof(p) for name, p in programs.items()}, why.encode())
    table.programs = programs  # which it points to
    return bound_with(table, [])


def _program(row):
    places, code = code_of(row)
    return _Program(numbers(places), numbers(code), len(places), len(code))


def code_of(row):
    """The places of a row's program, and its instructions: numbers of operation, result, operands."""
    places, code, uses = {}, [], _last_uses(row.code)
    where, free, temporaries = {}, [], 0  # by operation; temporaries that are over

    def place(*of):
        return places.setdefault(of, len(places))

    def temporary(kind):
        nonlocal temporaries
        if not free:
            free.append(temporaries)
            temporaries += 1
        return place(TEMPORARY, _type(kind), free.pop(), 0)

    def operand(value):
        if type(value) is int:
            return where[value]
        if type(value) is Number:
            return place(REAL if value.list == "x" else WHOLE, _type(value.type), value.place, 0)
        if type(value) is Index:
            made = temporary("i64")
            code.append((OPERATIONS.index("index"), made, value.dim, value.more, 0))
            over.append(made)
            return made
        return place(RATIO, _type(value.type), value.over, value.under)
    for at, one in enumerate(row.code):
        if one.op == "cell":
            where[at] = place(CELL, _type(one.of), *one.operands)
            continue
        over = []
        of = [operand(value) for value in one.operands]
        op = {">": "<", ">=": "<="}.get(one.op, one.op)
        if op != one.op:
            of.reverse()
        is_last = at == len(row.code) - 1
        where[at] = place(TARGET, _type(one.to), 0, 0) if is_last else temporary(one.to)
        code.append((OPERATIONS.index(op), where[at], *of, *[of[0]] * (3 - len(of))))
        over += [where[value] for value in {v for v in one.operands if type(v) is int}
                 if uses[value] == at and row.code[value].op != "cell"]
        listed = list(places)
        free += [listed[p][2] for p in over]
    return list(places), code


def _last_uses(code):
    """By operation, the last one that takes its value."""
    return {value: at for at, one in enumerate(code) if one.op != "cell"
            for value in one.operands if type(value) is int}


def _type(kind):
    return NAMES.index("i32" if kind == "bool" else kind)

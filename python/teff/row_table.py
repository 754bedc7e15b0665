# SPDX-License-Identifier: MIT
"""The table of a time step as rows, as the library takes it (teff_rows in teff_c.h), where no C compiler
has written it: of kernels on a GPU, or of programs.
"""

import ctypes
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_int32, c_void_p

from . import library


class _Row(Structure):
    _fields_ = [("compute", c_void_p), ("sources", POINTER(c_int32)), ("reads", POINTER(c_int32)),
                ("from_count", c_int32), ("reads_count", c_int32), ("type", c_int32),
                ("flops", c_int32)]


class _Side(Structure):
    _fields_ = [("kind", c_int32), ("a", c_int32), ("b", c_int32), ("c", c_int32),
                ("c_is_whole", c_int32), ("formula", _Row)]


class _Stage(Structure):
    _fields_ = [("row", _Row), ("field", c_int32), ("copies", c_int32), ("sees", c_int32),
                ("low", c_int32 * 3), ("high", c_int32 * 3), ("has_sides", c_int32), ("sides", _Side * 2 * 3)]


class _Rows(Structure):
    _fields_ = [("rank", c_int32), ("fields", c_int32), ("stages", c_int32),
                ("residual_kind", c_int32), ("types", POINTER(c_int32)), ("stage", POINTER(_Stage)),
                ("residual", _Row), ("shape_of", c_int32), ("shape_less", c_int32 * 3),
                ("interpreted", c_char_p)]


_kept = []  # what C calls, and all that it refers to
Bind = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_void_p)


def bound_with(table, passes):
    """What binds a formula, of its table and loaded kernels of passes, as C takes it; it stays. A run
    that begins with it goes past this function of Python's (library.bound_rows)."""
    handles = (c_void_p * len(passes))(*passes)
    bind = library.lib().teff_rows_bind_passes

    def bound(reals, integers, fields, made):
        return bind(byref(table), handles, len(passes), reals, integers, fields, made)
    function = Bind(bound)
    _kept.append(function)
    found = ctypes.cast(function, c_void_p)
    library.bound_rows[found.value] = ctypes.addressof(table), ctypes.addressof(handles), len(passes)
    return found


def table_of(rows, codes, interpreted=None):
    """As C takes it. @param codes addresses of what computes each row, by its name
    @param interpreted why these are programs"""
    stages = (_Stage * len(rows.stages))(*(_stage(stage, codes) for stage in rows.stages))
    table = _Rows(rows.rank, len(rows.types), len(rows.stages), rows.residual_kind,
                  (c_int32 * len(rows.types))(*rows.types), stages, _row(rows.residual, codes),
                  rows.shape_of, (c_int32 * 3)(*rows.shape_less), interpreted)
    return table


def _row(row, codes):
    if row is None:
        return _Row()
    return _Row(codes[row.name], numbers(row.sources), numbers(row.reads),
                len(row.sources), len(row.reads), row.type, row.flops)


def numbers(entries):
    every = [number for entry in entries for number in entry]
    return (c_int32 * max(len(every), 1))(*every)


def _stage(stage, codes):
    made = _Stage(_row(stage.row, codes), stage.field, stage.copies, stage.sees,
                  (c_int32 * 3)(*stage.low), (c_int32 * 3)(*stage.high), stage.has_sides)
    for dim, pair in enumerate(stage.sides):
        for upper, side in enumerate(pair):
            made.sides[dim][upper] = _Side(*side[:5], _row(side.row, codes))
    return made

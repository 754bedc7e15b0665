# SPDX-License-Identifier: MIT
"""A time step as rows on a GPU: the kernels that NVRTC makes of its CUDA text (row_text.py), and the
table that the library takes (teff_rows in teff_c.h), from which it launches them.
"""

import ctypes
import hashlib
import os
import re
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_int32, c_void_p

from . import cache, compilers, library, nvrtc, row_text
from .errors import CompileError
from .rows import all_rows

LIMIT_S = 60  # for which a process waits for another one that compiles the same
MOST_WORDS = 4096 // 8  # of a kernel's parameter; a launch has some besides numbers and sources
WORDS = 12


class _Row(Structure):
    _fields_ = [("compute", c_void_p), ("sources", POINTER(c_int32)), ("reads", POINTER(c_int32)),
                ("from_count", c_int32), ("reads_count", c_int32), ("type", c_int32),
                ("flops", c_int32)]


class _Side(Structure):
    _fields_ = [("kind", c_int32), ("a", c_int32), ("b", c_int32), ("c", c_int32),
                ("c_is_whole", c_int32), ("formula", _Row)]


class _Stage(Structure):
    _fields_ = [("row", _Row), ("field", c_int32), ("sees", c_int32), ("low", c_int32 * 3),
                ("high", c_int32 * 3), ("has_sides", c_int32), ("sides", _Side * 2 * 3)]


class _Rows(Structure):
    _fields_ = [("rank", c_int32), ("fields", c_int32), ("stages", c_int32),
                ("residual_kind", c_int32), ("types", POINTER(c_int32)), ("stage", POINTER(_Stage)),
                ("residual", _Row), ("shape_of", c_int32), ("shape_less", c_int32 * 3)]


_kept = []  # what C calls, and all that it refers to
Bind = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_void_p)


def text_of(traced):
    """The CUDA text and the rows of a formula, or None of what is for nvcc."""
    rows = traced.rows()
    if rows is None:
        return None
    reals, integers = len(traced.reals), len(traced.integers)
    most = max(len(row.sources) for row in all_rows(rows))
    if WORDS + max(reals, 1) + max(integers, 1) + 4 * max(most, 1) > MOST_WORDS:
        return None
    return row_text.cuda_text(rows, reals, integers), rows


def bind_of(traced, text, rows):
    """What binds the formula, of this text. Raises CompileError, Error."""
    return bound_with(loaded_table(traced, text, rows), [])


def loaded_table(traced, text, rows):
    """The formula as C takes it, with its kernels. Raises CompileError, Error."""
    architecture = compilers.architecture_of(traced.device)
    cubin = cubin_of(traced, text, architecture)
    names = [f"{row.name}_cells".encode() for row in all_rows(rows)]
    kernels = (c_void_p * len(names))()
    library.lib().teff_row_kernels_load(traced.device.encode(), cubin, len(traced.reals),
                                        len(traced.integers), len(names),
                                        (c_char_p * len(names))(*names), kernels)
    return table_of(rows, dict(zip(names, kernels)))


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


def key_of(text, architecture):
    """The name of what a text compiles to: the hash of all that it depends on."""
    place = nvrtc.path()
    stamp = compilers.stamp((place,))
    said = compilers.known_version(("nvrtc", place), stamp, lambda: nvrtc.version(place))
    parts = [text, str(library.ABI), architecture, *nvrtc.FLAGS, "-std=c++17", os.path.realpath(place), said,
             *map(str, stamp)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def cubin_of(traced, text, architecture):
    """The kernels, from the cache or compiled now."""
    key = key_of(text, architecture)
    path = cache.found(key) or cache.made(
        key, lambda to: _compile(traced, text, architecture, to, key), LIMIT_S)
    return cache.content(path)


def _compile(traced, text, architecture, to, key):
    try:
        cubin = nvrtc.compiled(text, architecture)
    except nvrtc.Refused as refused:
        raise CompileError(failure(traced, text, str(refused), "/* {} */")) from None
    write(cubin, text, to, key)


def write(cubin, text, to, key):
    """To a file of the cache; with TEFF_KEEP=1 the text goes beside it."""
    with open(to, "wb") as file:
        file.write(cubin)
    if os.environ.get("TEFF_KEEP") == "1":
        with open(os.path.join(os.path.dirname(os.path.dirname(to)), key + ".cu"), "w",
                  encoding="utf-8") as file:
            file.write(text)


def failure(traced, text, log, mark):
    """The first error, with the user's line that it comes from, and where the text is kept.
    @param mark of a line of the formula in the text: "/* {} */"
    """
    kept = os.path.join(cache.private_folder(), "formula.cu")
    with open(kept, "w", encoding="utf-8") as file:
        file.write(text)
    cache.keep_private()
    first = re.search(r"formula\.cu\((\d+)\): error: (.*)", log)
    said = first[2] if first else (log.strip().splitlines() or ["no message"])[-1]
    where = ""
    if first:
        # Of a line of the formula the last value has its name; those before it have none.
        later = "\n".join(text.splitlines()[int(first[1]) - 1:])
        line = re.search(re.escape(mark).replace(r"\{\}", r"(t\d+)"), later)
        place = line and traced.place_of(line[1])
        if place:
            where = f" ({place[0]}, line {place[1]})"
    return (f"{traced.name}{where} could not be compiled by NVRTC: {said}. The text is {kept}")


# ---- the table

def table_of(rows, kernels):
    """As C takes it. @param kernels by their names"""
    stages = (_Stage * len(rows.stages))(*(_stage(stage, kernels) for stage in rows.stages))
    table = _Rows(rows.rank, len(rows.types), len(rows.stages), rows.residual_kind,
                  (c_int32 * len(rows.types))(*rows.types), stages, _row(rows.residual, kernels),
                  rows.shape_of, (c_int32 * 3)(*rows.shape_less))
    return table


def _row(row, kernels):
    if row is None:
        return _Row()
    return _Row(kernels[f"{row.name}_cells".encode()], _numbers(row.sources), _numbers(row.reads),
                len(row.sources), len(row.reads), row.type, row.flops)


def _numbers(entries):
    every = [number for entry in entries for number in entry]
    return (c_int32 * max(len(every), 1))(*every)


def _stage(stage, kernels):
    made = _Stage(_row(stage.row, kernels), stage.field, stage.sees, (c_int32 * 3)(*stage.low),
                  (c_int32 * 3)(*stage.high), stage.has_sides)
    for dim, pair in enumerate(stage.sides):
        for upper, side in enumerate(pair):
            made.sides[dim][upper] = _Side(*side[:5], _row(side.row, kernels))
    return made

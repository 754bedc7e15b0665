# SPDX-License-Identifier: MIT
"""A time step as rows on a GPU: the kernels that NVRTC makes of its CUDA text (row_text.py), which the
library launches from a table (row_table.py).
"""

import hashlib
import os
import re
from ctypes import c_char_p, c_void_p

from . import cache, compilers, library, nvrtc, row_text
from .errors import CompileError
from .row_table import bound_with, table_of
from .rows import MOST_COMPILED, all_rows, most_values

LIMIT_S = 60  # for which a process waits for another one that compiles the same
MOST_WORDS = 4096 // 8  # of a kernel's parameter; a launch has some besides numbers and sources
WORDS = 13


def text_of(traced):
    """The CUDA text and the rows of a formula, or None of what is for nvcc."""
    rows = traced.rows()
    if rows is None or most_values(rows) > MOST_COMPILED:
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
    names = [row.name for row in all_rows(rows)]
    kernels = (c_void_p * len(names))()
    library.lib().teff_row_kernels_load(traced.device.encode(), cubin, len(traced.reals),
                                        len(traced.integers), len(names),
                                        (c_char_p * len(names))(*(f"{name}_cells".encode() for name in names)),
                                        kernels)
    return table_of(rows, dict(zip(names, kernels)))


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

# SPDX-License-Identifier: MIT
"""Whole steps and several per pass on a GPU where there is no nvcc: kernels of Teff's own headers that
NVRTC makes (pass_text.py), one for each shape of a pass that suits the formula, of several stages one
that makes them at once, and in 2-D one of blocks that stay on the chip; from them and from the rows
(gpu_rows.py), which make single steps stage by stage, the library makes the run.
"""

import atexit
import functools
import hashlib
import os
import subprocess
import sys
import threading
from ctypes import byref, c_int32, c_void_p

from . import build, cache, compilers, gpu_rows, library, nvrtc
from .errors import CompileError
from .pass_text import has_conditions, kernel_text

FLAGS = ["-std=c++20", "-default-device", "-DNDEBUG", "-D__OPTIMIZE__=1"]
# Where there is what Teff's headers include of the standard library.
STD = {"device_std.hpp": ("algorithm", "array", "bit", "cmath", "concepts", "cstddef", "cstdint",
                          "cstring", "limits", "tuple", "type_traits", "utility"),
       "device_std_host.hpp": ("atomic", "exception", "functional", "iosfwd", "memory", "optional",
                               "ostream", "stdexcept", "string", "string_view", "vector")}


FUSED, RESIDENT = "fused", "resident"  # kernels of other schedules, among the numbers of shapes


def text_of(traced, which=0):
    """The text of the kernel of a shape, or of another schedule; None of what is for nvcc."""
    if not traced._row_parts or is_in_one_dim(traced):
        return None
    if which in (FUSED, RESIDENT) and not may_be(which, traced):
        return None
    return kernel_text(*traced._row_parts, len(traced.reals), len(traced.integers), which)


def is_in_one_dim(traced):
    """Then a GPU makes one step per pass, whatever the compiler."""
    return bool(traced._row_parts) and traced._row_parts[-1] == 1


def may_be(which, traced):
    """A kernel of that schedule may make its steps: of all stages at once, if there are several without
    conditions; of blocks that stay on the chip in 2-D, where fields fit it and nothing is periodic. (Of
    the rest the library knows.)"""
    result, rank = traced._row_parts[2], traced._row_parts[-1]
    if which == FUSED:
        return _updates(result) > 1 and not has_conditions(result)
    return rank == 2 and traced.fits_chip and not _is_periodic(result)


def _updates(part):
    return sum(map(_updates, part.parts)) + (part.kind == "update")


def _is_periodic(part):
    return any(side[2] == "periodic" for side in part.sides or ()) or any(map(_is_periodic, part.parts))


def refused(traced):
    """Why NVRTC makes no passes of the formula; "" if it may."""
    if traced.too_large:
        return traced.too_large
    if text_of(traced) is not None and gpu_rows.text_of(traced) is not None:
        return ""
    if is_in_one_dim(traced):
        return f"{traced.name} is in one dim, where a GPU makes one step per pass, by nvcc also"
    return (f"{traced.name} is for nvcc, since NVRTC makes passes of formulas in two and three dims, "
            "without time integrators")


_beside = {}  # processes that compile, by key


@functools.lru_cache(maxsize=None)
def _headers():
    """As NVRTC takes them: names and contents."""
    all_of_them = {}
    for file, names in STD.items():
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), file),
                  encoding="utf-8") as pieces:
            all_of_them["teff_" + file] = pieces.read()
        all_of_them.update((name, f"#include <teff_{file}>\n") for name in names)
    return all_of_them


def flags():
    return [*FLAGS, "-I" + os.path.join(library.FOLDER, "include")]


def compiled(text, architecture):
    """The kernel's cubin, compiled now. Raises CompileError, nvrtc.Refused."""
    return nvrtc.compiled(text, architecture, flags=flags(), headers=_headers())


def key_of(text, architecture):
    """The name of what a text compiles to: the hash of all that it depends on."""
    parts = [gpu_rows.key_of(text, architecture), compilers.built()["headers"], *FLAGS,
             *_headers().values()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def is_compiled(traced):
    """The first kernel of a formula that is not refused is in the cache."""
    return cache.found(key_of(text_of(traced),
                              compilers.architecture_of(traced.device))) is not None


def bindings(traced, first=0):
    """Pairs of what binds the formula and whether it has all kernels: first with those that are in the
    cache, or the one of fewest steps per pass, then with more, as they are compiled.
    @param first that one is of this schedule, where it may make the formula's steps

    Raises CompileError, Error.
    """
    if refused(traced):
        raise CompileError(refused(traced))
    architecture = compilers.architecture_of(traced.device)
    others = [which for which in (FUSED, RESIDENT) if may_be(which, traced)]
    queue = [first, 0] if first in others else [0]
    last = [which for which in others if which not in queue]
    for later in (1, *last):  # most formulas have a second one
        compile_beside(text_of(traced, later), architecture)
    table = gpu_rows.loaded_table(traced, *gpu_rows.text_of(traced))
    kernels = []
    while queue:
        which = queue.pop(0)
        if kernels and not cache.found(key_of(text_of(traced, which), architecture)):
            yield gpu_rows.bound_with(table, kernels), False
        kernel, shapes = _loaded(traced, which, architecture)
        kernels.append(kernel)
        if which == 0:
            queue = [*range(1, shapes), *last]
            for later in range(2, shapes):
                compile_beside(text_of(traced, later), architecture)
    yield gpu_rows.bound_with(table, kernels), True


def _loaded(traced, which, architecture):
    """A kernel, as C takes it, and for how many shapes there can be one."""
    cubin, handle, shapes = _cubin_of(traced, which, architecture), c_void_p(), c_int32(1)
    made_of = traced.device.encode(), cubin, len(traced.reals), len(traced.integers), byref(handle)
    if which == RESIDENT:
        library.lib().teff_resident_load(*made_of)
    else:
        load = library.lib().teff_fused_load if which == FUSED else library.lib().teff_pass_load
        load(*made_of, byref(shapes))
    if shapes.value < 0:
        raise CompileError(f"{traced.name} is for nvcc, since NVRTC makes no passes of formulas with "
                           "step_index in a stage, or of more than 16 stages")
    return handle.value, shapes.value


def _cubin_of(traced, which, architecture):
    text = text_of(traced, which)
    key = key_of(text, architecture)
    if threading.current_thread().daemon:  # the program may end meanwhile, without waiting for it
        process = compile_beside(text, architecture)
        if process:
            process.wait()
        if build.is_ending.is_set():
            raise CompileError("the program ends")

    def compile_to(path):
        try:
            gpu_rows.write(compiled(text, architecture), text, path, key)
        except nvrtc.Refused as refused:
            raise CompileError(gpu_rows.failure(traced, text, str(refused), "auto {} =")) from None
    return cache.content(cache.found(key) or cache.made(key, compile_to, gpu_rows.LIMIT_S))


def compile_beside(text, architecture):
    """Begins to compile a text into the cache by a process of its own, since NVRTC reads one text at a
    time in each; that process, or None where it is not needed. Nothing depends on how it ends: who
    wants the kernel waits for the entry, or compiles it. It ends with the program."""
    key = key_of(text, architecture)
    if cache.folder() is None or cache.found(key) or \
            "python" not in os.path.basename(sys.executable or ""):  # (Another program holds Python.)
        return None
    if key in _beside and _beside[key].poll() is None:
        return _beside[key]
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, architecture], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"})
        process.stdin.write(text.encode())
        process.stdin.close()
    except OSError:
        return None
    _beside[key] = process
    return process


@atexit.register
def _end_beside():
    build.is_ending.set()
    for process in list(_beside.values()):
        process.kill()  # (of one that has ended: nothing)


if __name__ == "__main__":
    _text = sys.stdin.read()
    _key = key_of(_text, sys.argv[1])
    cache.made(_key, lambda path: gpu_rows.write(compiled(_text, sys.argv[1]), _text, path, _key),
               gpu_rows.LIMIT_S)

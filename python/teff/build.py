# SPDX-License-Identifier: MIT
"""From a formula's or a kernel's text to its function: compiled by the system's C++ compiler, or for
arrays on a GPU by nvcc, once. TEFF_KEEP=1 keeps the text beside what was compiled.
"""

import ctypes
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time

from . import cache, compilers, library
from .errors import CompileError

LIMIT_S = 600  # of one compilation
MEMORY_KB = 16 * 1024 * 1024  # of the compiler's processes, each

_loaded = {}  # by text and architecture
_lock = threading.Lock()


def key_of(text, architecture=None):
    """The name of what a text compiles to: the hash of all that it depends on."""
    parts = [text, *compilers.identity(architecture)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def function_of(traced, name):
    """The function of this name in what the text is compiled to, if no one has compiled it yet."""
    architecture = compilers.architecture_of(traced.fields[0].device)
    function = _loaded.get((traced.text, architecture))
    if function is not None:
        return function
    with _lock:
        if (traced.text, architecture) not in _loaded:
            _loaded[traced.text, architecture] = getattr(_load(traced, architecture), name)
        return _loaded[traced.text, architecture]


def bind_of(traced):
    """The function that binds the formula."""
    return ctypes.cast(function_of(traced, "teff_formula_bind"), ctypes.c_void_p)


def _load(traced, architecture):
    library.lib()  # what is compiled links to it
    key = key_of(traced.text, architecture)
    path = cache.found(key)
    if path is None:
        path = cache.made(key, lambda to: _compile(traced, architecture, to), LIMIT_S)
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        if cache.private_folder() in path:
            raise CompileError(f"what was compiled can not be loaded: {error}") from error
        try:
            return ctypes.CDLL(cache.other_folder(path))
        except OSError:
            raise CompileError(f"what was compiled can not be loaded: {error}; if it lies on a file "
                               "system that is mounted noexec, set TEFF_CACHE to another folder") \
                from error


def _compile(traced, architecture, to):
    """Compiles the text; says so, and how long it took, on stderr."""
    words = compilers.command(architecture)
    suffix = ".cpp" if architecture is None else ".cu"
    source = os.path.join(os.path.dirname(to), "formula" + suffix)
    with open(source, "w", encoding="utf-8") as file:
        file.write(traced.text)
    whole = [*words, source, "-o", to, *compilers.link_flags(architecture)]
    print(f"teff: compiling {traced.name} by {os.path.basename(words[0])} ...", end=" ",
          file=sys.stderr, flush=True)
    start = time.monotonic()
    try:
        done = subprocess.run(
            ["sh", "-c", f'ulimit -v {MEMORY_KB} 2>/dev/null; exec nice -n 5 "$@"', "sh", *whole],
            capture_output=True, text=True, errors="replace", timeout=LIMIT_S, check=False,
            stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        print("given up", file=sys.stderr, flush=True)
        raise CompileError(f"{traced.name}: its compilation took longer than {LIMIT_S} s and was "
                           "ended; write it as several time steps, or with fewer operations") \
            from None
    print(f"{time.monotonic() - start:.1f} s", file=sys.stderr, flush=True)
    if done.returncode == 0 and os.path.exists(to):
        if os.environ.get("TEFF_KEEP") == "1":
            shutil.copy(source, os.path.join(os.path.dirname(os.path.dirname(to)),
                                             key_of(traced.text, architecture) + suffix))
        return
    raise CompileError(_failure(traced, whole, done, source))


def _failure(traced, whole, done, source):
    """The first error, with the user's line that it comes from, and where the text is kept."""
    kept = os.path.join(cache.private_folder(), os.path.basename(source))
    shutil.copy(source, kept)
    cache.keep_private()
    # The line of the text is in the error, or in the notes before it that say from where.
    first = re.search(r"error: (.*)", done.stderr)
    said = first[1] if first else (done.stderr.strip().splitlines() or ["no message"])[-1]
    where = ""
    # (g++ writes formula.cpp:12:5, nvcc formula.cu(12).)
    named = re.escape(traced.file or os.path.basename(source))
    for number in re.findall(named + r"[:(](\d+)[:)]", done.stderr):
        if int(number) in traced.places:
            file, line = traced.places[int(number)]
            where = f" ({file}, line {line})"
            break
    if done.returncode < 0 or "Killed" in done.stderr or "out of memory" in done.stderr:
        said = f"the compiler was killed, perhaps for memory ({said})"
    return (f"{traced.name}{where} could not be compiled: {said}. The text is {kept}; the command "
            f"was {shlex.join(whole)}")

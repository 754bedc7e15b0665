# SPDX-License-Identifier: MIT
"""From a formula's or a kernel's text to its function: compiled by the system's C++ compiler, for
arrays on a GPU by nvcc, or as rows by a C compiler; once. TEFF_KEEP=1 keeps the text beside what was
compiled.
"""

import atexit
import contextlib
import ctypes
import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

from . import cache, compilers, library
from .errors import CompileError, Error

LIMIT_S = 600  # of one compilation
MEMORY_KB = 16 * 1024 * 1024  # of the compiler's processes, each

_loaded = {}  # by text and architecture
_lock = threading.Lock()
_of_background = {}  # threads and their compilers, which end with the program
is_ending = threading.Event()


def key_of(text, architecture=None, flags=()):
    """The name of what a text compiles to: the hash of all that it depends on."""
    parts = [text, *compilers.identity(architecture, flags)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def function_of(traced, name):
    """The function of this name in what the text is compiled to, if no one has compiled it yet."""
    architecture = compilers.architecture_of(traced.device)
    function = _loaded.get((traced.text, architecture))
    if function is not None:
        return function
    with _lock:
        if (traced.text, architecture) not in _loaded:
            _loaded[traced.text, architecture] = getattr(_load(traced, architecture), name)
        return _loaded[traced.text, architecture]


def bind_of(traced):
    """The function that binds the formula."""
    _refuse_large(traced)
    return ctypes.cast(function_of(traced, "teff_formula_bind"), ctypes.c_void_p)


def bind_if_compiled(traced):
    """The same, or None where it would have to be compiled first."""
    architecture = compilers.architecture_of(traced.device)
    try:
        if (traced.text, architecture) in _loaded or cache.found(key_of(traced.text, architecture)):
            return bind_of(traced)
    except CompileError:  # no compiler: nothing that it made is known
        pass
    return None


def bind_in_background(traced):
    """As bind_of, beside a run that goes on: others can compile meanwhile, and nothing is said."""
    _refuse_large(traced)
    made = _load(traced, compilers.architecture_of(traced.device), in_background=True)
    return ctypes.cast(made.teff_formula_bind, ctypes.c_void_p)


def _refuse_large(traced):
    if traced.too_large:
        raise CompileError(traced.too_large)


def bind_as_rows(traced):
    """The function that binds the formula as rows (rows.py); None where that can not be."""
    if traced.device != "cpu":
        return _bind_on_gpu(traced)
    from . import row_text, rows  # later than the package, which is to be imported quickly
    made = traced.rows()
    if made is None:
        return None
    text, most = row_text.c_text(made), rows.most_values(made)
    with _lock:
        if (text, compilers.ROWS) not in _loaded:
            compilers.check_words_of_c()  # a slip of the user's is no lack of a compiler
            try:
                if most > rows.MOST_COMPILED:
                    raise CompileError(f"one has {most} values, which a C compiler takes long for")
                _loaded[text, compilers.ROWS] = _bound_rows(_load(_Rows(text, traced), compilers.ROWS))
            except CompileError as error:
                from . import row_program
                _loaded[text, compilers.ROWS] = row_program.bind_of(traced, str(error))
        return _loaded[text, compilers.ROWS]


def _bind_on_gpu(traced):
    """The same of kernels by NVRTC (gpu_rows.py)."""
    from . import gpu_rows, nvrtc  # later than the package, which is to be imported quickly
    made = gpu_rows.text_of(traced)
    if made is None:
        return None
    # (Two formulas may have the same kernels, and differ in their tables.)
    key = compilers.ROWS, traced.text, compilers.architecture_of(traced.device)
    with _lock:
        if key not in _loaded:
            try:
                _loaded[key] = gpu_rows.bind_of(traced, *made)
            except Error as error:  # nvcc may do
                _loaded[key] = None
                if nvrtc.found() or os.environ.get("TEFF_NVRTC"):
                    cache.warn_once(f"{traced.name} waits for nvcc, since its single steps could not "
                                    f"be compiled by NVRTC: {error}")
        return _loaded[key]


def _bound_rows(made):
    """What binds rows that were loaded: they have the library's function in a variable."""
    address = ctypes.cast(library.lib().teff_rows_bind, ctypes.c_void_p)
    ctypes.c_void_p.in_dll(made, "teff_rows_bind").value = address.value
    return ctypes.cast(made.teff_formula_bind, ctypes.c_void_p)


class _Rows:
    """A formula's text in C, as _load takes it."""

    places, file, flags = {}, None, ()

    def __init__(self, text, traced):
        self.text, self.name = text, traced.name


def _load(traced, architecture, in_background=False):
    library.lib()  # what is compiled links to it
    key = key_of(traced.text, architecture, traced.flags)
    path = cache.found(key)
    if path is None:
        path = cache.made(key, lambda to: _compile(traced, architecture, to, in_background), LIMIT_S)
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


def _compile(traced, architecture, to, in_background):
    """Compiles the text; if one has to wait for it, says so, and how long it took, on stderr."""
    words = compilers.command(architecture, traced.flags)
    suffix = {None: ".cpp", compilers.ROWS: ".c"}.get(architecture, ".cu")
    source = os.path.join(os.path.dirname(to), "formula" + suffix)
    with open(source, "w", encoding="utf-8") as file:
        file.write(traced.text)
    whole = [*words, source, "-o", to, *compilers.link_flags(architecture)]
    is_waited_for = not in_background and architecture != compilers.ROWS

    def say(text, end):
        if is_waited_for:
            print(text, end=end, file=sys.stderr, flush=True)
    say(f"teff: compiling {traced.name} by {os.path.basename(words[0])} ...", " ")
    start = time.monotonic()
    try:
        done = _run(["/bin/sh", "-c", f'ulimit -v {MEMORY_KB} 2>/dev/null; command -v nice >/dev/null && '
                     'exec nice -n 5 "$@"; exec "$@"', "sh", *whole], in_background)
    except subprocess.TimeoutExpired:
        say("given up", "\n")
        raise CompileError(f"{traced.name}: its compilation took longer than {LIMIT_S} s and was "
                           "ended; write it as several time steps, or with fewer operations") \
            from None
    except OSError as error:  # which is not of the cache
        raise CompileError(f"{traced.name}: its compiler can not be started: {error}") from error
    say(f"{time.monotonic() - start:.1f} s", "\n")
    if done.returncode == 0 and os.path.exists(to):
        if os.environ.get("TEFF_KEEP") == "1":
            shutil.copy(source, os.path.join(os.path.dirname(os.path.dirname(to)),
                                             key_of(traced.text, architecture, traced.flags) + suffix))
        return
    raise CompileError(_failure(traced, whole, done, source))


def _run(words, in_background):
    """Runs the compiler to its end; one in the background, with all that it starts, to the
    program's at the latest."""
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace",
                          start_new_session=in_background) as process:
        if in_background:
            _of_background[threading.current_thread()] = process.pid
        try:
            output, errors = process.communicate(timeout=LIMIT_S)
        except BaseException:
            process.kill()
            raise
        finally:
            _of_background.pop(threading.current_thread(), None)
    if in_background and is_ending.is_set():
        raise CompileError("the program ends")
    return subprocess.CompletedProcess(words, process.returncode, output, errors)


@atexit.register
def _end_background():
    is_ending.set()
    for thread, pid in list(_of_background.items()):
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
        thread.join(2)  # removes what was not finished


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

# SPDX-License-Identifier: MIT
"""From a formula's or a kernel's text to its function: compiled by the system's C++ compiler, once.

TEFF_CXX (or CXX) names the compiler, TEFF_CXXFLAGS further flags, TEFF_KEEP=1 keeps the text beside
what was compiled.
"""

import ctypes
import functools
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time

from . import cache, library
from .errors import CompileError

LIMIT_S = 600  # of one compilation
MEMORY_KB = 16 * 1024 * 1024  # of the compiler's processes, each
FLAGS = ["-std=c++20", "-O3", "-DNDEBUG", "-fopenmp", "-fPIC", "-shared", "-w"]

_loaded = {}  # by text
_lock = threading.Lock()


@functools.lru_cache(maxsize=None)
def built():
    """What the package was built with: the hash of its headers, flags, its compiler."""
    with open(os.path.join(library.FOLDER, "build.json"), encoding="utf-8") as file:
        return json.load(file)


def compiler():
    """The command of the compiler, as a list. Raises CompileError where there is none."""
    asked = os.environ.get("TEFF_CXX") or os.environ.get("CXX")
    candidates = [shlex.split(asked)] if asked else [["g++"], [built()["compiler"]], ["c++"]]
    for words in candidates:
        if words and shutil.which(words[0]):
            return words
    said = f"{asked!r}, which TEFF_CXX or CXX names, was" if asked else "g++ was"
    raise CompileError(f"formulas are compiled by the system's C++ compiler, and {said} not found: "
                       "install g++ 12 or later (Debian, Ubuntu: apt install g++; conda: conda "
                       "install gxx), or set TEFF_CXX")


@functools.lru_cache(maxsize=None)
def _version(words, _stamp):
    try:
        done = subprocess.run([*words, "-v"], capture_output=True, text=True, timeout=60,
                              check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError) as error:
        raise CompileError(f"the compiler {shlex.join(words)} does not run: {error}") from error
    version = re.search(r"gcc version (\d+)", done.stderr)
    if version and int(version[1]) < 12:
        raise CompileError(f"{shlex.join(words)} is g++ {version[1]}; Teff's headers take g++ 12 or "
                           "later: install it, and set TEFF_CXX=g++-12")
    return done.stderr


def _stamp(words):
    """Of the compiler's file: another one is asked for its version anew."""
    state = os.stat(shutil.which(words[0]))
    return state.st_ino, state.st_mtime_ns, state.st_size


def command():
    """The compiler with all flags but the files."""
    return [*compiler(), *FLAGS, *built()["flags"], *shlex.split(os.environ.get("TEFF_CXXFLAGS", "")),
            "-I" + os.path.join(library.FOLDER, "include")]


def key_of(text):
    """The name of what a text compiles to: the hash of all that it depends on."""
    words = compiler()
    parts = [text, built()["headers"], str(library.ABI), *command()[:-1],
             os.path.realpath(shutil.which(words[0])), _quick_version(words), _machine()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _quick_version(words):
    """The compiler's version, known by its file from an earlier process: asking it takes 10 ms."""
    stamp = _stamp(words)
    base = cache.folder()
    name = hashlib.sha256(repr((words, shutil.which(words[0]), stamp)).encode()).hexdigest()[:32]
    path = base and os.path.join(base, f"compiler-{name}.txt")
    if path:
        try:
            with open(path, encoding="utf-8") as file:
                kept = file.read()
            if kept.endswith("\nend\n"):
                return kept[:-5]
        except OSError:
            pass
    version = _version(tuple(words), stamp)
    if path:
        try:
            with open(f"{path}.{os.getpid()}", "w", encoding="utf-8") as file:
                file.write(version + "\nend\n")
            os.replace(f"{path}.{os.getpid()}", path)
        except OSError:
            pass
    return version


@functools.lru_cache(maxsize=None)
def _machine():
    """What -march=native means here, if that is among the flags; else the architecture."""
    text = os.uname().machine
    if "-march=native" in command() or "-mcpu=native" in command():
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            text += "".join(sorted(set(re.findall(r"^(?:flags|Features|model name)\s*:.*$",
                                                  file.read(), re.M))))
    return text


def function_of(traced, name):
    """The function of this name in what the text is compiled to, if no one has compiled it yet."""
    function = _loaded.get(traced.text)
    if function is not None:
        return function
    with _lock:
        if traced.text not in _loaded:
            _loaded[traced.text] = getattr(_load(traced), name)
        return _loaded[traced.text]


def bind_of(traced):
    """The function that binds the formula."""
    return ctypes.cast(function_of(traced, "teff_formula_bind"), ctypes.c_void_p)


def _load(traced):
    library.lib()  # what is compiled links to it
    key = key_of(traced.text)
    path = cache.found(key)
    if path is None:
        path = cache.made(key, lambda to: _compile(traced, to), LIMIT_S)
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


def _compile(traced, to):
    """Compiles the text; says so, and how long it took, on stderr."""
    words = command()
    source = os.path.join(os.path.dirname(to), "formula.cpp")
    with open(source, "w", encoding="utf-8") as file:
        file.write(traced.text)
    whole = [*words, source, "-o", to, "-L" + library.FOLDER, "-l:libteff_c.so", "-Wl,-z,defs"]
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
                                             key_of(traced.text) + ".cpp"))
        return
    raise CompileError(_failure(traced, whole, done, source))


def _failure(traced, whole, done, source):
    """The first error, with the user's line that it comes from, and where the text is kept."""
    kept = os.path.join(cache.private_folder(), "formula.cpp")
    shutil.copy(source, kept)
    cache.keep_private()
    # The line of the text is in the error, or in the notes before it that say from where.
    first = re.search(r"error: (.*)", done.stderr)
    said = first[1] if first else (done.stderr.strip().splitlines() or ["no message"])[-1]
    where = ""
    for number in re.findall(re.escape(traced.file) + r":(\d+):", done.stderr):
        if int(number) in traced.places:
            file, line = traced.places[int(number)]
            where = f" ({file}, line {line})"
            break
    if done.returncode < 0 or "Killed" in done.stderr or "out of memory" in done.stderr:
        said = f"the compiler was killed, perhaps for memory ({said})"
    return (f"{traced.name}{where} could not be compiled: {said}. The text is {kept}; the command "
            f"was {shlex.join(whole)}")

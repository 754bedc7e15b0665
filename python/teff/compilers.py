# SPDX-License-Identifier: MIT
"""The compilers of formulas, the system's g++ and, for arrays on a GPU, CUDA's nvcc: where they are,
their versions and their flags.

TEFF_CXX (or CXX) names the C++ compiler, TEFF_CXXFLAGS further flags; TEFF_NVCC and TEFF_NVCCFLAGS
those of nvcc; TEFF_CC (or CC) and TEFF_CFLAGS those of rows in C (rows.py), which are interpreted
where TEFF_CC is empty. An architecture is that
of a GPU, "90" of compute capability 9.0; None means a CPU, ROWS rows of C on it.
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

from . import cache, library
from .errors import CompileError, NoDeviceError

FLAGS = ["-std=c++20", "-O3", "-DNDEBUG", "-fopenmp", "-fPIC", "-shared",
         "-ftemplate-depth=4096", "-fconstexpr-depth=4096"]  # for emit.MOST_DEPTH
# (Of the text for a GPU, the host runs what enqueues alone.)
CUDA_FLAGS = ["-DNDEBUG", "-Xcompiler=-O1,-fPIC,-w", "-shared", "-w"]


ROWS = "rows"
# (Values are those of the C++ code without the last two, which let loops with branches be SIMD ones.)
ROW_FLAGS = ["-O3", "-fPIC", "-shared", "-w", "-ffp-contract=off", "-fno-math-errno",
             "-fno-trapping-math"]


@functools.lru_cache(maxsize=None)
def built():
    """What the package was built with: the hash of its headers, flags, its compilers."""
    with open(os.path.join(library.FOLDER, "build.json"), encoding="utf-8") as file:
        return json.load(file)


@functools.lru_cache(maxsize=64)
def _located(name, _path):
    return shutil.which(name)


def located(name):
    """The path of a program by the PATH, or None; one that was found there stays the same."""
    found = _located(name, os.environ.get("PATH"))
    return found if found and os.path.exists(found) else shutil.which(name)


def _words(name):
    """Those of an environment variable, as a shell takes them apart."""
    try:
        return shlex.split(os.environ.get(name, ""))
    except ValueError as error:
        raise CompileError(f"{name}={os.environ[name]!r} can not be taken apart as a shell does: "
                           f"{error}") from None


def check_words_of_c():
    """Raises CompileError where the variables of the C compiler can not be taken apart."""
    for name in ("TEFF_CC", "CC", "TEFF_CFLAGS"):
        _words(name)


def _asked():
    return os.environ.get("TEFF_CXX") or os.environ.get("CXX")


def compiler():
    """The command of the C++ compiler, as a list. Raises CompileError where there is none."""
    asked = _asked()
    candidates = [_words("TEFF_CXX") or _words("CXX")] if asked else \
        [["g++"], [built()["compiler"]], ["c++"]]
    for words in candidates:
        found = words and located(words[0])
        if found:
            return [found, *words[1:]]
    said = f"{asked!r}, which TEFF_CXX or CXX names, was" if asked else "g++ was"
    raise CompileError(f"formulas are compiled by the system's C++ compiler, and {said} not found: "
                       "install g++ 12 or later (Debian, Ubuntu: apt install g++; conda: conda "
                       "install gxx), or set TEFF_CXX")


def c_compiler():
    """The command of a C compiler, as a list. Raises CompileError where there is none."""
    if os.environ.get("TEFF_CC") == "":
        raise CompileError("TEFF_CC is empty, which does without a C compiler")
    asked = os.environ.get("TEFF_CC") or os.environ.get("CC")
    for words in [_words("TEFF_CC") or _words("CC")] if asked else \
            [["gcc"], ["cc"], ["clang"], ["tcc"]]:
        found = words and located(words[0])
        if found:
            return [found, *words[1:]]
    said = f"{asked!r}, which TEFF_CC or CC names, was" if asked else "gcc, cc, clang or tcc was"
    raise CompileError(f"{said} not found: install gcc (Debian, Ubuntu: apt install gcc; conda: conda "
                       "install gcc), or set TEFF_CC")


def found_nvcc():
    """The path of nvcc, or None."""
    asked = os.environ.get("TEFF_NVCC")
    if asked:
        return located(asked)
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    candidates = ["nvcc", *(os.path.join(home, "bin", "nvcc") for home in homes if home),
                  built().get("cuda", {}).get("compiler")]
    return next((path for path in map(located, filter(None, candidates)) if path), None)


def nvcc():
    """The same; raises CompileError where there is none."""
    path, asked = found_nvcc(), os.environ.get("TEFF_NVCC")
    if path:
        return path
    said = f"{asked!r}, which TEFF_NVCC names, was" if asked else "nvcc was"
    from . import nvrtc
    single = "" if nvrtc.found() else f"; of formulas single steps alone take NVRTC: {nvrtc.INSTALL}"
    raise CompileError("formulas and kernels of arrays on a GPU are compiled by CUDA's compiler, and "
                       f"{said} not found: install the CUDA toolkit 12 or later, and put its nvcc on "
                       "the PATH, or set CUDA_HOME or TEFF_NVCC; arrays on the CPU take g++ alone"
                       f"{single}")


@functools.lru_cache(maxsize=None)
def architecture_of(device):
    """Of the GPU "cuda:0", as "90"; None of "cpu".

    Raises NoDeviceError where the package was built without CUDA, or there is no such GPU.
    """
    if device == "cpu":
        return None
    library.stream(device)
    driver = ctypes.CDLL("libcuda.so.1")
    gpu, numbers = ctypes.c_int(), (ctypes.c_int(), ctypes.c_int())
    failed = driver.cuInit(0) or driver.cuDeviceGet(ctypes.byref(gpu),
                                                    int(device.partition(":")[2] or 0))
    for which, number in zip((75, 76), numbers):  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_...
        failed = failed or driver.cuDeviceGetAttribute(ctypes.byref(number), which, gpu)
    if failed:
        raise NoDeviceError(f"{device}: the driver does not tell its compute capability (CUDA error "
                            f"{failed})")
    return f"{numbers[0].value}{numbers[1].value}"


@functools.lru_cache(maxsize=None)
def chip_bytes_of(device):
    """The most that fields can have together of which blocks stay on that GPU's chip."""
    most = ctypes.c_int64()
    library.lib().teff_resident_bytes(device.encode(), ctypes.byref(most))
    return most.value


@functools.lru_cache(maxsize=None)
def _version(words, _stamp):
    option = "--version" if os.path.basename(words[0]).startswith("nvcc") else "-v"
    try:
        done = subprocess.run([*words, option], capture_output=True, text=True, timeout=60,
                              check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError) as error:
        raise CompileError(f"the compiler {shlex.join(words)} does not run: {error}") from error
    if option == "--version":
        version = re.search(r"release (\d+)", done.stdout)
        if version and int(version[1]) < 12:
            raise CompileError(f"{words[0]} is of CUDA {version[1]}; Teff's headers take CUDA 12 or "
                               "later: install it, and set TEFF_NVCC or CUDA_HOME")
        return done.stdout
    return done.stderr


def _refuse_old(words, said):
    """Of g++."""
    version = re.search(r"gcc version (\d+)", said)
    if version and int(version[1]) < 12:
        raise CompileError(f"{shlex.join(words)} is g++ {version[1]}; Teff's headers take g++ 12 or "
                           "later: install it, and set TEFF_CXX=g++-12")


def stamp(words):
    """Of the compiler's file: another one is asked for its version anew."""
    state = os.stat(words[0])
    return state.st_ino, state.st_mtime_ns, state.st_size


def command(architecture=None, flags=()):
    """The compiler with all flags but the files. flags: what of its warnings is an error."""
    if architecture == ROWS:
        words = c_compiler()
        flags = ["-shared"] if "tcc" in os.path.basename(words[0]) else ROW_FLAGS + built()["flags"]
        return [*words, *flags, *_words("TEFF_CFLAGS")]
    include = "-I" + os.path.join(library.FOLDER, "include")
    if architecture is None:
        quiet = ["-w"] if not flags else flags
        return [*compiler(), *FLAGS, *quiet, *built()["flags"], *_words("TEFF_CXXFLAGS"), include]
    host = compiler()
    return [nvcc(), *CUDA_FLAGS, *built()["cuda"]["flags"],
            f"-gencode=arch=compute_{architecture},code=sm_{architecture}",
            *(["-ccbin", host[0]] if _asked() else []),
            *flags, *_words("TEFF_NVCCFLAGS"), include]


def lacking(architecture):
    """Why no C++ can be compiled for it, with what to install; "" if it can."""
    reasons = []
    for find in (compiler,) if architecture is None else (nvcc, compiler):
        try:
            find()
        except CompileError as error:
            reasons.append(str(error))
    return "; ".join(reasons)


def link_flags(architecture=None):
    """What stands behind the text: the library, and that nothing may be missing."""
    if architecture == ROWS:
        return ["-lm"]
    flags = ["-l:libteff_c.so", "-z", "defs"]
    if architecture is None:
        return ["-L" + library.FOLDER, flags[0], "-Wl,-z,defs"]
    return ["-L" + library.FOLDER, *(word for flag in flags for word in ("-Xlinker", flag))]


def identity(architecture=None, flags=()):
    """All that a result depends on besides the text, as a list of texts."""
    if architecture == ROWS:
        words = command(ROWS)
        return [str(library.ABI), *words, *_known(c_compiler()), _machine()]
    parts = [built()["headers"], str(library.ABI), *command(architecture, flags)[:-1], *_known(compiler()),
             _machine()]
    _refuse_old(compiler(), parts[-2])
    if architecture is not None:
        parts += [*_known([nvcc()]), os.environ.get("NVCC_PREPEND_FLAGS", ""),
                  os.environ.get("NVCC_APPEND_FLAGS", "")]
    return parts


def _known(words):
    """A compiler's real path and its version."""
    of_file = stamp(words)
    key = *words, of_file
    if key not in _versions:
        _versions[key] = os.path.realpath(words[0]), known_version(
            words, of_file, lambda: _version(tuple(words), of_file))
    return _versions[key]


_versions = {}


def known_version(words, of_file, ask):
    """A compiler's version, known by its file from an earlier process: asking it takes 10 ms."""
    base = cache.folder()
    name = hashlib.sha256(repr((words, of_file)).encode()).hexdigest()[:32]
    path = base and os.path.join(base, f"compiler-{name}.txt")
    if path:
        try:
            with open(path, encoding="utf-8") as file:
                kept = file.read()
            if kept.endswith("\nend\n"):
                return kept[:-5]
        except OSError:
            pass
    version = ask()
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
    asked = [word for name in ("TEFF_CXX", "CXX", "TEFF_CXXFLAGS", "TEFF_CC", "CC", "TEFF_CFLAGS")
             for word in _words(name)]
    if any("-march=native" in word or "-mcpu=native" in word
           for word in [*asked, *built()["flags"], *built().get("cuda", {}).get("flags", [])]):
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            text += "".join(sorted(set(re.findall(r"^(?:flags|Features|model name)\s*:.*$",
                                                  file.read(), re.M))))
    return text

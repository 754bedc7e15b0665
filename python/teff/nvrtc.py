# SPDX-License-Identifier: MIT
"""NVRTC, CUDA's compiler as a library: where it is, its version, and kernels compiled by it.

It needs neither nvcc nor g++ nor CUDA's headers. TEFF_NVRTC names the file libnvrtc.so, or its folder;
"" means none. Else it is looked for beside nvcc, whose functions it then has bit for bit; in the wheels
that pip installs (nvidia-cuda-nvrtc); in CUDA_HOME, CUDA_PATH, CONDA_PREFIX and /usr/local/cuda; and
where the dynamic linker looks.
"""

import atexit
import ctypes
import functools
import glob
import importlib.util
import os
import re
import subprocess
import threading
from ctypes import byref, c_char_p, c_int, c_size_t, c_void_p

from . import compilers
from .errors import CompileError

INSTALL = ("pip install nvidia-cuda-nvrtc (of CUDA 12: nvidia-cuda-nvrtc-cu12), or set TEFF_NVRTC to "
           "the file libnvrtc.so")
# Every operation rounds once, whatever the architecture; fma is written out (rows.py).
FLAGS = ["-fmad=false", "-ftz=false", "-prec-div=true", "-prec-sqrt=true", "-w"]
OLDEST = 12
TOOLKIT = "/usr/local/cuda"

_compiles = threading.Lock()  # one text at a time, as NVRTC does
atexit.register(_compiles.acquire)  # NVRTC does not survive the end of a program that it compiles in


def found():
    """The path of libnvrtc, or None."""
    return _found(*map(os.environ.get, ("TEFF_NVRTC", "TEFF_NVCC", "PATH", "CUDA_HOME", "CUDA_PATH",
                                        "CONDA_PREFIX", "LD_LIBRARY_PATH")))


@functools.lru_cache(maxsize=64)
def _found(asked, *_environment):
    if asked is not None:
        return _newest([asked]) if asked else None
    for folders in (_beside_nvcc, _of_wheels, _of_toolkits, _of_linker):
        path = _newest(folders())
        if path:
            return path
    return None


def _newest(places):
    """Of the first folder that has some, or a file itself."""
    for place in places:
        if os.path.isfile(place):
            return place
        files = [f for f in glob.glob(os.path.join(glob.escape(place), "libnvrtc.so.*"))
                 if re.search(r"\.so\.\d+$", f)]
        if files:
            return max(files, key=lambda f: int(f.rpartition(".")[2]))
    return None


def _libraries(home):
    return [os.path.join(home, "lib64"), os.path.join(home, "lib"),
            *glob.glob(os.path.join(glob.escape(home), "targets", "*", "lib"))]


def _beside_nvcc():
    nvcc = compilers.found_nvcc()
    return _libraries(os.path.dirname(os.path.dirname(os.path.realpath(nvcc)))) if nvcc else []


def _of_wheels():
    """Of nvidia-cuda-nvrtc-cu12, and of nvidia-cuda-nvrtc, whose folder is nvidia/cu13."""
    folders = [f for root in _wheels() for f in glob.glob(os.path.join(glob.escape(root), "*", "lib"))]
    return sorted(folders, key=lambda f: ("cuda_nvrtc" not in f, f))


def _wheels():
    try:
        spec = importlib.util.find_spec("nvidia")
    except (ImportError, ValueError):
        spec = None
    return list(spec.submodule_search_locations or []) if spec else []


def _of_toolkits():
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), os.environ.get("CONDA_PREFIX"),
             TOOLKIT]
    return [folder for home in homes if home for folder in _libraries(home)]


def _of_linker():
    folders = [f for f in os.environ.get("LD_LIBRARY_PATH", "").split(":") if f]
    for ldconfig in ("/sbin/ldconfig", "/usr/sbin/ldconfig"):
        try:
            said = subprocess.run([ldconfig, "-p"], capture_output=True, text=True, timeout=20,
                                  check=False).stdout
        except (OSError, subprocess.SubprocessError):
            continue
        return folders + re.findall(r"libnvrtc\.so\.\d+ .*=> (\S+)", said)
    return folders


def path():
    """The same; raises CompileError where there is none."""
    place = found()
    if place:
        return place
    asked = os.environ.get("TEFF_NVRTC")
    said = f"{asked!r}, which TEFF_NVRTC names, is" if asked else "it is"
    raise CompileError("the first steps on a GPU are compiled by NVRTC (libnvrtc.so of CUDA 12 or "
                       f"later), and {said} not found: {INSTALL}")


@functools.lru_cache(maxsize=None)
def _loaded(place):
    try:
        library = ctypes.CDLL(place)
        library.nvrtcGetErrorString.restype = c_char_p
        major, minor = c_int(), c_int()
        _check(library, library.nvrtcVersion(byref(major), byref(minor)), "nvrtcVersion")
    except (OSError, AttributeError) as error:
        raise CompileError(f"NVRTC, {place}, can not be loaded: {error}; {INSTALL}") from error
    if major.value < OLDEST:
        raise CompileError(f"NVRTC, {place}, is of CUDA {major.value}.{minor.value}, expected "
                           f"{OLDEST} or later: {INSTALL}")
    return library, f"{major.value}.{minor.value}"


def version(place):
    """Of the library there: "13.0"."""
    return _loaded(place)[1]


def _check(library, status, call):
    if status:
        said = library.nvrtcGetErrorString(status)
        raise CompileError(f"NVRTC: {call} gave {said.decode() if said else status}")


class Refused(Exception):
    """The compiler's messages about a text."""


def compiled(text, architecture, is_ptx=False, flags=("-std=c++17",), headers=None):
    """The cubin of a text for such a GPU, "90"; or its PTX. Raises CompileError, Refused.

    headers: the contents of files that the text includes, by name, besides those in folders.
    """
    with _compiles:
        return _compiled(text, architecture, is_ptx, flags, headers)


def _compiled(text, architecture, is_ptx, flags, headers):
    library, _ = _loaded(path())
    program, headers = c_void_p(), headers or {}
    texts = c_char_p * len(headers)
    _check(library, library.nvrtcCreateProgram(
        byref(program), text.encode(), b"formula.cu", len(headers),
        texts(*(content.encode() for content in headers.values())),
        texts(*(name.encode() for name in headers))), "nvrtcCreateProgram")
    try:
        what = "compute" if is_ptx else "sm"
        options = [f"-arch={what}_{architecture}", *FLAGS, *flags]
        status = library.nvrtcCompileProgram(
            program, len(options), (c_char_p * len(options))(*[o.encode() for o in options]))
        if status == 6:  # NVRTC_ERROR_COMPILATION
            raise Refused(_of_program(library, program, "nvrtcGetProgramLog").decode(
                errors="replace").rstrip("\0"))
        if status == 5:  # NVRTC_ERROR_INVALID_OPTION
            raise CompileError(f"NVRTC {_loaded(path())[1]}, {path()}, does not know the GPU's "
                               f"architecture, {architecture}: install a newer one, as by {INSTALL}")
        _check(library, status, "nvrtcCompileProgram")
        return _of_program(library, program, "nvrtcGetPTX" if is_ptx else "nvrtcGetCUBIN")
    finally:
        library.nvrtcDestroyProgram(byref(program))


def _of_program(library, program, call):
    size = c_size_t()
    _check(library, getattr(library, call + "Size")(program, byref(size)), call + "Size")
    content = ctypes.create_string_buffer(size.value)
    _check(library, getattr(library, call)(program, content), call)
    return content.raw

# SPDX-License-Identifier: MIT
"""The C library (teff_c.h) by ctypes: loaded when it is first needed."""

import ctypes
import os
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int, c_int32, c_int64, c_uint64, \
    c_void_p

from . import errors

ABI = 7
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "library")
PATH = os.path.join(FOLDER, "libteff_c.so")

F64, F32, I64, I32, U8, BOOL = range(6)
NAMES = ("f64", "f32", "i64", "i32", "u8", "bool")
BYTES = (8, 4, 8, 4, 1, 1)

Release = ctypes.CFUNCTYPE(None, c_void_p)
OnStep = ctypes.CFUNCTYPE(c_int, c_int64, c_void_p)
Watch = ctypes.CFUNCTYPE(c_int, c_int64, c_double, c_void_p)


class RunOptions(Structure):
    _fields_ = [("steps", c_int64), ("first_step", c_int64), ("check_every", c_int64),
                ("tolerance", c_double), ("on_step_every", c_int64), ("on_step", OnStep),
                ("context", c_void_p), ("schedule", c_int32), ("depth", c_int32),
                ("watch_every_s", c_double), ("watch", Watch), ("successor", c_void_p),
                ("rows", c_void_p), ("passes", c_void_p), ("pass_count", c_int32)]


class RunCall(Structure):
    _fields_ = [("bind", c_void_p), ("reals", c_void_p), ("integers", c_void_p),
                ("fields", c_void_p), ("options", c_void_p), ("kept", c_void_p),
                ("made", c_void_p), ("good_step", c_int64)]


class RunFacts(Structure):
    _fields_ = [("steps", c_int64), ("passes", c_double), ("scratch_bytes", c_double),
                ("residual", c_double), ("a_eff_bytes", c_double), ("time_s", c_double),
                ("t_eff_gb_per_s", c_double), ("has_residual", c_int32),
                ("has_converged", c_int32), ("schedule", c_int32), ("depth", c_int32)]


class HeatMapOptions(Structure):
    _fields_ = [("map", c_char_p), ("lower", c_double), ("upper", c_double),
                ("min_pixels", c_int32), ("max_pixels", c_int32)]


class PoissonSide(Structure):
    _fields_ = [("kind", c_int32), ("number", c_double)]


class PoissonOptions(Structure):
    _fields_ = [("lengths", 3 * c_double), ("sides", 3 * (2 * PoissonSide)),
                ("tolerance", c_double), ("iterations", c_int64), ("method", c_int32),
                ("project", c_int32)]


class PoissonFacts(Structure):
    _fields_ = [("iterations", c_int64), ("residual", c_double), ("factor", c_double),
                ("has_converged", c_int32), ("is_stuck", c_int32)]


class EquationOptions(Structure):
    _fields_ = [("tolerance", c_double), ("iterations", c_int64), ("check_every", c_int64),
                ("least", c_double), ("most", c_double)]


class EquationFacts(Structure):
    _fields_ = [("iterations", c_int64), ("residual", c_double), ("least", c_double),
                ("most", c_double), ("has_converged", c_int32), ("is_stuck", c_int32)]


HANDLE, MADE, CELLS = c_void_p, POINTER(c_void_p), POINTER(c_int64)
# name: (result, arguments); a result None is a status.
FUNCTIONS = {
    "teff_c_abi": (c_int, []),
    "teff_message": (c_char_p, []),
    "teff_stream_of": (None, [c_char_p, MADE]),
    "teff_stream_adopt": (None, [c_char_p, c_void_p, MADE]),
    "teff_stream_synchronize": (None, [HANDLE]),
    "teff_stream_wait_for": (None, [HANDLE, HANDLE]),
    "teff_array_wrap": (None, [HANDLE, c_void_p, c_int, c_int, CELLS, CELLS, c_char_p, c_void_p,
                               c_void_p, MADE]),
    "teff_array_new": (None, [HANDLE, c_int, c_int, CELLS, c_char_p, MADE]),
    "teff_array_free": ("nothing", [HANDLE]),
    "teff_array_data": (c_void_p, [HANDLE]),
    "teff_array_dlpack": (None, [HANDLE, c_int, c_int, MADE]),
    "teff_dlpack_capsule_functions": ("nothing", [c_void_p, c_void_p]),
    "teff_reduction_type": (c_int, [c_int, c_int]),
    "teff_reduce": (None, [c_int, HANDLE, HANDLE, c_int, POINTER(c_int)]),
    "teff_dot": (None, [HANDLE, HANDLE, HANDLE]),
    "teff_cumsum": (None, [HANDLE, HANDLE, c_int]),
    "teff_scan": (None, [HANDLE, HANDLE, c_int, c_int, c_void_p, c_int]),
    "teff_segmented_sum": (None, [HANDLE, HANDLE, HANDLE]),
    "teff_gemv": (None, [c_double, HANDLE, HANDLE, c_double, HANDLE]),
    "teff_matmul": (None, [HANDLE, HANDLE, HANDLE]),
    "teff_permute": (None, [HANDLE, HANDLE, POINTER(c_int)]),
    "teff_random": (None, [HANDLE, c_uint64, c_int]),
    "teff_copy": (None, [HANDLE, HANDLE]),
    "teff_poisson": (None, [HANDLE, HANDLE, HANDLE, POINTER(PoissonOptions), POINTER(PoissonFacts),
                            MADE]),
    "teff_heat_map": (None, [HANDLE, POINTER(HeatMapOptions), CELLS, CELLS, c_void_p, MADE]),
    "teff_compare_with_reference": (None, [c_char_p, c_int, POINTER(c_char_p), POINTER(HANDLE),
                                           c_int64, c_double, c_int]),
    "teff_info": (None, [MADE]),
    "teff_peak": (None, [c_char_p, POINTER(c_double)]),
    "teff_text_free": ("nothing", [c_void_p]),
    "teff_profile_start": (None, [c_char_p, MADE]),
    "teff_profile_text": (None, [HANDLE, MADE]),
    "teff_profile_free": ("nothing", [HANDLE]),
    "teff_rows_bind": (None, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "teff_row_kernels_load": (None, [c_char_p, c_void_p, c_int32, c_int32, c_int32,
                                     POINTER(c_char_p), MADE]),
    "teff_pass_load": (None, [c_char_p, c_void_p, c_int32, c_int32, MADE, POINTER(c_int32)]),
    "teff_fused_load": (None, [c_char_p, c_void_p, c_int32, c_int32, MADE, POINTER(c_int32)]),
    "teff_resident_load": (None, [c_char_p, c_void_p, c_int32, c_int32, MADE]),
    "teff_resident_bytes": (None, [c_char_p, POINTER(c_int64)]),
    "teff_rows_bind_passes": (None, [c_void_p, MADE, c_int32, c_void_p, c_void_p, c_void_p,
                                     c_void_p]),
    "teff_call_iterate": (None, [c_void_p]),
    "teff_stepper_free": ("nothing", [HANDLE]),
    "teff_explain": (None, [c_void_p, c_void_p, c_void_p, c_void_p, POINTER(RunOptions), MADE]),
    "teff_report_facts": (None, [HANDLE, POINTER(RunFacts)]),
    "teff_report_text": (None, [HANDLE, MADE]),
    "teff_report_free": ("nothing", [HANDLE]),
}

_lib = None
# By address of a function of Python's that binds a formula: rows, passes and their count, as
# RunOptions takes them instead.
bound_rows = {}


def raise_status(status, good_step=0):
    """The exception of a status, with the message of this thread's last failure."""
    message = _lib.teff_message().decode(errors="replace")
    error = errors.OF_STATUS.get(status, errors.Error)(message)
    if status == 6:
        error.good_step = good_step
    raise error


def check(status, _function, _arguments):
    """What ctypes asks after a call of a function that gives a status."""
    if status:
        raise_status(status)
    return status


def lib():
    """The library, loaded. Its functions raise what their status says."""
    global _lib
    if _lib is None:
        _lib = _load()
    return _lib


def _load():
    try:
        loaded = ctypes.CDLL(PATH)
    except OSError as error:
        raise ImportError(f"teff: {PATH} can not be loaded: {error}. Install the package again, by "
                          "`pip install ./python` or `cmake --install BUILD --component python`.") \
            from error
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(loaded, name)
        function.argtypes = arguments
        if result == "nothing":
            function.restype = None
        elif result is None:
            function.restype = c_int
            if name not in ("teff_call_iterate", "teff_rows_bind", "teff_rows_bind_passes"):
                # (Those have callers that look.)
                function.errcheck = check
        else:
            function.restype = result
    if loaded.teff_c_abi() != ABI:
        raise ImportError(f"teff: {PATH} is of another version ({loaded.teff_c_abi()}, expected "
                          f"{ABI}): install the package again")
    api = ctypes.pythonapi
    loaded.teff_dlpack_capsule_functions(ctypes.cast(api.PyCapsule_IsValid, c_void_p),
                                         ctypes.cast(api.PyCapsule_GetPointer, c_void_p))
    return loaded


def whole(value, what, bits=64, is_signed=True):
    """A whole number that so many bits hold; C would cut off the others without a word."""
    try:
        number = value.__index__()
    except (AttributeError, TypeError):  # (an array has it, and refuses)
        shape = getattr(value, "shape", None)
        got = f"an array of shape {shape}" if shape else repr(value)
        raise TypeError(f"{what} is a whole number, got {got}") from None
    lowest, beyond = (-2 ** (bits - 1), 2 ** (bits - 1)) if is_signed else (0, 2 ** bits)
    if not lowest <= number < beyond:
        raise ValueError(f"{what} is {number}, expected {lowest} to {beyond - 1}")
    return number


def text_of(function, *arguments):
    """The text that a function makes for its caller."""
    made = c_void_p()
    function(*arguments, byref(made))
    try:
        return ctypes.string_at(made).decode(errors="replace")
    finally:
        _lib.teff_text_free(made)


_streams = {}


def stream(device="cpu", native=None):
    """A handle of a device's default stream, or of somebody else's stream; it lives on."""
    key = device, native
    if key not in _streams:
        made = c_void_p()
        if native is None:
            lib().teff_stream_of(device.encode(), byref(made))
        else:
            lib().teff_stream_adopt(device.encode(), native, byref(made))
        _streams[key] = made
    return _streams[key]

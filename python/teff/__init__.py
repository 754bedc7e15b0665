# SPDX-License-Identifier: MIT
"""Teff: memory-bound array computing that knows its own throughput.

Arrays of NumPy, torch, CuPy and JAX are used in place. `teff.sum`, `teff.cumsum` and others are
algorithms along NumPy's axes; `@teff.timestep` and `teff.iterate` make time steps of formulas, with
the same bits and the same speed as in C++. docs/python.md tells it all.
"""

from . import algorithms as _algorithms
from .algorithms import (all, any, argmax, argmin, copy, cumsum, dot, gemv, matmul, max, mean, min,
                         prod, random, scan, segmented_sum, sum, transpose)
from .array import Array
from .equation import chebyshev, conjugate_gradients
from .errors import (CompileError, Error, KernelError, NoDeviceError, NonFiniteError,
                     OutOfMemoryError, UsageError)
from .fd import *
from .formula import (Reduction as _Reduction, boundary, fixed, gradient, periodic, rate, rates,
                      residual, robin, stages, together, update)
from .kernels import kernel
from .machine import info, peak, profile
from .notebook import compare, report
from .picture import animation, show
from .progress import progress
from .reference import compare_with_reference
from .run import euler, explain, iterate, rk2, rk4, ssp_rk3, timestep, warmup
from .solver import poisson
from .trace import Value as _Value

__version__ = "0.1.0"


def max_abs(a, axis=None, out=None, keepdims=False):
    """The largest magnitude: of an array, or in a formula for a residual."""
    if type(a) is _Value:
        return _Reduction("max_abs", a)
    return _algorithms.max_abs(a, axis, out, keepdims)


def norm2(a, axis=None, out=None, keepdims=False):
    """The root of the sum of squares: of an array, or in a formula for a residual."""
    if type(a) is _Value:
        return _Reduction("norm2", a)
    return _algorithms.norm2(a, axis, out, keepdims)

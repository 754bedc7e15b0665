# SPDX-License-Identifier: MIT
"""Teff: memory-bound array computing that knows its own throughput.

Arrays of NumPy, torch, CuPy and JAX are used in place. `teff.sum`, `teff.cumsum` and others are
algorithms along NumPy's axes; `@teff.timestep` and `teff.iterate` make time steps of formulas, with
the same bits and the same speed as in C++. docs/python.md tells it all.
"""

from .algorithms import (all, any, argmax, argmin, copy, cumsum, dot, gemv, matmul, max, mean, min,
                         prod, random, scan, segmented_sum, sum, transpose)
from .algorithms import max_abs, norm2
from .array import Array
from .errors import (CompileError, Error, NoDeviceError, NonFiniteError, OutOfMemoryError,
                     UsageError)
from .machine import info, peak, profile

__version__ = "0.1.0"

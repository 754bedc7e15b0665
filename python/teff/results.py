# SPDX-License-Identifier: MIT
"""New arrays for results, in the framework of the arrays that they come from."""

import sys

from . import interop
from .array import Array


def empty_like(x, cells, shape, cell_type):
    """A new array in the framework of x, on its device."""
    name = interop.framework_of(x)
    dtype = interop.NUMPY_NAMES[cell_type]
    if name == "numpy":
        return sys.modules["numpy"].empty(shape, dtype)
    if name == "cupy":
        with x.device:
            return sys.modules["cupy"].empty(shape, dtype)
    if name == "torch":
        torch = sys.modules["torch"]
        return torch.empty(shape, dtype=getattr(torch, dtype), device=x.device)
    return Array.empty(shape, cell_type, cells.device)


def as_result(x, made):
    """What the caller gets of a new array: of no axes a number, of JAX's own an array of JAX."""
    name = interop.framework_of(x)
    if name == "numpy":
        return made if made.ndim else made[()]
    if name == "jax":
        return sys.modules["jax"].dlpack.from_dlpack(made)
    if name == "teff" or interop.framework_of(made) == "teff":
        return made if made.shape else made.item()
    return made

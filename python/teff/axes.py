# SPDX-License-Identifier: MIT
"""Axes of arrays as algorithms take them, and the arrays that results go to."""

import functools

from . import library
from .interop import cells_of
from .library import BOOL, NAMES, U8, lib
from .results import empty_like

NUMBERS = tuple(tuple(range(rank)) for rank in range(4))


def axes_of(axis, rank, name):
    """The axes as a sorted tuple of numbers from 0; of None all of them."""
    if axis is None:
        return tuple(range(rank))
    if type(axis) is int and -rank <= axis < rank:
        return (axis % rank,)
    given = axis if isinstance(axis, (tuple, list)) else (axis,)
    found = []
    for one in given:
        try:
            number = one.__index__()
        except (AttributeError, TypeError):  # (an array has it, and refuses)
            raise TypeError(f"{name}: an axis is a whole number, got {one!r}") from None
        if not -rank <= number < rank:
            raise ValueError(f"{name}: axis {number} of an array of {rank} axes; they are 0 to "
                             f"{rank - 1}, or -{rank} to -1 counted from the last")
        found.append(number % rank)
    if len(set(found)) != len(found):
        raise ValueError(f"{name}: axis {axis} names one twice")
    return tuple(sorted(found))


def one_axis(axis, rank, name):
    axes = axes_of(axis, rank, name)
    if len(axes) != 1:
        raise ValueError(f"{name} goes along one axis, got {axis!r}: say which, as axis=-1")
    return axes[0]


def merged_axes(name, kept, *arrays):
    """Arrays of one shape with at most three axes: neighbours that are not kept apart, and that lie as
    one in each of them, are taken as one.

    Gives their cells and, for each axis that there was, its new number, as a tuple.
    """
    rank = len(arrays[0].shape)
    if rank <= 3:
        return *arrays, NUMBERS[rank]
    shape, strides, number, groups = [], [], [], []
    for axis, (extent, *steps) in enumerate(zip(arrays[0].shape, *(c.strides for c in arrays))):
        group = axis in kept
        fits = shape and groups[-1] == group and (
            strides[-1] == [step * extent for step in steps] or extent == 1 or shape[-1] == 1)
        if fits:
            strides[-1] = steps if extent != 1 else strides[-1]
            shape[-1] *= extent
        else:
            shape.append(extent)
            strides.append(steps)
            groups.append(group)
        number.append(len(shape) - 1)
    if len(shape) > 3:
        advice = "take one axis after the other" \
            if all(c.viewed(c.shape).strides == c.strides for c in arrays) \
            else "copy it, by np.ascontiguousarray(x), or take one axis after the other"
        raise ValueError(f"{name}: an array of {rank} axes, {arrays[0].shape}, which can not be taken "
                         f"as one of three: {advice}")
    return *(c.viewed(tuple(shape), tuple(steps[i] for steps in strides))
             for i, c in enumerate(arrays)), tuple(number)


def target_of(out, like, cells, shape, cell_type, name):
    """The array of the result, and its cells."""
    if out is None:
        made = empty_like(like, cells, shape, cell_type)
        return made, cells_of(made, "the result")
    to = cells_of(out, f"{name}: out")
    # (Of bool nothing but 0 and 1: where the array is of it, the results that are u8 are so, too.)
    is_type = to.type == cell_type or {to.type, cell_type} == {U8, BOOL} and \
        BOOL in (cell_type, cells.type)
    if tuple(to.shape) != tuple(shape) or not is_type:
        raise ValueError(f"{name}: out has shape {tuple(to.shape)} and cells of {NAMES[to.type]}; "
                         f"the result has shape {tuple(shape)} and cells of {NAMES[cell_type]}")
    check_writable(to, f"{name}: out")
    return out, to


def check_writable(to, what):
    if to.is_read_only:
        raise ValueError(f"{what} can not be written to (read-only, or an array of JAX, which are "
                         "immutable): give a copy, as x.copy()")
    if any(s == 0 and n > 1 for n, s in zip(to.shape, to.strides)) and cells_in(to.shape):
        raise ValueError(f"{what} has cells that are one and the same (strides of 0, as of "
                         "np.broadcast_to): give a copy, as x.copy()")


def check_device(name, first, *others):
    for other in others:
        if other.device != first.device:
            raise ValueError(f"{name}: one array is on {first.device}, another on {other.device}; "
                             "bring them to one device first")


def settle(to, *cells):
    """Where one of the arrays on a GPU has no stream that somebody told, the work on the target `to`
    is done when the call returns."""
    if to.device == "cpu":
        return
    for one in (to, *cells):
        if one.stream is None:
            lib().teff_stream_synchronize(library.stream(to.device, to.stream))
            return


def reshaped(to, shape, name):
    """The target in another shape of as many cells; its axes of one cell come and go."""
    kept = [(n, s) for n, s in zip(to.shape, to.strides) if n != 1]
    wanted = [n for n in shape if n != 1]
    if [n for n, _ in kept] == wanted:
        strides = iter([s for _, s in kept])
        return to.viewed(shape, tuple(next(strides) if n != 1 else 1 for n in shape))
    if to.viewed(to.shape).strides == to.strides:
        return to.viewed(shape)
    raise ValueError(f"{name}: out of shape {tuple(to.shape)} must lie side by side in memory")


@functools.lru_cache(maxsize=None)
def result_type(what, cell_type):
    """The type that a reduction of such cells has."""
    return lib().teff_reduction_type(what, cell_type)


def check_type(name, first, *others):
    for other in others:
        if other.type != first.type:
            raise TypeError(f"{name}: one array has cells of {NAMES[first.type]}, another of "
                            f"{NAMES[other.type]}; convert one of them")


def cells_in(shape):
    total = 1
    for extent in shape:
        total *= extent
    return total

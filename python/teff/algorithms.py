# SPDX-License-Identifier: MIT
"""Algorithms over arrays of any library, along NumPy's axes, with results in the same library.

`axis` counts as NumPy's does: -1 is the last one, x. `out` is an array for the result, of its shape
and type. Sums of f32 are carried in f64, those of integers are i64; min, max, argmin and argmax take
what is not a number for the most extreme of all. Results depend on the shape alone: the same bits in
every run.
"""

import builtins
import ctypes
import operator
from ctypes import c_int, c_void_p

from .axes import (axes_of, cells_in, check_device, check_type, check_writable, merged_axes,
                   one_axis, reshaped, result_type, settle, target_of)
from .interop import cells_of
from .library import BOOL, BYTES, F32, F64, I32, I64, NAMES, U8, lib, whole
from .results import as_result, empty_like

SUM, PROD, MIN, MAX, MAX_ABS, MEAN, NORM2, ARGMIN, ARGMAX, ANY, ALL = range(11)
_OPERATIONS = {"add": 0, "multiply": 1, "minimum": 2, "maximum": 3}
_C_TYPES = (ctypes.c_double, ctypes.c_float, ctypes.c_int64, ctypes.c_int32, ctypes.c_uint8)
_INTS = tuple(c_int * n for n in range(4))


# ---- reductions

def _reduced(what, name, a, axis, out, keepdims):
    cells = cells_of(a, name)
    rank = len(cells.shape)
    axes = axes_of(axis, rank, name)
    cell_type = result_type(what, cells.type)
    if what in (ANY, ALL):
        cell_type = BOOL
    if keepdims:
        shape = tuple(1 if i in axes else n for i, n in enumerate(cells.shape))
    else:
        shape = tuple(n for i, n in enumerate(cells.shape) if i not in axes)
    result, to = target_of(out, a, cells, shape, cell_type, name)
    check_device(name, cells, to)
    if what in (MIN, MAX, MEAN, ARGMIN, ARGMAX) and not builtins.all(cells.shape[i] for i in axes) \
            and builtins.all(n for i, n in enumerate(cells.shape) if i not in axes):
        raise ValueError(f"{name}: there is no cell to take it of, the array has shape "
                         f"{cells.shape}; of nothing there is no {name}")
    if what in (ARGMIN, ARGMAX) and 1 < len(axes) < rank:
        raise ValueError(f"{name} is of all cells or along one axis, got axis={axis!r}")
    if rank and not axes:  # axis=()
        raise ValueError(f"{name}: axis=() leaves nothing to reduce; say axis=None for all cells")
    merged, number = merged_axes(name, axes if len(axes) < rank else (), cells)
    dims = () if len(axes) == rank else sorted({len(merged.shape) - 1 - number[i] for i in axes})
    # What is left of the merged array, with its axes as the result's dims.
    left = tuple(n for i, n in enumerate(merged.shape)
                 if dims and len(merged.shape) - 1 - i not in dims)
    to_write = to
    if tuple(to.shape) != left:
        to_write = reshaped(to, left, name)
    lib().teff_reduce(what, to_write.handle('out'), merged.handle(), len(dims),
                      _INTS[len(dims)](*dims))
    settle(to, cells)
    return as_result(a, result) if out is None else out


def sum(a, axis=None, out=None, keepdims=False):
    """Sum of all cells, or along an axis, or along several."""
    return _reduced(SUM, "sum", a, axis, out, keepdims)


def prod(a, axis=None, out=None, keepdims=False):
    """Product, in the types of sum."""
    return _reduced(PROD, "prod", a, axis, out, keepdims)


def mean(a, axis=None, out=None, keepdims=False):
    """Arithmetic mean; of integers f64."""
    return _reduced(MEAN, "mean", a, axis, out, keepdims)


def min(a, axis=None, out=None, keepdims=False):
    """The smallest value; not a number if one of them is."""
    return _reduced(MIN, "min", a, axis, out, keepdims)


def max(a, axis=None, out=None, keepdims=False):
    """The largest value; not a number if one of them is."""
    return _reduced(MAX, "max", a, axis, out, keepdims)


def norm2(a, axis=None, out=None, keepdims=False):
    """Euclidean norm: the root of the sum of squares, formed in f64."""
    return _reduced(NORM2, "norm2", a, axis, out, keepdims)


def max_abs(a, axis=None, out=None, keepdims=False):
    """The largest magnitude."""
    return _reduced(MAX_ABS, "max_abs", a, axis, out, keepdims)


def argmin(a, axis=None, out=None, keepdims=False):
    """Where the smallest value is first found: its number in C order, or along an axis."""
    return _reduced(ARGMIN, "argmin", a, axis, out, keepdims)


def argmax(a, axis=None, out=None, keepdims=False):
    """Where the largest value is first found: its number in C order, or along an axis."""
    return _reduced(ARGMAX, "argmax", a, axis, out, keepdims)


def any(a, axis=None, out=None, keepdims=False):
    """Whether any cell is not 0."""
    return _reduced(ANY, "any", a, axis, out, keepdims)


def all(a, axis=None, out=None, keepdims=False):
    """Whether no cell is 0."""
    return _reduced(ALL, "all", a, axis, out, keepdims)


def dot(a, b):
    """Sum of the products of two vectors."""
    left, right = cells_of(a, "dot: a"), cells_of(b, "dot: b")
    if len(left.shape) != 1 or left.shape != right.shape:
        raise ValueError(f"dot takes two vectors of one length, got shapes {left.shape} and "
                         f"{right.shape}; matrices are multiplied by gemv and matmul")
    check_device("dot", left, right)
    check_type("dot", left, right)
    cell_type = result_type(SUM, left.type)
    result, to = target_of(None, a, left, (), cell_type, "dot")
    lib().teff_dot(to.handle(), left.handle("a"), right.handle("b"))
    settle(to, left)
    return as_result(a, result)


# ---- scans

def _for_scan(name, a, axis):
    cells = cells_of(a, name)
    if axis is None and len(cells.shape) != 1:
        flat = cells.viewed((cells_in(cells.shape),))
        if cells.viewed(cells.shape).strides != cells.strides:
            raise ValueError(f"{name}: without an axis the cells are taken in C order, and these do "
                             "not lie so: say axis=..., or copy the array")
        cells, axis = flat, 0
    return cells, one_axis(axis if axis is not None else 0, len(cells.shape), name)


def _scanned(name, a, cells, axis, out, cell_type, call):
    result, to = target_of(out, a, cells, cells.shape, cell_type, name)
    check_device(name, cells, to)
    merged, target, number = merged_axes(name, (axis,), cells, to)
    call(target.handle("out"), merged.handle(), len(merged.shape) - 1 - number[axis])
    settle(to, cells)
    return as_result(a, result) if out is None else out


def cumsum(a, axis=None, out=None):
    """Cumulative sum along an axis (of all cells in C order without one); of integers i64.

    `out` may be `a` itself, and of integers also of their own type.
    """
    cells, axis = _for_scan("cumsum", a, axis)
    cell_type = result_type(SUM, cells.type)
    if out is not None and cells_of(out, "cumsum: out").type == cells.type != BOOL:
        cell_type = cells.type
    return _scanned("cumsum", a, cells, axis, out, cell_type, lib().teff_cumsum)


def scan(a, axis=None, op="add", init=None, exclusive=False, out=None):
    """Cumulative "add", "multiply", "minimum" or "maximum" along an axis, in the array's type.

    `init` comes before the first cell; an exclusive scan, which leaves each cell out of its own
    result, needs it.
    """
    if not isinstance(op, str) or op not in _OPERATIONS:
        raise ValueError(f"scan: op={op!r}, expected one of {', '.join(_OPERATIONS)}")
    cells, axis = _for_scan("scan", a, axis)
    if exclusive and init is None:
        raise ValueError("scan: an exclusive scan needs the value of the first cell; give it as "
                         "init=...")
    if cells.type == BOOL and op == "add":
        raise TypeError("scan: op='add' of bool would count, and its result be bool: take "
                        "teff.cumsum(a), which is i64, or give a.view('u1') or a.astype('i8')")
    kind = _C_TYPES[U8 if cells.type == BOOL else cells.type]
    if init is not None and cells.type not in (F64, F32):
        init = whole(init, f"scan: init of an array of {NAMES[cells.type]}",
                     1 if cells.type == BOOL else 8 * BYTES[cells.type],
                     cells.type in (I64, I32))
    first = None if init is None else kind(init)
    pointer = None if first is None else ctypes.cast(ctypes.byref(first), c_void_p)

    def call(target, array, dim):
        lib().teff_scan(target, array, dim, _OPERATIONS[op], pointer, int(bool(exclusive)))
    return _scanned("scan", a, cells, axis, out, cells.type, call)


# ---- matrices

def gemv(A, x, out=None, alpha=1.0, beta=0.0):
    """alpha A x + beta out, for a matrix (m, n) and a vector of n cells; f64 or f32."""
    a, v = cells_of(A, "gemv: A"), cells_of(x, "gemv: x")
    if len(a.shape) != 2 or len(v.shape) != 1 or a.shape[1] != v.shape[0]:
        raise ValueError(f"gemv: A of shape (m, n) times x of shape (n,), got {a.shape} and "
                         f"{v.shape}")
    if out is None and beta != 0:
        raise ValueError("gemv: beta counts what out holds; give out, or leave beta 0")
    check_type("gemv", a, v)
    result, to = target_of(out, A, a, (a.shape[0],), a.type, "gemv")
    check_device("gemv", a, v, to)
    lib().teff_gemv(float(alpha), a.handle("A", (0, 1)), v.handle("x"), float(beta), to.handle("y"))
    settle(to, a)
    return as_result(A, result) if out is None else out


def matmul(A, B, out=None):
    """The product of two matrices, (m, k) and (k, n), by the vendor's BLAS; f64 or f32."""
    a, b = cells_of(A, "matmul: A"), cells_of(B, "matmul: B")
    if len(a.shape) != 2 or len(b.shape) != 2 or a.shape[1] != b.shape[0]:
        raise ValueError(f"matmul: A of shape (m, k) times B of shape (k, n), got {a.shape} and "
                         f"{b.shape}; a matrix times a vector is gemv")
    check_type("matmul", a, b)
    result, to = target_of(out, A, a, (a.shape[0], b.shape[1]), a.type, "matmul")
    check_device("matmul", a, b, to)
    lib().teff_matmul(to.handle("C", (0, 1)), a.handle("A", (0, 1)), b.handle("B", (0, 1)))
    settle(to, a)
    return as_result(A, result) if out is None else out


def transpose(a, axes=None, out=None):
    """A copy with the axes in another order; without `axes` in reverse."""
    cells = cells_of(a, "transpose")
    rank = len(cells.shape)
    given = tuple(range(rank))[::-1] if axes is None else axes
    order = tuple(one_axis(i, rank, "transpose") for i in given) \
        if hasattr(given, "__iter__") else ()
    if sorted(order) != list(range(rank)) or not 2 <= rank <= 3:
        raise ValueError(f"transpose: axes {given!r} of an array of {rank} axes; it takes arrays of "
                         "two or three, and each of their axes once")
    shape = tuple(cells.shape[i] for i in order)
    result, to = target_of(out, a, cells, shape, cells.type, "transpose")
    check_device("transpose", cells, to)
    dims = _INTS[rank](*(rank - 1 - order[rank - 1 - d] for d in range(rank)))
    lib().teff_permute(to.handle("out"), cells.handle(), dims)
    settle(to, cells)
    return as_result(a, result) if out is None else out


def segmented_sum(X, offsets, out=None):
    """Sums of bags of rows: row b of the result is the sum of the rows offsets[b]:offsets[b + 1].

    X has one or two axes; offsets are sorted, i64 or i32, one more than there are bags.
    """
    cells, bags = cells_of(X, "segmented_sum: X"), cells_of(offsets, "segmented_sum: offsets")
    if len(cells.shape) not in (1, 2) or len(bags.shape) != 1 or bags.type not in (I64, I32) or \
            bags.shape[0] < 1:
        raise ValueError("segmented_sum: X of one or two axes and offsets of one, i64 or i32, got "
                         f"{cells.text()} and {bags.text()}")
    cell_type = result_type(SUM, cells.type)
    shape = (bags.shape[0] - 1,) + cells.shape[1:]
    result, to = target_of(out, X, cells, shape, cell_type, "segmented_sum")
    check_device("segmented_sum", cells, bags, to)
    lib().teff_segmented_sum(_as_rows(to).handle("out"), _as_rows(cells).handle("X"),
                             bags.handle("offsets"))
    settle(to, cells)
    return as_result(X, result) if out is None else out


def _as_rows(cells):
    """Of one axis: rows of one cell."""
    if len(cells.shape) == 2:
        return cells
    return cells.viewed(cells.shape + (1,), cells.strides + (1,))


# ---- others

def random(shape=None, seed=0, dtype="f64", normal=False, out=None, like=None):
    """Random numbers, uniform in [0, 1) or of the standard normal distribution, f64 or f32.

    They depend on the seed and a cell's place alone: the same on every device. They are written to
    `out`, or are a new array in the framework of `like`, or of Teff's own.
    """
    if out is None:
        from .array import Array
        if shape is None:
            raise TypeError("random: give shape=..., or out=...")
        try:
            shape = (operator.index(shape),)
        except TypeError:  # several
            shape = tuple(shape) if hasattr(shape, "__iter__") else (shape,)
        shape = tuple(whole(n, "random: an extent of shape") for n in shape)
        types = {"f64": F64, "float64": F64, "f32": F32, "float32": F32}
        if dtype not in types:
            raise ValueError(f"random: dtype={dtype!r}, expected 'f64' or 'f32'")
        if like is None:
            result = Array.empty(shape, types[dtype])
        else:
            result = empty_like(like, cells_of(like, "random: like"), shape, types[dtype])
    else:
        result = out
    to = cells_of(result, "random: out")
    check_writable(to, "random: out")
    if not hasattr(seed, "__index__"):
        raise TypeError(f"random: seed is a whole number, got {seed!r}")
    lib().teff_random(to.handle("out"), seed.__index__() % 2**64, int(bool(normal)))
    settle(to)
    return result


def copy(a, out=None):
    """A copy, cell by cell: a new array, or `out` of its type."""
    cells = cells_of(a, "copy")
    result, to = target_of(out, a, cells, cells.shape, cells.type if out is None else
                         cells_of(out, "copy: out").type, "copy")
    if cells.type != to.type:
        raise TypeError(f"copy: from cells of {NAMES[cells.type]} to {NAMES[to.type]}: convert "
                        "them first, as a.astype(...)")
    target, merged, _ = merged_axes("copy", (), to, cells)
    lib().teff_copy(target.handle("out"), merged.handle())
    settle(to, cells)
    return result

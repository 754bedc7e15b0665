# SPDX-License-Identifier: MIT
"""Solvers over arrays of any library."""

import ctypes
import math
import time

from .axes import check_device, check_type, check_writable, settle
from .errors import UsageError
from .formula import boundary
from .interop import cells_of
from .library import F32, F64, PoissonFacts, PoissonOptions, PoissonSide, lib, text_of, whole

_METHODS = {"automatic": 0, "multigrid": 1, "preconditioned": 2, "conjugate_gradients": 3}


class Solution:
    """How a solution was found; its text is one line.

    `iterations`, `residual` (relative), `tolerance` (that was asked for), `has_converged`, `is_stuck`
    (rounding let the residual get no smaller), `seconds`; `factor` (by which a V-cycle multiplied the
    residual, the mean) of multigrid, and `bounds` (of A's eigenvalues, used last) of Chebyshev's
    iteration, else None.
    """

    __slots__ = ("iterations", "residual", "tolerance", "has_converged", "is_stuck", "seconds",
                 "factor", "bounds", "_text")

    def __init__(self, facts, tolerance, text, seconds, factor=None, bounds=None):
        self.iterations, self.residual, self.tolerance = facts.iterations, facts.residual, tolerance
        self.has_converged, self.is_stuck = bool(facts.has_converged), bool(facts.is_stuck)
        self.seconds, self.factor, self.bounds, self._text = seconds, factor, bounds, text

    def __repr__(self):
        return self._text


def poisson(u, f, spacing=1.0, sides=None, coefficient=None, tolerance=1e-10, iterations=0,
            method="automatic", project=False):
    """Solves -div(k grad u) = f for the cells u, in place, from the values that they have.

    Arrays of two or three axes, f64 or f32; x is the last one. `spacing` of cells is a number, or
    one for each axis. `sides` is a teff.boundary of numbers at the walls, the outer faces of the
    outermost cells: periodic, fixed(v), gradient(slope per cell); what is left out is closed. Where
    no side has a value f must sum to 0; `project=True` subtracts its mean, and u is the solution
    with the mean 0. `coefficient` are positive numbers k, one for each cell. By V-cycles of
    multigrid, and where these gain too little by conjugate gradients, unless `method` says
    "multigrid", "preconditioned" or "conjugate_gradients".
    """
    cells, right = cells_of(u, "poisson: u"), cells_of(f, "poisson: f")
    rank = len(cells.shape)
    if rank not in (2, 3) or cells.type not in (F64, F32):
        raise ValueError("poisson: u is an array of two or three axes of f64 or f32, got "
                         f"{cells.text()}")
    check_writable(cells, "poisson: u")
    given = [("f", right)]
    if coefficient is not None:
        given.append(("coefficient", cells_of(coefficient, "poisson: coefficient")))
    for name, other in given:
        if other.shape != cells.shape:
            raise ValueError(f"poisson: u has shape {cells.shape} and {name} {other.shape}; they "
                             "must have one shape")
        check_type("poisson", cells, other)
        check_device("poisson", cells, other)
    if not isinstance(method, str) or method not in _METHODS:
        raise ValueError(f"poisson: method={method!r}, expected one of {', '.join(_METHODS)}")
    options = PoissonOptions(tolerance=real("poisson", "tolerance", tolerance),
                             iterations=whole(iterations, "poisson: iterations"),
                             method=_METHODS[method], project=int(bool(project)))
    for dim, h in enumerate(reversed(_spacings(spacing, rank))):
        options.lengths[dim] = h * cells.shape[rank - 1 - dim]
    for dim, upper, kind, number in _sides(sides, rank):
        options.sides[dim][upper] = PoissonSide(kind, number)
    facts = PoissonFacts()
    started = time.perf_counter()
    try:
        text = text_of(lib().teff_poisson, cells.handle("u"), right.handle("f"),
                       given[1][1].handle("coefficient") if len(given) > 1 else None,
                       ctypes.byref(options), ctypes.byref(facts))
    except UsageError as error:  # in the words of C++
        raise UsageError(str(error).replace("set .project = true", "give project=True")) from None
    settle(cells, *(other for _, other in given))
    return Solution(facts, options.tolerance, text, time.perf_counter() - started, facts.factor)


def _spacings(spacing, rank):
    spacings = list(spacing) if isinstance(spacing, (tuple, list)) or \
        getattr(spacing, "shape", ()) != () else [spacing] * rank
    if len(spacings) != rank:
        raise ValueError(f"poisson: spacing={spacing!r} of arrays of {rank} axes: give a number, "
                         "or one for each axis")
    spacings = [real("poisson", "spacing", h) for h in spacings]
    if not all(0 < h < math.inf for h in spacings):
        raise ValueError(f"poisson: spacing={spacing!r}: expected numbers above 0")
    return spacings


def real(solver, name, number):
    """A float. Raises TypeError."""
    try:
        return float(number)
    except (TypeError, ValueError):
        raise TypeError(f"{solver}: {name}={number!r}: expected a number") from None


def _sides(sides, rank):
    """(dim, is_upper, kind, number) of each side that is not closed."""
    if sides is None:
        return
    if not isinstance(sides, boundary):
        raise TypeError("poisson: sides=teff.boundary(x=teff.periodic, y=(teff.fixed(0.0), "
                        f"teff.gradient(0.0))), or such, got {sides!r}")
    for name, pair in sides._dims:
        dim = "xyz".index(name)
        if dim >= rank:
            raise ValueError(f"poisson: sides of {name}, of arrays of {rank} axes")
        for upper, side in enumerate(pair):
            kind = {("fixed", 1): 1, ("gradient", 1): 2, ("periodic", 0): 3}.get(
                (side._name, len(side._numbers)))
            try:
                number = float(side._numbers[0]) if kind in (1, 2) else 0.0
            except TypeError:
                kind = None
            if kind is None:
                raise ValueError(f"poisson: the {'high' if upper else 'low'} side of {name} is "
                                 f"teff.{side._name}; walls take teff.periodic, teff.fixed(v) or "
                                 "teff.gradient(s) with a number")
            yield dim, upper, kind, number

# SPDX-License-Identifier: MIT
"""Values of a run, kept in a file with which later runs are compared."""

import os
from ctypes import c_char_p

from . import interop, library


def compare_with_reference(path, steps=0, tolerance=None, cells=40, **arrays):
    """Compares arrays with a file of some of their values; with TEFF_RECORD=1 in the environment,
    writes that file instead.

        teff.compare_with_reference("heat.ref", steps=1000, T=T)

    Values may differ by (10 + steps) * epsilon of the largest kept one, or by `tolerance` of it;
    integers are equal. `cells` of each array are kept. The file, and messages, count cells x first:
    T[iy, ix] is the cell (ix,iy). Programs in C++ read and write the same files. Raises teff.Error
    with the cell that differs most.
    """
    handles = [interop.cells_of(x, name).handle(name) for name, x in arrays.items()]
    count = len(arrays)
    library.lib().teff_compare_with_reference(
        os.fsencode(path), count, (c_char_p * count)(*(name.encode() for name in arrays)),
        (library.HANDLE * count)(*(one.value for one in handles)), steps,
        -1.0 if tolerance is None else tolerance, cells)

# SPDX-License-Identifier: MIT
"""A formula and its fields as C takes them, kept from run to run: what a call costs is then little more
than its look at the arrays.
"""

from ctypes import addressof, c_void_p

from . import library
from .compiled import rows_asked
from .library import RunCall, RunOptions


class Bound:
    """A formula and its fields, as C takes them: where the fields are, without holding them; what was
    seen of the arrays; and what TEFF_ROWS asked for when they were met, since looking up a variable
    takes a microsecond."""

    __slots__ = ("seen", "fields", "waits", "addresses", "rows_asked", "_kept")

    def __init__(self, seen, fields, labels):
        self.seen, self.rows_asked = seen, rows_asked()
        handles = [c.handle(label) for c, label in zip(fields, labels)]
        self._kept = handles, (c_void_p * len(fields))(*[h.value for h in handles])
        self.addresses = addressof(self._kept[1])
        self.fields = [c.viewed(c.shape, c.strides) for c in fields]
        for cells in self.fields:
            cells.keeper = cells.source = None
        # Where a field on a GPU has no stream that somebody told, the run is over when iterate is.
        is_untold = any(c.device != "cpu" and c.stream is None for c in fields)
        self.waits = [library.stream(c.device, c.stream) for c in fields] if is_untold else ()


class Call:
    """Runs as C takes them, one after the other; of one thread at a time."""

    __slots__ = ("options", "bind", "bound", "block", "_address", "_iterate")

    def __init__(self, options=None):
        self.options = options or RunOptions()
        self.block = RunCall(options=addressof(self.options))
        self.bind = self.bound = None
        self._address, self._iterate = addressof(self.block), library.lib().teff_call_iterate

    def take(self, bind, numbers, bound):
        """Another function that binds the formula, by its address, or other fields."""
        self._let_go()
        self.bind, self.bound, block, options = bind, bound, self.block, self.options
        block.bind, block.fields = bind, bound.addresses
        block.reals, block.integers = numbers
        options.rows, options.passes, options.pass_count = \
            library.bound_rows.get(bind, (None, None, 0))

    def run(self, beside):
        """The status. @param beside None, or what stands around the run"""
        if beside is None:
            return self._iterate(self._address)
        with beside:
            return self._iterate(self._address)

    def _let_go(self):
        if self.block.kept:
            library._lib.teff_stepper_free(self.block.kept)
            self.block.kept = None

    def __del__(self):
        if library is not None and library._lib is not None and hasattr(self, "block"):
            self._let_go()

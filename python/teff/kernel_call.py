# SPDX-License-Identifier: MIT
"""A kernel and its arrays as C takes them, kept from call to call: what one costs is then little more
than its look at the arrays.
"""

import ctypes
from ctypes import addressof, c_double, c_int64, c_void_p

from . import library
from .kernel_launch import Facts, Launch


class Call:
    """Launches as C takes them, one after the other; of one thread at a time.

    arrays: those of the first launch, as long as it runs: some have memory of their own, made for it.
    A call that is kept says where arrays are, and holds none.
    seen, launch: what they looked like, and all else that it depends on but for numbers."""

    __slots__ = ("arrays", "seen", "launch", "device", "options", "_run", "_on", "_others", "_is_untold", "_numbers",
                 "_reals", "_integers", "_facts", "_given", "_kept", "_told")

    def __init__(self, run, arrays, labels, numbers, options):
        """numbers: place, name and kind of each"""
        self.arrays = arrays
        self.seen = self.launch = self._told = None
        self.device, self.options, self._run, self._numbers = arrays[0].device, options, run, numbers
        self._on, self._others = _streams_of(arrays)
        self._is_untold = self.device != "cpu" and any(c.stream is None for c in arrays)
        self._reals, self._integers = ((kind * len(numbers))() for kind in (c_double, c_int64))
        handles = [cells.handle(label) for cells, label in zip(arrays, labels)]
        self._kept = handles, (c_void_p * len(handles))(*[h.value for h in handles])
        self._facts = Facts()
        self._given = (self._on.value, addressof(self._kept[1]), addressof(self._reals),
                       addressof(self._integers), addressof(options))

    def run(self, values, prints):
        """The status. Of a kernel that prints the lines are there, on a GPU as on a CPU."""
        reals = integers = 0
        for place, name, kind in self._numbers:
            if kind == "real":
                self._reals[reals] = values[place]
                reals += 1
            else:
                self._integers[integers] = integer_of(values[place], name, kind)
                integers += 1
        for other in self._others:
            library.lib().teff_stream_wait_for(self._on, other)
        status = self._run(*self._given, None if self._told else addressof(self._facts))
        if status:
            return status
        for other in self._others:
            library.lib().teff_stream_wait_for(other, self._on)
        if self._is_untold or prints and self.device != "cpu":
            library.lib().teff_stream_synchronize(self._on)
            if prints:
                ctypes.CDLL(None).fflush(None)  # of C, where CUDA has put it
        return 0

    def told(self, is_of_blocks):
        """What the launch was; on a GPU each is as the first one."""
        told = self._told
        if told is None:
            told = Launch(is_of_blocks, self.device, self.options, self._facts)
            if self.device != "cpu":
                self._told = told
        return told


def integer_of(value, name, kind):
    """What C gets of an integer or a bool, NumPy's too."""
    return bool(value) if kind == "bool" else library.whole(value, f"teff.kernel: argument '{name}'")


def _streams_of(arrays):
    """The stream that a kernel runs on, of its first array; and those that are ordered with it."""
    device, first = arrays[0].device, arrays[0].stream
    others = {cells.stream for cells in arrays} - {first} if device != "cpu" else ()
    return library.stream(device, first), [library.stream(device, other) for other in others]

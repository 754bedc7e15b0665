# SPDX-License-Identifier: MIT
"""What is known of the machine, and of a program's operations."""

import ctypes
from ctypes import c_double, c_void_p

from .library import lib, text_of


def info():
    """The devices that there are, in words."""
    return text_of(lib().teff_info)


class Peak(float):
    """GB/s of a copy far beyond the caches."""

    def __repr__(self):
        return f"{float(self):.4g} GB/s copy"

    __str__ = __repr__


def peak(device="cpu"):
    """What memory can do: the ceiling that reports compare with. Measured at first use."""
    found = c_double()
    lib().teff_peak(device.encode(), ctypes.byref(found))
    return Peak(found.value)


class profile:
    """`with teff.profile("name") as p:` times all operations; its table goes to stderr at the end.

    `p.table()` is the table so far, as text.
    """

    def __init__(self, name="profile"):
        self._made = c_void_p()
        self._name = name

    def __enter__(self):
        lib().teff_profile_start(self._name.encode(), ctypes.byref(self._made))
        return self

    def __exit__(self, *_error):
        lib().teff_profile_free(self._made)
        self._made = None

    def table(self):
        if not self._made:
            raise ValueError("a profile has its table within `with teff.profile(...) as p:`")
        return text_of(lib().teff_profile_text, self._made)

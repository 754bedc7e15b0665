# SPDX-License-Identifier: MIT
"""Errors of Teff: what was expected, what was got, where, and what to do."""


class Error(RuntimeError):
    """Every error that comes from the library."""


class UsageError(Error, ValueError):
    """Asked for what makes no sense."""


class OutOfMemoryError(Error, MemoryError):
    """There is no room."""


class NonFiniteError(Error, ArithmeticError):
    """A field holds what is not finite. The fields hold the state after step `good_step`."""

    good_step = 0


class NoDeviceError(Error):
    """There is no such device, or a library that it needs is missing."""


class CompileError(Error):
    """A time step or a kernel could not be compiled."""


class KernelError(Error):
    """A kernel did what has no meaning: an index beyond an array, a failed assertion; in the emulator
    also a race, a barrier that not all threads reach, a read of what nobody has written."""


OF_STATUS = {2: UsageError, 5: OutOfMemoryError, 6: NonFiniteError, 7: NoDeviceError}
STOPPED = 130

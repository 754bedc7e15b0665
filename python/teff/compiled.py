# SPDX-License-Identifier: MIT
"""What a formula is compiled to: at once rows (rows.py), which make single steps, by a C compiler or on
a GPU by NVRTC; and beside a run that takes longer the C++ text, which knows all schedules, or where
there is no nvcc kernels of several steps per pass by NVRTC (gpu_passes.py). The run goes over to that
as soon as it is there; no bit depends on when.
"""

import ctypes
import math
import os
import threading
import time

from . import build, cache, compilers, library
from .errors import Error
from .progress import UNWATCHED_STEPS

AUTOMATIC, FUSED, TEMPORAL, RESIDENT = 0, 2, 3, 4  # schedules (teff_c.h)
MORE_TO_COME = "as it began, kernels of more steps per pass were being compiled"
AFTER_S = 0.3  # of runs as rows: what is done sooner needs no better code

_known = {}  # by text and architecture


def of(traced):
    """Of a formula with this text, over fields that fit a GPU's chip or over others; another trace of it
    has the same."""
    if traced.device != "cpu":
        bytes_of_all = sum(math.prod(c.shape) * library.BYTES[c.type] for c in traced.fields)
        traced.fits_chip = bytes_of_all <= compilers.chip_bytes_of(traced.device)
    key = traced.text, compilers.architecture_of(traced.device), traced.fits_chip
    if key not in _known:
        _known[key] = Compiled(traced)
    return _known[key]


def rows_asked():
    """What TEFF_ROWS asks for."""
    return os.environ.get("TEFF_ROWS")


class Compiled:
    """Functions that bind a formula's text; the text is compiled when one is asked for."""

    def __init__(self, traced):
        self._traced = traced.without_fields()
        whole = build.bind_if_compiled(self._traced)
        self._whole = ctypes.c_void_p(whole and whole.value)  # where a run looks for it, too
        self._rows = None
        self._passes = ctypes.c_void_p()  # with the kernels that there are
        self._all_passes = ctypes.c_void_p()  # with all of them; likewise
        self._no_passes = ""  # why there are none
        self._rest = None  # the thread that takes the other kernels
        self._began_with = TEMPORAL
        self._is_on_gpu, self._why_not = traced.device != "cpu", None
        self.note = ""  # for the report of the run
        self.left_s, self.thread = AFTER_S, None
        self._takes_passes = threading.Lock()  # one thread at a time

    def whole(self):
        """What binds it with all schedules. Raises CompileError."""
        if not self._whole.value:
            self._whole.value = build.bind_of(self._traced).value
        return self._whole

    def rows(self, fields, asked=None):
        """What binds it as rows, as long as there is nothing better; None where that can not be.
        @param asked by TEFF_ROWS: "0": never, "only": always"""
        if asked == "0" or self._whole.value and asked != "only":
            return None
        for cells in fields:
            if cells.strides[-1] != 1 and cells.shape[-1] > 1:
                return None
        if self._rows is None:
            self._rows = build.bind_as_rows(self._traced) or False
        return self._rows or None

    def for_run(self, fields, options, is_stepwise, asked=None):
        """What binds it for a run, and what stands around the run, or None."""
        if self._whole.value and asked != "only":
            self.note = ""
            return self._whole, None
        is_free = options.schedule == AUTOMATIC and options.depth == 0
        asks_passes = self._is_on_gpu and not is_free and not is_stepwise and \
            options.schedule in (AUTOMATIC, FUSED, TEMPORAL, RESIDENT)
        needed = options.schedule if options.schedule in (FUSED, RESIDENT) else TEMPORAL
        rows = self.rows(fields, asked) if is_free or is_stepwise or asks_passes else None
        self.note = ""
        if rows is None:
            return self.whole(), None
        if asked == "only":
            return rows, None
        if asks_passes or self._is_on_gpu and not is_stepwise and self._lacks():
            passes = self.passes(asks_passes, options.depth > 0, needed)
            if passes is not None:
                if self._awaits_rest() and needed == TEMPORAL:
                    self.note = MORE_TO_COME
                    options.successor = ctypes.addressof(self._all_passes)
                return passes, None
        if asks_passes:
            return self._instead_of_passes(rows)
        if self._is_on_gpu and self._lacks():
            if is_stepwise or self._no_passes:  # then a run is enqueued, and not waited for
                self.note = "" if is_stepwise else self._words()
                return rows, None
            successor = self._all_passes
        else:
            successor = self._whole
        if options.steps > 1 and \
                (self.thread is None or self.thread.is_alive() or successor.value):
            options.successor = ctypes.addressof(successor)  # else nothing will be there
        return rows, _Beside(self, options.steps)

    def passes(self, is_waited_for, needs_all=False, needed=TEMPORAL):
        """What binds it with several steps per pass by NVRTC; None as long as that is not compiled, if
        it is not waited for, or where it can not be.
        @param needs_all it is to have all kernels, which are waited for
        @param needed the schedule whose kernel is waited for, likewise"""
        if not self._passes.value and not self._no_passes and \
                self._takes_passes.acquire(blocking=is_waited_for):
            try:
                self._look_for_passes(is_waited_for, needed)
            except Error as error:
                self._no_passes = str(error)
            finally:
                self._takes_passes.release()
        if needs_all or needed not in (TEMPORAL, self._began_with):
            with self._takes_passes:  # else the thread may be about to start
                rest = self._rest
            if rest is not None:
                rest.join()
        return self._passes if self._passes.value else None

    def _look_for_passes(self, is_waited_for, needed):
        if self._passes.value:  # of another thread, meanwhile
            return
        from . import gpu_passes  # later than the package, which is to be imported quickly
        self._no_passes = gpu_passes.refused(self._traced)
        is_under_way = self.thread is not None and self.thread.is_alive()
        if not self._no_passes and (is_waited_for or not is_under_way and
                                    gpu_passes.is_compiled(self._traced)):
            self._take_passes(needed)

    def _take_passes(self, needed=TEMPORAL):
        """The first as soon as they are compiled; the others are taken beside what follows."""
        from . import gpu_passes
        self._began_with = needed
        first = {FUSED: gpu_passes.FUSED, RESIDENT: gpu_passes.RESIDENT}.get(needed, 0)
        made = gpu_passes.bindings(self._traced, first)
        if not self._publish(*next(made)):
            rest = threading.Thread(target=self._take_rest, args=(made,), daemon=True)
            rest.start()
            self._rest = rest

    def _publish(self, bind, is_all):
        self._passes.value = bind.value
        if is_all:
            self._all_passes.value = bind.value
        return is_all

    def _take_rest(self, made):
        try:
            for bind, is_all in made:
                self._publish(bind, is_all)
        except Error as error:
            if not build.is_ending.is_set():
                cache.warn_once(f"{self._traced.name} goes on without some kernels of several steps, since a "
                                f"kernel could not be compiled: {error}")

    def _awaits_rest(self):
        return self._rest is not None and self._rest.is_alive()

    def without_cpp(self, fields):
        """What binds it where no C++ can be compiled; None where nothing does."""
        rows = self.rows(fields, rows_asked())
        return rows and (self._is_on_gpu and self.passes(True, needs_all=True) or rows)

    def warm_up(self, fields):
        """Compiles what longer runs take. Raises CompileError."""
        if not (self._is_on_gpu and self._lacks() and self.rows(fields, rows_asked()) and
                self.passes(True, needs_all=True)):
            self.whole()

    def _instead_of_passes(self, rows):
        """Where NVRTC makes none: nvcc does, or single steps do."""
        if not self._lacks():
            return self.whole(), None
        self.note = self._words()
        return rows, None

    def _words(self):
        """Of the report: why there are single steps alone."""
        from . import gpu_passes
        if gpu_passes.is_in_one_dim(self._traced):  # then what is lacking would make none either
            return self._no_passes
        return f"for several per pass: {self._lacks()}; NVRTC makes none here: {self._no_passes}"

    def _lacks(self):
        if self._why_not is None:
            self._why_not = compilers.lacking(compilers.architecture_of(self._traced.device))
        return self._why_not

    def start(self):
        """Begins to compile what is better than rows, in a thread of its own."""
        self.thread = threading.Thread(target=self._compile, daemon=True)
        self.thread.start()

    def _compile(self):
        try:
            if self._is_on_gpu and self._lacks():
                with self._takes_passes:
                    if not self._passes.value:
                        self._take_passes()
            else:
                self._whole.value = build.bind_in_background(self._traced).value
        except Error as error:
            if self._is_on_gpu and self._lacks():  # else it was a whole program that failed
                self._no_passes = self._no_passes or str(error)
            if not build.is_ending.is_set():
                cache.warn_once(f"{self._traced.name} goes on by single steps, since what makes "
                                f"several per pass could not be compiled: {error}")


class _Beside:
    """Around a run as rows: what is better is compiled once enough time went into such runs."""

    __slots__ = ("_of", "_begin", "_timer")

    def __init__(self, of, steps):
        self._of, self._begin, self._timer = of, time.monotonic(), None
        if of.thread is None and of.left_s <= 0:
            of.start()
        elif of.thread is None and steps > UNWATCHED_STEPS:
            self._timer = threading.Timer(of.left_s, of.start)
            self._timer.daemon = True
            self._timer.start()

    def __enter__(self):
        pass

    def __exit__(self, *_error):
        self._of.left_s -= time.monotonic() - self._begin
        if self._timer is not None:
            self._timer.cancel()

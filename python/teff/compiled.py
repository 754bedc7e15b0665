# SPDX-License-Identifier: MIT
"""What a formula is compiled to: at once rows (rows.py), which make single steps, by a C compiler or on
a GPU by NVRTC; and beside a run that takes longer the C++ text, which knows all schedules. The run
goes over to that as soon as it is there; no bit depends on when.
"""

import contextlib
import ctypes
import os
import threading
import time

from . import build, cache, compilers
from .errors import Error
from .progress import UNWATCHED_STEPS

AFTER_S = 0.3  # of runs as rows: what is done sooner needs no better code

_known = {}  # by text and architecture
_alone = contextlib.nullcontext()


def of(traced):
    """Of a formula with this text; another trace of it has the same."""
    key = traced.text, compilers.architecture_of(traced.device)
    if key not in _known:
        _known[key] = Compiled(traced)
    return _known[key]


class Compiled:
    """Functions that bind a formula's text; the text is compiled when one is asked for."""

    def __init__(self, traced):
        self._traced = traced.without_fields()
        whole = build.bind_if_compiled(self._traced)
        self._whole = ctypes.c_void_p(whole and whole.value)  # where a run looks for it, too
        self._rows = None
        self._is_on_gpu, self._why_not = traced.device != "cpu", None
        self.note = ""  # for the report of the run
        self._left_s, self._thread = AFTER_S, None

    def whole(self):
        """What binds it with all schedules. Raises CompileError."""
        if not self._whole.value:
            self._whole.value = build.bind_of(self._traced).value
        return self._whole

    def rows(self, fields):
        """What binds it as rows, as long as there is nothing better; None where that can not be.
        TEFF_ROWS is "0": never, "only": always."""
        asked = os.environ.get("TEFF_ROWS")
        if asked == "0" or self._whole.value and asked != "only" or \
                any(c.shape[-1] > 1 and c.strides[-1] != 1 for c in fields):
            return None
        if self._rows is None:
            self._rows = build.bind_as_rows(self._traced) or False
        return self._rows or None

    def for_run(self, fields, options, is_stepwise):
        """What binds it for a run, and what stands around the run."""
        is_free = options.schedule == 0 and options.depth == 0
        rows = self.rows(fields) if is_free or is_stepwise else None
        self.note = ""
        if rows is None:
            return self.whole(), _alone
        if os.environ.get("TEFF_ROWS") == "only":
            return rows, _alone
        if self._is_on_gpu and self._lacks():  # then a run is enqueued, and not waited for
            self.note = "" if is_stepwise else f"for several per pass: {self._lacks()}"
            return rows, _alone
        if self._thread is None or self._thread.is_alive() or self._whole.value:
            options.successor = ctypes.addressof(self._whole)  # else nothing will be there
        return rows, self._beside(options.steps)

    def _lacks(self):
        if self._why_not is None:
            self._why_not = compilers.lacking(compilers.architecture_of(self._traced.device))
        return self._why_not

    @contextlib.contextmanager
    def _beside(self, steps):
        """Around a run as rows: what is better is compiled once enough time went into such runs."""
        begin, timer = time.monotonic(), None
        if self._thread is None and self._left_s <= 0:
            self._start()
        elif self._thread is None and steps > UNWATCHED_STEPS:
            timer = threading.Timer(self._left_s, self._start)
            timer.daemon = True
            timer.start()
        try:
            yield
        finally:
            self._left_s -= time.monotonic() - begin
            if timer is not None:
                timer.cancel()

    def _start(self):
        self._thread = threading.Thread(target=self._compile, daemon=True)
        self._thread.start()

    def _compile(self):
        try:
            self._whole.value = build.bind_in_background(self._traced).value
        except Error as error:
            if not build.is_ending.is_set():
                cache.warn_once(f"{self._traced.name} goes on by single steps, since what makes "
                                f"several per pass could not be compiled: {error}")

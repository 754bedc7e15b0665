# SPDX-License-Identifier: MIT
"""A formula that runs as rows (rows.py) at once, by single steps, while what makes several steps per
pass is compiled beside it: the run goes over to that as soon as it is there, with the same bits.
"""

import ctypes
import threading
import time

from . import build, cache
from .errors import Error
from .progress import UNWATCHED_STEPS

AFTER_S = 0.3  # of runs as rows: what is done sooner needs no better code


class Later:
    """What a formula over fields is compiled to while it runs. `with later:` stands around a run."""

    def __init__(self, traced):
        self.bind = ctypes.c_void_p()  # where the run looks for it
        self._traced = traced
        self._left_s, self._begun, self._timer, self._thread = AFTER_S, 0.0, None, None

    def run(self, steps):
        """Before a run of so many steps."""
        self._steps = steps
        return self

    def __enter__(self):
        if self._thread is not None:
            return
        self._begun = time.monotonic()
        if self._left_s <= 0:
            self._start()
        elif self._steps > UNWATCHED_STEPS:
            self._timer = threading.Timer(self._left_s, self._start)
            self._timer.daemon = True
            self._timer.start()

    def __exit__(self, *_error):
        self._left_s -= time.monotonic() - self._begun
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _start(self):
        self._thread = threading.Thread(target=self._compile, daemon=True)
        self._thread.start()

    def _compile(self):
        try:
            self.bind.value = build.bind_in_background(self._traced).value
        except Error as error:
            cache.warn_once(f"{self._traced.name} goes on by single steps, since what makes several "
                            f"per pass could not be compiled: {error}")

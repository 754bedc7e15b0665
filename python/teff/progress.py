# SPDX-License-Identifier: MIT
"""What is seen of a run while it goes on, and how Ctrl-C ends it.

The library calls back about ten times a second, between passes. A run of more than a second says on a
terminal, in one line of stderr, or in a notebook how far it is; elsewhere nothing.
"""

import os
import shutil
import signal
import sys
import threading
import time

from . import library

EVERY_S = 0.1
PATIENCE_S = 1.0  # before anything is shown
UNWATCHED_STEPS = 16  # are done before anybody looks

_asked = threading.local()


class progress:
    """`with teff.progress():` shows the progress of all runs in it, also where stderr is a file;
    `with teff.progress(False):` shows none. `teff.iterate(..., progress=True)` is for one run."""

    def __init__(self, shown=True):
        self._shown = bool(shown)

    def __enter__(self):
        self._outer = getattr(_asked, "shown", None)
        _asked.shown = self._shown

    def __exit__(self, *_error):
        _asked.shown = self._outer


# ---- where it is shown

class Terminal:
    """One line, written over and over."""

    def show(self, text, _fraction):
        columns = shutil.get_terminal_size().columns
        print("\r\033[K" + text[:columns - 1], end="", file=sys.stderr, flush=True)

    def clear(self):
        print("\r\033[K", end="", file=sys.stderr, flush=True)


class Lines:
    """A line for each look, for a file: at most one in a second."""

    def __init__(self):
        self._last = 0.0

    def show(self, text, _fraction):
        now = time.monotonic()
        if now - self._last >= PATIENCE_S:
            self._last = now
            print(text, file=sys.stderr, flush=True)

    def clear(self):
        pass


class Notebook:
    """A bar in the cell's output, which goes when the run has ended."""

    def __init__(self):
        from IPython.display import display
        self._shown = display(_Bar("", 0), display_id=True)

    def show(self, text, fraction):
        self._shown.update(_Bar(text, fraction))

    def clear(self):
        self._shown.update(_Bar("", 0))


class _Bar:
    def __init__(self, text, fraction):
        self._text, self._fraction = text, fraction

    def __repr__(self):
        return self._text

    def _repr_html_(self):
        if not self._text:
            return ""
        return (f'<progress value="{self._fraction:.3f}" max="1" style="width:12em"></progress> '
                f"<code>{self._text}</code>")


def in_notebook():
    """Whether a kernel of Jupyter runs this."""
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    return bool(shell) and hasattr(shell, "kernel")


def _display(shown):
    """Where progress is shown; None for nowhere."""
    if shown is None:
        shown = getattr(_asked, "shown", None)
    if shown is False:
        return None
    if in_notebook():
        return Notebook
    terminal = sys.stderr and sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return Terminal if terminal else Lines if shown else None


# ---- a run

def duration(seconds):
    """"12 s", "3 min 20 s", "2 h 5 min"."""
    whole = int(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


class Watch:
    """Around a run: `with Watch(steps, ...) as watch`, then watch.set_in(options), the run,
    watch.raise_interrupt()."""

    def __init__(self, steps, shown, has_tolerance, first_step, raised):
        """@param raised gets what handlers of signals raise, which C would lose"""
        self._steps, self._first, self._has_tolerance = steps, first_step, has_tolerance
        self._made = _display(shown)
        self._shown = None
        self._start = self._last = time.monotonic()
        self._done, self._rate = 0, 0.0
        self.is_interrupted, self._raised = False, raised
        self._callback = library.Watch(self._look)
        self._handlers, self._pending = {}, []

    def set_in(self, options):
        options.watch_every_s, options.watch = EVERY_S, self._callback

    def __enter__(self):
        # An exception within a callback of C's would be lost, be it before its first line: signals
        # are noted, and their handlers called where what they raise is kept.
        if threading.current_thread() is threading.main_thread():
            for number in signal.valid_signals():
                if callable(signal.getsignal(number)):
                    self._handlers[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_error):
        for number, handler in self._handlers.items():
            if signal.getsignal(number) == self._note:
                signal.signal(number, handler)
        self._handle()
        if self._shown is not None and self._made:
            self._shown.clear()

    def _note(self, number, frame):
        if self._handlers.get(number) is not signal.default_int_handler:
            self._pending.append((number, frame))
            return
        if self.is_interrupted:  # it was asked for twice: at once
            signal.default_int_handler(number, frame)
        self.is_interrupted = True

    def _handle(self):
        while self._pending:
            number, frame = self._pending.pop(0)
            try:
                self._handlers[number](number, frame)
            except BaseException as error:  # pylint: disable=broad-except
                self._raised.append(error)

    def _look(self, done, a_eff_bytes, _context):
        self._handle()
        self._show(done, a_eff_bytes)
        return int(self.is_interrupted or bool(self._raised))

    def _show(self, done, a_eff_bytes):
        now = time.monotonic()
        self._rate = (done - self._done) / max(now - self._last, 1e-9)
        self._last, self._done = now, done
        if self._made and now - self._start >= PATIENCE_S:
            try:
                if self._shown is None:
                    self._shown = self._made()
                self._shown.show(self.text(a_eff_bytes), done / self._steps)
            except Exception:  # a display that fails ends no run
                self._made = None

    def text(self, a_eff_bytes):
        """"step 1200/10000  12 %  3.2e+03 steps/s  about 3 s left  T_eff 34.1 GB/s"."""
        done, steps, rate = self._done, self._steps, self._rate
        text = f"step {self._first + done}/{self._first + steps}  {100 * done // steps} %"
        if rate > 0:
            text += (f"  {rate:.3g} steps/s  {'at most' if self._has_tolerance else 'about'} "
                     f"{duration((steps - done) / rate)} left  T_eff "
                     f"{a_eff_bytes * rate * 1e-9:.3g} GB/s")
        return text

    def raise_interrupt(self, is_stopped):
        """The KeyboardInterrupt that came meanwhile."""
        if self.is_interrupted:
            done = self._done if is_stopped else self._steps
            raise KeyboardInterrupt(f"teff.iterate was interrupted after step {self._first + done}; "
                                    "the fields hold the state of that step")

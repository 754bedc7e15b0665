# SPDX-License-Identifier: MIT
"""What is said of a run while it goes on, and what Ctrl-C leaves."""

import os
import pty
import signal
import sys
import threading
import types

import numpy as np
import pytest

import teff
from teff.progress import Watch, duration


rate = 1e-12


@teff.timestep
def grow(T):
    return teff.update(T, T + rate * T)


LONG = 10**12
SOON_S = 0.3
LOOK = Watch._look


@pytest.fixture
def impatient(monkeypatch):
    """Shows at once what is else shown after a second."""
    monkeypatch.setattr(sys.modules["teff.progress"], "PATIENCE_S", 0.0)


def interrupt_soon():
    threading.Timer(SOON_S, os.kill, (os.getpid(), signal.SIGINT)).start()


def test_an_interrupted_run_leaves_one_step():
    T, expected = np.ones(100000), np.ones(100000)
    teff.warmup(grow, T)
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt, match="after step .*the fields hold") as raised:
        teff.iterate(grow, LONG, T)
    steps = int(str(raised.value).split("step ")[1].split(";")[0])
    teff.iterate(grow, steps, expected)
    assert steps > 0 and (T == expected).all()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_handler_of_the_users_own_stays():
    seen, T = [], np.ones(1000)

    def mine(*_arguments):
        seen.append(1)
    before = signal.signal(signal.SIGINT, mine)
    try:
        interrupt_soon()

        def until_seen(done):
            if seen:
                raise StopIteration
        with pytest.raises(StopIteration):
            teff.iterate(grow, LONG, T, on_step=(1000, until_seen))
    finally:
        signal.signal(signal.SIGINT, before)


class TimeOut(Exception):
    pass


def test_what_a_handler_raises_is_raised():
    def time_out(*_arguments):
        raise TimeOut

    T = np.ones(100000)
    teff.warmup(grow, T)
    before = signal.signal(signal.SIGALRM, time_out)
    try:
        signal.setitimer(signal.ITIMER_REAL, SOON_S)
        with pytest.raises(TimeOut):
            teff.iterate(grow, LONG, T)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert (T == T[0]).all()


def test_from_another_thread():
    T, expected = np.ones(10), np.ones(10)
    thread = threading.Thread(target=teff.iterate, args=(grow, 1000, T))
    thread.start()
    thread.join()
    teff.iterate(grow, 1000, expected)
    assert (T == expected).all()


def stop_after(looks, monkeypatch):
    """Ends the run after so many looks, as an interrupt would."""
    left = [looks]

    def counted(self, *arguments):
        left[0] -= 1
        self.is_interrupted = left[0] <= 0
        return LOOK(self, *arguments)
    monkeypatch.setattr(Watch, "_look", counted)


def said_of_a_run(monkeypatch, **options):
    stop_after(3, monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        teff.iterate(grow, LONG, np.ones(1000), first_step=7, **options)


def test_in_a_file(monkeypatch, capfd, impatient):
    said_of_a_run(monkeypatch)
    assert "step" not in capfd.readouterr().err
    said_of_a_run(monkeypatch, progress=True)
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == 3 and all(line.startswith("step ") for line in lines), lines
    assert f"/{LONG + 7}  0 %" in lines[0] and " steps/s  about " in lines[0]
    assert lines[0].endswith(" GB/s") and " left  T_eff " in lines[0]
    with teff.progress():
        said_of_a_run(monkeypatch)
        with teff.progress(False):
            said_of_a_run(monkeypatch)
    assert len(capfd.readouterr().err.splitlines()) == 3


def test_on_a_terminal(monkeypatch, impatient):
    leader, follower = pty.openpty()
    with open(follower, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("COLUMNS", "30")
        said_of_a_run(monkeypatch)
        shown = ""
        while shown.count("\r") < 4:
            shown += os.read(leader, 10000).decode()
    os.close(leader)
    parts = shown.split("\r\033[K")
    assert len(parts) == 5 and parts[1].startswith("step ") and len(parts[1]) == 29
    assert parts[0] == parts[-1] == ""  # the line is gone at the end


def test_in_a_notebook(monkeypatch, impatient):
    shown = []

    class Handle:
        def update(self, what):
            shown.append(what._repr_html_())
    display = types.SimpleNamespace(display=lambda what, display_id: Handle())
    shell = types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(kernel=1))
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    said_of_a_run(monkeypatch)
    assert len(shown) == 4 and "<progress" in shown[0] and "T_eff" in shown[0] and shown[-1] == ""


def test_a_display_that_fails_ends_no_run(monkeypatch, impatient):
    class Failing:
        def show(self, text, fraction):
            raise ValueError
    monkeypatch.setattr(sys.modules["teff.progress"], "_display", lambda shown: Failing)
    said_of_a_run(monkeypatch)


def test_durations():
    assert [duration(s) for s in (0.4, 59.6, 200, 7500)] == ["0 s", "1 min 0 s", "3 min 20 s",
                                                             "2 h 5 min"]

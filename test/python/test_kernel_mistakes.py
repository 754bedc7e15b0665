# SPDX-License-Identifier: MIT
"""Mistakes in a kernel's text that would end or hang the interpreter: divisions without a value,
arrays that are larger than a stack, loops without an end."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import teff

LEAST = "i32 least = -2147483647 - 1;"


@pytest.mark.parametrize("text, said", [
    ("y(i) = 12 / x(i);", r"cell \(2\): integer division by zero in line 1"),
    ("\n\ny(i) = 12 % x(i);", r"cell \(2\): integer division by zero in line 3"),
    ("y(i) /= x(i);", r"integer division by zero in line 1 of the kernel \(`y\(i\) /= x\(i\);`\)"),
    ("y(i) %= u8(x(i));", "integer division by zero"),
    ("y(i) = __int128(1) / x(i);", "integer division by zero"),
    (LEAST + "y(i) = least / i32(x(i) - 3);", r"cell \(0\): the least integer is divided by -1"),
    (LEAST + "least %= i32(x(i) - 3); y(i) = least;", "the least integer is divided by -1"),
    ("assert(6 / (x(i) + 1) % 5 > 6);", r"assertion failed: \(6 / \(x\(i\) \+ 1\) % 5 > 6\)"),
])
def test_integer_divisions(text, said):
    x, y = np.array([2, 1, 0, 3]), np.ones(4, np.int64)
    with pytest.raises(teff.KernelError, match=said):
        teff.kernel(text, "x, y")(x, y)


def test_divisions_of_blocks():
    x, y = np.arange(8), np.zeros(8, np.int64)
    halves = teff.kernel("""
        auto part = blk.shared<i64>(8);
        const int t = blk.thread();
        part[t] = x(t);
        part[t] /= by;
        y(t) = part[t] / by + part[t] % 3;
    """, "x, by, y")
    halves(x, 2, y, threads=8)
    assert y.tolist() == [n // 2 // 2 + n // 2 % 3 for n in range(8)]
    with pytest.raises(teff.KernelError, match=r"test_kernel_mistakes.py:\d+: block 0, thread \d: integer "
                       r"division by zero in line 5 of the kernel \(`part\[t\] /= by;`\)"):
        halves(x, 0, y, threads=8)


def test_divisions_that_are_as_in_cpp():
    """Of every type, in constants, lambdas, types of their own, beside what only looks like one."""
    f, n = np.zeros(1), np.zeros(1, np.int64)
    teff.kernel(r"""
        constexpr int eight = 24 / 3; /* 1 / 0 */
        static_assert(eight / 2 % 3 == 1);  // 1 % 0
        f64 few[16 / eight] = {1. / 4, 1};
        auto half = [](int k) { return k / (eight / 4); };
        struct pair {
          i32 v;
          pair operator/(pair o) const { return {v / o.v}; }
        };
        f(0) = 7 / 2 / 2. + few[0] + half(5) + (pair{9} / pair{2}).v;
        f(0) /= 2;
        auto over = [](auto... n) { return (n / ...); };
        f(0) += over(8, 2) - 4;
        i32 w = 5;
        w /= 2.5;
        n(0) = u8(200) / u8(7) + 10u / 3 + -7LL / 2 + true / 1 + 1'000 / 1'0 + w - 2 * 8 / 3 * 2;
        n(0) += '/' + R"(/ 0)"[0] + "% 0"[0];
    """, "f, n")(f, n, cells=1)
    assert f[0] == (3 / 2 + 0.25 + 2 + 4) / 2
    assert n[0] == 28 + 3 - 3 + 1 + 100 + 2 - 10 + 47 + 47 + 37
    with pytest.raises(teff.CompileError, match="line .*could not be compiled"):
        teff.kernel("f(i) %= 2;", "f")(f)


def test_large_arrays_of_a_thread():
    f = np.zeros(4)
    own = "\n{0}\nfor (int k = 0; k < {1}; ++k) a[k] = k;\nf({2}) = a[int(f({2})) + {1} - 1];"
    for text, bytes_, most in (
            (own.format("f64 a[30000];", 30000, "blk.thread()"), "24[0-9]{4}", 98304),
            (own.format("f64 a[300000];", 300000, "i"), "24[0-9]{5}", 524288)):
        with pytest.raises(teff.CompileError, match=f"take {bytes_} bytes of its stack, the largest "
                           rf"array in line 2 of the kernel \(`f64 a.*may have {most}: make"):
            teff.kernel(text, "f")(f)
    teff.kernel(own.format("f64 a[30000];", 30000, "i"), "f")(f)
    assert (f == 29999).all()
    teff.kernel(own.format("f64 a[8000];", 8000, "blk.thread()"), "f")(f * 0, threads=4)
    with pytest.raises(teff.CompileError, match=r"\(.*, line \d+\).*variable length.*of constant"):
        teff.kernel("f64 a[n];\na[0] = 1;\nf(i) = a[0];", "f, n")(f, 3)


def test_print_of_another_type():
    for what, said in (('"%s\\n", 5', "type .char.*has type .int"), ('"%d\\n", x(i)', "has type .*double")):
        with pytest.raises(teff.CompileError, match=said):
            teff.kernel(f"print({what});", "x")(np.zeros(1))


LOOPS = {
    "while": "if (i == 9999) while (true) {}",
    "declares": "while (int n = int(x(i)) + 2) if (n > 1) n /= 2;",
    "for": "for (;;) x(i) += 1;",
    "nested": "for (;;) for (int a = 0; a < 60; ++a) for (int b = 0; b < 60; ++b) x(i) += a * b;",
    "do": "do { x(i) += 1; } while (x(i) != 0.5);",
    "goto": "again: x(i) += 1;\ngoto again;",
    "lambda": "auto f = [](f64 n) { for (int k = 0;; k = 1) n += k; return n; };\nx(i) = f(3);",
    "cells": "x(i) = cos(exp(sin(exp(cos(exp(sin(exp(x(i)))))))));",
    "barriers": "while (true) blk.sync();",
    "atomics": "while (true) blk.atomic_add(x(0), 1.0);",
    "one thread": "if (blk.thread() == 3) for (;;) x(0) += 1;",
    "blocks": "x(0) = blk.thread();",
}


@pytest.fixture(autouse=True)
def ctrl_c_is_heard():
    """Also by tests that a shell began in the background, where it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupted(kernel, x, **launch):
    """What it raises, and after how many seconds, where Ctrl-C comes while it runs."""
    pressed = []

    def press():
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    timer = threading.Timer(0.3, press)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt) as raised:
            kernel(x, **launch)
    finally:
        timer.join()
    return str(raised.value), time.monotonic() - pressed[0]


@pytest.mark.parametrize("name", LOOPS)
def test_ctrl_c_ends_loops(name):
    text, launch = LOOPS[name], {}
    if "blk" in text:
        launch = {"threads": 64, "blocks": 3_000_000 if name == "blocks" else 3}
    kernel, x = teff.kernel(text, "x"), np.zeros(30_000_000 if name == "cells" else 10000)
    kernel(x[:0], cells=0) if not launch else kernel(x, threads=64, blocks=0)  # compiles it
    said, after = interrupted(kernel, x, **launch)
    assert "the kernel was interrupted by Ctrl-C" in said and "hold is undefined" in said
    assert after < 1
    if name in ("while", "for", "goto", "one thread"):
        assert f"in line {text.count(chr(10)) + 1} of the kernel" in said


def test_ctrl_c_says_nothing_of_an_earlier_call():
    x = np.zeros(1000)
    with pytest.raises(teff.KernelError, match="outside"):
        teff.kernel("x(i + 5000) = 1;", "x")(x)
    unchecked = teff.kernel("f64 s = 0; for (index_t n = 0; n < m; ++n) s += 1e-9 * n; x(i) = s;", "m, x",
                            check=False)
    unchecked(1, x)
    said, _ = interrupted(lambda x: unchecked(10**6, x), x)
    assert "interrupted by Ctrl-C" in said and "outside" not in said and "hold" in said


def test_who_else_hears_of_ctrl_c():
    """A handler of the program's is called, and has SIGINT back; one that is ignored ends nothing."""
    heard, x = [], np.zeros(100)
    endless = teff.kernel("for (;;) x(i) += 1;", "x")
    endless(x[:0], cells=0)
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    try:
        interrupted(endless, x)
        assert heard == [1]
        os.kill(os.getpid(), signal.SIGINT)
        assert heard == [1, 1]
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.kill(os.getpid(), signal.SIGINT)
        teff.kernel("for (int k = 0; k < 1000; ++k) x(i) = k;", "x")(x)
        assert (x == 999).all() and heard == [1, 1]
    finally:
        signal.signal(signal.SIGINT, before)


def test_dims_that_there_are_not():
    x = np.zeros(4)
    with pytest.raises(teff.KernelError, match="there is no dim 1 of 1, .* in line 1"):
        teff.kernel("x(i) = x.extent(1);", "x")(x)
    with pytest.raises(teff.KernelError, match=r"block 0, thread \d: there is no dim 3 of 3, .*line 1"):
        teff.kernel("x(blk.thread()) = blk.threads(3);", "x")(x, threads=4)

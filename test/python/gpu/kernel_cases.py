# SPDX-License-Identifier: MIT
"""Kernels as text and what they are called with: over arrays on a GPU they give the bits of the CPU's."""

import numpy as np

import teff

ROWS = 524_291  # more than 65535 blocks of 8 rows: two launches


class Part:
    """Of an array: cells apart, or the axes in reverse."""

    def __init__(self, whole, index, is_turned=False):
        self.whole, self.index, self.is_turned = whole, index, is_turned

    def of(self, array):
        part = array[self.index]
        return part.T if self.is_turned else part


class Case:
    """A call of a kernel: its values, arrays as NumPy's, and how it is launched."""

    def __init__(self, kernel, *values, **launch):
        self.kernel, self.values, self.launch = kernel, values, launch
        self.has_parts = any(isinstance(v, Part) for v in values)

    def placed(self, array):
        """Whole arrays, as `array` makes them of NumPy's, and the values of a call."""
        wholes, values = [], []
        for value in self.values:
            if isinstance(value, (Part, np.ndarray)):
                wholes.append(array(value.whole if isinstance(value, Part) else value))
                value = value.of(wholes[-1]) if isinstance(value, Part) else wholes[-1]
            values.append(value)
        return wholes, values


saxpy = teff.kernel("c(i) = a * x(i) + y(i);", "a, x, y, c")
divided = teff.kernel("n(i) = m(i) / by + m(i) % 3 - i;", "m, by, n")
chosen = teff.kernel("c(i) = b(i) ? sqrt(x(i)) / 3 : f32(-1);", "b, x, c")
turn = teff.kernel("B(j, i) = A(i, j) + a * is_far(i); n(i, j) = i + 10 * j + by;",
                   "A, B, a, is_far, by, n")
rows = teff.kernel("n(i, j) = i + 2 * j;", "n")
mean = teff.kernel("""
    const f64 before = i > 0 ? U(i - 1, j, k) : 0, after = k + 1 < U.extent(2) ? U(i, j, k + 1) : 0;
    V(i, j, k) = (before + U(i, j, k) + after) / 3 - V(i, j, k);
""", "U, V")
own = teff.kernel("""
    f64 kept[64];
    for (int k = 0; k < 64; ++k) kept[k] = x(i) * k;
    y(i) = kept[i64(x(i) * 1000) % 64];
""", "x, y")

reverse = teff.kernel("""
    auto tile = blk.shared<f64>(64);
    const int t = blk.thread(0);
    const index_t first = 64 * blk.index(0);
    tile[t] = x(first + t);
    blk.sync();
    y(first + t) = tile[63 - t];
    if (t == 5) print("%g of %d\\n", x(first), 64);
    assert(y(first + t) >= 0);
""", "x, y")
# Of whole numbers, so that the order of atomic additions changes nothing.
total = teff.kernel("""
    const index_t g = blk.thread(0) + blk.threads(0) * blk.index(0);
    auto warp = blk.warp();
    f64 v = g < x.size() ? x(g) : 0;
    for (int d = 16; d > 0; d /= 2) v += warp.shuffle_down(v, d);
    if (warp.lane() == 0) blk.atomic_add(s(0), v);
""", "x, s")
warps = teff.kernel("""
    const index_t g = blk.thread() + blk.threads() * blk.index();
    auto warp = blk.warp();
    const int v = m(g), lane = warp.lane();
    const unsigned odd = warp.ballot(v % 2 != 0);
    n(g, 0) = warp.shuffle(v, 31 - lane);
    n(g, 1) = warp.shuffle_up(v, 3);
    n(g, 2) = warp.shuffle_xor(v, 5);
    int before = 0;
    for (int l = 0; l < lane; ++l) before += odd >> l & 1;
    n(g, 3) = before;
    n(g, 4) = warp.any(v == 7) + 2 * warp.all(v >= 0);
""", "m, n")
histogram = teff.kernel("""
    auto count = blk.shared<int>(16);
    const int t = blk.thread();
    if (t < 16) count[t] = 0;
    blk.sync();
    const index_t g = t + blk.threads() * blk.index();
    if (g < m.size()) {
      blk.atomic_add(count[m(g) % 16], 1);
      blk.atomic_max(ends(0), m(g));
      blk.atomic_min(ends(1), m(g));
    }
    blk.sync();
    if (t < 16) blk.atomic_add(n(t), count[t]);
""", "m, ends, n")
tiles = teff.kernel("""
    auto tile = blk.shared<f32>(32 * 33);
    const int t = blk.thread(0), r = blk.thread(1);
    const index_t x0 = 32 * blk.index(0), y0 = 32 * blk.index(1);
    for (int s = r; s < 32; s += blk.threads(1))
      if (x0 + t < A.extent(0) && y0 + s < A.extent(1)) tile[33 * s + t] = A(x0 + t, y0 + s);
    blk.sync();
    for (int s = r; s < 32; s += blk.threads(1))
      if (x0 + s < A.extent(0) && y0 + t < A.extent(1)) B(y0 + t, x0 + s) = tile[33 * t + s];
""", "A, B")
around = teff.kernel("""
    auto part = blk.shared<f64>(int(n));
    const int t = blk.thread(), threads = blk.threads();
    for (index_t k = t; k < n; k += threads) part[k] = x(k);
    blk.sync();
    for (index_t k = t; k < n; k += threads) x(k) = part[(k + by) % n];
""", "x, n, by")
neighbours = teff.kernel("""
    const index_t b = blk.index(), blocks = blk.blocks();
    if (blk.thread() == 0) {
      x(b) = 3 * b + 1;
      blk.fence();
      blk.atomic_add(arrived(0), 1);
      blk.wait_until(arrived(0), [&](i64 n) { return n == blocks; });
      y(b) = blk.read_published(x((b + 1) % blocks));
    }
""", "arrived, x, y")
grid = teff.kernel("""
    for (int d = 0; d < 3; ++d)
      n(blk.linear_thread(), blk.index(0) + blk.blocks(0) * (blk.index(1) + blk.blocks(1) * blk.index(2)), d) =
          blk.thread(d) + 10 * blk.threads(d) + 1000 * blk.index(d) + 100000 * blk.blocks(d);
""", "n")

# What is no case: kernels that fail, or are refused.
fails = teff.kernel("\nassert(x(i) != 3);", "x")
beyond = teff.kernel("x(i + far) = 0;", "far, x")
crowded = teff.kernel("""
    f64 v[80], sum = 0;
    #pragma unroll
    for (int k = 0; k < 80; ++k) v[k] = x(i) * k;
    for (int n = 0; n < turns; ++n) {
      #pragma unroll
      for (int k = 0; k < 80; ++k) v[k] = v[k] * v[(k + 1) % 80] + n;
    }
    #pragma unroll
    for (int k = 0; k < 80; ++k) sum += v[k];
    x(i) = sum;
""", "turns, x")


def cases():
    """By their names; the last array of each is written."""
    rng = np.random.default_rng(3)
    f8, f4 = rng.random((3, 1000)), rng.random((3, 1000), "f4")
    i8, i4 = rng.integers(0, 1000, (2, 1000)), rng.integers(0, 1000, (2, 1000), "i4")
    A, U = rng.random((70, 45), "f4"), rng.random((9, 12, 35))
    whole = np.arange(1000.0)
    return {
        "f64": Case(saxpy, 2.5, *f8),
        "f32": Case(saxpy, np.float32(0.3), *f4, threads=96),
        "strides": Case(saxpy, 2, *(Part(f8[n].repeat(3), np.s_[n:900:3]) for n in range(3))),
        "reversed": Case(saxpy, 2, f8[0], f8[1], Part(f8[2], np.s_[::-1])),
        "cells": Case(saxpy, 2, *f8, cells=300),
        "empty": Case(saxpy, 2, *f8[:, :0]),
        "i64": Case(divided, i8[0], 7, i8[1]),
        "i32": Case(divided, i4[0], 7, i4[1]),
        "bool": Case(chosen, f4[0] < 0.5, f4[1], f4[2]),
        "2-D": Case(turn, A, A.T.copy(), 0.5, f4[0, :45] < 0.5, 100, np.zeros((70, 45), "i4")),
        "turned": Case(turn, Part(A, np.s_[::2], True), A[::2] * 0, 0.5, f4[0, :35] < 0.5, 1,
                       np.zeros((45, 35), "i4"), threads=(8, 16)),
        "rows": Case(rows, np.zeros((ROWS, 2), "i8")),
        "3-D": Case(mean, Part(U, np.s_[1:, ::2, ::3]), U[1:, ::2, ::3].copy(), threads=(8, 4, 2)),
        "own": Case(own, f8[0], f8[1]),
        "shared": Case(reverse, whole[:128], whole[:128] * 0, threads=64, blocks=2, shared_bytes=512),
        "shuffles": Case(total, whole, np.zeros(1), threads=128, blocks=8),
        "chosen": Case(total, whole, np.zeros(1000)),  # a thread for each cell of the last one
        "warps": Case(warps, i4[0, :256], np.zeros((5, 256), "i4"), threads=64, blocks=4),
        "atomics": Case(histogram, i8[0], np.array([5, 5]), np.zeros(16, "i4"), threads=128, blocks=8),
        "tiles": Case(tiles, A, A.T.copy() * 0, threads=(32, 8), blocks=(2, 3)),
        "100 KB": Case(around, np.arange(12800.0), 12800, 77, threads=256, blocks=1,
                       shared_bytes=102400),
        "resident": Case(neighbours, np.zeros(1, "i8"), np.zeros(30, "i8"), np.zeros(30, "i8"),
                         threads=32, blocks=30, all_resident=True),
        "3-D blocks": Case(grid, np.zeros((3, 12, 30), "i8"), threads=(5, 3, 2), blocks=(2, 3, 2)),
    }


def on_cpu(case):
    """The arrays of a case after the call over NumPy's."""
    wholes, values = case.placed(np.copy)
    case.kernel(*values, **case.launch)
    return wholes

# SPDX-License-Identifier: MIT
"""Formulas as rows on a GPU, seen without one: the CUDA text, what NVRTC makes of it, what its kernels
compute when a C++ compiler takes them, and the table that goes to the library."""

import ctypes
import itertools
import os
import re
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest
from formulas import ALL
from test_rows import run_by

import teff
from teff import build, compilers, fd, gpu_rows, nvrtc, row_table, row_text
from teff.library import NAMES
from teff.rows import all_rows

GOLDEN = Path(__file__).parent / "golden"
needs_nvrtc = pytest.mark.skipif(nvrtc.found() is None, reason="no NVRTC here: " + nvrtc.INSTALL)


def fields_of(name, kind):
    return [np.random.default_rng(1).random((20 + y, 30 + x)).astype(kind) for x, y in ALL[name][1]]


@teff.timestep
def in_three_dims(A, B, N):
    """All that rows have: three dims, several types, indices, conditions with formulas, a residual."""
    rate = fd.inn(B) * (fd.d2_xi(A) + fd.d2_yi(A) + fd.d2_zi(A)) / (fd.sq(fd.inn(A)) + 1.5)
    sides = teff.boundary(x=teff.periodic, y=(teff.fixed(fd.ix + fd.step_index), teff.gradient(0.5)),
                          z=(teff.robin(1.0, 0.3, 0.2), teff.fixed(0.1 * fd.iy)))
    return teff.stages(
        teff.together(teff.update(fd.inn(A), fd.inn(A) + 0.1 * rate - 0.001 * fd.iz, sides),
                      teff.update(fd.inn(N), fd.abs(fd.inn(N) - 3) * 7 - fd.ix)),
        teff.update(B, 0.5 * B - fd.exp(-fd.sq(B)) + fd.sqrt(fd.abs(B)) / 3),
        residual=teff.norm2(A - 0.5 * B))


def three_dims(real="f8", whole="i4"):
    rng = np.random.default_rng(3)
    return [rng.random((9, 14, 21)).astype(real), rng.random((9, 14, 21)).astype(real),
            rng.integers(0, 200, (9, 14, 21)).astype(whole)]


def cuda_text(step, fields):
    return gpu_rows.text_of(step._traced(fields))[0]


# ---- the text, and what NVRTC makes of it

def test_golden_text():
    found = cuda_text(ALL["pressure"][0], fields_of("pressure", "f4"))
    place = GOLDEN / "pressure_rows.txt"
    if os.environ.get("TEFF_RECORD") == "1":
        place.write_text(found)
    assert found == place.read_text()


@needs_nvrtc
@pytest.mark.parametrize("kind", ("f8", "f4"))
@pytest.mark.parametrize("name", ALL)
def test_nvrtc_takes_it(name, kind):
    text = cuda_text(ALL[name][0], fields_of(name, kind))
    cubin = nvrtc.compiled(text, "90")
    assert cubin.startswith(b"\x7fELF") and b"row0_cells" in cubin


@needs_nvrtc
@pytest.mark.parametrize("real, whole", (("f8", "i8"), ("f4", "u1"), ("f4", "i4")))
def test_nvrtc_takes_three_dims_and_integers(real, whole):
    cubin = nvrtc.compiled(cuda_text(in_three_dims, three_dims(real, whole)), "90")
    for name in ("row0", "row1", "row2", "side0_10", "side0_21", "residual"):
        assert f"{name}_cells".encode() in cubin


@needs_nvrtc
@pytest.mark.parametrize("kind", ("f8", "f4"))
def test_every_operation_rounds_once(kind):
    """A sum fuses with a product where the text says fma, and nowhere else; nothing is approximate."""
    text = cuda_text(in_three_dims, three_dims(kind))
    ptx = nvrtc.compiled(text, "90", is_ptx=True).decode()
    row = text[text.index("ROW void row0("):text.index("KERNEL(row0,")]
    body = ptx[ptx.index(".visible .entry row0_cells("):]
    body = body[:body.index("\n}")]
    for call, kind in (("fma", "f64"), ("fmaf", "f32")):
        assert body.count(f"fma.rn.{kind}") == 2 * len(re.findall(rf"\b{call}\(", row))
    assert "fma(" in row and body.count("div.rn.") == 2  # by one block, and else
    assert not re.search(r"\.ftz|\.approx\.f32|\.full\.|\b(add|sub|mul)\.f(32|64)", body)


@needs_nvrtc
def test_the_driver_finds_what_is_cached(tmp_path, monkeypatch):
    monkeypatch.setenv("TEFF_CACHE", str(tmp_path))
    monkeypatch.setenv("TEFF_KEEP", "1")
    traced = ALL["heat"][0]._traced(fields_of("heat", "f8"))
    text, _ = gpu_rows.text_of(traced)
    cubin = gpu_rows.cubin_of(traced, text, "90")
    assert len(list(tmp_path.rglob("*.so"))) == len(list(tmp_path.rglob("*.cu"))) == 1
    whole = nvrtc.compiled
    monkeypatch.setattr(nvrtc, "compiled", lambda *_: pytest.fail("compiled twice"))
    assert gpu_rows.cubin_of(traced, text, "90") == cubin
    key = gpu_rows.key_of(text, "90")
    assert key != gpu_rows.key_of(text, "100") and key != gpu_rows.key_of(text + " ", "90")
    monkeypatch.setattr(compilers, "known_version", lambda *_: "99.9")
    assert key != gpu_rows.key_of(text, "90")
    assert whole(text, "80") != cubin


@needs_nvrtc
def test_an_error_names_the_line_of_the_program():
    traced = ALL["heat"][0]._traced(fields_of("heat", "f8"))
    text, _ = gpu_rows.text_of(traced)
    spoiled = text.replace("const double v10 = v5 -", "const double v10 = v5000 -")
    assert spoiled != text
    with pytest.raises(teff.CompileError) as failed:
        gpu_rows.cubin_of(traced, spoiled, "90")
    said = str(failed.value)
    line = int(re.search(r"formulas\.py, line (\d+)\) could not be compiled by NVRTC: identifier "
                         r'"v5000" is undefined', said)[1])
    source = (Path(__file__).parent / "formulas.py").read_text().splitlines()
    assert "d_xa(qx)" in source[line - 1]
    assert Path(re.search(r"The text is (\S+)", said)[1]).read_text() == spoiled


# ---- what the kernels compute: by a C++ compiler, a call for each thread

AS_CPP = """\
#include <math.h>
#include <pthread.h>
#include <thread>
#include <vector>
struct dims { unsigned x, y, z; };
static dims blockIdx, blockDim, gridDim;
static thread_local dims threadIdx;
static pthread_barrier_t of_block;
static void __syncthreads() { pthread_barrier_wait(&of_block); }
#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(n)
#define __grid_constant__
"""
RUN = """
extern "C" void run_{name}(void* words, const unsigned* grid) {{
  gridDim = {{grid[0], grid[1], grid[2]}};
  blockDim = {{grid[3], grid[4], 1}};
  threadIdx.z = 0;
  for (blockIdx.z = 0; blockIdx.z < gridDim.z; ++blockIdx.z)
    for (blockIdx.y = 0; blockIdx.y < gridDim.y; ++blockIdx.y)
      for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
        for (threadIdx.y = 0; threadIdx.y < blockDim.y; ++threadIdx.y)
          for (threadIdx.x = 0; threadIdx.x < blockDim.x; ++threadIdx.x)
            {name}_cells(*(cells_of<{X}, {N}, {FROM}>*)words);
}}
extern "C" void run_{name}_by_one_block(void* words, const unsigned* block) {{
  gridDim = {{1, 1, 1}};
  blockIdx = {{0, 0, 0}};
  blockDim = {{block[0], block[1], block[2]}};
  const unsigned count = block[0] * block[1] * block[2];
  pthread_barrier_init(&of_block, nullptr, count);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < count; ++t)
    threads.emplace_back([=] {{
      threadIdx = {{t % block[0], t / block[0] % block[1], t / block[0] / block[1]}};
      {name}_cells(*(cells_of<{X}, {N}, {FROM}>*)words);
    }});
  for (auto& thread : threads) thread.join();
}}
"""


def as_cpp(text, folder):
    """The kernels of a text, loaded."""
    runs = "".join(RUN.format(name=n, X=x, N=i, FROM=f) for n, x, i, f in re.findall(
        r"^KERNEL\((\w+), [\w ]+, (\d+), (\d+), (\d+),", text, re.M))
    (folder / "rows.cpp").write_text(AS_CPP + text + runs)
    subprocess.run([*compilers.compiler(), "-O1", "-w", "-shared", "-fPIC", "-ffp-contract=off",
                    *compilers.built()["flags"], "-pthread", str(folder / "rows.cpp"), "-o",
                    str(folder / "rows.so")], check=True)
    return ctypes.CDLL(str(folder / "rows.so"))


def words_of(row, target, first, step, fields, traced, as_real=False, by_one_block=False):
    """As row_kernel_words() of row_kernel.cpp. @param target a part of an array, z first"""
    def three(a):
        return [1] * (3 - a.ndim) + list(a.shape), [0] * (3 - a.ndim) + list(a.strides)
    shape, strides = three(target)
    words = struct.pack("=13q", target.ctypes.data, *shape[::-1], *strides[::-1], 0, 0, 0, step,
                        as_real, by_one_block)
    words += struct.pack("=%dd" % max(len(traced.reals), 1), *(traced.reals or [0.0]))
    words += struct.pack("=%dq" % max(len(traced.integers), 1), *(traced.integers or [0]))
    for slot, y, z in row.sources:
        _, by = three(fields[slot])
        cell = fields[slot].ctypes.data + first[0] * by[2] + (first[1] + y) * by[1] + \
            (first[2] + z) * by[0]
        words += struct.pack("=4q", cell, *by[::-1])
    return words if row.sources else words + bytes(32)


def computed(name, step, fields, folder, grid=(2, 2, 3, 32, 8), by_one_block=False):
    """What the kernel of the first update writes, beside the field as it was; one block writes over what
    it reads."""
    traced = step._traced(fields)
    text, rows = gpu_rows.text_of(traced)
    stage = rows.stages[0]
    kernel = getattr(as_cpp(text, folder), f"run_{name}" + "_by_one_block" * by_one_block)
    after = fields[stage.field].copy()
    if by_one_block:
        fields = fields[:stage.field] + [after] + fields[stage.field + 1:]
    low, high = (tuple(n[:after.ndim][::-1]) for n in (stage.low, stage.high))
    inner = after[tuple(slice(a, n - b) for a, b, n in zip(low, high, after.shape))]
    words = words_of(stage.row, inner, stage.low, 5, fields, traced, by_one_block=by_one_block)
    if by_one_block:
        grid = (*inner.shape[::-1], 1, 1)
    kernel(ctypes.create_string_buffer(words), (ctypes.c_uint * 5)(*grid[:5]))
    return after


@pytest.mark.parametrize("kind", ("f8", pytest.param("f4", marks=pytest.mark.long)))
def test_kernels_have_the_bits_of_cpp(kind, tmp_path):
    """Also with fewer blocks than there are cells along y and z."""
    fields = fields_of("heat", kind)
    expected, _ = run_by("0", ALL["heat"][0], 1, fields, schedule="stepwise")
    for grid in ((1, 3, 1, 32, 8), (2, 1, 1, 16, 2)):
        found = computed("row0", ALL["heat"][0], fields, tmp_path, grid)
        assert found.tobytes() == expected[0].tobytes() != fields[0].tobytes()


def test_kernels_of_three_dims_have_the_bits_of_cpp(tmp_path):
    @teff.timestep
    def step(A, B, N):
        value = fd.once(fd.inn(B) * fd.d2_xi(A)) - fd.at(fd.around(B), 1, 0, -1) / (fd.sq(fd.inn(A)) + 1.5)
        return teff.update(fd.inn(A), 0.5 * fd.inn(A) + 0.1 * fd.tanh(value) + 0.01 * fd.maxloc(N) +
                           0.001 * (fd.ix + 2 * fd.iy - fd.iz * fd.step_index))
    fields = three_dims("f4", "u1")
    expected, _ = run_by("0", step, 1, fields, schedule="stepwise", first_step=5)
    found = computed("row0", step, fields, tmp_path)
    assert found.tobytes() == expected[0].tobytes() != fields[0].tobytes()


@pytest.mark.parametrize("shape", (pytest.param((18, 16), marks=pytest.mark.long), (8, 9, 7)))
def test_one_block_writes_over_what_it_reads(shape, tmp_path):
    def formula(A, B):
        rate = fd.d2_xi(A) + fd.d2_yi(A) + (fd.d2_zi(A) if len(shape) == 3 else 0.0)
        return teff.update(fd.inn(A), fd.inn(A) + 0.1 * fd.inn(B) * rate)
    step = teff.timestep(formula)
    fields = [np.random.default_rng(5).random((2, *shape))[n] for n in (0, 1)]
    expected, _ = run_by("0", step, 1, fields, schedule="stepwise")
    found = computed("row0", step, fields, tmp_path, by_one_block=True)
    assert found.tobytes() == expected[0].tobytes() != fields[0].tobytes()


def test_a_changed_bit_is_seen(tmp_path, monkeypatch):
    """The comparison can fail: without the rule of rounding some bits differ."""
    fields = fields_of("heat", "f8")
    expected, _ = run_by("0", ALL["heat"][0], 1, fields, schedule="stepwise")
    monkeypatch.setattr(row_text, "CUDA_HEAD",
                        row_text.CUDA_HEAD + "#define fma(a, b, c) ((a) * (b) + (c))\n")
    found = computed("row0", ALL["heat"][0], fields, tmp_path)
    assert np.allclose(found, expected[0]) and found.tobytes() != expected[0].tobytes()


def test_integers_of_a_condition_are_stored_as_the_field_is(tmp_path):
    fields = three_dims()
    traced = in_three_dims._traced(fields)
    text, rows = gpu_rows.text_of(traced)
    row = rows.stages[0].sides[1][0].row
    assert NAMES[row.type] == "i64"
    kernel = getattr(as_cpp(text, tmp_path), f"run_{row.name}")
    for as_real, kind in ((True, "f8"), (False, "i8")):
        values = np.zeros((2, 1, 21), kind)
        words = words_of(row, values, (0, 0, 0), 7, [], traced, as_real)
        kernel(ctypes.create_string_buffer(words), (ctypes.c_uint * 5)(1, 1, 1, 32, 8))
        assert values[1, 0].tolist() == list(range(7, 28))


# ---- the table

def plain(entry):
    """A structure of ctypes as lists; arrays behind pointers by their counts."""
    if isinstance(entry, ctypes.Structure):
        found = {name: getattr(entry, name) for name, _ in entry._fields_}
        if "from_count" in found:
            found["compute"] = bool(found["compute"])
            for name, count, width in (("sources", "from_count", 3), ("reads", "reads_count", 4)):
                found[name] = found[name][:found[count] * width] if found[count] else []
        if "stage" in found:
            found["types"] = found["types"][:found["fields"]]
            found["stage"] = found["stage"][:found["stages"]]
        return {name: plain(value) for name, value in found.items()}
    if isinstance(entry, (list, ctypes.Array)):
        return [plain(one) for one in entry]
    return entry


@pytest.mark.parametrize("step, fields", (
    (ALL["pressure"][0], fields_of("pressure", "f8")), (in_three_dims, three_dims())))
def test_the_table_is_that_of_c(step, fields):
    traced = step._traced(fields)
    _, rows = gpu_rows.text_of(traced)
    made = build._load(build._Rows(traced.row_text(), traced), compilers.ROWS)
    of_c = row_table._Rows.in_dll(made, "teff_rows")
    names = [row.name for row in all_rows(rows)]
    table = row_table.table_of(rows, dict(zip(names, itertools.count(1))))
    assert plain(table) == plain(of_c)
    assert table.stage[0].row.compute == 1


def test_what_is_for_nvcc():
    T = np.ones((6, 7))
    assert gpu_rows.text_of(teff.rk4(lambda u: teff.rate(teff.inn(u), teff.d2_xi(u)),
                                     0.1)._traced([T])) is None

    @teff.timestep
    def many_numbers(T):
        sums = [T + float(i) for i in range(600)]
        while len(sums) > 1:
            sums = [a + b for a, b in zip(sums[::2], sums[1::2])] + sums[len(sums) // 2 * 2:]
        return teff.update(T, sums[0])
    assert gpu_rows.text_of(many_numbers._traced([T])) is None  # a kernel's parameter is of 4 KB

# SPDX-License-Identifier: MIT
"""Several steps per pass, all stages at once, and blocks that stay, on a GPU without nvcc, seen without
a GPU: the text, and what NVRTC makes of it and of Teff's headers. (When a run takes it:
test_runs_by_nvrtc.py. What a host does with such kernels, the emulator shows:
test/stencil/emulated/test_row_passes.cpp.)"""

import contextlib
import ctypes
import functools
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from formulas import ALL
from test_nvrtc import on_gpu
from test_rows_as_cuda import fields_of, needs_nvrtc

import teff
from teff import (build, cache, compiled, compilers, fd, gpu_passes, gpu_rows, library, nvrtc,
                  row_table)
from teff.errors import CompileError, Error

GOLDEN = Path(__file__).parent / "golden"
assert on_gpu  # a fixture


@teff.timestep
def in_space(T, C):
    return teff.update(fd.inn(T), fd.inn(T) + 0.1 * fd.inn(C) * (fd.d2_xi(T) + fd.d2_yi(T) +
                                                                 fd.d2_zi(T)))


@teff.timestep
def driven(T):
    return teff.update(fd.inn(T), fd.inn(T) + 0.1 * fd.step_index)


@teff.timestep
def sound(P, Vx, Vz):
    return teff.stages(teff.update(fd.inn_x(Vx), fd.inn_x(Vx) - 0.1 * fd.d_xa(P)),
                       teff.update(fd.inn_z(Vz), fd.inn_z(Vz) - 0.1 * fd.d_za(P)),
                       teff.update(P, P - 0.2 * (fd.d_xa(Vx) + fd.d_za(Vz))))


def same(some, others):
    return all(a.tobytes() == b.tobytes() for a, b in zip(some, others))


def text_of(name, kind, number=0):
    return gpu_passes.text_of(ALL[name][0]._traced(fields_of(name, kind)), number)


@functools.lru_cache(maxsize=None)
def cubin_of(text):
    return gpu_passes.compiled(text, "90")


# ---- the text, and what NVRTC makes of it

@pytest.mark.parametrize("name, number, kind", (("insulated", 0, "pass"), ("pressure", 0, "pass"),
                                                ("pressure", gpu_passes.FUSED, "fused"),
                                                ("heat", gpu_passes.RESIDENT, "resident")))
def test_golden_text(name, number, kind):
    """Of conditions it has that there are some, of a residual nothing."""
    found = text_of(name, "f8", number)
    place = GOLDEN / f"{name}_{kind}.txt"
    if os.environ.get("TEFF_RECORD") == "1":
        place.write_text(found)
    assert found == place.read_text()


def test_conditions_that_keep_the_border_are_none():
    step = teff.timestep(lambda T: teff.update(fd.inn(T), 0.5 * fd.inn(T), teff.boundary(x=teff.fixed)))
    text = gpu_passes.text_of(step._traced([np.ones((5, 6))]))
    assert "boundary" not in text and text.count("update(") == 1


def test_no_text_in_one_dim_and_of_integrators():
    step = teff.timestep(lambda T: teff.update(fd.inn(T), 0.5 * fd.inn(T)))
    assert gpu_passes.text_of(step._traced([np.ones(9)])) is None
    assert "one step per pass, by nvcc also" in gpu_passes.refused(step._traced([np.ones(9)]))
    step = teff.rk2(lambda T: teff.rate(T, -T), 0.1)
    with pytest.raises(CompileError, match="two and three dims, without time integrators"):
        next(gpu_passes.bindings(step._traced([np.ones((5, 6))])))


@needs_nvrtc
@pytest.mark.parametrize("name, kind, number",
                         (("heat", "f8", 0), ("heat", "f4", 1), ("pressure", "f4", 0),
                          pytest.param("insulated", "f8", 0, marks=pytest.mark.long),
                          pytest.param("gray_scott", "f4", 1, marks=pytest.mark.long),
                          pytest.param("wave", "f8", 1, marks=pytest.mark.long)))
def test_nvrtc_takes_teffs_headers(name, kind, number):
    cubin = cubin_of(text_of(name, kind, number))
    assert cubin.startswith(b"\x7fELF")
    assert b".text.teff_pass\0" in cubin and b".text.teff_pass_prepare\0" in cubin


def test_no_text_of_all_stages_where_there_is_one_and_with_conditions():
    assert text_of("heat", "f8", gpu_passes.FUSED) is None
    assert text_of("gray_scott", "f8", gpu_passes.FUSED) is None


@needs_nvrtc
@pytest.mark.parametrize("kind", (pytest.param("f8", marks=pytest.mark.long), "f4"))
def test_nvrtc_takes_all_stages_in_three_dims(kind):
    fields = [np.ones((9, 10, 11), kind), np.ones((9, 10, 12), kind), np.ones((10, 10, 11), kind)]
    cubin = cubin_of(gpu_passes.text_of(sound._traced(fields), gpu_passes.FUSED))
    assert b".text.teff_fused\0" in cubin and b".text.teff_fused_prepare\0" in cubin


def test_no_text_of_blocks_that_stay_where_they_can_not():
    """In three dims, and where a field is periodic."""
    assert text_of("gray_scott", "f8") is not None
    assert text_of("gray_scott", "f8", gpu_passes.RESIDENT) is None
    traced = in_space._traced([np.ones((5, 6, 7))] * 2)
    assert gpu_passes.text_of(traced) is not None
    assert gpu_passes.text_of(traced, gpu_passes.RESIDENT) is None


def test_no_kernel_of_blocks_that_stay_over_fields_beyond_the_chip(on_gpu):  # noqa: F811
    """It is one for all that fit, and none for all others."""
    monkeypatch, fitting, fields = on_gpu
    assert gpu_passes.may_be(gpu_passes.RESIDENT, fitting._traced)

    def over(most):
        monkeypatch.setattr(compilers, "chip_bytes_of", lambda _device: most)
        traced = ALL["heat"][0]._traced(fields_of("heat", "f8"))
        traced.device = "cuda:0"
        return compiled.of(traced)
    bytes_of_fields = sum(8 * cells.shape[0] * cells.shape[1] for cells in fields)
    assert over(bytes_of_fields) is fitting
    beyond = over(bytes_of_fields - 1)
    assert not gpu_passes.may_be(gpu_passes.RESIDENT, beyond._traced)
    assert over(0) is beyond


@needs_nvrtc
@pytest.mark.parametrize("name, kind",
                         (("heat", "f8"), ("pressure", "f4"),
                          pytest.param("insulated", "f4", marks=pytest.mark.long)))
def test_nvrtc_takes_blocks_that_stay(name, kind):
    cubin = cubin_of(text_of(name, kind, gpu_passes.RESIDENT))
    assert b".text.teff_resident\0" in cubin and b".text.teff_resident_prepare\0" in cubin


@needs_nvrtc
def test_nvrtc_takes_three_dims():
    fields = [np.ones((9, 10, 11), "f4")] * 2
    assert b".text.teff_pass\0" in cubin_of(gpu_passes.text_of(in_space._traced(fields)))


@needs_nvrtc
def test_a_formula_that_allows_no_pass_is_compiled_without_one():
    """Its facts say so, and a run says why; there is nothing to optimize."""
    cubin = cubin_of(gpu_passes.text_of(driven._traced([np.ones((5, 6))])))
    assert len(cubin) < len(cubin_of(text_of("heat", "f8"))) / 2


@needs_nvrtc
def test_what_nvrtc_refuses_is_told_with_the_users_line():
    traced = ALL["heat"][0]._traced(fields_of("heat", "f8"))
    text = gpu_passes.text_of(traced).replace("auto t3 = ", "auto t3 = nothing * ")
    with pytest.raises(nvrtc.Refused) as refused:
        cubin_of(text)
    said = gpu_rows.failure(traced, text, str(refused.value), "auto {} =")
    assert "formulas.py, line " in said and '"nothing" is undefined' in said


def test_another_header_or_shape_is_another_entry(monkeypatch):
    monkeypatch.setattr(gpu_rows, "key_of", lambda text, architecture: text + architecture)
    keys = {gpu_passes.key_of(text_of("heat", "f8", number), "90") for number in (0, 1)}
    built = dict(compilers.built(), headers="others")
    monkeypatch.setattr(compilers, "built", lambda: built)
    keys.add(gpu_passes.key_of(text_of("heat", "f8"), "90"))
    assert len(keys) == 3


@needs_nvrtc
def test_a_process_beside_compiles_into_the_cache(monkeypatch, tmp_path):
    text = gpu_passes.text_of(driven._traced([np.ones((5, 6))]), 1)
    monkeypatch.setenv("TEFF_CACHE", str(tmp_path))
    process = gpu_passes.compile_beside(text, "90")
    assert process.wait(timeout=200) == 0
    made = cache.content(cache.found(gpu_passes.key_of(text, "90")))
    assert b".text.teff_pass\0" in made
    assert gpu_passes.compile_beside(text, "90") is None  # it is there
    another = [gpu_passes.compile_beside(text + "// another one", "90") for _ in range(2)]
    assert another[0] is another[1]  # it is under way
    another[0].kill()
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    assert gpu_passes.compile_beside(text + "// one more", "90") is None


@pytest.mark.parametrize("is_ending", (False, True))
def test_a_thread_that_ends_with_the_program_leaves_it_to_a_process(monkeypatch, tmp_path, is_ending):
    """Else the program would wait for NVRTC as it ends."""
    monkeypatch.setenv("TEFF_CACHE", str(tmp_path))
    monkeypatch.setattr(gpu_passes, "key_of", lambda *_: "a" * 64)
    monkeypatch.setattr(gpu_passes.build, "is_ending", threading.Event())
    found, failed = [], []

    class Process:
        @staticmethod
        def wait():
            if is_ending:
                gpu_passes.build.is_ending.set()
            else:
                cache.made("a" * 64, lambda path: Path(path).write_bytes(b"a cubin"), 9)
    monkeypatch.setattr(gpu_passes, "compile_beside", lambda *_: Process)

    def take():
        try:
            found.append(gpu_passes._cubin_of(ALL["heat"][0]._traced(fields_of("heat", "f8")), 0, "90"))
        except CompileError as error:
            failed.append(str(error))
    thread = threading.Thread(target=take, daemon=True)
    thread.start()
    thread.join(60)
    assert (found, failed) == (([], ["the program ends"]) if is_ending else ([b"a cubin"], []))


ENDS = """
import ctypes, os, threading, time
from teff import nvrtc
class Library:
    nvrtcCreateProgram = nvrtcGetCUBINSize = nvrtcGetCUBIN = nvrtcDestroyProgram = lambda *_: 0
    @staticmethod
    def nvrtcCompileProgram(*_):
        begins.set()
        time.sleep(0.3)
        os.write(1, b"compiled")
        return 0
begins = threading.Event()
nvrtc._loaded = lambda _: (Library, "13.0")
nvrtc.path = lambda: ""
threading.Thread(target=nvrtc.compiled, args=("", "90"), daemon=True).start()
begins.wait()
"""


def test_a_program_ends_after_what_nvrtc_compiles_in_it():
    """NVRTC crashes where it is torn down meanwhile."""
    done = subprocess.run([sys.executable, "-c", ENDS], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, b"compiled"), done.stderr.decode()


# ---- the library's functions, by which a run has it

def test_no_kernel_without_a_gpu():
    made, shapes = ctypes.byref(ctypes.c_void_p()), ctypes.byref(ctypes.c_int32())
    for load in (library.lib().teff_pass_load, library.lib().teff_fused_load):
        with pytest.raises(Error):
            load(b"cpu", b"", 0, 0, made, shapes)
    with pytest.raises(Error):
        library.lib().teff_resident_load(b"cpu", b"", 0, 0, made)
    most = ctypes.c_int64(-1)
    library.lib().teff_resident_bytes(b"cpu", ctypes.byref(most))
    assert most.value == 0


def test_a_table_is_bound_with_passes(monkeypatch):
    """With none of them, on the CPU: pointers arrive whole."""
    step, host = ALL["heat"][0], fields_of("heat", "f8")
    traced = step._traced(host)
    made = build._load(build._Rows(traced.row_text(), traced), compilers.ROWS)
    bind = gpu_rows.bound_with(row_table._Rows.in_dll(made, "teff_rows"), [])
    found, expected = [a.copy() for a in host], [a.copy() for a in host]
    teff.iterate(step, 7, *expected, schedule="stepwise")
    monkeypatch.setattr(compiled.Compiled, "for_run",
                        lambda *_: (bind, contextlib.nullcontext()))
    run = teff.iterate(step, 7, *found)
    assert "single steps" in str(run) and same(found, expected) and not same(found, host)

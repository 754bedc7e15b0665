# SPDX-License-Identifier: MIT
"""Several steps per pass, all stages at once, and blocks that stay, on a GPU without nvcc, seen without
a GPU: the text, what NVRTC makes of it and of Teff's headers, and when a run takes it. (What a host does
with such kernels, the emulator shows: test/stencil/emulated/test_row_passes.cpp.)"""

import contextlib
import ctypes
import functools
import os
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from formulas import ALL
from test_nvrtc import Options, on_gpu
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
    assert "is for nvcc" in gpu_passes.refused(step._traced([np.ones(9)]))
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
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    assert gpu_passes.compile_beside(text + "// another one", "90") is None


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


# ---- when a run takes it

class Temporal(Options):
    schedule = 3


class Fused(Options):
    schedule = 2


class Resident(Options):
    schedule = 4


@pytest.fixture
def passes(on_gpu):  # noqa: F811
    """No nvcc; rows are 8, passes 16."""
    monkeypatch, code, fields = on_gpu
    asked = []
    monkeypatch.setattr(gpu_rows, "bind_of", lambda *_: ctypes.c_void_p(8))
    monkeypatch.setattr(gpu_passes, "bindings",
                        lambda *_: asked.append(1) or iter([(ctypes.c_void_p(16), True)]))
    monkeypatch.setattr(gpu_passes, "is_compiled", lambda _: False)
    monkeypatch.setattr(compilers, "found_nvcc", lambda: None)
    return monkeypatch, code, fields, asked


def test_rows_until_passes_are_compiled(passes):
    _, code, fields, asked = passes
    options = Options()
    assert code.for_run(fields, options, False)[0].value == 8 and not asked
    assert options.successor == ctypes.addressof(code._all_passes) and code.note == ""
    code._compile()  # what the thread beside a run does
    assert asked == [1]
    options = Options()
    assert code.for_run(fields, options, False)[0].value == 16 and options.successor is None
    assert code.for_run(fields, Options(), True)[0].value == 8  # asked for stage by stage


def test_a_formula_in_one_dim_waits_for_no_passes(passes):
    _, code, fields, asked = passes
    code._traced._row_parts = (*code._traced._row_parts[:-1], 1)
    options = Options()
    assert code.for_run(fields, options, False)[0].value == 8 and options.successor is None
    assert code.note.endswith("without time integrators") and not asked


def test_passes_from_the_cache_at_once(passes):
    monkeypatch, code, fields, _ = passes
    monkeypatch.setattr(gpu_passes, "is_compiled", lambda _: True)
    assert code.for_run(fields, Options(), False)[0].value == 16


def test_passes_that_are_asked_for_are_waited_for(passes):
    """Also where nvcc would do, which takes longer."""
    monkeypatch, code, fields, asked = passes
    monkeypatch.setattr(compilers, "found_nvcc", lambda: "/usr/bin/true")
    assert code.for_run(fields, Temporal(), False)[0].value == 16 and asked == [1]
    code._whole.value = 24
    assert code.for_run(fields, Temporal(), False)[0].value == 24


def test_a_run_waits_for_the_first_kernel_alone(passes):
    """Those of more steps come beside it; who asks for a depth, or warms up, waits for them."""
    monkeypatch, code, fields, _ = passes
    go_on = threading.Event()

    def bindings(*_):
        yield ctypes.c_void_p(16), False
        assert go_on.wait(60)
        yield ctypes.c_void_p(32), True
    monkeypatch.setattr(gpu_passes, "bindings", bindings)
    for options in (Temporal(), Options()):
        assert code.for_run(fields, options, False)[0].value == 16
        assert options.successor == ctypes.addressof(code._all_passes)
        assert code.note == compiled.MORE_TO_COME and not code._all_passes.value
    go_on.set()
    deep = Temporal()
    deep.depth = 8
    assert code.for_run(fields, deep, False)[0].value == 32 and code.note == ""
    assert deep.successor is None and code._all_passes.value == 32


@pytest.mark.parametrize("asked, kernel", ((Fused, gpu_passes.FUSED), (Resident, gpu_passes.RESIDENT)))
@pytest.mark.parametrize("comes_first", (True, False))
def test_a_run_of_another_schedule_waits_for_its_kernel(passes, comes_first, asked, kernel):
    """Alone, if nothing else is there; else for all kernels, of which it is one of the last."""
    monkeypatch, code, fields, _ = passes
    go_on, first = threading.Event(), []

    def bindings(_, which):
        first.append(which)
        yield ctypes.c_void_p(16), False
        assert go_on.wait(60)
        yield ctypes.c_void_p(32), True
    monkeypatch.setattr(gpu_passes, "bindings", bindings)
    if not comes_first:
        assert code.for_run(fields, Temporal(), False)[0].value == 16
        go_on.set()
    options = asked()
    assert code.for_run(fields, options, False)[0].value == (16 if comes_first else 32)
    assert options.successor is None and first == [kernel if comes_first else 0]
    go_on.set()


def test_a_kernel_of_more_steps_that_fails_is_said(passes):
    monkeypatch, code, fields, _ = passes

    def bindings(*_):
        yield ctypes.c_void_p(16), False
        raise CompileError("no registers left")
    said = []
    monkeypatch.setattr(gpu_passes, "bindings", bindings)
    monkeypatch.setattr(cache, "warn_once", said.append)
    code.warm_up(fields)
    assert code.for_run(fields, Temporal(), False)[0].value == 16
    assert len(said) == 1 and said[0].endswith("no registers left")


STAYS, FUSED = gpu_passes.RESIDENT, gpu_passes.FUSED


@pytest.mark.parametrize("known, first", (((), 0), ((1,), 0), ((1, 2), 0), ((), STAYS), ((), FUSED),
                                          ((0, 1, 2), STAYS)))
def test_kernels_are_taken_as_they_are_there(passes, known, first, monkeypatch):
    """What is in the cache at once, the others one by one, compiled by processes beside."""
    _, code, _, _ = passes
    monkeypatch.undo()
    loaded, beside = [], []
    monkeypatch.setattr(gpu_rows, "loaded_table", lambda *_: None)
    monkeypatch.setattr(compilers, "architecture_of", lambda _: "90")
    monkeypatch.setattr(gpu_passes, "may_be", lambda *_: True)
    monkeypatch.setattr(gpu_passes, "text_of", lambda _traced, number=0: number)
    monkeypatch.setattr(gpu_passes, "key_of", lambda number, _architecture: number)
    monkeypatch.setattr(gpu_passes, "compile_beside", lambda number, _: beside.append(number))
    monkeypatch.setattr(gpu_passes, "_cubin_of", lambda _traced, number, _: loaded.append(number))
    monkeypatch.setattr(gpu_rows, "bound_with", lambda _table, passes: len(passes))
    monkeypatch.setattr(cache, "found", lambda number: number in known)

    class Library:
        @staticmethod
        def teff_pass_load(*arguments):
            arguments[-1]._obj.value = 3

        @staticmethod
        def teff_resident_load(*arguments):
            pass
        teff_fused_load = teff_resident_load
    monkeypatch.setattr(library, "lib", Library)
    made = list(gpu_passes.bindings(code._traced, first))
    last = [which for which in (FUSED, STAYS) if which != first]
    order = [*([first] if first else []), 0, 1, 2, *last]
    assert made == [(n, n == 5) for n in (1, 2, 3, 4, 5) if n == 5 or order[n] not in known]
    assert loaded == order
    assert beside == [1, *last, 2]


def test_what_is_explained_and_warmed_up_without_nvcc(passes):
    _, code, fields, asked = passes
    code.warm_up(fields)
    assert asked == [1] and not code._whole.value and code.without_cpp(fields).value == 16


@pytest.mark.parametrize("first", (0, gpu_passes.FUSED))
def test_a_formula_that_is_for_nvcc_is_told_of(passes, first, monkeypatch):
    """What the library says of one with step_index in a stage."""
    _, code, _, _ = passes
    monkeypatch.undo()
    monkeypatch.setattr(gpu_rows, "loaded_table", lambda *_: None)
    monkeypatch.setattr(compilers, "architecture_of", lambda _: "90")
    monkeypatch.setattr(gpu_passes, "compile_beside", lambda *_: None)
    monkeypatch.setattr(gpu_passes, "_cubin_of", lambda *_: b"")

    class Library:
        @staticmethod
        def teff_pass_load(*arguments):
            arguments[-1]._obj.value = -1
        teff_fused_load = teff_pass_load
    monkeypatch.setattr(library, "lib", Library)
    monkeypatch.setattr(gpu_passes, "may_be", lambda *_: True)
    monkeypatch.setattr(gpu_passes, "text_of", lambda *_: "")
    with pytest.raises(CompileError, match="is for nvcc, .* step_index in a stage"):
        next(gpu_passes.bindings(code._traced, first))


def test_what_nvcc_fails_at_nvrtc_may_do(passes):
    monkeypatch, code, fields, _ = passes
    monkeypatch.setattr(compilers, "found_nvcc", lambda: "/usr/bin/true")

    def failed(_traced):
        raise CompileError("nvcc: no space left")
    monkeypatch.setattr(build, "bind_in_background", failed)
    monkeypatch.setattr(cache, "warn_once", lambda _: None)
    code._compile()
    assert code.for_run(fields, Temporal(), False)[0].value == 16


def test_rows_and_why_where_there_are_no_passes(passes):
    monkeypatch, code, fields, _ = passes

    def refused(*_):
        raise CompileError("it has no passes")
    monkeypatch.setattr(gpu_passes, "bindings", refused)
    for options in (Temporal(), Options()):
        assert code.for_run(fields, options, False)[0].value == 8 and options.successor is None
        assert "nvcc was not found" in code.note and code.note.endswith(": it has no passes")
    assert code.without_cpp(fields).value == 8
    with pytest.raises(CompileError, match="nvcc was not found"):
        code.warm_up(fields)
    monkeypatch.setattr(compilers, "found_nvcc", lambda: "/usr/bin/true")
    code._why_not = None
    code._whole.value = 24
    assert code.for_run(fields, Temporal(), False)[0].value == 24

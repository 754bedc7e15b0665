# SPDX-License-Identifier: MIT
"""When a run on a GPU without nvcc takes whole steps and several per pass by NVRTC
(test_passes_by_nvrtc.py), seen without a GPU."""

import ctypes
import threading

import pytest
from test_nvrtc import Options, on_gpu

from teff import build, cache, compiled, compilers, gpu_passes, gpu_rows, library
from teff.errors import CompileError

assert on_gpu  # a fixture


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
    assert code.note.endswith("one step per pass, by nvcc also") and not asked
    assert "install" not in code.note  # it would make no difference


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

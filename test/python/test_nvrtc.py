# SPDX-License-Identifier: MIT
"""Where NVRTC is looked for, and when a run takes it, seen without a GPU."""

import ctypes
import itertools
import subprocess
from pathlib import Path

import numpy as np
import pytest
from formulas import ALL
from test_rows_as_cuda import fields_of, needs_nvrtc

import teff
from teff import build, compiled, compilers, gpu_rows, nvrtc, tracer


# ---- where NVRTC is

@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """No place of NVRTC is known; those to be found are folders in tmp_path."""
    for name in ("TEFF_NVRTC", "CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX", "LD_LIBRARY_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(compilers, "found_nvcc", lambda: None)
    monkeypatch.setattr(nvrtc, "_wheels", lambda: [str(tmp_path / "nvidia")])
    monkeypatch.setattr(nvrtc, "_of_linker", lambda: [])
    monkeypatch.setattr(nvrtc, "TOOLKIT", str(tmp_path / "no-toolkit"))
    nvrtc._found.cache_clear()
    yield monkeypatch
    nvrtc._found.cache_clear()


def a_library(folder, name="libnvrtc.so.13"):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(b"")
    return str(folder / name)


def test_it_is_found(nowhere, tmp_path):
    """Each place comes before those that were there already."""
    def found():
        nvrtc._found.cache_clear()
        return nvrtc.found()
    assert found() is None
    home = a_library(tmp_path / "cuda" / "lib64")
    nowhere.setenv("CUDA_HOME", str(tmp_path / "cuda"))
    assert found() == home
    a_library(tmp_path / "nvidia" / "cublas" / "lib", "libcublas.so.13")
    wheel = a_library(tmp_path / "nvidia" / "cu13" / "lib")
    assert found() == wheel
    folder = tmp_path / "nvidia" / "cuda_nvrtc" / "lib"
    wheel = a_library(folder, "libnvrtc.so.12")
    a_library(folder, "libnvrtc.so.12.8.93")  # the same file
    a_library(folder, "libnvrtc-builtins.so.12.8")
    assert found() == wheel
    newer = a_library(folder, "libnvrtc.so.13")
    assert found() == newer
    beside = a_library(tmp_path / "toolkit" / "targets" / "x86_64-linux" / "lib")
    nowhere.setattr(compilers, "found_nvcc", lambda: str(tmp_path / "toolkit" / "bin" / "nvcc"))
    assert found() == beside
    for asked in (home, str(Path(home).parent)):
        nowhere.setenv("TEFF_NVRTC", asked)
        assert found() == home
    nowhere.setenv("TEFF_NVRTC", "")
    assert found() is None


def test_the_linker_is_asked(monkeypatch, tmp_path):
    monkeypatch.setenv("LD_LIBRARY_PATH", f":{tmp_path}")
    monkeypatch.setattr(nvrtc.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess(
        [], 0, "\tlibnvrtc.so.13 (libc6,x86-64) => /opt/libnvrtc.so.13\n"
               "\tlibnvrtc-builtins.so.13.0 (libc6,x86-64) => /opt/b.so\n", ""))
    assert nvrtc._of_linker() == [str(tmp_path), "/opt/libnvrtc.so.13"]


def test_errors_say_what_to_install(nowhere, tmp_path):
    with pytest.raises(teff.CompileError, match="it is not found: pip install nvidia-cuda-nvrtc"):
        nvrtc.path()
    with pytest.raises(teff.CompileError, match="nvcc was not found: install the CUDA toolkit.*"
                                                "single steps alone take NVRTC: pip install"):
        compilers.nvcc()
    nowhere.setenv("TEFF_NVRTC", "/no/such/libnvrtc.so")
    with pytest.raises(teff.CompileError, match="'/no/such/libnvrtc.so', which TEFF_NVRTC names"):
        nvrtc.path()
    nowhere.setenv("TEFF_NVRTC", a_library(tmp_path / "torn"))
    with pytest.raises(teff.CompileError, match="torn/libnvrtc.so.13, can not be loaded"):
        nvrtc.compiled("", "90")
    source, made = tmp_path / "old.c", tmp_path / "libnvrtc.so.11.2"
    source.write_text("const char* nvrtcGetErrorString(int i) { return \"\"; }\n"
                      "int nvrtcVersion(int* a, int* b) { *a = 11; *b = 2; return 0; }\n")
    subprocess.run([*compilers.c_compiler(), "-shared", "-fPIC", str(source), "-o", str(made)],
                   check=True)
    nowhere.setenv("TEFF_NVRTC", str(made))
    with pytest.raises(teff.CompileError, match="is of CUDA 11.2, expected 12 or later"):
        nvrtc.compiled("", "90")


@needs_nvrtc
def test_an_architecture_that_it_does_not_know():
    with pytest.raises(teff.CompileError, match="does not know the GPU's architecture, 11: install a "
                                                "newer one"):
        nvrtc.compiled("", "11")


# ---- the start of a run, as it is decided

class Options:
    schedule = depth = 0
    steps, successor = 5, None


@pytest.fixture
def on_gpu(monkeypatch):
    """Formulas of the CPU's arrays are compiled as for a GPU."""
    monkeypatch.setattr(compiled, "_known", {})
    monkeypatch.setattr(build, "_loaded", {})
    monkeypatch.setattr(compilers, "architecture_of", lambda _device: "90")
    monkeypatch.setattr(compilers, "chip_bytes_of", lambda _device: 1 << 20)
    monkeypatch.setattr(build, "bind_if_compiled", lambda _traced: None)
    monkeypatch.setattr(compilers, "built", lambda: {"headers": "", "flags": [], "cuda": {
        "flags": [], "compiler": "none"}, "compiler": "g++"})
    fields = fields_of("heat", "f8")
    traced = ALL["heat"][0]._traced(fields)
    traced.device = "cuda:0"
    return monkeypatch, compiled.of(traced), tracer.fields_of(fields, "heat")


def test_single_steps_by_nvrtc_until_nvcc_is_done(on_gpu):
    """(Where there is no nvcc: test_runs_by_nvrtc.py.)"""
    monkeypatch, code, fields = on_gpu
    asked = []
    monkeypatch.setattr(gpu_rows, "bind_of", lambda *a: asked.append(a) or ctypes.c_void_p(8))
    monkeypatch.setattr(compilers, "found_nvcc", lambda: "/usr/bin/true")
    for _ in range(2):
        options = Options()
        assert code.for_run(fields, options, False)[0].value == 8
        assert options.successor == ctypes.addressof(code._whole) and code.note == ""
    assert len(asked) == 1


def test_formulas_with_the_same_kernels_are_bound_apart(on_gpu):
    """Together or in turn, with one condition or another: the kernels are one, the tables are not."""
    monkeypatch, _, _ = on_gpu
    numbers = itertools.count(8)
    monkeypatch.setattr(gpu_rows, "bind_of", lambda *_: ctypes.c_void_p(next(numbers)))

    def step(join, side):
        def of(A, B):
            return join(teff.update(A, A + 0.3 * B, teff.boundary(x=side)), teff.update(B, B - 0.5 * A))
        return teff.timestep(of)
    texts, binds = set(), []
    for join, side in itertools.product((teff.stages, teff.together), (teff.periodic, teff.fixed)):
        traced = step(join, side)._traced([np.ones((4, 5))] * 2)
        traced.device = "cuda:0"
        texts.add(gpu_rows.text_of(traced)[0])
        binds.append(build.bind_as_rows(traced).value)
        assert build.bind_as_rows(traced).value == binds[-1]
    assert len(texts) == 1 and len(set(binds)) == 4


def test_without_nvrtc_nvcc_does_it_and_without_both_it_is_said(on_gpu):
    monkeypatch, code, fields = on_gpu
    monkeypatch.setattr(nvrtc, "found", lambda: None)
    with monkeypatch.context() as with_nvcc:
        with_nvcc.setattr(build, "bind_of", lambda _traced: ctypes.c_void_p(16))
        assert code.for_run(fields, Options(), False)[0].value == 16
    code._whole.value = None
    monkeypatch.setattr(compilers, "found_nvcc", lambda: None)
    with pytest.raises(teff.CompileError, match="nvcc was not found: install.*take NVRTC: pip"):
        code.for_run(fields, Options(), False)


def test_an_nvrtc_that_was_asked_for_and_is_not_there_is_said(on_gpu):
    monkeypatch, code, fields = on_gpu
    monkeypatch.setenv("TEFF_NVRTC", "/no/such/file")
    with pytest.warns(RuntimeWarning, match="'/no/such/file', which TEFF_NVRTC names, is not found"):
        assert code.rows(fields) is None


def test_what_nvrtc_refuses_is_said_and_left_to_nvcc(on_gpu):
    monkeypatch, code, fields = on_gpu

    def fail(*_):
        raise teff.CompileError("no cubin for this")
    monkeypatch.setattr(gpu_rows, "bind_of", fail)
    monkeypatch.setattr(nvrtc, "found", lambda: "libnvrtc.so")
    with pytest.warns(RuntimeWarning, match="heat waits for nvcc.*no cubin for this"):
        assert code.rows(fields) is None
    assert code.rows(fields) is None

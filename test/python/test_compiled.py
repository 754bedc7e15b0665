# SPDX-License-Identifier: MIT
"""The code that is compiled for runs, and its cache."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import CACHE
from formulas import GROW, grow

import teff
from teff import build, cache, compilers, emit, tracer

# By the C++ compiler; rows have tests of their own (test_rows.py).
ONE = GROW + """import os
os.environ["TEFF_ROWS"] = "0"
teff.iterate(grow, 3, T)
assert T[0] == 8, T
"""


def entries(folder):
    return sorted(folder.rglob("*.so"))


def a_copy_of_the_cache(folder):
    """With the one formula in it, so that nothing need be compiled."""
    teff.warmup(grow, np.ones(8))
    key = build.key_of(grow.source(np.ones(8)))
    to = folder / key[:2]
    to.mkdir(parents=True)
    folder.chmod(0o700)
    shutil.copy(cache.entry(str(CACHE), key), to)
    return to / (key + ".so")


def test_many_processes_compile_once(tmp_path):
    """At once, one of them killed meanwhile: all others are right, and there is one entry."""
    environment = {**os.environ, "TEFF_CACHE": str(tmp_path / "c")}
    start = [subprocess.Popen([sys.executable, "-c", ONE], env=environment, text=True,
                              stderr=subprocess.PIPE, start_new_session=True) for _ in range(8)]
    time.sleep(1.0)
    os.killpg(start[0].pid, signal.SIGKILL)
    said = [process.communicate(timeout=300)[1] for process in start]
    assert [process.returncode for process in start[1:]] == [0] * 7, said
    assert sum("compiling" in text for text in said[1:]) <= 2
    assert len(entries(tmp_path / "c")) == 1


def test_an_entry_is_found_and_checked(tmp_path, run_python):
    entry = a_copy_of_the_cache(tmp_path)
    assert "compiling" not in run_python(ONE, TEFF_CACHE=str(tmp_path)).stderr
    whole = entry.read_bytes()
    for spoiled in (whole[:-100], b"", whole[:500] + b"x" + whole[501:], b"another file" * 10):
        entry.write_bytes(spoiled)
        assert not cache.is_whole(str(entry))
    assert cache.is_whole(str(entry)) is False
    entry.write_bytes(whole)
    assert cache.is_whole(str(entry))


def fake_compiler(folder, body):
    """One that copies what was compiled before, or does what else the body says."""
    path = folder / "g++"
    path.write_text("#!/bin/sh\ncase \"$*\" in -v) echo 'gcc version 12.2' >&2; exit;; esac\n"
                    "for word; do [ \"$last\" = -o ] && out=$word; last=$word; done\n" + body)
    path.chmod(0o755)
    return str(path)


def test_an_empty_path_and_flags_that_can_not_be_taken_apart(tmp_path, run_python):
    tools = shutil.which("g++")
    done = run_python(ONE, check=False, PATH="", TEFF_CXX=tools, TEFF_CACHE=str(tmp_path))
    assert "FileNotFoundError" not in done.stderr and "can not be used" not in done.stderr
    assert done.returncode == 0 or "CompileError" in done.stderr
    for name in ("TEFF_CXXFLAGS", "TEFF_CXX", "TEFF_CFLAGS", "TEFF_CC"):
        text = ONE.replace('"0"', '"only"') if name in ("TEFF_CFLAGS", "TEFF_CC") else ONE
        done = run_python(text, check=False, **{name: "'x", "TEFF_CACHE": str(tmp_path / name)})
        assert f'CompileError: {name}="\'x" can not be taken apart' in done.stderr


def test_a_spoiled_entry_is_made_anew(tmp_path, run_python):
    entry = a_copy_of_the_cache(tmp_path / "good")
    compiler = fake_compiler(tmp_path, f"cp {entry} $out\n")
    options = {"TEFF_CXX": compiler, "TEFF_CACHE": str(tmp_path / "c")}
    assert "compiling" in run_python(ONE, **options).stderr
    made, = entries(tmp_path / "c")
    made.write_bytes(made.read_bytes()[:1000])
    assert "compiling" in run_python(ONE, **options).stderr
    assert "compiling" not in run_python(ONE, **options).stderr


def test_a_cache_that_can_not_be_used(tmp_path, run_python):
    entry = a_copy_of_the_cache(tmp_path / "good")
    compiler = fake_compiler(tmp_path, f"cp {entry} $out\n")
    options = {"TEFF_CXX": compiler}
    (tmp_path / "file").write_text("")
    done = run_python(ONE, TEFF_CACHE=str(tmp_path / "file"), **options)
    assert "can not be used" in done.stderr and "TEFF_CACHE" in done.stderr
    others = tmp_path / "others"
    others.mkdir()
    others.chmod(0o777)
    done = run_python(ONE, TEFF_CACHE=str(others), **options)
    assert "can be written by others" in done.stderr and not entries(others)
    full = run_python("import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
                      "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n" + ONE,
                      check=False, TEFF_CACHE=str(tmp_path / "c"), **options)
    assert full.returncode != 0 and "Error" in full.stderr and "Traceback" in full.stderr
    assert not entries(tmp_path / "c")
    run_python(ONE, TEFF_CACHE="", **options)
    run_python(ONE, TEFF_CACHE=str(tmp_path / "c"), HOME="/nonexistent", **options)


@pytest.mark.parametrize("body, message", [
    ("echo 'formula.cpp:10:5: error: no such thing' >&2; exit 1\n", "no such thing"),
    ("kill -9 $$\n", "killed"),
    ("echo > $out\n", "can not be loaded"),
    ("exit 0\n", "could not be compiled"),
])
def test_a_compilation_that_fails(body, message, tmp_path, run_python):
    compiler = fake_compiler(tmp_path, body)
    done = run_python(ONE, check=False, TEFF_CXX=compiler, TEFF_CACHE=str(tmp_path / "c"))
    assert done.returncode == 1 and "CompileError" in done.stderr and message in done.stderr
    if "formula.cpp:10" in body:
        assert "line 5" in done.stderr  # of GROW
        kept = done.stderr.split("The text is ")[1].split(";")[0]
        assert "teff_formula_bind" in open(kept, encoding="utf-8").read()
        shutil.rmtree(os.path.dirname(kept))


def test_no_compiler(run_python, tmp_path):
    done = run_python(ONE, check=False, TEFF_CXX="no-such-compiler", TEFF_CACHE=str(tmp_path))
    assert "apt install g++" in done.stderr and "no-such-compiler" in done.stderr
    old = fake_compiler(tmp_path, "")
    text = open(old, encoding="utf-8").read().replace("12.2", "9.4")
    open(old, "w", encoding="utf-8").write(text)
    done = run_python(ONE, check=False, TEFF_CXX=old, TEFF_CACHE=str(tmp_path))
    assert "g++ 12 or later" in done.stderr


def test_entries_are_for_their_user_alone():
    teff.warmup(grow, np.ones(8))
    assert not stat.S_IMODE(os.stat(CACHE).st_mode) & 0o022


def test_the_key_depends_on_flags_and_text(monkeypatch):
    a = build.key_of("a")
    assert a == build.key_of("a") != build.key_of("b")
    monkeypatch.setenv("TEFF_CXXFLAGS", "-O1")
    assert build.key_of("a") != a


def fake_nvcc(folder, monkeypatch, release="13.0"):
    """A package with CUDA, whose nvcc only tells its version."""
    path = folder / "nvcc"
    path.write_text(f"#!/bin/sh\necho Cuda compilation tools, release {release}, V{release}.88\n")
    path.chmod(0o755)
    monkeypatch.setenv("TEFF_NVCC", str(path))
    known = {**compilers.built(), "cuda": {"flags": ["--extended-lambda"], "compiler": "/none/nvcc"}}
    monkeypatch.setattr(compilers, "built", lambda: known)
    return path


def test_the_key_of_a_gpu_depends_on_nvcc_and_architecture(tmp_path, monkeypatch):
    path = fake_nvcc(tmp_path, monkeypatch)
    words = compilers.command("90")
    assert words[0] == str(path) and "-gencode=arch=compute_90,code=sm_90" in words
    assert "--extended-lambda" in words and "-ccbin" not in words
    keys = [build.key_of("a"), build.key_of("a", "90"), build.key_of("a", "80")]
    monkeypatch.setenv("NVCC_APPEND_FLAGS", "-lineinfo")
    keys.append(build.key_of("a", "90"))
    monkeypatch.setenv("TEFF_NVCCFLAGS", "-O1")
    keys.append(build.key_of("a", "90"))
    fake_nvcc(tmp_path, monkeypatch, "13.1")
    keys.append(build.key_of("a", "90"))
    monkeypatch.setenv("TEFF_CXX", "g++")
    assert "-ccbin" in compilers.command("90")
    assert len(set(keys)) == len(keys)


def test_an_nvcc_that_is_missing_or_old(tmp_path, monkeypatch):
    fake_nvcc(tmp_path, monkeypatch, "11.8")
    with pytest.raises(teff.CompileError, match="CUDA 11; Teff's headers take CUDA 12"):
        build.key_of("a", "90")
    monkeypatch.setenv("TEFF_NVCC", "/nowhere/nvcc")
    with pytest.raises(teff.CompileError, match="/nowhere/nvcc.*CUDA_HOME"):
        build.key_of("a", "90")


def test_an_error_of_nvcc_names_the_line(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "_private", None)

    class Done:
        returncode, stderr = 1, "formula.cu(12): error: no operator fits\n"
    traced = emit.traced(grow._function, tracer.fields_of([np.ones(3)], "grow"))
    traced.places[12] = ("mine.py", 7)
    source = tmp_path / "formula.cu"
    source.write_text(traced.text)
    said = build._failure(traced, ["nvcc"], Done, str(source))
    shutil.rmtree(cache.private_folder())
    assert "(mine.py, line 7)" in said and "no operator fits" in said


def test_old_entries_go(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "CAP_BYTES", 250)
    for i in range(4):
        path = tmp_path / f"{i}.so"
        path.write_bytes(b"x" * 100)
        os.utime(path, (i, i))
    left = tmp_path / ".making-of-a-killed-process"
    left.mkdir()
    os.utime(left, (0, 0))
    cache._trim(str(tmp_path))
    assert not left.exists()
    assert [p.name for p in entries(tmp_path)] == ["2.so", "3.so"]

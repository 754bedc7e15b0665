# SPDX-License-Identifier: MIT
"""What the tests of the Python package share: where it is, one cache of compiled formulas, and the
C++ programs that they are compared with.

TEFF_TEST_PACKAGE is the folder that holds the package `teff`, TEFF_TEST_CACHE the cache,
TEFF_TEST_LONG=1 asks for what takes minutes.
"""

import fcntl
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
PACKAGE = Path(os.environ["TEFF_TEST_PACKAGE"]).resolve()
CACHE = Path(os.environ["TEFF_TEST_CACHE"]).resolve()
CACHE.mkdir(parents=True, exist_ok=True, mode=0o700)
IS_LONG = os.environ.get("TEFF_TEST_LONG") == "1"

# What only asks for meaning is compiled without an optimizer: half of the time.
os.environ["TEFF_CACHE"] = str(CACHE)
os.environ["TEFF_CXXFLAGS"] = "-O0"
os.environ["TEFF_SCHEDULES"] = ""
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
sys.path[:0] = [str(PACKAGE), str(HERE / "gpu")]  # (whose kernels are looked at without one, too)
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(PACKAGE), os.environ.get("PYTHONPATH")]))


# Who is started in the background by a shell ignores it, and so would the runs that are interrupted.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config, items):
    if not IS_LONG:
        config.hook.pytest_deselected(items=[i for i in items if "long" in i.keywords])
        items[:] = [item for item in items if "long" not in item.keywords]


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes minutes")
    precompile_headers()


def build_flags():
    """A C++ program's: those of formulas, whose precompiled header comes first. (So what a program
    forgets to include is not seen here; the tests in C++ are such programs, too.)"""
    from teff import compilers
    library = PACKAGE / "teff" / "library"
    return [*(word for word in compilers.command() if word != "-shared"), "-include", "teff/capi/formula.hpp",
            *compilers.link_flags(), f"-Wl,-rpath,{library}"]


def precompile_headers():
    """What texts include, as g++ has read it: of the 1 to 1.5 s that it takes for that, 0.1 to 0.3 are
    left."""
    from teff import compilers, kernels
    folder = CACHE / "precompiled"
    os.environ["TEFF_CXXFLAGS"] += f" {shlex.quote(f'-I{folder}')}"
    stamp, of = folder / "of", repr(compilers.identity())
    folder.mkdir(exist_ok=True)
    with open(CACHE / "precompiled.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if stamp.exists() and stamp.read_text() == of:
            return
        headers = PACKAGE / "teff" / "library" / "include" / "teff" / "capi"
        made = folder / "teff" / "capi"
        made.mkdir(parents=True, exist_ok=True)
        stamp.unlink(missing_ok=True)
        # (A header that was read with other macros is of no use, and -Wvla takes one away.)
        flags_of = {"formula.hpp": (), "equation.hpp": (), "kernel.hpp": kernels.REFUSED[False]}
        started = [subprocess.Popen([*compilers.command(None, flags), "-x", "c++-header",
                                     headers / name, "-o", made / f"{name}.gch"])
                   for name, flags in flags_of.items()]
        assert not any([one.wait() for one in started])
        stamp.write_text(of)


def program_of(name, **defined):
    """The C++ program of a source here, with macros; it is compiled where it is older than that, by one
    process of those that ask for it."""
    program = CACHE / "-".join([name, *map(str, defined.values())])
    source = HERE / f"{name}.cpp"
    library = PACKAGE / "teff" / "library"
    stamp = program.with_suffix(".of")
    of = (library / "build.json").read_text() + source.read_text()
    with open(program.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.exists() or not stamp.exists() or stamp.read_text() != of:
            words = build_flags()
            subprocess.run([words[0], str(source), *words[1:],
                            *(f"-D{macro}={value}" for macro, value in defined.items()),
                            "-o", str(program)], check=True)
            stamp.write_text(of)
    return program


@pytest.fixture
def run_python():
    """Runs lines in a Python of its own, with the package; gives what it did."""
    def run(text, check=True, timeout=300, python=sys.executable, **environment):
        done = subprocess.run([python, "-c", text], capture_output=True, text=True,
                              timeout=timeout, check=False,
                              env={**os.environ, **environment})
        if check:
            assert done.returncode == 0, done.stderr
        return done
    return run
